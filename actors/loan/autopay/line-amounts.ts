import { type Day, type LineObligation, lineOwedCents, type LineState, openLineObligation } from '../../../engine/index.js';
import type { Asking, Planned } from './amounts.js';
import { ordinalsOn } from './dates.js';
import type { AutopayAmountType } from './plan.js';

/** These take all that is overdue with them. */
const WHOLE_BALANCES: ReadonlySet<AutopayAmountType> = new Set<AutopayAmountType>(['statementBalance', 'outstandingBalance']);

/**
 * What a plan of a line of credit is to pay on a day: what the statement has fixed less what was paid since.
 */
export function plannedOfLine(ledger: LineState, day: Day, asking: Asking): Planned {
  const { bills, parts } = asking.isAligned ? billsOf(ledger, ordinalsOn(asking, day)) : shareOn(ledger, day, asking);
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

/** A payment that comes before its statement is for what that will ask for, as far as it is known. */
function billsOf(ledger: LineState, ordinals: ReadonlySet<number>): Share {
  const stated = ledger.obligations.filter(({ ordinal }) => ordinals.has(ordinal));
  const open = stated.length < ordinals.size ? openLineObligation(ledger) : null;
  return { bills: open !== null && ordinals.has(open.ordinal) ? [...stated, open] : stated, parts: 1 };
}

/**
 * Of own dates those from a statement through its due date share what it asks for, so that all of it is there in time. Where
 * none lies there, the last date before pays what the statement will ask for.
 */
function shareOn(ledger: LineState, day: Day, { coming }: Asking): Share {
  const dates = new Set(coming.map((payment) => payment.day));
  const datesUntil = (last: Day): number => [...dates].filter((date) => date >= day && date <= last).length;
  const stated = ledger.obligations.at(-1);
  if (stated !== undefined && day <= stated.dueDay) return { bills: [stated], parts: datesUntil(stated.dueDay) };
  const open = openLineObligation(ledger);
  return { bills: open === null || datesUntil(open.dueDay) > 1 ? [] : [open], parts: 1 };
}

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

/** What was paid since the statement, but for what has met older minimum payments, and what had met this one before it. */
function paidFor({ obligations }: LineState, { ordinal, grace, carriedOverdueCents, prepaidCents }: LineObligation): number {
  const olderCents = obligations.reduce((sum, older) => (older.ordinal < ordinal ? sum + older.remainingCents : sum), 0);
  return prepaidCents + Math.max(0, grace.totalFulfilledOnDueDateCents - Math.max(0, carriedOverdueCents - olderCents));
}

const overdueBut = ({ obligations }: LineState, bills: readonly LineObligation[]): number =>
  obligations.reduce((sum, known) => (known.isEnforced && !bills.includes(known) ? sum + unpaidCents(known) : sum), 0);
