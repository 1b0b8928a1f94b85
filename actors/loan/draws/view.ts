import { type Cents, cents, drawOwedCents, type DrawState, must, rateOn, ZERO } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { amount, dateText, orNull, rateValue } from '../../wire.js';
import { loanTypeOf, recordOf, statusOf } from '../context.js';
import { lineOfCredit } from '../line/ledger.js';
import { loanPersonView } from '../people/view.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState, LoanTimestamps } from '../state.js';
import { borrowerExternalId, chargedOffReasonOf, labelViews, timestampsView, type ViewEnv } from '../views/loan.js';
import { dynamicFeeView, merchantDiscountView, minPaymentView } from '../views/origination.js';
import type { AmountsValidationView, RatesValidationView } from '../views/types.js';
import { NOTHING_TO_COMPARE, ratesAgainst } from '../views/validation.js';
import { limitOf } from './contract.js';
import type { Draw, DrawOrigination } from './draw.js';
import { drawStatusOf, findDraw } from './find.js';
import type { DrawOriginationView, DrawView } from './view-types.js';

/** A draw as every reply shows it (loans.md 8.2). */
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

/** What the line's status makes of an active draw it makes at the line's own time (loans.md 8.3, rule 6). */
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

/** The draw of a path after a command, as it is answered. */
export const drawViewOf = (state: LoanState, env: ViewEnv, id: string): DrawView =>
  drawView(state, env, must(findDraw(state, id), `${state.id} has no draw ${id}`));

/** The draw in the line's ledger of today; undefined before its activation. */
export function drawStateOf(state: LoanState, env: ViewEnv, { draw }: Pick<Draw, 'draw'>): DrawState | undefined {
  if (state.line === null) return undefined;
  return lineOfCredit.toRead(state, env, env.today(recordOf(state).zone)).draws.find((candidate) => candidate.draw === draw);
}

/** Its own limit today; null: the line's alone. */
export function drawLimitOf(state: LoanState, env: ViewEnv, draw: Draw): Cents | null {
  const running = drawStateOf(state, env, draw);
  if (running !== undefined) return orNull(cents, running.limitCents);
  return limitOf(draw.atOrigination, recordOf(state).atOrigination.credit?.limitCents ?? ZERO);
}

/** Whether what is drawn is paid off in rows of its own. */
export const isAmortized = ({ atOrigination }: Draw, running: DrawState | undefined): boolean =>
  atOrigination.autoAmortization !== null || (running?.rows.length ?? 0) > 0;

function currentDraw(state: LoanState, env: ViewEnv, draw: Draw, running: DrawState | undefined): DrawView['current'] {
  const today = env.today(recordOf(state).zone);
  return {
    creditLimitAmount: orNull(amount, drawLimitOf(state, env, draw)),
    periodicPayment: running === undefined || !isAsking(state) ? null : orNull(amount, periodicCents(state, env, draw, running)),
    interestRate: running === undefined ? null : rateValue(rateOn(running.rates, today).net),
    isAmortized: isAmortized(draw, running),
    balanceAmount: amount(running === undefined ? ZERO : cents(drawOwedCents(running))),
  };
}

/** Once everything is due at once there is no periodic payment. */
const isAsking = (state: LoanState): boolean => ['active', 'frozen'].includes(statusOf(state));

/** Of an amortized draw its next row, else its part of the minimum payment that was stated last. */
function periodicCents(state: LoanState, env: ViewEnv, { draw }: Draw, { rows }: DrawState): Cents | null {
  const [row] = rows;
  if (row !== undefined) return cents(row.amountCents);
  const { obligations } = lineOfCredit.toRead(state, env, env.today(recordOf(state).zone));
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

/** The draw's own rates, else the line's, against the product's limits. */
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
