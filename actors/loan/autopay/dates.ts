import { addDays, type Day, dueDateOnOrAfter, dueDates } from '../../../engine/index.js';
import { type AutopayPlan, MAX_AUTOPAY_PAYMENTS } from './plan.js';

/** A payment of a plan that has a place in it, whether its day has come or not. */
export interface PlannedPayment {
  /** The row of the schedule that it pays, or its place among the plan's own dates. */
  readonly ordinal: number;
  /** As the plan has it. */
  readonly plannedDay: Day;
  /** As it was rescheduled; null when it was canceled. */
  readonly day: Day | null;
}

type Dated = Pick<AutopayPlan, 'rule' | 'startDay' | 'rowDays' | 'adjustments' | 'payments' | 'through'>;

/** All dates of a plan through the last row of the schedule, in their order. */
export function plannedPayments(plan: Dated): readonly PlannedPayment[] {
  const days = plan.rule === null ? plan.rowDays : ownDays(plan);
  const adjusted = new Map(plan.adjustments.map(({ ordinal, day }) => [ordinal, day]));
  return days.map((plannedDay, ordinal) => {
    const day = adjusted.get(ordinal);
    return { ordinal, plannedDay, day: day === undefined ? plannedDay : day };
  });
}

/** The dates of the plan's own rule, from the first after it was set up through the last row. */
function ownDays({ rule, startDay, rowDays }: Dated): readonly Day[] {
  const last = rowDays.at(-1);
  if (rule === null || last === undefined) return [];
  const first = dueDateOnOrAfter(rule, addDays(startDay, 1));
  const steps = Math.ceil((last - first + 1) / SHORTEST_STEP);
  if (steps <= 0) return [];
  return dueDates(rule, first, Math.min(steps + 1, MAX_AUTOPAY_PAYMENTS)).filter((day) => day <= last);
}

/** No two dates of a rule lie closer. */
const SHORTEST_STEP = 7;

export interface ComingPayment {
  readonly ordinal: number;
  readonly day: Day;
}

/** What is still to be paid after a day, by day. */
export function comingPayments(plan: Dated, after: Day = plan.through): readonly ComingPayment[] {
  const made = new Set(plan.payments.map(({ ordinal }) => ordinal));
  const coming: ComingPayment[] = [];
  for (const { ordinal, day } of plannedPayments(plan)) {
    if (day !== null && day > after && !made.has(ordinal)) coming.push({ ordinal, day });
  }
  return coming.sort((a, b) => a.day - b.day || a.ordinal - b.ordinal);
}

/** The payments of a day. */
export const ordinalsOn = ({ coming }: { readonly coming: readonly ComingPayment[] }, day: Day): ReadonlySet<number> =>
  new Set(coming.flatMap((payment) => (payment.day === day ? [payment.ordinal] : [])));

export const nextDayOf = (plan: Dated): Day | null => comingPayments(plan)[0]?.day ?? null;
