import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

const feeType = async ({ ask, loanTypeId }: LoanOverHttp, body: object): Promise<string> => {
  const path = `/loan-types/${loanTypeId}/fee-types`;
  const named = { name: { displayName: 'Fee', apiName: 'fee' }, amountLogic: 'fixed', ...body };
  return `${path}/${idOf(await ask('POST', path, named))}`;
};

/** A late fee of 25.00, five days after a due date that is not met. */
const LATE = { feeType: 'lateFee', trigger: 'overdueDays', triggerDays: 5, amount: 25 };

const PAYMENT = { type: 'oneTime', isExternal: true };

/** The days and amounts of the fees of a loan, the earliest first. */
const feesOf = async ({ ask }: LoanOverHttp, loan: string): Promise<readonly string[]> =>
  listOf(await ask('GET', `${loan}/fees?limit=100`))
    .map(({ createdDate, amount }) => `${String(createdDate)} ${String(amount)}`)
    .toSorted();

test('a payment that comes back finds the late fee as it was edited meanwhile', async (t) => {
  for (const edit of [{ amount: 10 }, { status: 'inactive' }]) {
    const lender = await openLoanOverHttp(t);
    const { ask, goTo, active } = lender;
    const late = await feeType(lender, LATE);
    await goTo('2026-03-03');
    const loan = await active({ externalId: 'second' });
    await goTo('2026-03-14');
    const payment = idOf(await ask('POST', `${loan}/transactions`, { ...PAYMENT, amount: 109.14, status: 'pending' }));
    await goTo('2026-03-16');
    await ask('PUT', late, edit);
    await goTo('2026-03-27');
    t.equal((await ask('PUT', `${loan}/transactions/${payment}`, { status: 'failed', failureReason: 'insufficientFunds' })).status, 200);
    t.same(await feesOf(lender, loan), 'amount' in edit ? ['2026-03-20 10'] : [], JSON.stringify(edit));
  }
});

const RESTS = {
  'charged off': [
    ['charge-off', { chargedOffReason: 'term' }],
    ['reverse-charge-off', {}],
  ],
  accelerated: [
    ['accelerate', {}],
    ['reverse-accelerate', {}],
  ],
} as const;

test('a loan that was at rest when a late fee was edited is charged as one that was not', async (t) => {
  for (const [what, [rest, back]] of Object.entries(RESTS)) {
    const lender = await openLoanOverHttp(t);
    const { ask, goTo, active } = lender;
    const late = await feeType(lender, LATE);
    await goTo('2026-03-03');
    const [resting, other] = [await active({ externalId: 'resting' }), await active({ externalId: 'other' })];
    await goTo('2026-03-06');
    t.equal((await ask('POST', `${resting}/${rest[0]}`, rest[1])).status, 200, what);
    await goTo('2026-04-01');
    await ask('PUT', late, { amount: 10 });
    await goTo('2026-06-13');
    t.equal((await ask('POST', `${resting}/${back[0]}`, back[1])).status, 200);
    await goTo('2026-07-25');
    const fees = ['2026-03-20 25', '2026-04-20 10', '2026-05-20 10', '2026-06-20 10', '2026-07-20 10'];
    t.same([await feesOf(lender, resting), await feesOf(lender, other)], [fees, fees], what);
  }
});

test('a payoff quote has a late fee from the day after its fee type was made', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, goTo, loan } = lender;
  const fees = async (): Promise<unknown> => dataOf(await ask('GET', `${loan}/payoff?payoffDate=2026-03-25`))['feesAmount'];
  t.equal(await fees(), 0);
  await feeType(lender, LATE);
  await goTo('2026-03-04');
  t.equal(await fees(), 25);
  await goTo('2026-03-16');
  t.equal(await fees(), 25, 'as on the day after the due date');
});

test('a membership fee comes on its day although its type is younger than the loan’s last work', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, goTo, loan, emitted } = lender;
  await ask('POST', `${loan}/transactions`, { ...PAYMENT, amount: 1200, status: 'succeeded', enablePrepayments: true });
  await goTo('2026-03-03');
  const other = await lender.active({ externalId: 'other', atOrigination: { amountFinanced: 1200, duration: 36, interestRates: RATES } });
  await goTo('2027-03-02');
  await feeType(lender, { feeType: 'membershipFee', trigger: 'anniversary', amount: 5 });
  await goTo('2027-03-03');
  await ask('POST', `${other}/transactions`, { ...PAYMENT, amount: 1, status: 'succeeded' });
  t.match(await emitted('loan.membershipfee.booked', other), [{ amount: 5, effectiveDate: '2027-03-03' }]);
  await goTo('2027-04-20');
  t.equal((await emitted('loan.membershipfee.booked', other)).length, 1, 'once');
});

const RATES = [{ interestType: 'absolute', days: null, rate: 0.18 }];
