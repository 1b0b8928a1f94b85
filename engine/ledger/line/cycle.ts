import { must } from '../../assert.js';
import { addDays, type Day } from '../../calendar/index.js';
import { type Cents, RATE_ZERO, roundAccrued, ZERO, cents, accruedUnits } from '../../money/index.js';
import { FIRST_USER_SECOND } from '../core/clock.js';
import { type CycleDays, type CycleFlow, FLOWS, isAfterCut, OF_INTEREST } from '../core/cycle.js';
import type { EntrySource } from '../core/entries.js';
import type { EffectiveTime } from '../core/facts.js';
import { interestByDay } from '../core/interest-by-day.js';
import { NO_INTEREST } from '../core/interest.js';
import { type Recorded, Recorder } from '../core/recorder.js';
import { inTheirOrder } from '../core/retroactive-adjustment.js';
import { advanceTo } from './advance.js';
import { arrangeLineSince, isAboutThePast, isLateChange } from './arrange.js';
import type { LineFact } from './facts.js';
import { applyLineFact, canApplyLine, computeLine } from './fold.js';
import { cloneLine, lineBalancesOf } from './read-schedule.js';
import type { LineAccrual, LineAllocation, LineEntry, LineEntryType, LineLedgerEvent, LineState } from './state.js';
import type { LineTerms } from './terms.js';
import type { LineInterestDay } from './views.js';

/** A line's ledger with everything that its watcher received. */
export type RecordedLine = Recorded<LineState, LineEntry, LineLedgerEvent, LineAllocation, LineAccrual>;

type LineRecorder = Recorder<LineEntry, LineLedgerEvent, LineAllocation, LineAccrual>;

const newRecorder = (): LineRecorder => new Recorder();

/** Replays the whole history with entries, allocations and ledger events. */
export function recordLine(terms: LineTerms, facts: readonly LineFact[], through: Day): RecordedLine {
  const recorder = newRecorder();
  const state = computeLine(terms, facts, through, recorder);
  return recorder.recordOf(state);
}

/** Like `recordNext` of installment loans: a copy of a running line with one more fact, and the record since. */
export const recordLineNext = (running: LineState, fact: LineFact, through: Day): RecordedLine =>
  must(recordLineSince(running, [fact], through), 'the fact comes last');

/** Like `recordSince` of installment loans. */
export function recordLineSince(checkpoint: LineState, since: readonly LineFact[], through: Day): RecordedLine | null {
  const facts = arrangeLineSince(since);
  if (facts === null) return null;
  const state = cloneLine(checkpoint);
  const recorder = newRecorder();
  state.watcher = recorder;
  for (const fact of facts) {
    if (fact.effective.day > through) break;
    if (!canApplyLine(state, fact)) return null;
    applyLineFact(state, fact);
  }
  if (through > state.day) advanceTo(state, through);
  state.watcher = null;
  return recorder.recordOf(state);
}

/** The allocation of one payment, credit or refund, in the order of the waterfall. */
export const lineAllocationOf = (line: Pick<RecordedLine, 'allocations'>, transaction: number): readonly LineAllocation[] =>
  line.allocations.filter((allocation) => allocation.transaction === transaction);

/**
 * Interest by day of each draw, or of one draw, `from` and `to` inclusive: from a ledger that has run past `to`, and its accruals since
 * `from`.
 */
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

/** The accruals of one draw; days of a restored grace bear no interest. */
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

/** The total of a line's statement to which an entry belongs. */
export type LineCycleFlow = CycleFlow | 'purchases' | 'cashAdvances';

export interface LineCycleChange {
  readonly flow: LineCycleFlow;
  readonly entryType: LineEntryType;
  readonly day: Day;
  readonly source: EntrySource;
  /** Null: the line itself. */
  readonly draw: number | null;
  /** Change of the balance, signed. */
  readonly amountCents: Cents;
}

/** What is owed on one draw, or on the whole line, at both cuts, and the interest between them. */
interface CycleBalance {
  readonly openingCents: Cents;
  readonly closingCents: Cents;
  /** The rest of the change after all others: accrued interest, with fractions of cents. */
  readonly interestCents: Cents;
}

export interface LineCycle extends CycleBalance {
  /** At the cut. */
  readonly state: LineState;
  readonly draws: ReadonlyMap<number, CycleBalance>;
  readonly changes: readonly LineCycleChange[];
  readonly interestDays: readonly LineInterestDay[];
}

/** Entries that only accrue or round interest, or move balances. */
const OF_LINE_INTEREST: ReadonlySet<LineEntryType> = new Set<LineEntryType>([
  ...OF_INTEREST,
  'minimumInterest',
  'graceLost',
  'graceRestored',
  'balancesDeferred',
]);

/** Every other type is an adjustment. */
const LINE_FLOWS: Partial<Record<LineEntryType, LineCycleFlow>> = {
  ...FLOWS,
  purchase: 'purchases',
  purchaseRefund: 'refunds',
  drawFee: 'fees',
};

/** Also collects money of payments that a restored grace has left without interest to pay: it is owed to the borrower. */
class CycleRecorder extends Recorder<LineEntry, LineLedgerEvent, LineAllocation, LineAccrual> {
  readonly unpaid: (LineCycleChange & Pick<LineEntry, 'seconds'>)[] = [];

  booked({ entryType, day, seconds, source }: LineEntry, owedBackCents: number): void {
    if (entryType !== 'graceRestored' || owedBackCents === 0) return;
    const draw = this.ledgerEvents.findLast((event) => event.type === 'graceChanged')?.draw ?? null;
    this.unpaid.push({ flow: 'payments', entryType, day, seconds, source, draw, amountCents: cents(owedBackCents) });
  }
}

/** A line's ledger between two cuts, with all adjustments. `day` is after the activation. Cuts are as for installment loans. */
export function lineCycleOf(terms: LineTerms, facts: readonly LineFact[], { after, day }: CycleDays): LineCycle {
  const recorder = new CycleRecorder();
  const state = computeLine(terms, facts, addDays(day, -1), recorder);
  closeCycle(state, recorder, day);
  return cycleBetween(after === null ? null : atCut(terms, facts, after), state, { recorder, facts, after });
}

/**
 * The same from a saved ledger of the previous cut or earlier, and the facts that were recorded since. Null if one of them
 * changes the past of that ledger: then everything must be computed.
 */
export function lineCycleFrom(
  checkpoint: LineState,
  since: readonly LineFact[],
  { after, day }: { readonly after: Day; readonly day: Day },
): LineCycle | null {
  if (checkpoint.day > after || checkpoint.lastFactDay >= after) return null;
  const facts = inTheirOrder(since);
  if (facts.some((fact) => isAboutThePast(fact) || isLateChange(fact))) return null;
  const before = cloneLine(checkpoint);
  if (!takeInAll(before, facts, addDays(after, -1))) return null;
  advanceTo(before, after);
  const state = cloneLine(before);
  const recorder = new CycleRecorder();
  state.watcher = recorder;
  const later = facts.filter(({ effective }) => effective.day >= after);
  if (!takeInAll(state, later, addDays(day, -1))) return null;
  closeCycle(state, recorder, day);
  return cycleBetween(before, state, { recorder, facts: later, after });
}

/** Applies the facts up to the end of a day; false if one of them is before the last fact of the ledger. */
function takeInAll(state: LineState, facts: readonly LineFact[], through: Day): boolean {
  for (const fact of facts) {
    if (fact.effective.day > through) break;
    if (!canApplyLine(state, fact)) return false;
    applyLineFact(state, fact);
  }
  if (through > state.day) advanceTo(state, through);
  return true;
}

function closeCycle(state: LineState, recorder: CycleRecorder, day: Day): void {
  state.watcher = recorder;
  advanceTo(state, day);
  state.watcher = null;
}

/** The cycle between the ledger at the previous cut (null for the first cycle) and the ledger at this cut. */
function cycleBetween(
  before: LineState | null,
  state: LineState,
  { recorder, facts, after }: { readonly recorder: CycleRecorder; readonly facts: readonly LineFact[]; readonly after: Day | null },
): LineCycle {
  const { terms, day } = state;
  const advances = new Set(facts.flatMap((fact) => (fact.type === 'purchase' && fact.kind === 'cashAdvance' ? [fact.sequence] : [])));
  const moved = recorder.entries
    .filter((entry) => isAfter(terms, entry, after) && !OF_LINE_INTEREST.has(entry.entryType))
    .flatMap((entry) => changesOf(entry, advances));
  const changes = [...moved, ...recorder.unpaid.filter((change) => isAfter(terms, change, after))];
  const balance = (draw: number | null): CycleBalance => {
    const openingCents = before === null ? ZERO : totalCents(before, draw);
    const closingCents = totalCents(state, draw);
    const movedCents = changes.reduce((sum, change) => (draw === null || change.draw === draw ? sum + change.amountCents : sum), 0);
    return { openingCents, closingCents, interestCents: cents(closingCents - openingCents - movedCents) };
  };
  return {
    ...balance(null),
    state,
    draws: new Map(state.draws.map(({ draw }) => [draw, balance(draw)])),
    changes,
    interestDays: lineInterestDays({ state, accruals: recorder.accruals }, after ?? terms.activation, addDays(day, -1)),
  };
}

function atCut(terms: LineTerms, facts: readonly LineFact[], cut: Day): LineState {
  if (cut <= terms.activation)
    return computeLine(
      terms,
      facts.filter(({ effective }) => isBrought(terms, effective)),
      cut,
    );
  const state = computeLine(terms, facts, addDays(cut, -1));
  advanceTo(state, cut);
  return state;
}

function totalCents(state: LineState, draw: number | null): Cents {
  if (draw !== null && !state.draws.some((known) => known.draw === draw)) return ZERO;
  const { outstanding, chargedOff } = lineBalancesOf(state, draw);
  return cents(outstanding.totalCents + chargedOff.totalCents);
}

const isAfter = (terms: LineTerms, entry: Pick<LineEntry, 'day' | 'seconds' | 'source'>, after: Day | null): boolean =>
  isAfterCut(entry, after) && !(entry.day === after && isBrought(terms, entry));

/** A line from another system begins with a cut: its draws and balances come with the daily job of that day. */
const isBrought = ({ activation }: LineTerms, { day, seconds }: EffectiveTime): boolean =>
  day === activation && seconds < FIRST_USER_SECOND;

/** The changes of the balances of each draw, and of the line itself, by an entry. */
function changesOf({ entryType, day, source, lines }: LineEntry, cashAdvances: ReadonlySet<number>): readonly LineCycleChange[] {
  const byDraw = new Map<number | null, bigint>();
  for (const line of lines) {
    if (line.bucket !== 'counter') byDraw.set(line.draw, (byDraw.get(line.draw) ?? 0n) + line.amount);
  }
  const isAdvance = entryType === 'purchase' && source.type === 'fact' && cashAdvances.has(source.sequence);
  const flow = isAdvance ? 'cashAdvances' : (LINE_FLOWS[entryType] ?? 'adjustments');
  return [...byDraw].flatMap(([draw, change]) =>
    change === 0n ? [] : [{ flow, entryType, day, source, draw, amountCents: roundAccrued(accruedUnits(change), 'halfUp') }],
  );
}
