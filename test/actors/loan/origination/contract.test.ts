import { isDeepStrictEqual } from 'node:util';
import fc from '../../../fast-check.js';
import { test } from 'tap';
import { LOAN_TYPE_DEFAULTS } from '../../../../actors/company/loan-type-sections.js';
import type { LoanTypeSettings } from '../../../../actors/company/loan-type-settings.js';
import { contractOf, plannedRows } from '../../../../actors/loan/origination/contract.js';
import type { Origination } from '../../../../actors/loan/origination/terms.js';
import { readOrigination } from '../../../../actors/loan/origination/read.js';
import type { OriginationRequest } from '../../../../actors/loan/requests.js';
import { type PlanMode, planSchedule, scheduleTermsOf } from '../../../../actors/loan/origination/schedule-plan.js';
import { AmortizationError, type ScheduleRow } from '../../../../engine/index.js';
import { dayFrom } from '../../../engine/numbers.js';

const terms = fc.record({
  amountFinanced: fc.constantFrom(0.01, 1, 10_000.55, 999_999.99),
  duration: fc.constantFrom(null, 1, 12, 60),
  interestRates: fc.constantFrom([{ rate: 0 }], [{ rate: 0.0799 }], [{ rate: 3.5 }], [{ days: 45, rate: 0.1 }, { rate: 0.2 }]),
  promoRates: fc.constantFrom(null, [{ days: 70, rate: 0.05 }]),
  periodicPaymentAmount: fc.constantFrom(null, null, 0.01, 500),
  enforcedEndDate: fc.constantFrom(null, null, '2024-02-10', '2025-06-30'),
  totalInterestCapAmount: fc.constantFrom(null, null, 0, 10),
  expectedPayments: fc.constantFrom(
    null,
    null,
    [
      { date: '2024-03-01', amount: 10 },
      { date: '2024-04-01', amount: 50, isForcedAmount: true },
      { date: '2024-05-01', amount: 1 },
    ],
    [
      { date: '2024-03-01', amount: 10 },
      { date: '2024-04-01', amount: 50, isForcedAmount: true },
    ],
  ),
  fees: fc.constantFrom({}, { originationFeeAmount: 12.34 }),
  rule: fc.constantFrom(
    { paymentFrequency: 'weekly', specificDays: ['friday'] },
    { paymentFrequency: 'twiceMonthly', specificDays: [15, 31] },
    { paymentFrequency: 'monthly', specificDays: [31] },
    { paymentFrequency: 'singleTerm', specificDays: null },
  ),
});

const PRODUCTS: readonly LoanTypeSettings[] = (['simple', 'compound'] as const).flatMap((accrualMethod) =>
  (['firstPayment', 'spread', 'separate'] as const).flatMap((originationFeeLogic) =>
    (['absorbRounding', 'extraPayment'] as const).map((lastPaymentLogic) => ({
      ...LOAN_TYPE_DEFAULTS,
      interest: {
        ...LOAN_TYPE_DEFAULTS.interest,
        accrualMethod,
        firstDay: lastPaymentLogic === 'extraPayment' ? ('dayAfter' as const) : ('activationDate' as const),
      },
      fees: { ...LOAN_TYPE_DEFAULTS.fees, originationFeeLogic },
      schedule: { ...LOAN_TYPE_DEFAULTS.schedule, lastPaymentLogic, nonBusinessDays: 'next' as const },
    })),
  ),
);

const START = dayFrom('2024-01-31');

test('a contract gives back the very rows that activation has planned', (t) => {
  let planned = 0;
  const run = fc.tuple(terms, fc.constantFrom(...PRODUCTS), fc.constantFrom<PlanMode>('useAtOrigination', 'reAmortize'));
  fc.assert(
    fc.property(run, ([{ rule, ...given }, settings, mode]) => {
      const origination = originationOf({ ...given, ...rule });
      const rows = rowsOrNull(origination, settings, mode);
      if (rows === null) return true;
      planned += 1;
      return isDeepStrictEqual(plannedRows(contractOf({ origination, settings, day: START, mode })), rows);
    }),
    { numRuns: 400 },
  );
  t.ok(planned > 100, `${planned} terms had a schedule`);
  t.end();
});

function rowsOrNull(origination: Origination, settings: LoanTypeSettings, mode: PlanMode): readonly ScheduleRow[] | null {
  try {
    return planSchedule(scheduleTermsOf(origination), settings, START, mode).schedule.rows;
  } catch (error) {
    if (error instanceof AmortizationError) return null;
    throw error;
  }
}

function originationOf(terms: object): Origination {
  const request = { ...terms, originationLicense: 'stateLicense', originatingCreditorName: 'Northwind' } as OriginationRequest;
  return readOrigination(request, { seal: () => new Uint8Array(), sealCard: () => new Uint8Array(), contact: () => null });
}
