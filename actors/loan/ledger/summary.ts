import { addDays, type Cents, type Day, type LedgerState, type LineState, oldestOverdue } from '../../../engine/index.js';
import type { LedgerSummary } from '../state.js';

/** The summary of either product before the first day is computed. */
export const summaryAtActivation = (activation: Day, endDay: Day | null, outstandingCents: Cents): LedgerSummary => ({
  status: 'active',
  through: activation,
  nextDay: null,
  nextDueDay: null,
  fallenDueDay: null,
  comingDueDay: null,
  comingStatementDay: null,
  endDay,
  isOverdue: false,
  overdueSince: null,
  outstandingCents,
  chargeOffReason: null,
});

/**
 * From which day on days overdue count: the due date of the oldest overdue obligation, and the days that it stood still. Null while
 * current.
 */
export function overdueSince(ledger: LedgerState | LineState): Day | null {
  const oldest = ledger.isOverdue ? oldestOverdue(ledger) : undefined;
  return oldest === undefined ? null : addDays(oldest.dueDay, oldest.pausedDays);
}
