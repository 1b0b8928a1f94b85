import {
  addDays,
  type Cents,
  type Day,
  dueDateOnOrAfter,
  dueDates,
  type LedgerState,
  type LineObligation,
  lineOwedCents,
  type LineState,
  openLineObligation,
  openLineObligationWithLateFees,
  owedCents,
  projectedRows,
  ZERO,
  cents,
} from '../../../engine/index.js';
import { isLine, type RunningLedger } from '../ledger/running.js';
import { type AutopayAmountType, type AutopayPlan, type AutopayTerms, MAX_AUTOPAY_PAYMENTS } from './plan.js';

/** A payment of a plan, whether its day has come or not. */
export interface PlannedPayment {
  /** The index of the row that it pays, or of its date among the plan's own dates. */
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
const ordinalsOn = ({ coming }: { readonly coming: readonly ComingPayment[] }, day: Day): ReadonlySet<number> =>
  new Set(coming.flatMap((payment) => (payment.day === day ? [payment.ordinal] : [])));

export const nextDayOf = (plan: Dated): Day | null => comingPayments(plan)[0]?.day ?? null;

/** Amount types that include everything overdue. */
const WHOLE_BALANCES: ReadonlySet<AutopayAmountType> = new Set<AutopayAmountType>(['statementBalance', 'outstandingBalance']);

/**
 * What a plan of a line of credit pays on a day: the amount on the statement less what was paid since.
 */
function plannedOfLine(ledger: LineState, day: Day, asking: Asking): Planned {
  const { bills, parts } = asking.isAligned ? billsOf(ledger, ordinalsOn(asking, day), asking) : shareOn(ledger, day, asking);
  const billedCents = Math.ceil(askedFor(ledger, bills, asking) / parts);
  const overdueCents = asking.includeOverdue ? overdueBut(ledger, bills) : 0;
  return {
    plannedCents: WHOLE_BALANCES.has(asking.amountType) ? Math.max(billedCents, overdueCents) : billedCents + overdueCents,
    isAhead: bills.some((bill) => !ledger.obligations.includes(bill)),
  };
}

/** Minimum payments that a payment is for, oldest first, and how many payments share them from that day on. */
interface Share {
  readonly bills: readonly LineObligation[];
  readonly parts: number;
}

/** A payment before its statement pays what that statement is expected to ask for. */
function billsOf(ledger: LineState, ordinals: ReadonlySet<number>, asking: Asking): Share {
  const stated = ledger.obligations.filter(({ ordinal }) => ordinals.has(ordinal));
  const open = stated.length < ordinals.size ? openBill(ledger, asking) : null;
  return { bills: open !== null && ordinals.has(open.ordinal) ? [...stated, open] : stated, parts: 1 };
}

/**
 * A plan with its own dates: the dates from a statement through its due date share the amount of the statement, so that all of it is paid
 * in time. If there is no such date, the last date before the statement pays what it is expected to ask for.
 */
function shareOn(ledger: LineState, day: Day, asking: Asking): Share {
  const dates = new Set(asking.coming.map((payment) => payment.day));
  const datesUntil = (last: Day): number => [...dates].filter((date) => date >= day && date <= last).length;
  const stated = ledger.obligations.at(-1);
  if (stated !== undefined && day <= stated.dueDay) return { bills: [stated], parts: datesUntil(stated.dueDay) };
  const open = openBill(ledger, asking);
  return { bills: open === null || datesUntil(open.dueDay) > 1 ? [] : [open], parts: 1 };
}

/** What the coming statement is expected to ask for: without a late fee for an overdue amount that the payment itself pays. */
const openBill = (ledger: LineState, { includeOverdue, amountType }: Asking): LineObligation | null =>
  includeOverdue && !WHOLE_BALANCES.has(amountType) ? openLineObligation(ledger) : openLineObligationWithLateFees(ledger);

function askedFor(ledger: LineState, bills: readonly LineObligation[], { amountType, fixedCents }: Asking): number {
  const minimumCents = bills.reduce((sum, bill) => sum + unpaidCents(bill), 0);
  const newest = bills.at(-1);
  if (newest === undefined) return 0;
  switch (amountType) {
    case 'scheduledAmount':
    case 'minimumDueAmount':
      return minimumCents;
    case 'fixedAmount':
      return Math.max(minimumCents, (fixedCents ?? 0) - paidFor(ledger, newest));
    case 'statementBalance':
      return Math.max(minimumCents, newest.grace.fullBalanceCents - newest.grace.totalFulfilledOnDueDateCents);
    case 'outstandingBalance':
      return lineOwedCents(ledger);
  }
}

const unpaidCents = ({ isFulfilled, remainingCents }: LineObligation): number => (isFulfilled ? 0 : remainingCents);

/** What was paid towards this minimum payment since its statement: without money for older minimum payments or paid before it. */
function paidFor({ obligations }: LineState, { ordinal, grace, carriedOverdueCents, prepaidCents }: LineObligation): number {
  const olderCents = obligations.reduce((sum, older) => (older.ordinal < ordinal ? sum + older.remainingCents : sum), 0);
  return prepaidCents + Math.max(0, grace.totalFulfilledOnDueDateCents - Math.max(0, carriedOverdueCents - olderCents));
}

const overdueBut = ({ obligations }: LineState, bills: readonly LineObligation[]): number =>
  obligations.reduce((sum, known) => (known.isEnforced && !bills.includes(known) ? sum + unpaidCents(known) : sum), 0);

/** What the amount depends on, apart from the ledger. */
export interface Asking extends Pick<AutopayTerms, 'amountType' | 'fixedCents' | 'extraCents'> {
  readonly isAligned: boolean;
  readonly includeOverdue: boolean;
  /** The payments from this day on, by day; those of the day first. */
  readonly coming: readonly ComingPayment[];
}

/** What is planned for a day. */
interface Planned {
  readonly plannedCents: number;
  /** It pays what has not been billed yet: the money must be there when it is. */
  readonly isAhead: boolean;
}

export interface AutopayAmount {
  readonly amountCents: Cents;
  /** The part of it that is for principal alone. */
  readonly extraCents: Cents;
  /** Null: as the product has it. */
  readonly enablePrepayments: true | null;
}

const NOTHING: AutopayAmount = { amountCents: ZERO, extraCents: ZERO, enablePrepayments: null };

/**
 * What a plan pays on a day, after the ledger's work of that day: the planned amount less what was already paid towards it, what is
 * overdue if the product includes it, and the extra amount; never more than is owed. Nothing if nothing is planned for the day.
 */
export function autopayAmount(ledger: RunningLedger, day: Day, asking: Asking): AutopayAmount {
  if (ledger.status !== 'active') return NOTHING;
  const { plannedCents, isAhead } = isLine(ledger) ? plannedOfLine(ledger, day, asking) : plannedOfInstallment(ledger, day, asking);
  const planned = Math.max(0, plannedCents);
  const most = isLine(ledger) ? lineOwedCents(ledger) : owedCents(ledger);
  if (planned === 0 || most <= 0) return NOTHING;
  const amountCents = Math.min(planned + asking.extraCents, most);
  return {
    amountCents: cents(amountCents),
    extraCents: cents(Math.max(0, amountCents - planned)),
    enablePrepayments: isAhead ? true : null,
  };
}

/** A payment before the due date counts towards it; the extra amount does not. */
function plannedOfInstallment(ledger: LedgerState, day: Day, asking: Asking): Planned {
  const ordinals = ordinalsOn(asking, day);
  const owed = dueOn(ledger, asking.isAligned ? ordinals : null);
  const ahead = asking.isAligned
    ? rowsAhead(ledger, ordinals)
    : sharesAhead(
        ledger,
        day,
        asking.coming.map((payment) => payment.day),
      );
  return { plannedCents: owed.dueCents + ahead + (asking.includeOverdue ? owed.overdueCents : 0), isAhead: true };
}

interface Owed {
  readonly dueCents: number;
  readonly overdueCents: number;
}

/** What has fallen due and is unpaid. `mine`: the rows that the payment is for; null: whatever falls due today. */
function dueOn(ledger: LedgerState, mine: ReadonlySet<number> | null): Owed {
  let dueCents = 0;
  let overdueCents = 0;
  for (let at = ledger.firstOpenObligation; at < ledger.obligations.length; at += 1) {
    const obligation = ledger.obligations[at];
    if (obligation === undefined || obligation.isFulfilled) continue;
    const isMine = mine === null ? !obligation.isEnforced : mine.has(obligation.ordinal);
    if (isMine) dueCents += obligation.remainingCents;
    else if (obligation.isEnforced) overdueCents += obligation.remainingCents;
  }
  return { dueCents, overdueCents };
}

/** Rows to come that are paid before they fall due: a payment was rescheduled to an earlier day. */
function rowsAhead(ledger: LedgerState, ordinals: ReadonlySet<number>): number {
  let last = -1;
  for (const ordinal of ordinals) if (ordinal > last) last = ordinal;
  if (last < ledger.nextRow) return 0;
  let ahead = 0;
  for (const row of unpaidRows(ledger)) {
    if (row.ordinal > last) break;
    if (ordinals.has(row.ordinal)) ahead += row.remainingCents;
  }
  return ahead;
}

/**
 * What a plan with its own dates pays towards coming rows. The amount of the current period is divided by the dates that are left until
 * it falls due, rounded up, so that all of it is paid in time. A row whose period contains no date is paid on the last date before it.
 */
function sharesAhead(ledger: LedgerState, day: Day, days: readonly Day[]): number {
  let ahead = 0;
  let from: Day = ledger.nextRow === 0 ? ledger.terms.activation : (ledger.rows[ledger.nextRow - 1]?.date ?? ledger.terms.activation);
  for (const row of unpaidRows(ledger)) {
    const inPeriod = [...new Set(days)].filter((candidate) => candidate > from && candidate <= row.dueDay);
    const isOurs = inPeriod.includes(day);
    if (!isOurs && inPeriod.length > 0) return ahead;
    ahead += isOurs ? Math.ceil(row.remainingCents / inPeriod.length) : row.remainingCents;
    if (inPeriod.length > 1) return ahead;
    from = row.dueDay;
  }
  return ahead;
}

interface UnpaidRow {
  readonly ordinal: number;
  readonly dueDay: Day;
  readonly remainingCents: number;
}

/** Coming rows with what is still unpaid of them. Each is computed when the caller asks for the next one. */
function* unpaidRows(ledger: LedgerState): Generator<UnpaidRow, void> {
  for (const { ordinal, date, amountCents, prepaidCents } of projectedRows(ledger)) {
    yield { ordinal, dueDay: date, remainingCents: amountCents - prepaidCents };
  }
}
