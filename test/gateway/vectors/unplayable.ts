import type { PublishedVector } from './published.js';

const NO_GRACE = 'no setting has rows without principal or interest from the beginning on (the engine computes them)';
const ONE_ADVANCE = 'a loan with scheduled interest has one advance, on the day of its activation (docs/scheduled-interest.md)';
const NO_REFUND = 'a loan with scheduled interest takes no refund: 422 (docs/scheduled-interest.md)';
const NO_NEW_DATES = 'due dates of a loan with scheduled interest do not change: 422 (docs/scheduled-interest.md)';
const LATE_CHARGE_DATE =
  'the late charge is dated on the missed due date, three days before it is earned; here on the day on which it is earned ' +
  '(servicing-behaviour 11.5)';

/** Vectors that the interface cannot play, each with the reason. */
const BY_VECTOR: Readonly<Record<string, string>> = {
  'fin-e2e-s05': NO_GRACE,
  'fin-e2e-s06': NO_GRACE,
  'fin-e2e-s07': NO_GRACE,
  'fin-fix-s02': 'no setting fixes the principal of a row as a share of the original principal',
  'sce-s-interestonly': NO_GRACE,
  'sce-s-skip': 'no setting skips the payments of some months',
  'corefin-32': 'no setting lets the interest of the last row take the rest of the rounding, so that all payments are equal',
  'fin-emi-s03': 'one due date lies two weeks later than the others follow: a loan with scheduled interest takes no dates of the caller',
  'fin-emi-s07': 'rows every 15 days: no such frequency, and interest by days needs the very dates',
  'fin-e2e-l25': NO_NEW_DATES,
  'fin-e2e-l27': 'a time without principal in the midst of the schedule is a change of terms: 422 on a loan with scheduled interest',
  'fin-e2e-l33': 'the down payment that the lender kept back is undone: it is no transaction of the interface',
  'fin-emi-l01': ONE_ADVANCE,
  'fin-emi-l08': ONE_ADVANCE,
  'fin-emi-l09': ONE_ADVANCE,
  'fin-emi-l04': 'money goes to a later installment while an older one is open: no payment of the interface names an installment',
  'fin-ir-l01': NO_REFUND,
  'fin-ir-l03': NO_REFUND,
  'fin-ir-l04': NO_REFUND,
  'fsp-l02': LATE_CHARGE_DATE,
  'fsp-l03': LATE_CHARGE_DATE,
  'fin-e2e-w15': ONE_ADVANCE,
  'fin-e2e-w16':
    'no fee is a share of what is paid out: percentages are of overdue amounts, obligations, principal, purchases and payments',
  'fin-e2e-w18': 'no fee is a share of principal and interest of each installment',
};

/** Conventions that are not built: settings of the contract that a loan type does not accept yet. */
const BY_CONVENTION: Readonly<Record<string, string>> = {
  reAging: 're-aging is not built (conventions 3)',
  interestRefund: 'interest refunds are not built (conventions 4)',
  interestPause: 'interest pauses are not built (conventions 5)',
  capitalizedFee: 'capitalized fees are not built (conventions 6)',
  chargeOffBehavior: 'chargeOff.behavior is not built (conventions 7)',
  waterfallByComponent: 'waterfallScope is not built (conventions 8)',
  feeDueOnOwnDay: 'fees.areDueOnOwnDay is not built (conventions 10.1)',
  rowAfterLastDueDate: 'schedule.afterLastDueDate is not built (conventions 10.2)',
  addOnInterest: 'interest.precomputedMethod is not built (conventions 11)',
  amortizedFee: 'fees.amortizedFee is not built (conventions 12)',
  waivedShown: 'fees.isWaivedShown is not built (conventions 14)',
  writeOff: 'write-offs are not built (conventions 15)',
  yearByPeriod: 'actualActualByPeriod is not built (conventions 16)',
};

/** The one rounding of level payments that `schedule.levelPaymentRounding` does not accept. */
const LEVEL_ROUNDING = 'schedule.levelRounding nearestLast is not built (conventions 13)';

/** Why the interface cannot play a vector; null if it can. */
export function whyUnplayable({ id, needs = [], ...vector }: PublishedVector): string | null {
  const settings = (vector as { readonly settings?: Readonly<Record<string, unknown>> }).settings;
  if (settings?.['schedule.levelRounding'] === 'nearestLast' && needs.includes('levelRounding')) return LEVEL_ROUNDING;
  const unbuilt = needs.flatMap((need) => BY_CONVENTION[need] ?? []);
  return BY_VECTOR[id] ?? unbuilt[0] ?? null;
}

/** Vectors that are named here and no longer published. */
export const namedInVain = (vectors: readonly PublishedVector[]): readonly string[] =>
  Object.keys(BY_VECTOR).filter((named) => !vectors.some(({ id }) => id === named));
