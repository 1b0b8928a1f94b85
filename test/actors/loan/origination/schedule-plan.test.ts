import { test } from 'tap';
import { LOAN_TYPE_DEFAULTS } from '../../../../actors/company/loan-type-sections.js';
import { planSchedule, type ScheduleTerms } from '../../../../actors/loan/origination/schedule-plan.js';
import { formatDay, ZERO } from '../../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from '../../../engine/numbers.js';

const START = dayFrom('2024-01-20');

const TERMS: ScheduleTerms = {
  principalCents: centsFrom('1200'),
  duration: null,
  paymentFrequency: 'monthly',
  specificDays: ['15'],
  periodicPaymentCents: null,
  expectedPayments: null,
  enforcedEndDate: null,
  bufferToPushOutSchedule: null,
  interestRates: [{ interestType: 'absolute', days: null, rate: rateFrom('0.18') }],
  promoRates: null,
  rateCaps: null,
  totalInterestCapCents: null,
  originationFeeCents: ZERO,
};

test('an end date alone makes level payments up to it', (t) => {
  const { schedule } = planSchedule({ ...TERMS, enforcedEndDate: dayFrom('2025-01-20') }, LOAN_TYPE_DEFAULTS, START, 'reAmortize');
  t.equal(schedule.rows.length, 12);
  t.equal(schedule.levels[0]?.amountCents, centsFrom('109.76'));
  t.equal(formatDay(schedule.endDate), '2025-01-15');
  t.end();
});

test('a duration beyond the end date makes a balloon of the last payment before it', (t) => {
  const terms = { ...TERMS, duration: 12, enforcedEndDate: dayFrom('2024-06-30') };
  const { schedule } = planSchedule(terms, LOAN_TYPE_DEFAULTS, START, 'reAmortize');
  t.equal(schedule.rows.length, 5);
  t.equal(schedule.levels[0]?.amountCents, centsFrom('109.76'));
  t.ok((schedule.rows.at(-1)?.amountCents ?? 0) > centsFrom('700'));
  t.end();
});

test('a named payment alone takes as many rows as it needs', (t) => {
  const { schedule } = planSchedule({ ...TERMS, periodicPaymentCents: centsFrom('100') }, LOAN_TYPE_DEFAULTS, START, 'reAmortize');
  t.equal(schedule.rows.length, 14);
  t.equal(schedule.rows.at(-1)?.remainingPrincipalCents, 0);
  t.end();
});

test('a compounding loan type makes compounding schedules', (t) => {
  const compounding = { ...LOAN_TYPE_DEFAULTS, interest: { ...LOAN_TYPE_DEFAULTS.interest, accrualMethod: 'compoundWithFees' as const } };
  const simple = planSchedule({ ...TERMS, duration: 12 }, LOAN_TYPE_DEFAULTS, START, 'reAmortize');
  const { schedule } = planSchedule({ ...TERMS, duration: 12 }, compounding, START, 'reAmortize');
  t.ok(schedule.totalInterestCents > simple.schedule.totalInterestCents);
  t.end();
});
