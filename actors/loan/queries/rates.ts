import {
  addDays,
  consecutiveBands,
  consecutiveInterestBands,
  type Day,
  LAST_DAY,
  netRateSegments,
  type RateBand,
  rate as rateFrom,
} from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QueryContext, QuerySpec } from '../../runtime/actor.js';
import { type DateText, dateText, dayOfText, orNull, rateValue } from '../../wire.js';
import { recordOf, requirePerson, servicingOf } from '../context.js';
import { rateId } from '../derived-ids.js';
import { ledgerOn } from '../ledger.js';
import type { LoanState } from '../state.js';
import type { ListedRate, RateDetails, RatesReply } from '../views/rate-types.js';

export interface RateDetailsQuery {
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

type Context = QueryContext<LoanState>;

/** `GET L/rates`: the rates that origination set, on their days (loan-terms 7.1). */
export const listRates: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.rates',
  on: 'target',
  read(context): RatesReply {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const { interest, promos } = bandsOf(context);
    return {
      interestRates: interest.map((band, index) => ({ ...listed(band, index, 'interestRate', context), interestType: band.type })),
      promoRates: promos.map((band, index) => listed(band, interest.length + index, 'promoRate', context)),
    };
  },
};

function listed(band: RateBand, index: number, type: ListedRate['type'], { state, env }: Context): ListedRate {
  const isActive = state.servicing !== null;
  return {
    id: rateId(env, state, index),
    type,
    status: 'active',
    annualRate: rateValue(band.rate),
    startDate: isActive ? dateText(band.from) : null,
    endDate: isActive ? orNull((until: Day) => dateText(addDays(until, -1)), band.until) : null,
    setAtActivation: true,
  };
}

/** `GET L/rates/details`: what holds on each range of days, today by default. */
export const getRateDetails: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.rateDetails',
  on: 'target',
  read(context): { readonly rates: readonly RateDetails[] } {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const { from, to } = rangeOf(context);
    const { interest, promos, caps } = bandsOf(context);
    const { rates } = ledgerOn(state, env, servicingOf(state).summary.through);
    return {
      rates: netRateSegments(rates, from, addDays(to, 1)).map((segment) => {
        const inForce = (bands: readonly RateBand[]): readonly RateBand[] => bands.filter((band) => covers(band, segment.from));
        const promo = inForce(promos).reduce((sum, band) => sum + band.rate, 0);
        return {
          startDate: dateText(segment.from),
          endDate: dateText(addDays(segment.until, -1)),
          interestRate: rateValue(segment.gross),
          indexRate: null,
          spread: null,
          promoRate: rateValue(rateFrom(promo)),
          rateCap: orNull(rateValue, lowest(inForce(caps))),
          effectiveRate: rateValue(segment.net),
          rateIds: [
            ...interest.flatMap((band, index) => (covers(band, segment.from) ? [rateId(env, state, index)] : [])),
            ...promos.flatMap((band, index) => (covers(band, segment.from) ? [rateId(env, state, interest.length + index)] : [])),
          ],
        };
      }),
    };
  },
};

const covers = (band: RateBand, day: Day): boolean => band.from <= day && (band.until === null || day < band.until);

const lowest = (bands: readonly RateBand[]): RateBand['rate'] | null =>
  bands.reduce<RateBand['rate'] | null>((least, band) => (least === null || band.rate < least ? band.rate : least), null);

function bandsOf({ state, env }: Context): {
  readonly interest: ReturnType<typeof consecutiveInterestBands>;
  readonly promos: readonly RateBand[];
  readonly caps: readonly RateBand[];
} {
  const record = recordOf(state);
  const terms = record.atOrigination;
  const start = state.servicing?.contract.terms.activation ?? env.today(record.zone);
  return {
    interest: consecutiveInterestBands(
      start,
      terms.interestRates.map(({ interestType, days, rate }) => ({ type: interestType, days, rate })),
    ),
    promos: consecutiveBands(start, terms.promoRates ?? []),
    caps: consecutiveBands(
      start,
      (terms.rateCaps ?? []).map(({ days, maxRate }) => ({ days, rate: maxRate })),
    ),
  };
}

function rangeOf({ state, env, query }: Context): { readonly from: Day; readonly to: Day } {
  const { fromDate, toDate } = (query ?? {}) as RateDetailsQuery;
  const today = env.today(recordOf(state).zone);
  const from = fromDate === undefined ? today : dayOfText(fromDate);
  const to = toDate === undefined ? (from > today ? from : today) : dayOfText(toDate);
  if (from > to || to >= LAST_DAY) {
    refuse('badRequest', 'The range of days is empty.', { errors: [{ path: 'toDate', expected: 'fromDate or later', message: 'lies before fromDate' }] });
  }
  return { from, to };
}
