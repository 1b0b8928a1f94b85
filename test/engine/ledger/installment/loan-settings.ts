import fc from '../../../fast-check.js';
import { cents, DEFAULT_PAYMENT_WATERFALL, type LateFeeTerms, type LedgerSettings, rate } from '../../../../engine/index.js';
import { LATE_FEE } from './loans.js';

export const lateFee: fc.Arbitrary<LateFeeTerms> = fc
  .record({
    triggerDays: fc.integer({ min: 1, max: 20 }),
    amount: fc.constantFrom<LateFeeTerms['amount']>(
      { type: 'fixed', amountCents: cents(1500) },
      { type: 'percentage', percentage: rate(5_000_000), base: 'overdueAmount' },
      { type: 'greaterOf', amountCents: cents(700), percentage: rate(5_000_000), base: 'obligationAmount' },
      { type: 'lesserOf', amountCents: cents(2500), percentage: rate(1_000_000), base: 'principal' },
    ),
    chargeLogic: fc.constantFrom<LateFeeTerms['chargeLogic']>('immediate', 'nextDueDate', 'lastDueDate', 'nonDue'),
    capPerPeriodCount: fc.constantFrom(null, 1),
    capPerLoanCents: fc.constantFrom(null, cents(4000)),
  })
  .map((shape) => ({ ...LATE_FEE, ...shape }));

export const settings: fc.Arbitrary<Partial<LedgerSettings>> = fc.record({
  isAccruingOnOverdue: fc.boolean(),
  capitalization: fc.constantFrom<LedgerSettings['capitalization']>('none', 'none', 'afterDueDate'),
  isPrepaymentEnabled: fc.boolean(),
  paymentWaterfall: fc.constantFrom(
    DEFAULT_PAYMENT_WATERFALL,
    [...DEFAULT_PAYMENT_WATERFALL].reverse(),
    DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !bucket.endsWith('Fees')).concat('overdueFees', 'dueFees', 'nonDueFees'),
    [...DEFAULT_PAYMENT_WATERFALL].sort((a, b) => Number(b.endsWith('Interest')) - Number(a.endsWith('Interest'))),
  ),
  creditWaterfall: fc.constantFrom(DEFAULT_PAYMENT_WATERFALL, DEFAULT_PAYMENT_WATERFALL.slice(0, 4)),
  overdueToleranceCents: fc.constantFrom(cents(0), cents(0), cents(50)),
  accelerationDueWithin: fc.constantFrom(null, null, 45),
  chargeOffDueWithin: fc.constantFrom(null, null, 60),
  lateFees: fc.array(lateFee, { maxLength: 1 }),
  lateFeePyramiding: fc.constantFrom<LedgerSettings['lateFeePyramiding']>('none', 'blockOnFeeOnly', 'blockOnOldestObligation'),
});

/** Late fees of all kinds, from the day after the due date on. */
const anyLateFee = (feeTypeId: string): fc.Arbitrary<LateFeeTerms> =>
  fc
    .record({
      shape: lateFee,
      triggerDays: fc.integer({ min: 0, max: 20 }),
      tiered: fc.constantFrom(null, null, null, TIERED),
      minCents: fc.constantFrom(null, null, cents(500)),
      maxCents: fc.constantFrom(null, null, cents(1_200)),
      toleranceCents: fc.constantFrom(cents(0), cents(0), cents(200)),
      stateRule: fc.constantFrom(null, null, { maxCents: cents(900), graceDays: 10 }, { maxCents: null, graceDays: 12 }),
      isWaivedDuringScra: fc.boolean(),
      isChargedWhileFrozen: fc.boolean(),
    })
    .map(({ shape, tiered, isWaivedDuringScra, isChargedWhileFrozen, ...bounds }) => ({
      ...shape,
      ...bounds,
      feeTypeId,
      amount: tiered ?? shape.amount,
      ...(isWaivedDuringScra ? { isWaivedDuringScra } : {}),
      ...(isChargedWhileFrozen ? { isChargedWhileFrozen } : {}),
    }));

const TIERED: LateFeeTerms['amount'] = {
  type: 'tiered',
  base: 'overdueAmount',
  tiers: [
    { upToCents: cents(2_000), amountCents: cents(300), percentage: null },
    { upToCents: cents(50_000), amountCents: null, percentage: rate(7_000_000) },
  ],
};

const twoLateFees = fc
  .tuple(anyLateFee('late'), anyLateFee('later'), fc.integer({ min: 0, max: 2 }))
  .map(([one, other, count]) => [one, other].slice(0, count));

/** The settings of a loan type for an installment loan. */
export const loanSettings: fc.Arbitrary<Partial<LedgerSettings>> = fc
  .record({ shared: settings, lateFees: twoLateFees, smallBalanceCents: fc.constantFrom(cents(0), cents(0), cents(0), cents(1_500)) })
  .map(({ shared, ...own }) => ({ ...shared, ...own }));
