import { test } from 'tap';
import { ACCOUNT } from '../../actors/borrower/lender.js';
import { dataOf, listOf, signedDocument } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

/** A fee that is scheduled for a coming day is part of what is shown to be due next, as it will be booked. */

type Data = Readonly<Record<string, unknown>>;
type Lender = Pick<LoanOverHttp, 'ask' | 'loanTypeId'>;

const addFeeType = ({ ask, loanTypeId }: Lender, chargeLogic: string): Promise<unknown> =>
  ask('POST', `/loan-types/${loanTypeId}/fee-types`, {
    name: { displayName: 'Copies', apiName: chargeLogic },
    feeType: 'adHoc',
    amountLogic: 'fixed',
    amount: 20,
    trigger: 'manual',
    chargeLogic,
  });

interface NextDue {
  readonly ofLoan: readonly unknown[];
  readonly ofBalances: readonly unknown[];
  readonly obligation: unknown;
  readonly rows: readonly (readonly [unknown, number])[];
}

/** What each read says of a due date. */
async function nextDue({ ask }: Pick<Lender, 'ask'>, loan: string, date: string): Promise<NextDue> {
  const { current } = dataOf(await ask('GET', loan)) as { readonly current: Data };
  const { overdueDetails } = dataOf(await ask('GET', `${loan}/balances`)) as { readonly overdueDetails: Data };
  const { obligations } = dataOf(await ask('GET', `${loan}/obligations?dueDate=${date}`)) as { readonly obligations: readonly Data[] };
  const { schedule } = dataOf(await ask('GET', `${loan}/expected-payments`)) as { readonly schedule: readonly Data[] };
  return {
    ofLoan: [current['nextDueDate'], current['nextDueAmount']],
    ofBalances: [overdueDetails['nextDueDate'], overdueDetails['nextDueAmount']],
    obligation: obligations[0]?.['obligationAmount'],
    rows: schedule.filter((row) => row['date'] === date).map(({ paymentType, amount }) => [paymentType, Number(amount)] as const),
  };
}

const sumOf = (rows: NextDue['rows']): number => rows.reduce((sum, [, amount]) => sum + Math.round(amount * 100), 0) / 100;

async function planOf({ ask }: Pick<Lender, 'ask'>): Promise<object> {
  const made = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  return { paymentInstrumentId: listOf(made)[0]?.['id'], agreementDocumentId: await signedDocument(ask) };
}

const PRODUCTS: Readonly<Record<string, object>> = {
  'accrued daily': {},
  'kept by installment': { byInstalment: { interestMethod: 'periodic' } },
};

for (const [name, product] of Object.entries(PRODUCTS)) {
  for (const chargeLogic of ['nextDueDate', 'immediate']) {
    test(`${name}: a ${chargeLogic} fee for a coming day is shown with the due date on which it will be due`, async (t) => {
      const lender = await openLoanOverHttp(t, product);
      const { ask, loan, goTo, failures } = lender;
      await addFeeType(lender, chargeLogic);
      const { obligation } = await nextDue(lender, loan, '2026-03-15');
      await ask('POST', `${loan}/fees`, { apiName: chargeLogic, chargeDate: '2026-03-12' });
      const shown = await nextDue(lender, loan, '2026-03-15');
      const withFee = Math.round(Number(obligation) * 100 + 2000) / 100;
      const next = { ofLoan: ['2026-03-15', withFee], ofBalances: ['2026-03-15', withFee], obligation: withFee };
      t.match(shown, next);
      t.equal(sumOf(shown.rows), withFee);
      await goTo('2026-03-15');
      const booked = await nextDue(lender, loan, '2026-03-15');
      t.match(booked, next, 'and so it is booked');
      t.strictSame(booked.rows, [
        ['periodicPayment', obligation],
        ['dynamicFee', 20],
      ]);
      if (name === 'accrued daily') t.strictSame(shown.rows, booked.rows);
      t.same(failures, []);
    });
  }
}

test('a fee for the due date itself falls due with the next one, and one that is canceled is shown no more', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, goTo } = lender;
  await addFeeType(lender, 'nextDueDate');
  const fee = { apiName: 'nextDueDate', chargeDate: '2026-03-15' };
  await ask('POST', `${loan}/fees`, fee);
  const canceled = await ask('POST', `${loan}/fees`, { ...fee, chargeDate: '2026-03-14' });
  t.match(await nextDue(lender, loan, '2026-03-15'), { ofLoan: ['2026-03-15', 129.14] });
  await ask('PUT', `${loan}/fees/${String((listOf(canceled)[0]?.['dynamicFeeDetails'] as Data)['loanFeeId'])}/cancel`, {});
  t.match(await nextDue(lender, loan, '2026-03-15'), { ofLoan: ['2026-03-15', 109.14], rows: [['periodicPayment', 109.14]] });
  const { rows } = await nextDue(lender, loan, '2026-04-15');
  t.strictSame(rows, [
    ['periodicPayment', 109.14],
    ['dynamicFee', 20],
  ]);
  await goTo('2026-03-15');
  t.match(await nextDue(lender, loan, '2026-04-15'), { ofLoan: ['2026-03-15', 109.14], obligation: 129.14, rows });
});

test('autopay expects the fee of a coming day with the payment that will pay it', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, goTo } = lender;
  await addFeeType(lender, 'nextDueDate');
  await ask('POST', `${loan}/autopay`, { ...(await planOf(lender)), amountType: 'scheduledAmount' });
  for (const chargeDate of ['2026-03-12', '2026-05-15']) await ask('POST', `${loan}/fees`, { apiName: 'nextDueDate', chargeDate });
  const amounts = async (): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `${loan}/autopay/expected-payments?limit=20`)).map((payment) => payment['amount']);
  const expected = await amounts();
  t.strictSame(expected.slice(0, 4), [129.14, 109.14, 109.14, 129.14], 'a fee of a due date comes behind its payment');
  t.match(await ask('GET', `${loan}/autopay`), { json: { data: { deltaTerms: { deltaFeeAmount: 0, deltaDueDatesNumber: 0 } } } });
  await goTo('2026-06-16');
  t.strictSame(await amounts(), expected.slice(3), 'those that are not settled yet');
  const paid = listOf(await ask('GET', `${loan}/transactions`)).map(({ scheduledAmount }) => scheduledAmount);
  t.strictSame(paid, [129.14, 109.14, 109.14, 129.14]);
});

test('a line, and its draw, show fees of the days until the statement with the minimum payment', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, line, draw, goTo, failures } = lender;
  await addFeeType(lender, 'nextDueDate');
  const path = await draw();
  await ask('POST', `${path}/purchases`, { amount: 1000 });
  const plan = await planOf(lender);
  t.match(await ask('POST', `${line}/autopay`, { ...plan, amountType: 'minimumDueAmount' }), { status: 200 });
  t.match(await nextDue(lender, line, '2026-04-15'), { ofLoan: ['2026-04-15', 61.34] });
  t.match(await ask('POST', `${line}/fees`, { apiName: 'nextDueDate', chargeDate: '2026-03-20' }), { status: 200 });
  t.match(await ask('POST', `${path}/fees`, { apiName: 'nextDueDate', chargeDate: '2026-03-21' }), { status: 200 });
  await ask('POST', `${line}/fees`, { apiName: 'nextDueDate', chargeDate: '2026-04-01' });
  const ofDraw = async (): Promise<unknown> =>
    (dataOf(await ask('GET', `${path}/expected-payments`))['schedule'] as readonly Data[])[0]?.['amount'];
  const automatic = async (): Promise<unknown> => listOf(await ask('GET', `${line}/autopay/expected-payments`))[0]?.['amount'];
  const [shown, shownOfDraw, expected] = [await nextDue(lender, line, '2026-04-15'), await ofDraw(), await automatic()];
  t.match(shown, { ofLoan: ['2026-04-15', 101.34], ofBalances: ['2026-04-15', 101.34], obligation: 101.34 });
  t.strictSame([shownOfDraw, expected], [81.34, 101.34]);
  await goTo('2026-03-26');
  t.same([await nextDue(lender, line, '2026-04-15'), await ofDraw(), await automatic()], [shown, shownOfDraw, expected], 'so it is stated');
  t.match(await nextDue(lender, line, '2026-05-15'), { obligation: 84.79 }, 'with the fee of the day after the statement');
  await goTo('2026-04-26');
  t.match(listOf(await ask('GET', `${line}/transactions`)), [{ scheduledAmount: 101.34 }]);
  t.same(failures, []);
});
