import { dayAt, instantAt, isDrawPaidOff, type LineState } from '../../../engine/index.js';
import type { Emit } from '../../kernel/actor.js';
import { dateText, dateTimeText, timeOfDay } from '../../wire.js';
import { recordOf } from '../context.js';
import { loanEvent } from '../events.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState } from '../state.js';
import type { Draw } from './draw.js';
import { aboutDraw } from './events.js';

/*
 * A draw tells of its own moves as a loan does (`loan.statuschanged` stands for `loan.draw.created`). What the
 * status of its line makes of it, the line's own event tells.
 */

export interface DrawStatusChange {
  /** Null: it was created. */
  readonly oldStatus: LoanStatus | null;
  readonly newStatus: LoanStatus;
  /** Milliseconds of the company's clock. */
  readonly effectiveAt: number;
  readonly reason: string | null;
  readonly caseId: string | null;
}

export function tellDrawStatus(state: LoanState, emit: Emit, draw: Pick<Draw, 'draw' | 'id'>, change: DrawStatusChange): void {
  const { oldStatus, newStatus, effectiveAt, reason, caseId } = change;
  const effectiveDate = dateText(dayAt(recordOf(state).zone, effectiveAt));
  const data = { drawId: draw.id, oldStatus, newStatus, reason, effectiveAt: dateTimeText(effectiveAt), effectiveDate, caseId };
  emit(aboutDraw(loanEvent(state, 'loan.statuschanged', data, effectiveAt), state, draw.draw));
}

/** The draws of an active line that are paid off; null while all follow the status of their line. */
export const paidOffDraws = ({ status, draws, processingPayments }: LineState): readonly number[] | null =>
  status !== 'active' ? null : processingPayments > 0 ? [] : draws.filter(isDrawPaidOff).map(({ draw }) => draw);

/**
 * Tells of closed draws on which nothing is owed any more, and of those on which something is owed again. With a line that
 * becomes active all its draws do: those that are paid off are told of anew.
 */
export function tellPaidOffDraws(state: LoanState, emit: Emit, known: readonly number[] | null, ledger: LineState): void {
  const before = known ?? [];
  const after = paidOffDraws(ledger);
  if (after === null || (before.length === 0 && after.length === 0)) return;
  const now = instantAt(recordOf(state).zone, ledger.day, timeOfDay(ledger.seconds));
  const unexplained = { reason: null, caseId: null };
  for (const draw of state.draws) {
    const [was, is] = [before.includes(draw.draw), after.includes(draw.draw)];
    if (is && !was)
      tellDrawStatus(state, emit, draw, {
        oldStatus: 'active',
        newStatus: 'paidOff',
        effectiveAt: draw.timestamps.paidOffAt ?? now,
        ...unexplained,
      });
    if (was && !is) tellDrawStatus(state, emit, draw, { oldStatus: 'paidOff', newStatus: 'active', effectiveAt: now, ...unexplained });
  }
}
