import {
  type Cents,
  cents,
  type Day,
  dayAt,
  drawOwedCents,
  type DrawState,
  type LineBalanceBlock,
  lineBalancesOf,
  must,
  type Rate,
  promoRateOn,
  rateOn,
  ZERO,
} from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { matching, pageOf } from '../../list-order.js';
import { amount, dateText, dayOfText, orNull, rateValue } from '../../wire.js';
import { loanTypeOf, recordOf, requirePerson, requireProduct, statusOf } from '../context.js';
import { listDrawFees } from '../fees/view.js';
import { isLine } from '../ledger/running.js';
import { lineDaysOf, lineOfCredit, lineRows } from '../line/ledger.js';
import { LOAN_STATUSES, type LoanStatus } from '../machine.js';
import { merchantDiscountOfDraw } from '../origination/merchant-discount.js';
import { loanPersonView } from '../people/view.js';
import { withHolds } from '../purchases/credit.js';
import { type GetBalancesQuery, isOfNow, ledgerFor, withPromos } from '../queries/balances.js';
import { obligationsReply } from '../queries/periods.js';
import type { LoanState, LoanTimestamps } from '../state.js';
import type { BalancesReply } from '../views/read-types.js';
import { balancesReply, shownBalancesOfDraw } from '../views/balances.js';
import {
  borrowerExternalId,
  chargedOffReasonOf,
  labelViews,
  NOTHING_TO_COMPARE,
  ratesAgainst,
  timestampsView,
  type ViewEnv,
} from '../views/loan.js';
import { dynamicFeeView, merchantDiscountView, minPaymentView } from '../views/origination.js';
import type { AmountsValidationView, RatesValidationView, ScheduleReply } from '../views/types.js';
import { limitOf } from './contract.js';
import { type Draw, drawOf, type DrawOrigination, drawStatusOf, findDraw } from './draw.js';
import type { DrawOriginationView, DrawView, ListDrawsQuery } from './types.js';

/** A draw in replies. */
export function drawView(state: LoanState, env: ViewEnv, draw: Draw): DrawView {
  const record = recordOf(state);
  const running = drawStateOf(state, env, draw);
  const status = drawStatusOf(state, env, draw);
  return {
    id: draw.id,
    object: 'draw',
    type: 'draw',
    drawType: draw.drawType,
    displayId: draw.externalId ?? draw.id,
    companyId: state.tenant.company,
    externalId: draw.externalId,
    lineOfCreditId: state.id,
    loanTypeId: record.loanTypeId,
    mainBorrowerId: record.personId,
    mainBorrowerExternalId: borrowerExternalId(state, env),
    assetType: record.assetType,
    assetDisplayName: record.assetDisplayName,
    servicedBy: record.servicedBy,
    status,
    nickname: draw.nickname,
    isClosed: draw.isClosed,
    declineReason: draw.declineReason,
    chargedOffReason: status === 'chargedOff' ? chargedOffReasonOf(state) : null,
    cancellationReason: draw.cancellationReason,
    labels: labelViews(draw.labels, state, env),
    additionalPeople: draw.additionalPeople.map(loanPersonView),
    additionalBorrowers: draw.additionalPeople.map(({ personId, loanRelationType }) => ({ id: personId, relationType: loanRelationType })),
    metaData: draw.metaData,
    timestamps: timestampsView({ ...draw.timestamps, ...followedTimes(draw, status, record.timestamps) }, draw.updatedAt),
    endDate: orNull(dateText, running?.rows.at(-1)?.dueDate),
    lockStatus: 'unlocked',
    current: currentDraw(state, env, draw, running),
    atOrigination: drawTermsView(draw.atOrigination),
    ratesValidation: drawRatesValidation(state, env, draw),
    amountsValidation: drawAmountsValidation(draw),
  };
}

/** A status that an active draw takes over from its line has the line's time. */
function followedTimes({ status: ownStatus, timestamps: own }: Draw, status: LoanStatus, line: LoanTimestamps): Partial<LoanTimestamps> {
  if (ownStatus !== 'active') return {};
  const since = (time: number | null): number | null => (time !== null && time >= (own.activatedAt ?? Infinity) ? time : null);
  return {
    frozenAt: since(line.frozenAt),
    acceleratedAt: since(line.acceleratedAt),
    chargedOffAt: since(line.chargedOffAt),
    paidOffAt: status === 'paidOff' ? (own.paidOffAt ?? since(line.paidOffAt)) : null,
  };
}

/** The draw in the reply of a command. */
export const drawViewOf = (state: LoanState, env: ViewEnv, id: string): DrawView =>
  drawView(state, env, must(findDraw(state, id), `${state.id} has no draw ${id}`));

/** The draw in the line's ledger of today; undefined before its activation. */
function drawStateOf(state: LoanState, env: ViewEnv, { draw }: Pick<Draw, 'draw'>): DrawState | undefined {
  if (state.line === null) return undefined;
  return lineOfCredit.toReadOn(state, env, env.today(recordOf(state).zone)).draws.find((candidate) => candidate.draw === draw);
}

/** A draw as of today, in figures. */
export interface DrawFigures {
  readonly status: LoanStatus;
  /** Null before its activation. */
  readonly outstanding: LineBalanceBlock | null;
  readonly limitCents: Cents | null;
  readonly interestRate: Rate | null;
  /** What promotions take off the rate; null: nothing. */
  readonly promoRate: Rate | null;
  readonly isAmortized: boolean;
  readonly endDay: Day | null;
}

export function drawFigures(state: LoanState, env: ViewEnv, draw: Draw): DrawFigures {
  const today = env.today(recordOf(state).zone);
  const line = state.line === null ? null : lineOfCredit.toReadOn(state, env, today);
  const running = line?.draws.find((candidate) => candidate.draw === draw.draw);
  return {
    status: drawStatusOf(state, env, draw),
    outstanding: line === null || running === undefined ? null : lineBalancesOf(line, draw.draw).outstanding,
    limitCents: drawLimitOf(state, env, draw),
    interestRate: running === undefined ? null : rateOn(running.rates, today).net,
    promoRate: running === undefined ? null : promoRateOn(running.rates, today),
    isAmortized: isAmortized(draw, running),
    endDay: running?.rows.at(-1)?.dueDate ?? null,
  };
}

/** The draw's own limit today; null: only the line's limit applies. */
export function drawLimitOf(state: LoanState, env: ViewEnv, draw: Draw): Cents | null {
  const running = drawStateOf(state, env, draw);
  if (running !== undefined) return orNull(cents, running.limitCents);
  return limitOf(draw.atOrigination, recordOf(state).atOrigination.credit?.limitCents ?? ZERO);
}

/** Whether the draw is paid off in rows of its own. */
const isAmortized = ({ atOrigination }: Draw, running: DrawState | undefined): boolean =>
  atOrigination.autoAmortization !== null || (running?.rows.length ?? 0) > 0;

function currentDraw(state: LoanState, env: ViewEnv, draw: Draw, running: DrawState | undefined): DrawView['current'] {
  const today = env.today(recordOf(state).zone);
  return {
    creditLimitAmount: orNull(amount, drawLimitOf(state, env, draw)),
    periodicPayment: running === undefined || !isAsking(state) ? null : orNull(amount, periodicCents(state, env, draw, running)),
    interestRate: running === undefined ? null : rateValue(rateOn(running.rates, today).net),
    isAmortized: isAmortized(draw, running),
    balanceAmount: amount(running === undefined ? ZERO : cents(drawOwedCents(running))),
    merchantDiscount: merchantDiscountOfDraw(state, env, draw),
  };
}

/** Whether periodic payments are due: not once the whole balance is due. */
const isAsking = (state: LoanState): boolean => ['active', 'frozen'].includes(statusOf(state));

/** The next row of an amortized draw, otherwise the draw's part of the last statement's minimum payment. */
function periodicCents(state: LoanState, env: ViewEnv, { draw }: Draw, { rows }: DrawState): Cents | null {
  const [row] = rows;
  if (row !== undefined) return cents(row.amountCents);
  const { obligations } = lineOfCredit.toReadOn(state, env, env.today(recordOf(state).zone));
  const part = obligations.at(-1)?.draws.find((candidate) => candidate.draw === draw);
  return part === undefined ? null : cents(part.amountCents);
}

function drawTermsView(terms: DrawOrigination): DrawOriginationView {
  return {
    interestRates: terms.interestRates?.map(({ interestType, days, rate }) => ({ interestType, days, rate: rateValue(rate) })) ?? null,
    promoRates: terms.promoRates?.map(({ days, rate }) => ({ days, rate: rateValue(rate) })) ?? null,
    aprNominal: orNull(rateValue, terms.aprNominal),
    aprEffective: orNull(rateValue, terms.aprEffective),
    creditLimitAmount: orNull(amount, terms.creditLimitCents),
    creditLimitPercentage: orNull(rateValue, terms.creditLimitPercentage),
    fees: {
      drawFeeAmount: amount(terms.drawFeeCents),
      drawFeePercentageOfPrincipal: rateValue(terms.drawFeePercentageOfPrincipal),
      dynamicFees: terms.dynamicFees.map(dynamicFeeView),
      serviceFeeAmount: orNull(amount, terms.serviceFeeCents),
      serviceFeeCapAmount: orNull(amount, terms.serviceFeeCapCents),
    },
    minPaymentCalculation: orNull(minPaymentView, terms.minPayment),
    autoAmortization: orNull(autoAmortizationView, terms.autoAmortization),
    gracePeriod: orNull(gracePeriodView, terms.grace),
    mdr: orNull(merchantDiscountView, terms.merchantDiscount),
  };
}

const autoAmortizationView = ({
  logic,
  payment,
}: NonNullable<DrawOrigination['autoAmortization']>): NonNullable<DrawOriginationView['autoAmortization']> => ({
  amortizationLogic: logic,
  duration: payment.type === 'periods' ? payment.count : null,
  periodicPaymentAmount: payment.type === 'amount' ? amount(payment.amountCents) : null,
});

const gracePeriodView = ({
  isApplicable,
  periodsToRestore,
}: NonNullable<DrawOrigination['grace']>): NonNullable<DrawOriginationView['gracePeriod']> => ({
  isGracePeriodApplicable: isApplicable,
  numPeriodsToRestoreGrace: periodsToRestore,
});

/** Checks the draw's own rates, otherwise the line's, against the product's limits. */
export function drawRatesValidation(state: LoanState, env: ViewEnv, { atOrigination: own }: Draw): RatesValidationView {
  const { atOrigination: line } = recordOf(state);
  const terms = {
    interestRates: own.interestRates ?? line.interestRates,
    aprNominal: own.aprNominal ?? line.aprNominal,
    aprEffective: own.aprEffective ?? line.aprEffective,
  };
  return ratesAgainst(terms, state.line?.contract ?? null, currentSettings(loanTypeOf(env, state)).interest);
}

export const drawAmountsValidation = ({ status }: Draw): AmountsValidationView | null => (status === 'active' ? NOTHING_TO_COMPARE : null);

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
      const found = matching(
        state.draws.toReversed(),
        (draw) =>
          (statuses.length === 0 || statuses.includes('all') || statuses.includes(drawStatusOf(state, env, draw))) &&
          (isClosed === undefined || draw.isClosed === isClosed) &&
          (wanted === undefined || isAmortized(draw, drawStateOf(state, env, draw)) === wanted) &&
          (startedBefore === undefined || startedOn(draw, zone) < dayOfText(startedBefore)),
      );
      return pageOf(
        found,
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
function ofDraw<Query>(type: string, read: (context: QueryContext<LoanState, Query>, draw: Draw) => unknown): QuerySpec<LoanState, Query> {
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

/** The balances of a draw through a day, as known at a moment. All zero before its activation. */
function drawBalances(context: QueryContext<LoanState>, { id, draw }: Draw): BalancesReply {
  const query = (context.query ?? {}) as GetBalancesQuery;
  const ledger = context.state.line === null ? null : ledgerFor(context, query);
  if (ledger === null || !isLine(ledger) || !ledger.draws.some((known) => known.draw === draw)) return balancesReply(null, query);
  const shown = withPromos(shownBalancesOfDraw(ledger, draw), context, ledger.day, draw);
  const { drawBalances: _ofLine, ...reply } = balancesReply(isOfNow(query) ? withHolds(shown, context, id) : shown, query);
  return { ...reply, drawId: id };
}

/** The day on which a draw started; later than all days if it has not started. */
const startedOn = ({ timestamps }: Draw, zone: string): Day | number =>
  timestamps.startedAt === null ? Number.POSITIVE_INFINITY : dayAt(zone, timestamps.startedAt);

function refuseUnknown(statuses: readonly string[]): void {
  const known: readonly string[] = [...LOAN_STATUSES, 'all'];
  const unknown = statuses.filter((status) => !known.includes(status));
  if (unknown.length === 0) return;
  refuse('badRequest', `Unknown status: ${unknown.join(', ')}.`, {
    errors: [{ path: 'statuses', expected: known.join(', '), message: `unknown status: ${unknown.join(', ')}` }],
  });
}
