import {
  dayAt,
  type DrawRatesChanged,
  firstDifference,
  type IndexValue,
  instantAt,
  isDrawPaidOff,
  type LineState,
  must,
  type RateTimeline,
} from '../../../engine/index.js';
import type { Emit, EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { dateText, dateTimeText, timeOfDay } from '../../wire.js';
import { recordOf } from '../context.js';
import { loanEvent } from '../events.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import type { LoanStatus } from '../machine.js';
import { indexOf, type RateRow, rateRowsOf } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import type { Why } from '../applying.js';
import type { Draw } from './draw.js';
import { aboutDraw } from './events.js';
import type { DrawRatesSet } from './evolve.js';
import { drawRowsOf, drawWithRates, kindsWith, ownKinds, timelineWith } from './rate-rows.js';

/** A change of the rates of a line's draws. */
export interface DrawChange {
  readonly now: EffectiveTime;
  readonly why: Why;
}

/** The fact of new and changed rate rows of a draw; `line` are the rows of its line. */
export function drawRatesSet(
  state: LoanState,
  env: EvolveEnv,
  draw: Draw,
  rows: readonly RateRow[],
  { now, why }: DrawChange,
  line: readonly RateRow[] = rateRowsOf(state, env),
): FactDraft {
  const changed = drawWithRates(state, env, draw, rows, kindsWith(draw, rows));
  const { change, effective } = changeOf(state, draw, timelineWith(state, env, drawRowsOf(state, env, changed, line)), now);
  const body: DrawRatesSet = { drawId: draw.id, rows, kinds: ownKinds(changed), change, recordedDay: now.day, ...why };
  return { type: 'DrawRatesSet', body, effective };
}

/** Ledger facts of active draws whose rates differ after a change of the line's rows or of the product's index. */
export function followingDrafts(
  state: LoanState,
  env: EvolveEnv,
  draws: readonly Draw[],
  line: readonly RateRow[],
  { now, why }: DrawChange,
  index: readonly IndexValue[] = indexOf(state, env),
): readonly FactDraft[] {
  const ofLine = timelineWith(state, env, line, index);
  return draws.flatMap((draw): readonly FactDraft[] => {
    if (draw.status !== 'active') return [];
    const rows = drawRowsOf(state, env, draw, line);
    const { change, effective } = changeOf(state, draw, rows === line ? ofLine : timelineWith(state, env, rows, index), now);
    if (change === null) return [];
    return [{ type: 'LedgerChanged', body: { change, recordedDay: now.day, ...why } satisfies LedgerChanged, effective }];
  });
}

/** 00:10, when rates begin. */
const RATES_BEGIN_SECONDS = 600;

/** The change of a draw's rates in the ledger: from the first day that differs if it is past, otherwise from now on. */
function changeOf(
  state: LoanState,
  { draw, status }: Draw,
  rates: RateTimeline,
  now: EffectiveTime,
): { readonly change: LedgerChange<DrawRatesChanged> | null; readonly effective: EffectiveTime } {
  const facts = must(state.line, `${state.id} has no line of credit`)
    .facts.all()
    .map(({ fact }) => fact);
  const known = facts.findLast((fact) => (fact.type === 'drawRatesChanged' || fact.type === 'drawActivated') && fact.draw === draw);
  const begun = facts.find((fact) => fact.type === 'drawActivated' && fact.draw === draw)?.effective;
  if (status !== 'active' || begun === undefined || known === undefined || !('rates' in known)) return { change: null, effective: now };
  const first = firstDifference(known.rates, rates, begun.day);
  const isPast = first !== null && first < now.day;
  return {
    change: first === null ? null : { type: 'drawRatesChanged', draw, rates },
    effective: !isPast ? now : first > begun.day ? { day: first, seconds: RATES_BEGIN_SECONDS } : begun,
  };
}

/*
 * A draw emits `loan.statuschanged` for its own moves, as a loan does; there is no event `loan.draw.created`. Moves that follow the status
 * of its line have no event of their own: the line's event covers them.
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

export function emitDrawStatus(state: LoanState, emit: Emit, draw: Pick<Draw, 'draw' | 'id'>, change: DrawStatusChange): void {
  const { oldStatus, newStatus, effectiveAt, reason, caseId } = change;
  const effectiveDate = dateText(dayAt(recordOf(state).zone, effectiveAt));
  const data = { drawId: draw.id, oldStatus, newStatus, reason, effectiveAt: dateTimeText(effectiveAt), effectiveDate, caseId };
  emit(aboutDraw(loanEvent(state, 'loan.statuschanged', data, effectiveAt), state, draw.draw));
}

/** The draws of an active line that are paid off; null while all follow the status of their line. */
export const paidOffDraws = ({ status, draws, processingPayments }: LineState): readonly number[] | null =>
  status !== 'active' ? null : processingPayments > 0 ? [] : draws.filter(isDrawPaidOff).map(({ draw }) => draw);

/**
 * Emits status events of closed draws that are paid off now, and of those on which something is owed again. When a line becomes active, all
 * its draws become active with it: the events of those that are paid off are emitted again.
 */
export function emitPaidOffDraws(state: LoanState, emit: Emit, known: readonly number[] | null, ledger: LineState): void {
  const before = known ?? [];
  const after = paidOffDraws(ledger);
  if (after === null || (before.length === 0 && after.length === 0)) return;
  const now = instantAt(recordOf(state).zone, ledger.day, timeOfDay(ledger.seconds));
  const unexplained = { reason: null, caseId: null };
  for (const draw of state.draws) {
    const [was, is] = [before.includes(draw.draw), after.includes(draw.draw)];
    if (is && !was)
      emitDrawStatus(state, emit, draw, {
        oldStatus: 'active',
        newStatus: 'paidOff',
        effectiveAt: draw.timestamps.paidOffAt ?? now,
        ...unexplained,
      });
    if (was && !is) emitDrawStatus(state, emit, draw, { oldStatus: 'paidOff', newStatus: 'active', effectiveAt: now, ...unexplained });
  }
}
