import { addDays, type Day } from '../calendar/index.js';
import { type Accrued, type Cents, roundAccrued, ZERO } from '../money/index.js';
import type { CycleDays, CycleFlow, EffectiveTime, EntrySource } from '../replay/index.js';
import { FIRST_USER_SECOND } from '../replay/shared.js';
import { advanceTo } from './advance.js';
import type { LineFact } from './facts.js';
import { computeLine } from './fold.js';
import { lineBalancesOf } from './read-balances.js';
import { lineInterestByDay, LineRecorder } from './record.js';
import type { LineState } from './state.js';
import type { LineTerms } from './terms.js';
import type { LineInterestDay } from './views.js';
import type { LineEntry, LineEntryType } from './watcher.js';

/** In which total of a line's statement an entry counts (money 5, rule 5). */
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
  state.watcher = recorder;
  advanceTo(state, day);
  state.watcher = null;
  const advances = new Set(facts.flatMap((fact) => (fact.type === 'purchase' && fact.kind === 'cashAdvance' ? [fact.sequence] : [])));
  const changes = recorder.entries
    .filter((entry) => isAfterCut(terms, entry, after) && !OF_INTEREST.has(entry.entryType))
    .flatMap((entry) => changesOf(entry, advances));
  const before = after === null ? null : atCut(terms, facts, after);
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
    interestDays: lineInterestByDay(terms, facts, after ?? terms.activation, addDays(day, -1)),
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
