import { test } from 'tap';
import type { CaseState } from '../../../../actors/casework/cases/state.js';
import { newCase } from '../../../../actors/casework/cases/state.js';
import { caseworkAbout } from '../../../../actors/casework/index.js';

const TENANT = { company: 'CP-TEST-TEST', mode: 'test' } as const;
const OWN = { personId: 'BO-ANNA-ANNA', additionalPeople: [], externalId: 'own' };
const LOANS: Readonly<Record<string, object>> = {
  'LN-OWNA-OWNA': OWN,
  'LN-OWNB-OWNB': { ...OWN, externalId: 'other' },
  'LN-SHAR-SHAR': { ...OWN, personId: 'BO-CORA-CORA', additionalPeople: [{ personId: 'BO-ANNA-ANNA' }] },
  'LN-BOBS-BOBS': { ...OWN, personId: 'BO-BOBB-BOBB' },
};

/** The loans that the guard screens for a bankruptcy that stores these ids. */
function loansScreened(loansIncluded: readonly string[]): readonly string[] | undefined {
  const stored: CaseState = {
    ...newCase('CS-AAAA-AAAA', TENANT),
    personId: OWN.personId,
    caseType: 'bankruptcy',
    fields: { loansIncluded },
  };
  const env = {
    list: (_kind: string, { parentId }: { readonly parentId: string }) => ({ rows: parentId === OWN.personId ? [{ id: stored.id }] : [] }),
    readBelow: () => [],
    read: (kind: string, id: string) => (kind === 'case' ? stored : LOANS[id] && { record: LOANS[id] }),
  };
  return caseworkAbout(env as unknown as Parameters<typeof caseworkAbout>[0], OWN.personId, ['LN-OWNA-OWNA']).cases[0]?.loanIds;
}

test('a petition that names loans of the borrower stays the collection of these', (t) => {
  t.strictSame(loansScreened(['LN-OWNA-OWNA']), ['LN-OWNA-OWNA']);
  t.strictSame(loansScreened(['LN-OWNB-OWNB', 'LN-SHAR-SHAR']), ['LN-OWNB-OWNB', 'LN-SHAR-SHAR']);
  t.end();
});

test('a petition that was stored with any other id may be about any loan', (t) => {
  for (const id of ['LN-NONE-NONE', 'LN-BOBS-BOBS', 'ext-unknown', 'ext-own', '12'])
    t.strictSame([loansScreened([id]), loansScreened(['LN-OWNA-OWNA', id])], [[], []], id);
  t.end();
});
