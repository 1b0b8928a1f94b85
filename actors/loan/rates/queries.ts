import { type Day, LAST_DAY } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { type DateText, dayOfText } from '../../wire.js';
import { recordOf, requirePerson } from '../context.js';
import type { Draw } from '../draws/draw.js';
import { drawOf } from '../draws/find.js';
import { scopeOf } from './changes.js';
import type { LoanState } from '../state.js';
import { rateCapIn, rateCapReplies, rateCapReply, rateDetails, ratesReply, scraPeriods } from './view.js';
import type { RateCapReply, RateDetails, RateReply, RatesReply, ScraPeriodReply } from './view-types.js';

export interface RateDetailsQuery {
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

type Context = QueryContext<LoanState>;

/** A query about one loan of the path's borrower. */
function ofLoan<Reply>(type: string, read: (context: Context) => Reply): QuerySpec<LoanState> {
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

/** `GET L/rates`: interest and promo rates, removed ones too (loan-terms 7.1). */
const listRates = ofLoan('loan.rates', (context): RatesReply => ratesReply(context.state, context.env, drawAsked(context)));

/** `GET L/rates/{rateId}` and the same of a draw. */
const getRate = ofLoan('loan.rate', (context): RateReply => {
  const asked = context.request.params['rateId'] ?? '';
  const { interestRates, promoRates } = ratesReply(context.state, context.env, drawAsked(context));
  return [...interestRates, ...promoRates].find(({ id }) => id === asked) ?? refuse('notFound', `The loan has no rate ${asked}.`);
});

/** `GET L/rates/details`: what holds on each range of days, today by default. */
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

/** `GET L/payment-plan-scra`: the SCRA periods, removed ones too. */
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
    refuse('badRequest', 'The range of days is empty.', {
      errors: [{ path: 'toDate', expected: 'fromDate or later', message: 'lies before fromDate' }],
    });
  }
  return { from, to };
}

export const rateQueries: readonly QuerySpec<LoanState>[] = [listRates, getRate, getRateDetails, listRateCaps, getRateCap, listScra];
