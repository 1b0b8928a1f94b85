import { type Cents, type Day, type LedgerState, lineOwedCents, owedCents, projectedRows } from '../../../engine/index.js';
import { isLine, type RunningLedger } from '../ledger/running.js';
import { type ComingPayment, ordinalsOn } from './dates.js';
import { plannedOfLine } from './line-amounts.js';
import type { AutopayTerms } from './plan.js';

/** What decides an amount beside the ledger. */
export interface Asking extends Pick<AutopayTerms, 'amountType' | 'fixedCents' | 'extraCents'> {
  readonly isAligned: boolean;
  readonly includeOverdue: boolean;
  /** The payments from this day on, by day; those of the day first. */
  readonly coming: readonly ComingPayment[];
}

/** What is planned for a day. */
export interface Planned {
  readonly plannedCents: number;
  /** Asks for what has not been billed yet: the money is to be there when it is. */
  readonly isAhead: boolean;
}

export interface AutopayAmount {
  readonly amountCents: Cents;
  /** The part of it that is for principal alone. */
  readonly extraCents: Cents;
  /** Null: as the product has it. */
  readonly enablePrepayments: true | null;
}

const NOTHING: AutopayAmount = { amountCents: 0 as Cents, extraCents: 0 as Cents, enablePrepayments: null };

/**
 * What a plan pays on a day, after the ledger's work of that day: what is planned less what was paid for it, what is overdue
 * when the product says so, and the extra, never more than is owed. Nothing when nothing is planned.
 */
export function autopayAmount(ledger: RunningLedger, day: Day, asking: Asking): AutopayAmount {
  if (ledger.status !== 'active') return NOTHING;
  const { plannedCents, isAhead } = isLine(ledger) ? plannedOfLine(ledger, day, asking) : plannedOfInstallment(ledger, day, asking);
  const planned = Math.max(0, plannedCents);
  const most = isLine(ledger) ? lineOwedCents(ledger) : owedCents(ledger);
  if (planned === 0 || most <= 0) return NOTHING;
  const amountCents = Math.min(planned + asking.extraCents, most);
  return {
    amountCents: amountCents as Cents,
    extraCents: Math.max(0, amountCents - planned) as Cents,
    enablePrepayments: isAhead ? true : null,
  };
}

/** Money that comes before its due date is there when it falls due; the extra is not. */
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
 * The share that a plan of its own dates brings for rows to come. The row of the running period is spread over the dates
 * that are left until it falls due, rounded up, so that all of it is there in time; a row in whose period no date lies is paid
 * by the last date before.
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

/** Rows to come with what money paid ahead has left of them. Each is computed when it is asked for. */
function* unpaidRows(ledger: LedgerState): Generator<UnpaidRow, void> {
  for (const { ordinal, date, amountCents, prepaidCents } of projectedRows(ledger)) {
    yield { ordinal, dueDay: date, remainingCents: amountCents - prepaidCents };
  }
}
