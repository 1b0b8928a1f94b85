import type { Day } from '../../calendar/index.js';
import { idleDaysOf } from '../installment/shared.js';
import { arrangeLine, isLateChange, type LateLineChange, type LineArrangement } from './arrange.js';
import type { LineFact } from './facts.js';
import type { LineObligation, LineState } from './state.js';

type Fold = (arrangement: LineArrangement, through: Day) => LineState;

/** The arrangement with the days on which nothing accrued although the line is active in what is known now. */
export function withIdleDays(facts: readonly LineFact[], fold: Fold): LineArrangement {
  const idle = idleDaysOf(facts, (earlier, known, until) => fold(withOrders(arrangeLine(earlier), { idle: known }), until));
  return idle.length === 0 ? arrangeLine(facts) : withOrders(arrangeLine(facts), { idle });
}

const withOrders = ({ facts, orders }: LineArrangement, more: Partial<LineArrangement['orders']>): LineArrangement => ({
  facts,
  orders: { ...orders, ...more },
});

/**
 * What obligations asked for whose due dates had passed when something that makes them dearer was recorded behind them.
 * Null when there is nothing of the kind, as nearly always: a purchase settles days after it was made, not
 * weeks.
 */
export function withAsked(
  recorded: readonly LineFact[],
  arrangement: LineArrangement,
  state: LineState,
  fold: Fold,
): LineArrangement | null {
  const late = lateChanges(arrangement);
  // Of the others `state` does not tell: it may be accelerated by the very amounts that are to be bounded.
  if (!late.some((change) => [...state.replaced, ...state.obligations].some((obligation) => isBehind(change, obligation)))) return null;
  const asked = new Map<number, number>();
  for (const change of late) {
    // Arranged anew: what a late change has replaced still held before it was recorded.
    const known = arrangeLine(
      recorded.filter(({ sequence }) => !late.some((other) => other.sequence === sequence && sequence >= change.sequence)),
    );
    const found = fold(withOrders(known, { idle: arrangement.orders.idle, askedCents: new Map(asked) }), change.recordedDay);
    for (const obligation of [...found.replaced, ...found.obligations]) {
      const { ordinal, baseCents } = obligation;
      if (isBehind(change, obligation)) asked.set(ordinal, Math.min(baseCents, asked.get(ordinal) ?? baseCents));
    }
  }
  return withOrders(arrangement, { askedCents: asked });
}

/** In the order of recording. */
const lateChanges = ({ facts }: LineArrangement): readonly LateLineChange[] =>
  facts.flatMap((fact) => (isLateChange(fact) ? [fact] : [])).sort((a, b) => a.sequence - b.sequence);

/** Its statement was made after the change's time, and its due date had passed when the change was recorded. */
const isBehind = ({ effective, recordedDay }: LateLineChange, { period, dueDay }: LineObligation): boolean =>
  period.statementDate > effective.day && dueDay < recordedDay;
