import { cents } from '../../money/index.js';
import type { BalanceTotals, LedgerEvent, ObligationLedger } from './entries.js';
import { daysOverdueOf, oldestOverdue, overdueCents } from './overdue.js';
import type { FeeState, ObligationState } from './state.js';

/** The time of differences on past days: 23:59. */
const END_OF_DAY_SECONDS = 86_340;

/** The comparison of two states of a ledger, for both kinds of ledgers. */
export interface Compared {
  readonly ledger: ObligationLedger;
  readonly fees: readonly FeeState[];
  readonly balances: BalanceTotals;
}

export function netDifferences(before: Compared, after: Compared): readonly LedgerEvent[] {
  return [
    ...feeDifferences(before, after),
    ...balanceDifference(before, after),
    ...obligationDifferences(before.ledger, after.ledger),
    ...overdueDifference(before.ledger, after.ledger),
    ...statusDifference(before.ledger, after.ledger),
  ];
}

const now = (after: ObligationLedger): { day: ObligationLedger['day']; seconds: number } => ({ day: after.day, seconds: after.seconds });

const keyOf = (fee: FeeState): string => (fee.fee === null ? `${fee.feeTypeId} ${fee.obligation}` : String(fee.fee));

const NONE: readonly LedgerEvent[] = [];

function feeDifferences(before: Compared, after: Compared): readonly LedgerEvent[] {
  if (before.fees.length === 0 && after.fees.length === 0) return NONE;
  const known = new Map(before.fees.filter((fee) => !fee.isCanceled).map((fee) => [keyOf(fee), fee]));
  const found: LedgerEvent[] = [];
  for (const fee of after.fees) {
    if (fee.isCanceled) continue;
    const old = known.get(keyOf(fee));
    if (old !== undefined && old.amountCents !== fee.amountCents) {
      const { feeTypeId, obligation } = fee;
      const amounts = { amountCents: cents(fee.amountCents), previousCents: cents(old.amountCents) };
      found.push({ type: 'feeChanged', ...now(after.ledger), feeTypeId, obligation, fee: fee.fee, ...amounts });
    }
    if (!known.delete(keyOf(fee)) && fee.kind === 'lateFee' && fee.obligation !== null) {
      const { feeTypeId, obligation } = fee;
      found.push({ type: 'lateFeeBooked', ...now(after.ledger), feeTypeId, obligation, amountCents: cents(fee.amountCents) });
    }
  }
  for (const fee of known.values()) {
    const { feeTypeId, obligation, chargeDay } = fee;
    const amountCents = cents(fee.amountCents);
    found.push({ type: 'feeCanceled', ...now(after.ledger), feeTypeId, obligation, fee: fee.fee, chargeDay, amountCents });
  }
  return found;
}

function balanceDifference({ balances: previousBalances }: Compared, { balances, ledger }: Compared): readonly LedgerEvent[] {
  const isSame =
    balances.principalCents === previousBalances.principalCents &&
    balances.interestCents === previousBalances.interestCents &&
    balances.feesCents === previousBalances.feesCents &&
    balances.overdueCents === previousBalances.overdueCents;
  return isSame ? [] : [{ type: 'balanceChanged', ...now(ledger), cause: 'replay', balances, previousBalances }];
}

function obligationDifferences(before: ObligationLedger, after: ObligationLedger): readonly LedgerEvent[] {
  const found: LedgerEvent[] = [];
  after.obligations.forEach((obligation, position) => {
    const old = sameObligation(before, obligation, position);
    const { isFulfilled } = obligation;
    const isOverdue = isOverdueNow(obligation);
    if (old !== undefined && old.isFulfilled === isFulfilled && isOverdueNow(old) === isOverdue) return;
    found.push({
      type: 'obligationStatusChanged',
      ...now(after),
      obligation: obligation.ordinal,
      isFulfilled,
      isOverdue,
      isOpen: false,
    });
  });
  return found;
}

/** The obligation with the same ordinal, which is usually at the same position. */
function sameObligation({ obligations }: ObligationLedger, { ordinal }: ObligationState, position: number): ObligationState | undefined {
  const there = obligations[position];
  return there?.ordinal === ordinal ? there : obligations.find((obligation) => obligation.ordinal === ordinal);
}

const isOverdueNow = (obligation: ObligationState): boolean => obligation.isEnforced && !obligation.isFulfilled;

function overdueDifference(before: ObligationLedger, after: ObligationLedger): readonly LedgerEvent[] {
  const oldest = oldestOverdue(after);
  const old = oldestOverdue(before);
  if (oldest === undefined) return old === undefined ? [] : [{ type: 'current', ...now(after) }];
  const isSame = old?.dueDay === oldest.dueDay && overdueCents(before) === overdueCents(after);
  if (isSame) return [];
  return [
    {
      type: old === undefined ? 'overdue' : 'overdueUpdate',
      ...now(after),
      daysOverdue: daysOverdueOf(after, oldest),
      overdueCents: cents(overdueCents(after)),
      overdueSince: oldest.dueDay,
      oldestObligation: oldest.ordinal,
    },
  ];
}

function statusDifference(before: ObligationLedger, after: ObligationLedger): readonly LedgerEvent[] {
  if (before.status === after.status) return [];
  const { status: oldStatus } = before;
  return [{ type: 'statusChanged', ...statusTime(before, after), oldStatus, newStatus: after.status, cause: { type: 'replay' } }];
}

/** A status from the past applies since its own day; an undone status ends now. */
function statusTime(before: ObligationLedger, after: ObligationLedger): { day: ObligationLedger['day']; seconds: number } {
  const isUndone = after.status === 'active' || before.status === 'paidOff';
  return isUndone || after.statusSince === after.day ? now(after) : { day: after.statusSince, seconds: END_OF_DAY_SECONDS };
}
