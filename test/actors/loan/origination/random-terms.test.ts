import fc from '../../../fast-check.js';
import { test } from 'tap';
import { Refusal } from '../../../../actors/index.js';
import type { Data } from '../../harness.js';
import { openSetting } from '../setting.js';
import { SEED } from '../../../seed.js';

/** Terms at their edges: what the wire lets through must be booked or refused, and whatever is booked can be read for ever. */
const terms = fc.record({
  amountFinanced: fc.constantFrom(0.01, 1, 10_000.55, 999_999_999.99),
  duration: fc.constantFrom(null, 1, 12, 1566),
  interestRates: fc.constantFrom<readonly object[]>(
    [{ rate: 0 }],
    [{ rate: 0.05 }],
    [{ rate: 99.99999999 }],
    [
      { days: 1, rate: 0.1 },
      { days: 5, rate: 0 },
    ],
    [{ interestType: 'spread', rate: -0.05 }],
  ),
  promoRates: fc.constantFrom(null, [{ days: 20, rate: 0.5 }]),
  rateCaps: fc.constantFrom(null, [{ maxRate: 0.36 }]),
  periodicPaymentAmount: fc.constantFrom(null, null, 0.01, 500),
  enforcedEndDate: fc.constantFrom(null, null, '2024-01-31', '2024-02-10', '2025-06-30'),
  bufferToPushOutSchedule: fc.constantFrom(null, 40, 3660),
  totalInterestCapAmount: fc.constantFrom(null, null, 0, 10),
  expectedPayments: fc.constantFrom(null, null, [
    { date: '2024-03-01', amount: 10 },
    { date: '2024-04-01', amount: 5000, isForcedAmount: true },
    { date: '2024-05-01', amount: 1 },
  ]),
  fees: fc.constantFrom({}, { originationFeeAmount: 12.34 }, { originationFeeAmount: 999_999_999.99 }),
});

const rule = fc.constantFrom<object>(
  { paymentFrequency: 'weekly', specificDays: ['friday'] },
  { paymentFrequency: 'everyTwoWeeks', specificDays: [3] },
  { paymentFrequency: 'twiceMonthly', specificDays: [15, 31] },
  { paymentFrequency: 'monthly', specificDays: [31] },
  { paymentFrequency: 'monthly', specificDays: null },
  { paymentFrequency: 'singleTerm', specificDays: null },
);

const PRODUCTS = [
  {},
  { interest: { interestAccrualMethod: 'monthly30360', accrualMethod: 'compound' } },
  {
    interest: { capitalization: 'afterDueDate', firstDay: 'dayAfter' },
    schedule: { lastPaymentLogic: 'extraPayment', nonBusinessDays: 'next' },
  },
  { fees: { originationFeeLogic: 'separate' }, accelerationDueWithin: 20, chargeOffDueWithin: 40 },
];

const LOANS = 120;
const READS = ['get', 'balances', 'obligations', 'expectedPayments', 'interest', 'periods', 'rates'];

test('every loan that terms can make is readable on every day, and the same after a restart', async (t) => {
  t.comment(`seed ${SEED}`);
  const setting = await openSetting({}, '2024-01-31');
  const { h } = setting;
  const loanTypeIds: string[] = [];
  for (const [index, product] of PRODUCTS.entries()) {
    loanTypeIds.push((await h.data('loanType.create', h.company, { type: 'installment', name: `Product ${index}`, ...product })).id);
  }
  const lives = fc.sample(fc.tuple(terms, rule, fc.constantFrom(...loanTypeIds), fc.constantFrom(undefined, '2023-11-30')), {
    numRuns: LOANS,
    seed: SEED,
  });
  const active: string[] = [];
  for (const [loanTerms, days, loanTypeId, activationDate] of lives) {
    const loan = await refusable(setting.create({ loanTypeId, atOrigination: { ...loanTerms, ...days } }));
    if (loan === null) continue;
    if ((await refusable(h.data('loan.activate', loan.id, { activationDate }))) !== null) active.push(loan.id);
  }
  t.ok(active.length > LOANS / 10, `${active.length} of ${LOANS} loans were activated`);
  for (const date of ['2024-02-29', '2024-03-16', '2024-08-01']) {
    await setting.goTo(date);
    for (const id of active) {
      for (const read of READS) await h.query(`loan.${read}`, id);
      await h.query('loan.balances', id, { toEffectiveDate: '2060-01-01', isRounded: true });
      await h.command('loan.refresh', id).catch(refusalOnly);
    }
  }
  const shown = await Promise.all(active.map((id) => h.query('loan.balances', id)));
  await h.restart();
  t.same(await Promise.all(active.map((id) => h.query('loan.balances', id))), shown);
  await h.engine.close();
});

/** Null when the service said no with a 4xx; everything else is a fault of the service. */
async function refusable(work: Promise<Data>): Promise<Data | null> {
  return work.catch((cause: unknown) => {
    refusalOnly(cause);
    return null;
  });
}

function refusalOnly(cause: unknown): void {
  if (!(cause instanceof Refusal) || cause.statusCode >= 500) throw cause;
}
