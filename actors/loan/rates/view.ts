import {
  addDays,
  type Day,
  type IndexValue,
  LAST_DAY,
  must,
  rate as rateFrom,
  rateOn,
  type RateSegment,
  type RateTimeline,
} from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { dateText, type DateText, dayOfText, orNull, rateValue } from '../../wire.js';
import { activatedOf, activationOf, recordOf, requirePerson } from '../context.js';
import { type Draw, drawOf } from '../draws/draw.js';
import { drawRowsOf } from '../draws/rate-rows.js';
import { installment } from '../ledger/installment.js';
import type { LoanState } from '../state.js';
import { scheduleReply, type ViewEnv } from '../views/loan.js';
import { scopeOf } from './changes.js';
import type { ChangedRates } from './rate-commands.js';
import { covers, indexOf, isScra, originationRates, type RateRow, rateRowsOf, timelineOf } from './rows.js';
import type {
  ListedRate,
  RateCapReply,
  RateDetails,
  RateReply,
  RatesChangedReply,
  RatesReply,
  ScraPeriodReply,
  ScraReply,
} from './types.js';

const endDateOf = ({ until }: Pick<RateRow, 'until'>): ReturnType<typeof dateText> | null =>
  orNull((day: Day) => dateText(addDays(day, -1)), until);

/** Interest and promo rates; without days before activation. */
function ratesReply(state: LoanState, env: ViewEnv, draw: Draw | null = null): RatesReply {
  const isPlaced = activationOf(state) !== null && (draw === null || draw.timestamps.activatedAt !== null);
  const rows = rowsShown(state, env, draw);
  const listed = (row: RateRow): ListedRate => ({
    id: row.id,
    type: row.kind === 'promoRate' ? 'promoRate' : 'interestRate',
    status: row.isActive ? 'active' : 'inactive',
    annualRate: rateValue(row.rate),
    startDate: isPlaced ? dateText(row.from) : null,
    endDate: isPlaced ? endDateOf(row) : null,
    setAtActivation: row.setAtActivation,
  });
  return {
    interestRates: rows
      .filter((row) => row.kind === 'interestRate')
      .map((row) => ({ ...listed(row), interestType: row.interestType ?? 'absolute' })),
    promoRates: rows.filter((row) => row.kind === 'promoRate').map(listed),
  };
}

/** The rate rows of the loan or of a draw; before activation they begin today. */
const rowsShown = (state: LoanState, env: ViewEnv, draw: Draw | null): readonly RateRow[] => {
  if (activationOf(state) === null) return originationRates(state, env, env.today(recordOf(state).zone));
  return draw === null ? rateRowsOf(state, env) : drawRowsOf(state, env, draw);
};

export function ratesChangedReply(state: LoanState, env: ViewEnv, { flags, interestRateId, promoRateId }: ChangedRates): RatesChangedReply {
  return { ratesValidation: flags, interestRateId, promoRateId, schedule: scheduleReply(state, env).schedule };
}

/** A rate cap that is not removed. */
export const rateCapIn = (rows: readonly RateRow[], id: string): RateRow | undefined =>
  rows.find((row) => row.id === id && row.kind === 'rateCap' && row.isActive);

function rateCapReplies(state: LoanState, env: ViewEnv, draw: Draw | null = null): readonly RateCapReply[] {
  if (activationOf(state) === null) return [];
  return rowsShown(state, env, draw)
    .filter((row) => row.kind === 'rateCap' && row.isActive)
    .map(rateCapReply);
}

export const rateCapReply = (row: RateRow): RateCapReply => ({
  id: row.id,
  maxRate: rateValue(row.rate),
  startDate: dateText(row.from),
  endDate: endDateOf(row),
  rateCapReason: row.rateCapReason ?? 'other',
  setAtActivation: row.setAtActivation,
});

function scraPeriods(state: LoanState, env: ViewEnv): readonly ScraPeriodReply[] {
  return rateRowsOf(state, env)
    .filter(isScra)
    .map((row) => ({
      rateId: row.id,
      status: row.isActive ? 'active' : 'inactive',
      annualRate: rateValue(row.rate),
      startDate: dateText(row.from),
      endDate: endDateOf(row),
      isCancelFees: row.isCancelFees,
    }));
}

export const scraReply = (state: LoanState, env: ViewEnv, rateId: string): ScraReply => ({ ...scheduleReply(state, env), rateId });

/** The rates on the days of `[from, to]`, with a range for each stretch on which no rate or index value changes. */
function rateDetails(state: LoanState, env: ViewEnv, { from: asked, to }: Range, draw: Draw | null = null): readonly RateDetails[] {
  const { activation } = activatedOf(state).contract.terms;
  const from = asked > activation ? asked : activation;
  if (from > to) return [];
  const rates = ratesInForce(state, env, draw);
  const rows = rowsShown(state, env, draw).filter((row) => row.isActive);
  const index = indexOf(state, env);
  const cuts = new Set<Day>([from]);
  const cut = (day: Day | null): void => {
    if (day !== null && from < day && day <= to) cuts.add(day);
  };
  for (const row of rows) [row.from, row.until].forEach(cut);
  for (const value of index) cut(value.from);
  for (const segment of rates.segments) cut(segment.from);
  const starts = [...cuts].sort((a, b) => a - b);
  return starts.map((start, position) => {
    const end = position + 1 < starts.length ? addDays(must(starts[position + 1], 'a day'), -1) : to;
    return detailsOf(
      rows.filter((row) => covers(row, start)),
      index,
      rateOn(rates, start),
      start,
      end,
    );
  });
}

interface Range {
  readonly from: Day;
  readonly to: Day;
}

/** The rates that accrue: those of an installment loan's ledger, or those of a line or a draw. */
function ratesInForce(state: LoanState, env: ViewEnv, draw: Draw | null): RateTimeline {
  const { summary, contract } = activatedOf(state);
  if (state.line === null) return installment.toReadOn(state, env, summary.through).rates;
  return timelineOf(rowsShown(state, env, draw), indexOf(state, env), contract.terms.activation);
}

function detailsOf(inForce: readonly RateRow[], index: readonly IndexValue[], segment: RateSegment, start: Day, end: Day): RateDetails {
  const indexRate = index.findLast((value) => value.from <= start)?.rate ?? rateFrom(0);
  const totalOf = (row: RateRow): number => Math.max(0, row.interestType === 'spread' ? row.rate + indexRate : row.rate);
  const interest = lowest(
    inForce.filter((row) => row.kind === 'interestRate'),
    totalOf,
  );
  const cap = lowest(
    inForce.filter((row) => row.kind === 'rateCap'),
    (row) => row.rate,
  );
  const promos = inForce.filter((row) => row.kind === 'promoRate');
  const isSpread = interest?.interestType === 'spread';
  return {
    startDate: dateText(start),
    endDate: dateText(end),
    interestRate: rateValue(rateFrom(interest === null ? 0 : totalOf(interest))),
    interestType: interest?.interestType ?? null,
    indexRate: isSpread ? rateValue(indexRate) : null,
    spread: isSpread ? rateValue(interest.rate) : null,
    promoRate: rateValue(rateFrom(promos.reduce((sum, row) => sum + row.rate, 0))),
    rateCap: orNull((row: RateRow) => rateValue(row.rate), cap),
    effectiveRate: rateValue(segment.net),
    rateIds: [...(interest === null ? [] : [interest.id]), ...promos.map((row) => row.id), ...(cap === null ? [] : [cap.id])],
  };
}

function lowest(rows: readonly RateRow[], valueOf: (row: RateRow) => number): RateRow | null {
  return rows.reduce<RateRow | null>((least, row) => (least === null || valueOf(row) < valueOf(least) ? row : least), null);
}

export interface RateDetailsQuery {
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

type Context<Query = unknown> = QueryContext<LoanState, Query>;

/** A query about one loan of the path's borrower. */
function ofLoan<Reply, Query>(type: string, read: (context: Context<Query>) => Reply): QuerySpec<LoanState, Query> {
  return {
    kind: 'loan',
    type,
    on: 'target',
    read(context): Reply {
      requirePerson(context.state, context.request.params['personId'], context.env);
      return read(context);
    },
  };
}

/** `GET L/rates`: interest and promo rates, including removed ones. */
const listRates = ofLoan('loan.rates', (context): RatesReply => ratesReply(context.state, context.env, drawAsked(context)));

/** `GET L/rates/{rateId}` and the same of a draw. */
const getRate = ofLoan('loan.rate', (context): RateReply => {
  const asked = context.request.params['rateId'] ?? '';
  const { interestRates, promoRates } = ratesReply(context.state, context.env, drawAsked(context));
  return [...interestRates, ...promoRates].find(({ id }) => id === asked) ?? refuse('notFound', `The loan has no rate ${asked}.`);
});

/** `GET L/rates/details`: the rates of each range of days, by default of today. */
const getRateDetails = ofLoan('loan.rateDetails', (context): { readonly rates: readonly RateDetails[] } => {
  return { rates: rateDetails(context.state, context.env, rangeOf(context), drawAsked(context)) };
});

/** `GET L/rate-caps`. */
const listRateCaps = ofLoan('loan.rateCaps', (context): readonly RateCapReply[] =>
  rateCapReplies(context.state, context.env, drawAsked(context)),
);

/** `GET L/rate-caps/{rateCapId}`. */
const getRateCap = ofLoan('loan.rateCap', ({ state, env, request }): RateCapReply => {
  const asked = request.params['rateCapId'] ?? '';
  return rateCapReply(
    rateCapIn(scopeOf(state, env, request.params['drawId']).rows, asked) ?? refuse('notFound', `The loan has no rate cap ${asked}.`),
  );
});

/** `GET L/payment-plan-scra`: the SCRA periods, including removed ones. */
const listScra = ofLoan('loan.scra', ({ state, env }): readonly ScraPeriodReply[] => scraPeriods(state, env));

/** The draw of a line that the path names; null: the loan itself. */
function drawAsked({ state, request }: Context): Draw | null {
  const { drawId } = request.params;
  return drawId === undefined ? null : drawOf(state, drawId);
}

function rangeOf({ state, env, query }: Context): { readonly from: Day; readonly to: Day } {
  const { fromDate, toDate } = (query ?? {}) as RateDetailsQuery;
  const today = env.today(recordOf(state).zone);
  const from = fromDate === undefined ? today : dayOfText(fromDate);
  const to = toDate === undefined ? (from > today ? from : today) : dayOfText(toDate);
  if (from > to || to >= LAST_DAY) {
    refuse('badRequest', '`toDate` must not be before `fromDate`.', {
      errors: [{ path: 'toDate', expected: 'fromDate or later', message: 'is before fromDate' }],
    });
  }
  return { from, to };
}

export const rateQueries: readonly QuerySpec<LoanState>[] = [listRates, getRate, getRateDetails, listRateCaps, getRateCap, listScra];
