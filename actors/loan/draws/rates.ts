import {
  consecutiveBands,
  consecutiveInterestBands,
  dayAt,
  type DrawRatesChanged,
  firstDifference,
  type IndexValue,
  must,
  type RateTimeline,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { recordOf } from '../context.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import { indexOf, isScra, NEW_ROW, rateRowsOf, type RateRow, timelineOf, withRows } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import type { Why } from '../tell.js';
import type { Draw } from './draw.js';
import type { DrawRatesSet } from './evolve.js';

/** Whether a draw has rates of its own; else it has those of its line, whatever becomes of them. */
export const hasOwnRates = ({ rates, atOrigination: own }: Draw): boolean =>
  rates !== null || own.interestRates !== null || own.promoRates !== null;

/** The rates of a draw: its own, and of what it has none of the line's. Caps are the line's until it gets one of its own. */
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

/** The draw's rates begin with it; before its activation they are shown as from its creation. */
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

/** What changes for a line's draws, and when. */
export interface DrawChange {
  readonly now: EffectiveTime;
  readonly why: Why;
}

/** Rows of a draw that are new or other than before. */
export function drawRatesSet(state: LoanState, env: EvolveEnv, draw: Draw, rows: readonly RateRow[], { now, why }: DrawChange): FactDraft {
  const { change, effective } = changeOf(state, draw, timelineWith(state, env, withRows(drawRowsOf(state, env, draw), rows)), now);
  const body: DrawRatesSet = { drawId: draw.id, rows, change, recordedDay: now.day, ...why };
  return { type: 'DrawRatesSet', body, effective };
}

/** The ledger's facts for draws that follow their line, after the line's rates or its product's index have changed. */
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

/** How the ledger's rates of a draw become others: from the first day that differs when it is past, else from now on. */
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
