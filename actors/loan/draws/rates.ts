import {
  consecutiveBands,
  consecutiveInterestBands,
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
import { indexOf, isScra, NEW_ROW, type RateRow, rateRowsOf, timelineOf, withRows } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import type { Why } from '../applying.js';
import type { Draw } from './draw.js';
import { aboutDraw } from './events.js';
import type { DrawRatesSet } from './evolve.js';

/** Whether a draw has rates of its own. Otherwise it has those of its line, also when they change. */
export const hasOwnRates = ({ rates, atOrigination: own }: Draw): boolean =>
  rates !== null || own.interestRates !== null || own.promoRates !== null;

/** The rates of a draw: each kind is its own if it has any, otherwise the line's. */
export function drawRowsOf(state: LoanState, env: EvolveEnv, draw: Draw): readonly RateRow[] {
  if (draw.rates !== null) return draw.rates;
  const line = rateRowsOf(state, env);
  if (!hasOwnRates(draw)) return line;
  const interest = interestRows(state, env, draw);
  const promos = promoRows(state, env, draw, interest.length);
  const isLines = ({ kind }: RateRow): boolean =>
    kind === 'rateCap' || (kind === 'interestRate' && interest.length === 0) || (kind === 'promoRate' && promos.length === 0);
  return [...interest, ...promos, ...line.filter((row) => isLines(row) || isScra(row))];
}

function interestRows(state: LoanState, env: EvolveEnv, draw: Draw): readonly RateRow[] {
  const bands = draw.atOrigination.interestRates ?? [];
  const placed = consecutiveInterestBands(
    drawStart(state, draw),
    bands.map(({ interestType: type, days, rate }) => ({ type, days, rate })),
  );
  return placed.map(({ type, ...band }, index) => ({
    ...NEW_ROW,
    id: idOf(state, env, draw, index),
    kind: 'interestRate' as const,
    ...band,
    interestType: type,
    setAtActivation: true,
  }));
}

function promoRows(state: LoanState, env: EvolveEnv, draw: Draw, before: number): readonly RateRow[] {
  const placed = consecutiveBands(drawStart(state, draw), draw.atOrigination.promoRates ?? []);
  return placed.map((band, index) => ({
    ...NEW_ROW,
    id: idOf(state, env, draw, before + index),
    kind: 'promoRate' as const,
    ...band,
    setAtActivation: true,
  }));
}

/** The day on which the draw's rates begin: its activation, before that its creation. */
export const drawStart = (state: LoanState, { timestamps }: Draw): ReturnType<typeof dayAt> =>
  dayAt(recordOf(state).zone, timestamps.activatedAt ?? timestamps.createdAt);

const idOf = (state: LoanState, env: EvolveEnv, { idBase = 0 }: Draw, index: number): string =>
  env.derivedId('RA', state.id, idBase + 1 + index);

const timelineWith = (
  state: LoanState,
  env: EvolveEnv,
  rows: readonly RateRow[],
  index: readonly IndexValue[] = indexOf(state, env),
): RateTimeline => timelineOf(rows, index, must(state.line, `${state.id} has no line of credit`).contract.terms.activation);

/** The timeline of a draw that is activated on a day. */
export const timelineOfDraw = (state: LoanState, env: EvolveEnv, draw: Draw): RateTimeline =>
  timelineWith(state, env, drawRowsOf(state, env, draw));

/** A change of the rates of a line's draws. */
export interface DrawChange {
  readonly now: EffectiveTime;
  readonly why: Why;
}

/** The fact of new and changed rate rows of a draw. */
export function drawRatesSet(state: LoanState, env: EvolveEnv, draw: Draw, rows: readonly RateRow[], { now, why }: DrawChange): FactDraft {
  const { change, effective } = changeOf(state, draw, timelineWith(state, env, withRows(drawRowsOf(state, env, draw), rows)), now);
  const body: DrawRatesSet = { drawId: draw.id, rows, change, recordedDay: now.day, ...why };
  return { type: 'DrawRatesSet', body, effective };
}

/** Ledger facts of the draws without rates of their own, after the rates of the line or the product's index have changed. */
export function followingDrafts(
  state: LoanState,
  env: EvolveEnv,
  lineRows: readonly RateRow[],
  { now, why }: DrawChange,
  index?: readonly IndexValue[],
): readonly FactDraft[] {
  const timeline = timelineWith(state, env, lineRows, index);
  return state.draws.flatMap((draw): readonly FactDraft[] => {
    if (draw.status !== 'active' || hasOwnRates(draw)) return [];
    const { change, effective } = changeOf(state, draw, timeline, now);
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
