import { firstDifference, type IndexValue, type RatesChanged } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { companyOf, type IndexEdition, indexEditionAfter, indexStampOf } from '../../company/index.js';
import { activationOf, servicingOf } from '../context.js';
import { type Draw, drawOf } from '../draws/draw.js';
import { drawRowsOf, ownKinds } from '../draws/rate-rows.js';
import { type DrawChange, drawRatesSet, followingDrafts } from '../draws/rates.js';
import type { LedgerChange } from '../facts.js';
import { type IndexTaken, isOther, type RatesSet } from './evolve.js';
import { endedAt, hasSpread, indexOf, rateRowsOf, type RateRow, timelineOf, withRows } from './rows.js';
import type { LoanState } from '../state.js';
import type { Why } from '../applying.js';

/** 00:10, when rates begin. */
const RATES_BEGIN_SECONDS = 600;

/**
 * The fact of new and changed rows. It changes the ledger only if the rate of a day changes: from that day on if it is past, which causes a
 * replay, otherwise from now on, for the expected payments.
 */
function ratesSetDraft(state: LoanState, env: EvolveEnv, rows: readonly RateRow[], now: EffectiveTime, why: Why): FactDraft {
  const { change, effective } = changeOf(state, env, withRows(rateRowsOf(state, env), rows), now);
  const body: RatesSet = { rows, change, recordedDay: now.day, ...why };
  return { type: 'RatesSet', body, effective };
}

/** Rows of the loan, or of the draw of a line that a path names. */
export interface RateScope {
  readonly draw: Draw | null;
  readonly rows: readonly RateRow[];
}

export const scopeOf = (state: LoanState, env: EvolveEnv, drawId: string | undefined): RateScope => {
  if (drawId === undefined) return { draw: null, rows: rateRowsOf(state, env) };
  const draw = drawOf(state, drawId);
  return { draw, rows: drawRowsOf(state, env, draw) };
};

/** Whether a change of the line's rates also changes draws with rates of their own. */
export type ApplyTo = 'line' | 'lineAndDraws';

/** New and changed rows, and what a new row ends. */
export interface RateOrder {
  readonly rows: readonly RateRow[];
  /** New rows, each of which ends the open-ended rates of its kind. */
  readonly ending?: readonly RateRow[];
  readonly applyTo?: ApplyTo | undefined;
}

/**
 * The facts of a change of rates. Draws without rates of their own of the same kind follow their line. Draws with their own change if the
 * caller asks for it, or if they have the same row.
 */
export function ratesSetDrafts(
  state: LoanState,
  env: EvolveEnv,
  { draw, rows: known }: RateScope,
  order: RateOrder,
  change: DrawChange,
): readonly FactDraft[] {
  const { now, why } = change;
  const rows = rowsSet(known, order);
  if (draw !== null) return [drawRatesSet(state, env, draw, rows, change)];
  if (state.line === null) return [ratesSetDraft(state, env, rows, now, why)];
  const line = withRows(known, rows);
  const meant = new Map(state.draws.map((other) => [other, rowsOfDraw(state, env, other, known, order)]));
  const following = state.draws.filter((other) => meant.get(other)?.length === 0);
  const body: RatesSet = { rows, change: null, recordedDay: now.day, ...why };
  return [
    { type: 'RatesSet', body, effective: now },
    ...followingDrafts(state, env, following, line, change),
    ...[...meant].flatMap(([other, own]) => (own.length === 0 ? [] : [drawRatesSet(state, env, other, own, change, line)])),
  ];
}

const rowsSet = (known: readonly RateRow[], { rows, ending = [] }: RateOrder): readonly RateRow[] => [
  ...ending.flatMap((row) => endedAt(known, row)),
  ...rows,
];

/** The rows of a change of the line that a draw takes among its own: all, or those that it has as the line has them. */
function rowsOfDraw(state: LoanState, env: EvolveEnv, draw: Draw, line: readonly RateRow[], order: RateOrder): readonly RateRow[] {
  const kinds = ownKinds(draw);
  if (kinds.length === 0 || draw.status === 'canceled') return [];
  const ofKinds = (rows: readonly RateRow[]): readonly RateRow[] => rows.filter(({ kind }) => kinds.includes(kind));
  if (order.applyTo === 'lineAndDraws') return ofKinds(rowsSet(drawRowsOf(state, env, draw), order));
  const isShared = ({ id }: RateRow): boolean => {
    const own = (draw.rates ?? []).find((row) => row.id === id);
    const before = line.find((row) => row.id === id);
    return own !== undefined && before !== undefined && !isOther(before, own);
  };
  return ofKinds(order.rows.filter(isShared));
}

/** The next edition of the product's index that the loan must apply: only for spreads, while the loan is active. */
export function pendingEdition(state: LoanState, env: EvolveEnv): IndexEdition | undefined {
  const { record, tenant } = state;
  const servicing = activationOf(state);
  if (record === null || servicing === null || servicing.summary.status !== 'active') return undefined;
  const company = companyOf(env, tenant);
  const isBehind = indexStampOf(company, record.loanTypeId) > servicing.indexStamp && hasSpread(state);
  return isBehind ? indexEditionAfter(company, record.loanTypeId, servicing.indexStamp) : undefined;
}

/** The facts by which a loan applies an edition of the index: effective on the first past day whose rate changes, otherwise now. */
export function indexRateDrafts(
  state: LoanState,
  env: EvolveEnv,
  { stamp, values }: IndexEdition,
  now: EffectiveTime,
): readonly FactDraft[] {
  if (state.line !== null) {
    const applied: IndexTaken = { stamp, change: null, recordedDay: now.day };
    const change = { now, why: { caseId: null, reason: 'indexRate' } };
    const following = followingDrafts(state, env, state.draws, rateRowsOf(state, env), change, values);
    return [{ type: 'IndexTaken', body: applied, effective: now }, ...following];
  }
  const { change, effective } = changeOf(state, env, rateRowsOf(state, env), now, values);
  return [{ type: 'IndexTaken', body: { stamp, change, recordedDay: now.day } satisfies IndexTaken, effective }];
}

/** The change of the ledger's rates to those of the rows; `change` is null if all days of the loan keep their rates. */
function changeOf(
  state: LoanState,
  env: EvolveEnv,
  rows: readonly RateRow[],
  now: EffectiveTime,
  index: readonly IndexValue[] = indexOf(state, env),
): { readonly change: LedgerChange<RatesChanged> | null; readonly effective: EffectiveTime } {
  const { contract, facts } = servicingOf(state);
  const { activation } = contract.terms;
  const rates = timelineOf(rows, index, activation);
  // The last recorded fact has the rates of all days.
  const before = facts.findLast(({ fact }) => fact.type === 'ratesChanged')?.fact;
  const first = firstDifference(before?.type === 'ratesChanged' ? before.rates : contract.terms.rates, rates, activation);
  return {
    change: first === null ? null : { type: 'ratesChanged', rates, reamortization: 'sameEndDate' },
    effective: first === null || first >= now.day ? now : { day: first, seconds: RATES_BEGIN_SECONDS },
  };
}
