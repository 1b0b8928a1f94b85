import { must } from '../../assert.js';
import { addDays, type Day } from '../../calendar/index.js';
import { type Accrued, type Cents, RATE_ZERO, roundAccrued, ZERO } from '../../money/index.js';
import type { EntrySource } from '../core/entries.js';
import type { EffectiveTime } from '../core/facts.js';
import { FIRST_USER_SECOND, NO_INTEREST } from '../core/interest.js';
import { inOrder, settledInTime } from '../core/retroactive-adjustment.js';
import { type CycleDays, type CycleFlow, interestByDay } from '../installment/index.js';
import { keepAllocation } from '../installment/shared.js';
import { advanceTo } from './advance.js';
import { isAboutThePast, isLateChange } from './arrange.js';
import type { LineFact } from './facts.js';
import { applyLineFact, canApplyLine, computeLine } from './fold.js';
import { cloneLine, lineBalancesOf } from './read-schedule.js';
import type { LineAccrual, LineAllocation, LineEntry, LineEntryType, LineLedgerEvent, LineState, LineWatcher } from './state.js';
import type { LineTerms } from './terms.js';
import type { LineInterestDay } from './views.js';

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
class LineRecorder implements LineWatcher {
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
function lineInterestDays(
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

/** In which total of a line's statement an entry counts. */
export type LineCycleFlow = CycleFlow | 'purchases' | 'cashAdvances';

export interface LineCycleChange {
  readonly flow: LineCycleFlow;
  readonly entryType: LineEntryType;
  readonly day: Day;
  readonly source: EntrySource;
  /** Null: of the line itself. */
  readonly draw: number | null;
  /** Of the balance, signed. */
  readonly amountCents: Cents;
}

/** What is owed of one draw, or of the whole line, at both cuts, and the interest between them. */
interface CycleBalance {
  readonly openingCents: Cents;
  readonly closingCents: Cents;
  /** What the changes leave: accrual, with every fraction of a cent. */
  readonly interestCents: Cents;
}

export interface LineCycle extends CycleBalance {
  /** At the cut. */
  readonly state: LineState;
  readonly draws: ReadonlyMap<number, CycleBalance>;
  readonly changes: readonly LineCycleChange[];
  readonly interestDays: readonly LineInterestDay[];
}

/** Entries that only accrue interest, round it, or give balances another place. */
const OF_INTEREST: ReadonlySet<LineEntryType> = new Set<LineEntryType>([
  'interestAccrual',
  'retroactiveInterest',
  'interestCapitalization',
  'movedToDue',
  'movedToOverdue',
  'acceleration',
  'chargeOff',
  'forgoneInterest',
  'minimumInterest',
  'graceLost',
  'graceRestored',
  'balancesDeferred',
]);

/** All that is not named is an adjustment. */
const FLOWS: Partial<Record<LineEntryType, LineCycleFlow>> = {
  purchase: 'purchases',
  purchaseRefund: 'refunds',
  originationFee: 'fees',
  drawFee: 'fees',
  lateFee: 'fees',
  fee: 'fees',
  payment: 'payments',
  paidOverMet: 'payments',
  credit: 'credits',
  refund: 'refunds',
};

/** A line's ledger between two cuts, as it is known now; `day` lies after the activation. Cuts are as for installment loans. */
export function lineCycleOf(terms: LineTerms, facts: readonly LineFact[], { after, day }: CycleDays): LineCycle {
  const recorder = new LineRecorder();
  const state = computeLine(terms, facts, addDays(day, -1), recorder);
  closeCycle(state, recorder, day);
  return cycleBetween(after === null ? null : atCut(terms, facts, after), state, { recorder, facts, after });
}

/**
 * The same from a ledger that was laid aside at the cut before or earlier, and the facts that were recorded since. Null where
 * one of them changes what that ledger has seen: then all is to be computed.
 */
export function lineCycleFrom(
  laidAside: LineState,
  since: readonly LineFact[],
  { after, day }: { readonly after: Day; readonly day: Day },
): LineCycle | null {
  if (laidAside.day > after || laidAside.lastFactDay >= after) return null;
  const facts = settledInTime(inOrder(since));
  if (facts.some((fact) => isAboutThePast(fact) || isLateChange(fact))) return null;
  const before = cloneLine(laidAside);
  if (!takeInAll(before, facts, addDays(after, -1))) return null;
  advanceTo(before, after);
  const state = cloneLine(before);
  const recorder = new LineRecorder();
  state.watcher = recorder;
  const later = facts.filter(({ effective }) => effective.day >= after);
  if (!takeInAll(state, later, addDays(day, -1))) return null;
  closeCycle(state, recorder, day);
  return cycleBetween(before, state, { recorder, facts: later, after });
}

/** The facts up to a day, and its end; false where one of them comes before what the ledger has seen. */
function takeInAll(state: LineState, facts: readonly LineFact[], through: Day): boolean {
  for (const fact of facts) {
    if (fact.effective.day > through) break;
    if (!canApplyLine(state, fact)) return false;
    applyLineFact(state, fact);
  }
  if (through > state.day) advanceTo(state, through);
  return true;
}

function closeCycle(state: LineState, recorder: LineRecorder, day: Day): void {
  state.watcher = recorder;
  advanceTo(state, day);
  state.watcher = null;
}

/** What lies between the ledger at the cut before, null at the first one, and the ledger at this cut. */
function cycleBetween(
  before: LineState | null,
  state: LineState,
  { recorder, facts, after }: { readonly recorder: LineRecorder; readonly facts: readonly LineFact[]; readonly after: Day | null },
): LineCycle {
  const { terms, day } = state;
  const advances = new Set(facts.flatMap((fact) => (fact.type === 'purchase' && fact.kind === 'cashAdvance' ? [fact.sequence] : [])));
  const changes = recorder.entries
    .filter((entry) => isAfterCut(terms, entry, after) && !OF_INTEREST.has(entry.entryType))
    .flatMap((entry) => changesOf(entry, advances));
  const balance = (draw: number | null): CycleBalance => {
    const openingCents = before === null ? ZERO : totalCents(before, draw);
    const closingCents = totalCents(state, draw);
    const movedCents = changes.reduce((sum, change) => (draw === null || change.draw === draw ? sum + change.amountCents : sum), 0);
    return { openingCents, closingCents, interestCents: (closingCents - openingCents - movedCents) as Cents };
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
  return (outstanding.totalCents + chargedOff.totalCents) as Cents;
}

function isAfterCut(terms: LineTerms, entry: LineEntry, after: Day | null): boolean {
  if (after === null || entry.day > after) return true;
  return entry.day === after && entry.source.type === 'fact' && !isBrought(terms, entry);
}

/** A line that comes from another system begins with a cut: its draws and balances come with the daily job of that day. */
const isBrought = ({ activation }: LineTerms, { day, seconds }: EffectiveTime): boolean =>
  day === activation && seconds < FIRST_USER_SECOND;

/** What an entry did to the balance of each draw, and of the line itself. */
function changesOf({ entryType, day, source, lines }: LineEntry, cashAdvances: ReadonlySet<number>): readonly LineCycleChange[] {
  const byDraw = new Map<number | null, bigint>();
  for (const line of lines) {
    if (line.bucket !== 'counter') byDraw.set(line.draw, (byDraw.get(line.draw) ?? 0n) + line.amount);
  }
  const isAdvance = entryType === 'purchase' && source.type === 'fact' && cashAdvances.has(source.sequence);
  const flow = isAdvance ? 'cashAdvances' : (FLOWS[entryType] ?? 'adjustments');
  return [...byDraw].flatMap(([draw, change]) =>
    change === 0n ? [] : [{ flow, entryType, day, source, draw, amountCents: roundAccrued(change as Accrued, 'halfUp') }],
  );
}
