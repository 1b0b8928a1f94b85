import { type Day, dayAt } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { pageOf } from '../../page.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { dayOfText } from '../../wire.js';
import { recordOf, requirePerson, requireProduct } from '../context.js';
import { LOAN_STATUSES } from '../machine.js';
import { lineDaysOf, lineRows } from '../line/rows.js';
import { withHolds } from '../purchases/held-credit.js';
import { type GetBalancesQuery, isOfNow, ledgerFor, withPromos } from '../queries/balances.js';
import { listDrawFees } from '../fees/queries.js';
import { obligationsReply } from '../queries/schedule.js';
import { isLine } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { BalancesReply } from '../views/balance-types.js';
import { balancesReply, standingOfDraw } from '../views/balances.js';
import type { ScheduleReply } from '../views/types.js';
import type { Draw } from './draw.js';
import { drawOf, drawStatusOf } from './find.js';
import type { ListDrawsQuery } from './requests.js';
import { drawStateOf, drawView, isAmortized } from './view.js';

/** `GET L/draws`, newest first, and `GET D`. */
export const drawQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'draw.list',
    on: 'target',
    read({ state, request, env, query }) {
      requirePerson(state, request.params['personId'], env);
      requireProduct(state, 'lineOfCredit');
      const { statuses = [], isClosed, isAmortized: wanted, startedBefore, ...page } = (query ?? {}) as ListDrawsQuery;
      refuseUnknown(statuses);
      const { zone } = recordOf(state);
      const found = state.draws.filter(
        (draw) =>
          (statuses.length === 0 || statuses.includes('all') || statuses.includes(drawStatusOf(state, env, draw))) &&
          (isClosed === undefined || draw.isClosed === isClosed) &&
          (wanted === undefined || isAmortized(draw, drawStateOf(state, env, draw)) === wanted) &&
          (startedBefore === undefined || startedOn(draw, zone) < dayOfText(startedBefore)),
      );
      return pageOf(
        [...found].reverse(),
        page,
        (draw) => drawView(state, env, draw),
        ({ externalId }) => externalId,
      );
    },
  },
  {
    kind: 'loan',
    type: 'draw.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return drawView(state, env, drawOf(state, request.params['drawId']));
    },
  },
  listDrawFees,
  ofDraw('draw.balances', (context, draw) => drawBalances(context, draw)),
  ofDraw('draw.obligations', (context, draw) => obligationsReply(context, draw.draw)),
  ofDraw(
    'draw.expectedPayments',
    ({ state, env }, draw): ScheduleReply => ({
      isLocked: false,
      ...(state.line === null ? agreedDays(state) : lineDaysOf(state, env)),
      schedule: state.line === null ? [] : lineRows(state, env, draw.draw),
    }),
  ),
];

/** A read of one draw of the path's line. */
function ofDraw(type: string, read: (context: QueryContext<LoanState>, draw: Draw) => unknown): QuerySpec<LoanState> {
  return {
    kind: 'loan',
    type,
    on: 'target',
    read(context) {
      requirePerson(context.state, context.request.params['personId'], context.env);
      return read(context, drawOf(context.state, context.request.params['drawId']));
    },
  };
}

function agreedDays(state: LoanState): Pick<ScheduleReply, 'paymentFrequency' | 'specificDays'> {
  const { paymentFrequency, specificDays } = recordOf(state).atOrigination;
  return { paymentFrequency, specificDays };
}

/** As of the loan, through a day and as known at a moment; before the draw's activation nothing. */
function drawBalances(context: QueryContext<LoanState>, { id, draw }: Draw): BalancesReply {
  const query = (context.query ?? {}) as GetBalancesQuery;
  const ledger = context.state.line === null ? null : ledgerFor(context, query);
  if (ledger === null || !isLine(ledger) || !ledger.draws.some((known) => known.draw === draw)) return balancesReply(null, query);
  const standing = withPromos(standingOfDraw(ledger, draw), context, ledger.day, draw);
  const { drawBalances: _ofLine, ...reply } = balancesReply(isOfNow(query) ? withHolds(standing, context, id) : standing, query);
  return { ...reply, drawId: id };
}

/** A draw that has not started lies beyond all days. */
const startedOn = ({ timestamps }: Draw, zone: string): Day | number =>
  timestamps.startedAt === null ? Number.POSITIVE_INFINITY : dayAt(zone, timestamps.startedAt);

function refuseUnknown(statuses: readonly string[]): void {
  const known: readonly string[] = [...LOAN_STATUSES, 'all'];
  const unknown = statuses.filter((status) => !known.includes(status));
  if (unknown.length === 0) return;
  refuse('badRequest', `There is no status ${unknown.join(', ')}.`, {
    errors: [{ path: 'statuses', expected: known.join(', '), message: `unknown: ${unknown.join(', ')}` }],
  });
}
