import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import { RATE_ZERO } from '../../money/index.js';
import { interestByDay } from '../installment/index.js';
import { inOrder } from '../core/fact-order.js';
import { keepAllocation } from '../installment/shared.js';
import { NO_INTEREST } from '../core/interest.js';
import { settledInTime } from '../core/retouch.js';
import type { LineFact } from './facts.js';
import { advanceTo } from './advance.js';
import { cloneLine } from './clone.js';
import { applyLineFact, canApplyLine, computeLine } from './fold.js';
import type { LineState } from './state.js';
import type { LineTerms } from './terms.js';
import type { LineInterestDay } from './views.js';
import type { LineAccrual, LineAllocation, LineEntry, LineLedgerEvent, LineWatcher } from './watcher.js';

/** A line's ledger with all that was told while it was computed. */
export interface RecordedLine {
  readonly state: LineState;
  /** In effective order. */
  readonly entries: readonly LineEntry[];
  readonly ledgerEvents: readonly LineLedgerEvent[];
  readonly allocations: readonly LineAllocation[];
  readonly accruals: readonly LineAccrual[];
}

/** Keeps what it is told, until it is taken. */
export class LineRecorder implements LineWatcher {
  readonly entries: LineEntry[] = [];
  readonly ledgerEvents: LineLedgerEvent[] = [];
  readonly allocations: LineAllocation[] = [];
  readonly accruals: LineAccrual[] = [];

  happened(ledgerEvent: LineLedgerEvent): void {
    this.ledgerEvents.push(ledgerEvent);
  }

  entered(entry: LineEntry): void {
    this.entries.push(entry);
  }

  allocated(allocation: LineAllocation): void {
    keepAllocation(this.allocations, allocation);
  }

  accrued(accrual: LineAccrual): void {
    this.accruals.push(accrual);
  }
}

/** The whole replay with its entries, allocations and ledger events. */
export function recordLine(terms: LineTerms, facts: readonly LineFact[], through: Day): RecordedLine {
  const recorder = new LineRecorder();
  const state = computeLine(terms, facts, through, recorder);
  return recordedBy(recorder, state);
}

function recordedBy({ entries, ledgerEvents, allocations, accruals }: LineRecorder, state: LineState): RecordedLine {
  return { state, entries: [...entries].sort((a, b) => a.day - b.day || a.seconds - b.seconds), ledgerEvents, allocations, accruals };
}

/** As `recordNext` of an installment loan: a copy of a running line with one more fact, and the record since. */
export const recordLineNext = (running: LineState, fact: LineFact, through: Day): RecordedLine =>
  must(recordLineSince(running, [fact], through), 'the fact comes last');

/** As `recordSince` of an installment loan. */
export function recordLineSince(laidAside: LineState, since: readonly LineFact[], through: Day): RecordedLine | null {
  const state = cloneLine(laidAside);
  const recorder = new LineRecorder();
  state.watcher = recorder;
  for (const fact of settledInTime(inOrder(since))) {
    if (!canApplyLine(state, fact)) return null;
    applyLineFact(state, fact);
  }
  if (through > state.day) advanceTo(state, through);
  state.watcher = null;
  return recordedBy(recorder, state);
}

/** Where the money of one payment, credit or refund went, in the waterfall's order. */
export const lineAllocationOf = (line: Pick<RecordedLine, 'allocations'>, transaction: number): readonly LineAllocation[] =>
  line.allocations.filter((allocation) => allocation.transaction === transaction);

/** Interest of each draw, or of one, day by day, `from` and `to` inclusive. */
export function lineInterestByDay(
  terms: LineTerms,
  facts: readonly LineFact[],
  from: Day,
  to: Day,
  draw: number | null = null,
): readonly LineInterestDay[] {
  return lineInterestDays(recordLine(terms, facts, (to + 1) as Day), from, to, draw);
}

/** The same of a ledger that has run behind `to`, and of all that accrued in it from `from` on. */
export function lineInterestDays(
  { state, accruals }: Pick<RecordedLine, 'state' | 'accruals'>,
  from: Day,
  to: Day,
  draw: number | null = null,
): readonly LineInterestDay[] {
  const draws = state.draws.map((found) => found.draw).filter((found) => draw === null || found === draw);
  return draws.flatMap((of) =>
    interestByDay({ state, accruals: accrualsOf(accruals, of) }, from, to).map((found) => ({ ...found, draw: of })),
  );
}

/** What was told of one draw; days of a grace that came back bear nothing. */
function accrualsOf(accruals: readonly LineAccrual[], draw: number): readonly LineAccrual[] {
  let found: LineAccrual[] = [];
  for (const accrual of accruals) {
    if (accrual.draw !== draw) continue;
    if (accrual.isTakenBack === true) found = found.map((earlier) => (earlier.from >= accrual.from ? silenced(earlier) : earlier));
    else found.push(accrual);
  }
  return found;
}

const silenced = (accrual: LineAccrual): LineAccrual => ({ ...accrual, rate: RATE_ZERO, interest: NO_INTEREST });
