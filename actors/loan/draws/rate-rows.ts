import {
  consecutiveBands,
  consecutiveInterestBands,
  type Day,
  dayAt,
  type IndexValue,
  must,
  type RateTimeline,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import { indexOf, isScra, NEW_ROW, type RateKind, type RateRow, rateRowsOf, timelineOf, withRows } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import type { Draw } from './draw.js';

/*
 * The rates of a draw, as they are read and as the ledger has them:
 *
 *   kinds of which the draw has rates of its own   its own rows, and the line's SCRA rates
 *   other kinds                                    the line's rows, also when they change
 */

const ALL_KINDS: readonly RateKind[] = ['interestRate', 'promoRate', 'rateCap'];

/** The kinds of which a draw has rates of its own: from its origination, or since they were changed on the draw. */
export function ownKinds(draw: Draw): readonly RateKind[] {
  if (draw.rates !== null && hasBegun(draw)) return draw.kinds ?? ALL_KINDS;
  const { interestRates, promoRates } = draw.atOrigination;
  return [...kindOf('interestRate', interestRates), ...kindOf('promoRate', promoRates)];
}

const kindOf = (kind: RateKind, bands: readonly unknown[] | null): readonly RateKind[] =>
  bands === null || bands.length === 0 ? [] : [kind];

const hasBegun = ({ timestamps }: Draw): boolean => timestamps.activatedAt !== null;

/** The draw's own kinds after a change of rows on the draw itself. */
export const kindsWith = (draw: Draw, rows: readonly RateRow[]): readonly RateKind[] => {
  const own = ownKinds(draw);
  return hasBegun(draw) ? ALL_KINDS.filter((kind) => own.includes(kind) || rows.some((row) => row.kind === kind)) : own;
};

/** The rates of a draw; `line` are the rows of its line. */
export const drawRowsOf = (
  state: LoanState,
  env: EvolveEnv,
  draw: Draw,
  line: readonly RateRow[] = rateRowsOf(state, env),
): readonly RateRow[] => withLines(draw, line, () => ownRows(state, env, draw));

function withLines(draw: Draw, line: readonly RateRow[], rowsOf: () => readonly RateRow[]): readonly RateRow[] {
  const own = ownKinds(draw);
  if (own.length === 0) return line;
  return withRows(
    rowsOf().filter(({ kind }) => own.includes(kind)),
    line.filter((row) => !own.includes(row.kind) || isScra(row)),
  );
}

const ownRows = (state: LoanState, env: EvolveEnv, draw: Draw): readonly RateRow[] =>
  draw.rates !== null && hasBegun(draw) ? draw.rates : rowsAtBeginning(state, env, draw, drawStart(state, draw));

/** The draw's own rows if it begins on a day: those of its origination, and what changes of the line have added to them or ended. */
export function rowsAtBeginning(state: LoanState, env: EvolveEnv, draw: Draw, begins: Day): readonly RateRow[] {
  const placed = originationRows(state, env, draw, begins);
  const ended = (taken: RateRow): RateRow => {
    const row = placed.find(({ id }) => id === taken.id);
    if (row === undefined) return taken;
    return taken.isActive && taken.until !== null && row.from < taken.until ? { ...row, until: taken.until } : { ...row, isActive: false };
  };
  return withRows(placed, takenRows(draw).map(ended));
}

/** What a draw that has not begun has taken from changes of the line. Earlier releases stored its rates of origination too. */
const takenRows = ({ rates, kinds }: Draw): readonly RateRow[] =>
  (rates ?? []).filter(({ setAtActivation }) => kinds !== undefined || !setAtActivation);

function originationRows(state: LoanState, env: EvolveEnv, draw: Draw, begins: Day): readonly RateRow[] {
  const { interestRates, promoRates } = draw.atOrigination;
  const interest = consecutiveInterestBands(
    begins,
    (interestRates ?? []).map(({ interestType: type, days, rate }) => ({ type, days, rate })),
  ).map(({ type, ...band }) => ({ kind: 'interestRate' as const, ...band, interestType: type }));
  const promos = consecutiveBands(begins, promoRates ?? []).map((band) => ({ kind: 'promoRate' as const, ...band }));
  const { idBase = 0 } = draw;
  return [...interest, ...promos].map((row, index) => ({
    ...NEW_ROW,
    id: env.derivedId('RA', state.id, idBase + 1 + index),
    ...row,
    setAtActivation: true,
  }));
}

/**
 * The day on which the draw's rates begin: its activation, before that its creation. Draws that were activated in another system begin with
 * their line, as their rates were given to the ledger.
 */
export function drawStart(state: LoanState, draw: Draw): Day {
  const activatedDay = state.migration?.activatedDay ?? null;
  return activatedDay !== null && cameActive(state, draw) ? activatedDay : recordedStart(state, draw);
}

/** A migration activates draws at 00:00 of the cutoff; draws that are activated here come after 02:00. */
function cameActive({ line }: LoanState, { draw: number }: Draw): boolean {
  const begun = line?.facts.all().find(({ fact }) => fact.type === 'drawActivated' && fact.draw === number)?.fact.effective;
  return begun !== undefined && begun.day === line?.contract.terms.activation && begun.seconds === 0;
}

const recordedStart = (state: LoanState, { timestamps }: Draw): Day =>
  dayAt(recordOf(state).zone, timestamps.activatedAt ?? timestamps.createdAt);

export const timelineWith = (
  state: LoanState,
  env: EvolveEnv,
  rows: readonly RateRow[],
  index: readonly IndexValue[] = indexOf(state, env),
): RateTimeline => timelineOf(rows, index, must(state.line, `${state.id} has no line of credit`).contract.terms.activation);

/** The timeline of a draw that is activated on a day. */
export const timelineOfDraw = (state: LoanState, env: EvolveEnv, draw: Draw, day: Day): RateTimeline =>
  timelineWith(
    state,
    env,
    withLines(draw, rateRowsOf(state, env), () => rowsAtBeginning(state, env, draw, day)),
  );

/** The draw after a change of its rows. One that has not begun keeps only what was added or ended: its rates begin with it. */
export function drawWithRates(state: LoanState, env: EvolveEnv, draw: Draw, rows: readonly RateRow[], kinds: readonly RateKind[]): Draw {
  if (!hasBegun(draw)) return { ...draw, kinds, rates: withRows(takenRows(draw), rows) };
  const known = drawRowsOf(state, env, draw);
  return { ...draw, kinds, rates: withRows(known, rows).filter(({ kind }) => kinds.includes(kind)) };
}

/** The rows to which a fact of an earlier release was added: all rates of the draw became its own, from the time of its recording. */
export const rowsOfEarlierReleases = (state: LoanState, env: EvolveEnv, draw: Draw): readonly RateRow[] =>
  draw.rates ?? withLines(draw, rateRowsOf(state, env), () => rowsAtBeginning(state, env, draw, recordedStart(state, draw)));
