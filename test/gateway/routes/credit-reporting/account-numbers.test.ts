import { type Test, test } from 'tap';
import { loanBody } from '../../../actors/loan/setting.js';
import { type CreditOverHttp, idOf, listOf, openCredit } from './credit-over-http.js';

interface Numbers {
  readonly account: string | null | undefined;
  readonly change: object | null | undefined;
}

const BY_EXTERNAL_ID = { useLoanExternalId: true };

/** The numbers of each account in the file that is made on a day. */
async function numbersOn(t: Test, { goTo, madeFile, accountsOf }: CreditOverHttp, date: string): Promise<readonly Numbers[]> {
  await goTo(date);
  const file = await madeFile();
  t.match(file, { status: 'succeeded', held: [] });
  return (await accountsOf(file)).map(({ base, L1 }) => ({ account: base.consumerAccountNumber, change: L1 }));
}

const named = async ({ ask, loan }: CreditOverHttp, externalId: string): Promise<unknown> => ask('PUT', loan, { externalId });

const idIn = (path: string): string => path.split('/').at(-1) ?? '';

const changed = (newConsumerAccountNumber: string): object => ({
  changeIndicator: '1',
  newConsumerAccountNumber,
  newIdentificationNumber: null,
});

test('external ids that the field would cut are not account numbers: each loan has its own', async (t) => {
  const lender = await openCredit(t, BY_EXTERNAL_ID);
  const other = await lender.active({ externalId: 'contract-2026-northwind-lending-0002' });
  await named(lender, 'contract-2026-northwind-lending-0001');
  const sent = await numbersOn(t, lender, '2026-04-01');
  t.same(new Set(sent.map(({ account }) => account)), new Set([idIn(lender.loan), idIn(other)]));
});

for (const [externalId, account] of [
  ['acct-17', 'ACCT-17'],
  ['ACCT_17', 'ACCT_17'],
  ['7'.repeat(30), '7'.repeat(30)],
] as const)
  test(`the external id ${externalId} is the account number ${account}`, async (t) => {
    const lender = await openCredit(t, BY_EXTERNAL_ID);
    await named(lender, externalId);
    t.strictSame(await numbersOn(t, lender, '2026-04-01'), [{ account, change: null }]);
  });

for (const externalId of ['acct 17', '7'.repeat(31), 'Acct-17', 'acct-é', 'LN-7KQ1-ZZ4M'])
  test(`the external id ${externalId} would not be unique in a file`, async (t) => {
    const lender = await openCredit(t, BY_EXTERNAL_ID);
    await named(lender, externalId);
    t.strictSame(await numbersOn(t, lender, '2026-04-01'), [{ account: idIn(lender.loan), change: null }]);
  });

test('of two external ids that are the same in capitals, only one that was sent already is an account number', async (t) => {
  const lender = await openCredit(t, BY_EXTERNAL_ID);
  await named(lender, 'acct-17');
  t.strictSame(await numbersOn(t, lender, '2026-04-01'), [{ account: 'ACCT-17', change: null }]);
  const other = await lender.active({ externalId: 'ACCT-17' });
  const sent = await numbersOn(t, lender, '2026-05-01');
  t.same(new Set(sent.map(({ account }) => account)), new Set(['ACCT-17', idIn(other)]));
});

test('another account number is announced once, under the old one', async (t) => {
  const lender = await openCredit(t, BY_EXTERNAL_ID);
  const { ask, company, agencyId, loan } = lender;
  await named(lender, 'ACCT1');
  t.strictSame(await numbersOn(t, lender, '2026-04-01'), [{ account: 'ACCT1', change: null }]);
  await named(lender, 'ACCT2');
  t.strictSame(await numbersOn(t, lender, '2026-05-01'), [{ account: 'ACCT1', change: changed('ACCT2') }]);
  t.strictSame(await numbersOn(t, lender, '2026-06-01'), [{ account: 'ACCT2', change: null }]);
  await ask('PUT', `/companies/${company}/credit-agencies/${agencyId}`, { useLoanExternalId: false });
  t.strictSame(await numbersOn(t, lender, '2026-07-01'), [{ account: 'ACCT2', change: changed(idIn(loan)) }]);
  t.strictSame(await numbersOn(t, lender, '2026-08-01'), [{ account: idIn(loan), change: null }]);
});

test('another identification number is announced in the same way', async (t) => {
  const { ask, company, loanTypeId, goTo, madeFile, accountsOf } = await openCredit(t);
  const sent = async (date: string): Promise<unknown> => {
    await goTo(date);
    return (await accountsOf(await madeFile())).map(({ base, L1 }) => [base.identificationNumber, L1?.newIdentificationNumber]);
  };
  t.strictSame(await sent('2026-04-01'), [['90210', undefined]]);
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { metro2EquifaxIdentificationNumber: '90333' });
  t.strictSame(await sent('2026-05-01'), [['90210', '90333']]);
  t.strictSame(await sent('2026-06-01'), [['90333', undefined]]);
});

test('a deletion names the account as the agency knows it', async (t) => {
  const lender = await openCredit(t, BY_EXTERNAL_ID);
  const { ask, loan } = lender;
  await named(lender, 'ACCT1');
  await numbersOn(t, lender, '2026-04-01');
  await named(lender, 'ACCT2');
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await ask('DELETE', `${loan}/credit-reporting/${String(known?.['id'])}`, { deletedReason: 'reportedInError' });
  t.strictSame(await numbersOn(t, lender, '2026-05-01'), [{ account: 'ACCT1', change: null }]);
});

for (const [externalId, change] of [
  ['NEW-77', changed('NEW-77')],
  ['OLD-77', null],
] as const)
  test(`a loan that came with the account number OLD-77 and has the external id ${externalId}`, async (t) => {
    const lender = await openCredit(t, BY_EXTERNAL_ID);
    const { ask, h, loanTypeId } = lender;
    const creditReporting = { l1Segment: { changeIndicator: '1', oldConsumerAccountNumber: 'OLD-77' } };
    const body = { externalId, muteLoanNotices: true, migration: { activatedDate: '2025-11-15', creditReporting } };
    const made = await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId, body));
    t.match(await ask('POST', `/people/ext-ann-1/loans/${idOf(made)}/migrate`, {}), { status: 200 });
    await h.engine.settled();
    const sentOn = async (date: string): Promise<unknown> =>
      (await numbersOn(t, lender, date)).find(({ account }) => account !== idIn(lender.loan));
    t.strictSame(await sentOn('2026-04-01'), { account: 'OLD-77', change });
    t.strictSame(await sentOn('2026-05-01'), { account: externalId, change: null });
  });
