import { must } from '../../assert.js';
import type { Cents } from '../../money/index.js';
import { advanceTo } from './advance.js';
import { cloneLine } from './clone.js';
import { drawOwedCents, lineOwedCents } from './owed.js';
import { beginTally, pourMoney } from './pay.js';
import { runningPeriod } from './roll-periods.js';
import type { LineObligation, LineState } from './state.js';
import type { LineScheduleRow } from './views.js';

/** Minimum payments may take a lifetime: no more rows are projected than this. */
const MOST_PROJECTED_ROWS = 600;

/**
 * What was asked for, then what is expected when everything is paid on its due date: of an amortized draw all its rows, else
 * the running period's (a line without a balance asks for nothing on its next date: one row of zero).
 */
export function lineScheduleOf(state: LineState, draw: number | null = null): readonly LineScheduleRow[] {
  const booked = state.obligations.flatMap((obligation) => rowOf(obligation, draw, obligation.isFulfilled ? 'completed' : 'booked'));
  return [...booked, ...projectedRows(state, draw)];
}

function projectedRows(state: LineState, draw: number | null): readonly LineScheduleRow[] {
  if (state.status !== 'active' && state.status !== 'frozen') return [];
  const copy = cloneLine(state);
  copy.status = 'active';
  payAll(copy);
  const rows: LineScheduleRow[] = [];
  do {
    const { ordinal, statementDate } = runningPeriod(copy);
    advanceTo(copy, statementDate);
    const obligation = must(copy.obligations.at(-1), 'a statement fixes an obligation');
    rows.push(...rowOf(obligation, draw, ordinal === runningPeriod(state).ordinal ? 'booked' : 'projected'));
    advanceTo(copy, obligation.dueDay);
    payAll(copy);
  } while (isGoingOn(copy, draw) && rows.length < MOST_PROJECTED_ROWS);
  return rows;
}

/** Only amortized draws have an end to look at. */
function isGoingOn(copy: LineState, draw: number | null): boolean {
  return copy.draws.some((of) => (draw === null || of.draw === draw) && of.isAmortized && drawOwedCents(of) > 0);
}

/** Everything that is due is paid. */
function payAll(copy: LineState): void {
  const dueCents = copy.obligations.reduce((sum, { remainingCents }) => sum + remainingCents, 0);
  const amountCents = Math.min(dueCents, lineOwedCents(copy));
  if (amountCents === 0) return;
  pourMoney(copy, beginTally({ transaction: 0, kind: 'payment', effective: { day: copy.day, seconds: 0 }, amountCents }), null);
}

function rowOf(obligation: LineObligation, draw: number | null, status: LineScheduleRow['status']): readonly LineScheduleRow[] {
  const parts = obligation.draws.filter((part) => draw === null || part.draw === draw);
  const sum = (of: (part: LineObligation['draws'][number]) => number): Cents => parts.reduce((total, part) => total + of(part), 0) as Cents;
  if (draw !== null && parts.length === 0) return [];
  return [
    {
      ordinal: obligation.period.ordinal,
      date: obligation.dueDay,
      status,
      amountCents: sum((part) => part.amountCents),
      principalCents: sum((part) => part.amountCents - part.interestCents - part.feesCents),
      interestCents: sum((part) => part.interestCents),
      feesCents: sum((part) => part.feesCents),
    },
  ];
}
