import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import type { LoanState } from '../../../../actors/loan/state.js';
import { formatDay, must } from '../../../../engine/index.js';
import { type CreditOverHttp, idOf, openCredit } from './credit-over-http.js';

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

const BOB = { externalId: 'bob-1', name: { firstName: 'Bob', lastName: 'Quimby' }, dateOfBirth: '1980-04-01' };
const PETITION = { caseType: 'bankruptcy', courtCaseChapter: 'chapter7', courtCaseFiledDate: '2026-03-18' };

/** What a file shows of the bankruptcy of a co-borrower: indicator of the borrower, of the other, date of first delinquency, history. */
type Shown = readonly [string | null, readonly (string | null)[], string | null, string];

/** Over a cluster a loan knows a person of another unit for two seconds: `TENOR_TEST_CLUSTER=1 npm test -- co-borrowers`. */
const othersRead = async (): Promise<void> => pause(process.env['TENOR_TEST_CLUSTER'] === '1' ? LIMITS.remoteMs + 100 : 0);

/** A lender, and a loan with a co-borrower whose bankruptcy was reported for March. */
async function withBankruptcy(t: Test): Promise<CreditOverHttp & { readonly path: string; shownOn(date: string): Promise<Shown> }> {
  const lender = await openCredit(t);
  const { ask, loan, goTo, madeFile, accountsOf } = lender;
  t.match(await ask('POST', '/people', BOB), { status: 200 });
  t.match(await ask('POST', `${loan}/people`, { personId: 'ext-bob-1', loanRelationType: 'coBorrower' }), { status: 201 });
  await goTo('2026-03-20');
  const path = `/people/ext-bob-1/cases/${idOf(await ask('POST', '/people/ext-bob-1/cases', PETITION))}`;
  const shownOn = async (date: string): Promise<Shown> => {
    await othersRead();
    await goTo(date);
    const file = await madeFile();
    t.match(file, { heldCount: 0 });
    const account = must((await accountsOf(file))[0], 'the account is in the file');
    const { consumerInformationIndicator, dateOfFirstDelinquency: first, paymentHistoryProfile } = account.base;
    const others = [...account.J1, ...account.J2].map((other) => other.consumerInformationIndicator);
    return [
      consumerInformationIndicator,
      others,
      first === null ? null : formatDay(first),
      paymentHistoryProfile?.replace(/B+$/, '') ?? '',
    ];
  };
  t.strictSame(await shownOn('2026-04-01'), [null, ['A'], '2026-03-18', ''], 'the petition is the date of first delinquency');
  return { ...lender, path, shownOn };
}

test("a co-borrower's bankruptcy is reported on a current loan; if it was an error it is removed once", async (t) => {
  const { ask, path, shownOn } = await withBankruptcy(t);
  t.match(await ask('PUT', path, { status: 'canceled' }), { status: 200 });
  t.strictSame(await shownOn('2026-05-01'), [null, ['Q'], '2026-04-14', '0'], 'the loan is late by now');
  t.strictSame(await shownOn('2026-06-01'), [null, [null], '2026-04-14', '10']);
});

test('an error that an earlier release may have reported of a co-borrower is removed, too', async (t) => {
  const { ask, path, shownOn, h, loan } = await withBankruptcy(t);
  t.match(await ask('PUT', path, { status: 'canceled' }), { status: 200 });
  const loanId = idOf(await ask('GET', loan));
  const state = must(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', loanId), 'the loan');
  const { records } = state.creditReporting;
  // Records of earlier releases have no indicators of others.
  const earlier = records.map(({ otherIndicators: _none, ...record }) => record);
  state.creditReporting = { ...state.creditReporting, records: earlier };
  t.strictSame(await shownOn('2026-05-01'), [null, ['Q'], '2026-04-14', '0']);
  t.strictSame(await shownOn('2026-06-01'), [null, [null], '2026-04-14', '10']);
});
