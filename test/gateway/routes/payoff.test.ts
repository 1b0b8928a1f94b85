import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

/** What a payoff counts besides the ledger of today: fees and credits of the days until then. */

type Lender = Pick<LoanOverHttp, 'ask' | 'loanTypeId'>;

const addFeeType = ({ ask, loanTypeId }: Lender, apiName: string, body: object = {}): Promise<unknown> =>
  ask('POST', `/loan-types/${loanTypeId}/fee-types`, {
    name: { displayName: apiName, apiName },
    feeType: 'adHoc',
    amountLogic: 'fixed',
    amount: 20,
    trigger: 'manual',
    ...body,
  });

const payment = (amount: unknown, more: object = {}): object => ({
  type: 'oneTime',
  amount,
  isExternal: true,
  status: 'succeeded',
  ...more,
});

const quoteOf = async ({ ask }: Pick<Lender, 'ask'>, loan: string, payoffDate: string): Promise<Readonly<Record<string, unknown>>> =>
  dataOf(await ask('GET', `${loan}/payoff?payoffDate=${payoffDate}`));

const NOTHING_OWED = { json: { data: { outstandingBalances: { outstandingTotalAmount: 0 } } } };

test('a payoff counts fees and credits that are booked by its day, and paying it leaves nothing', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, goTo } = lender;
  await addFeeType(lender, 'flat');
  await addFeeType(lender, 'period', { feeType: 'serviceFee', amount: 3, trigger: 'periodStart' });
  await goTo('2026-03-04');
  await ask('POST', `${loan}/fees`, { apiName: 'flat', chargeDate: '2026-03-12' });
  const details = { type: 'courtesy', sponsor: 'lender', reason: 'patience' };
  await ask('POST', `${loan}/transactions`, {
    type: 'serviceCredit',
    amount: 50,
    effectiveDate: '2026-03-14',
    serviceCreditDetails: details,
  });
  const fees = async (day: string): Promise<number> => Number((await quoteOf(lender, loan, day))['feesAmount']);
  t.same([await fees('2026-03-11'), await fees('2026-03-12'), await fees('2026-03-14'), await fees('2026-03-15')], [0, 20, 0, 3]);
  const letter = dataOf(await ask('POST', `${loan}/payoff-letter`, { payoffDate: '2026-03-18', channels: [] }));
  const quoted = await quoteOf(lender, loan, '2026-03-18');
  t.equal(letter['payoffAmount'], quoted['payoffAmount']);
  t.match(listOf(await ask('GET', `${loan}/fees`)), [{ status: 'scheduled', amount: 20 }], 'nothing is recorded');
  await goTo('2026-03-18');
  t.same(await quoteOf(lender, loan, '2026-03-18'), quoted, 'the figures of its day');
  await ask('POST', `${loan}/transactions`, payment(letter['payoffAmount']));
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  t.match(await ask('GET', `${loan}/balances`), NOTHING_OWED);
});

test('a payoff cancels the fees that wait for a later day, but none that is ordered after it', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, goTo, emitted } = lender;
  await addFeeType(lender, 'flat');
  await ask('POST', `${loan}/fees`, { apiName: 'flat', chargeDate: '2026-03-12' });
  await ask('POST', `${loan}/transactions`, payment((await quoteOf(lender, loan, '2026-03-02'))['payoffAmount']));
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  t.match(listOf(await ask('GET', `${loan}/fees`)), [{ status: 'canceled', amount: 0 }]);
  t.match(await emitted('loan.fee.canceled'), [{ amount: 20, effectiveDate: '2026-03-12', reason: 'the loan is paidOff' }]);
  await goTo('2026-03-13');
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  await ask('POST', `${loan}/fees`, { apiName: 'flat', chargeDate: '2026-03-16' });
  await goTo('2026-03-17');
  t.match(listOf(await ask('GET', `${loan}/fees`)), [{ status: 'booked' }, { status: 'canceled' }]);
  t.match(await ask('GET', loan), { json: { data: { status: 'active' } } });
});

test('fees wait while a payoff is in processing: they are canceled if it settles, and charged if it fails', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, goTo, active } = lender;
  await addFeeType(lender, 'flat');
  await addFeeType(lender, 'period', { feeType: 'serviceFee', amount: 3, trigger: 'periodStart' });
  const other = await active();
  for (const of of [loan, other]) await ask('POST', `${of}/fees`, { apiName: 'flat', chargeDate: '2026-03-12' });
  await goTo('2026-03-03');
  const paid = async (of: string): Promise<string> =>
    idOf(
      await ask('POST', `${of}/transactions`, payment((await quoteOf(lender, of, '2026-03-03'))['payoffAmount'], { status: 'pending' })),
    );
  const [settled, failed] = [await paid(loan), await paid(other)];
  await goTo('2026-03-16');
  for (const of of [loan, other]) {
    t.match(await ask('GET', of), { json: { data: { status: 'active' } } });
    t.match(await ask('GET', `${of}/balances`), NOTHING_OWED);
  }
  await ask('PUT', `${loan}/transactions/${settled}`, { status: 'succeeded' });
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  t.match(listOf(await ask('GET', `${loan}/fees?apiName=flat`)), [{ status: 'canceled' }]);
  await ask('PUT', `${other}/transactions/${failed}`, { status: 'failed', failureReason: 'insufficientFunds' });
  t.match(listOf(await ask('GET', `${other}/fees?apiName=flat`)), [{ status: 'booked', scheduledDate: '2026-03-12', remainingAmount: 20 }]);
});

test('the payoff of a line and of its draw count the fees that wait for them', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, line, draw, goTo } = lender;
  await addFeeType(lender, 'flat');
  const path = await draw();
  const drawId = path.split('/').at(-1);
  await ask('POST', `${path}/purchases`, { amount: 100, status: 'settled' });
  await ask('POST', `${path}/fees`, { apiName: 'flat', chargeDate: '2026-03-12' });
  await ask('POST', `${line}/fees`, { apiName: 'flat', amount: 7, chargeDate: '2026-03-12' });
  const both = async (): Promise<readonly unknown[]> => [
    await quoteOf(lender, line, '2026-03-20'),
    dataOf(await ask('GET', `${line}/payoff?payoffDate=2026-03-20&drawId=${String(drawId)}`)),
  ];
  const quoted = await both();
  t.match(quoted, [{ feesAmount: 27 }, { feesAmount: 20 }]);
  await goTo('2026-03-20');
  t.same(await both(), quoted);
});
