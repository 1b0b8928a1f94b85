import { type Test, test } from 'tap';
import { openCredit } from './credit-over-http.js';

interface Added {
  readonly ecoaCode: string | null | undefined;
  /** Names of the other consumers of the record. */
  readonly others: readonly unknown[];
}

const KID = { externalId: 'kid-1', name: { firstName: 'Kid', lastName: 'Quimby' } };
const ACME = {
  externalId: 'acme-1',
  borrowerType: 'business',
  businessDetails: { businessName: 'Acme Pipes', businessType: 'LLC' },
};

/** The record of March with another person on the loan. */
async function withPerson(t: Test, person: object, personId: string, loanRelationType: string): Promise<Added> {
  const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
  t.match(await ask('POST', '/people', person), { status: 200 });
  t.match(await ask('POST', `${loan}/people`, { personId, loanRelationType }), { status: 201 });
  await goTo('2026-04-01');
  const file = await madeFile();
  t.match(file, { recordCount: 1, held: [] });
  const [account] = await accountsOf(file);
  return { ecoaCode: account?.base.ecoaCode, others: [...(account?.J1 ?? []), ...(account?.J2 ?? [])].map(({ firstName }) => firstName) };
}

for (const relation of ['coBorrower', 'guarantor'])
  test(`a business as ${relation} is left out of the borrower's record`, async (t) => {
    t.strictSame(await withPerson(t, ACME, 'ext-acme-1', relation), { ecoaCode: '1', others: [] });
  });

for (const relation of ['coBorrower', 'authorizedUser'])
  test(`a minor as ${relation} is not reported`, async (t) => {
    t.strictSame(await withPerson(t, { ...KID, dateOfBirth: '2008-04-01' }, 'ext-kid-1', relation), { ecoaCode: '1', others: [] });
  });

test('a co-borrower is reported from the month of the eighteenth birthday on', async (t) => {
  const added = await withPerson(t, { ...KID, dateOfBirth: '2008-03-31' }, 'ext-kid-1', 'coBorrower');
  t.strictSame(added, { ecoaCode: '2', others: ['KID'] });
});
