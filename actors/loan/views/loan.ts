import {
  type Cents,
  type Day,
  firstRowAfter,
  formatSpecificDays,
  type LedgerState,
  overdueOf,
  type Rate,
  rateOn,
  scheduleOf,
  type ScheduleRowView,
  subtract,
  sum,
  ZERO,
} from '../../../engine/index.js';
import { companyOf, currentSettings, type InterestSettings, loanLabelOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, dateText, dateTimeText, orNull, rateValue, unrounded } from '../../wire.js';
import { livePlan } from '../autopay/plan.js';
import { activationOf, loanTypeOf, recordOf, statusOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import { comingFeesOf } from '../fees/coming.js';
import { installment, ledgerOf } from '../ledger/installment.js';
import { currentLineView, lineActivationView, lineDaysOf, lineEndDay, lineRows } from '../line/ledger.js';
import { migrationStatus, migrationView } from '../migration/reconcile.js';
import { activePlanOf } from '../modifications/state.js';
import { plannedRows } from '../origination/contract.js';
import { merchantDiscountOfLine, merchantDiscountOfLoan } from '../origination/merchant-discount.js';
import { merchantReserveOf } from '../payouts/merchant-reserve.js';
import type { Origination } from '../origination/terms.js';
import { loanPersonView } from '../people/view.js';
import { isScraOn } from '../rates/rows.js';
import type { Contract, LoanState, LoanTimestamps } from '../state.js';
import { computedPayment, feeRows, NO_FEE, originationView } from './origination.js';
import type {
  ActivationReply,
  ActivationView,
  AmountsValidationView,
  CurrentView,
  LabelView,
  LoanIdsView,
  LoanView,
  RatesValidationView,
  ScheduleReply,
  ScheduleRowReply,
  TimestampsView,
} from './types.js';

/** The schedule in force today: due rows, then expected ones. */
export function scheduleRows(state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] {
  if (state.line !== null) return lineRows(state, env);
  if (state.servicing === null) return [];
  return rowsOf(installment.toReadOn(state, env, env.today(recordOf(state).zone)), state, env);
}

const rowsOf = (ledger: LedgerState, state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] =>
  scheduleOf(ledger, comingFeesOf(state, env, ledger.day)).flatMap((row) => [
    ...ownRow(row, state, env),
    ...feeRows(row, periodId(env, state, row.ordinal), state, env),
  ]);

export function scheduleReply(state: LoanState, env: ViewEnv): ScheduleReply {
  const { paymentFrequency, specificDays } = dueDaysOf(state, env);
  return { isLocked: false, paymentFrequency, specificDays, schedule: scheduleRows(state, env) };
}

/** The current payment frequency and its days. */
export function dueDaysOf(state: LoanState, env: ViewEnv): Pick<ScheduleReply, 'paymentFrequency' | 'specificDays'> {
  const { paymentFrequency, specificDays } = recordOf(state).atOrigination;
  const { servicing } = state;
  if (state.line !== null) return lineDaysOf(state, env);
  if (servicing === null) return { paymentFrequency, specificDays };
  const { dueDateRule } = ledgerOf(state, env);
  if (dueDateRule === servicing.contract.terms.dueDateRule) return { paymentFrequency, specificDays };
  return { paymentFrequency: dueDateRule.type, specificDays: formatSpecificDays(dueDateRule) };
}

/**
 * The contractual row of a date. The obligation of the date also includes fees that fall due with it. None if only fees fall due.
 */
function ownRow(row: ScheduleRowView, state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] {
  const { carriedFees } = row;
  if (carriedFees.length === 0) return [rowReply(row, row.amountCents, state, env)];
  const own = subtract(row.amountCents, sum(carriedFees.map(({ amountCents }) => amountCents)));
  return own === 0 ? [] : [rowReply(row, own, state, env)];
}

function rowReply(row: ScheduleRowView, own: Cents, state: LoanState, env: ViewEnv): ScheduleRowReply {
  return {
    date: dateText(row.date),
    periodId: periodId(env, state, row.ordinal),
    paymentType: row.date === state.servicing?.contract.terms.activation ? 'downPayment' : 'periodicPayment',
    status: row.status,
    amount: amount(own),
    originalAmount: amount(row.originalAmountCents),
    principalAmount: amount(row.principalCents),
    interestAmount: amount(row.interestCents),
    interestBeforeDiscountAmount: amount(row.interestBeforeDiscountCents),
    unroundedPrincipalAmount: unrounded(row.unroundedPrincipal),
    unroundedInterestAmount: unrounded(row.unroundedInterest),
    unroundedInterestBeforeDiscountAmount: unrounded(row.unroundedInterestBeforeDiscount),
    isDeferred: row.isDeferred,
    isForcedAmount: row.isForcedAmount,
    dynamicFeeDetails: NO_FEE,
  };
}

/** Flags of the loan's rates and APRs against its product's limits. */
export function ratesValidation(state: LoanState, env: EvolveEnv): RatesValidationView {
  const { interest } = currentSettings(loanTypeOf(env, state));
  const { atOrigination: terms } = recordOf(state);
  return ratesAgainst(terms, activationOf(state)?.contract ?? null, interest);
}

/** Rates at origination and at activation against a product's limits. */
export function ratesAgainst(
  terms: RatesAtOrigination,
  contract: RatesAtActivation | null,
  interest: InterestSettings,
): RatesValidationView {
  const rates = terms.interestRates.map((band) => band.rate);
  return {
    interestRateAtOrigExceedsMax: rates.some((rate) => isAbove(rate, interest.maxRate)),
    interestRateAtOrigBelowMin: interest.minRate !== null && rates.some((rate) => rate < (interest.minRate ?? 0)),
    aprNominalAtOrigExceedsMax: isAbove(terms.aprNominal, interest.maxAprNominal),
    aprEffectiveAtOrigExceedsMax: isAbove(terms.aprEffective, interest.maxAprEffective),
    aprNominalAtActExceedsMax: isAbove(contract?.aprNominal, interest.maxAprNominal),
    aprEffectiveAtActExceedsMax: isAbove(contract?.aprEffective, interest.maxAprEffective),
  };
}

/** A line of credit has no figures that the service computes, too. */
export const NOTHING_TO_COMPARE: AmountsValidationView = {
  principalMatch: true,
  interestMatch: true,
  feesMatch: true,
  totalAdvancesMatch: true,
  recurringAmountsMatch: true,
};

/** Whether the caller's figures agree with the service's own amortization; null before activation. */
export const amountsValidation = ({ servicing, line }: Pick<LoanState, 'servicing' | 'line'>): AmountsValidationView | null =>
  servicing?.contract.amountsValidation ?? (line === null ? null : NOTHING_TO_COMPARE);

type RatesAtOrigination = Pick<Origination, 'interestRates' | 'aprNominal' | 'aprEffective'>;

interface RatesAtActivation {
  readonly aprNominal: Rate;
  readonly aprEffective: Rate;
}

const isAbove = (rate: Rate | null | undefined, most: Rate | null): boolean => rate != null && most !== null && rate > most;

/** The environment of views, which need today's date in the loan's time zone. */
export interface ViewEnv extends EvolveEnv {
  today(zone: string): Day;
}

export interface LoanViewOptions {
  readonly includeAdditionalBorrowers?: boolean;
}

/**
 * A loan in replies. Parts that never change once recorded, the terms and the rows of activation, are made only when a reply is rendered.
 */
export function loanView(state: LoanState, env: ViewEnv, options: LoanViewOptions = {}): LoanView {
  const record = recordOf(state);
  const contract = state.servicing?.contract ?? null;
  const activation = activationOf(state);
  const view: LoanView = {
    id: state.id,
    object: record.type,
    type: record.type,
    displayId: record.externalId ?? state.id,
    companyId: state.tenant.company,
    externalId: record.externalId,
    loanTypeId: record.loanTypeId,
    mainBorrowerId: record.personId,
    mainBorrowerExternalId: borrowerExternalId(state, env),
    assetType: record.assetType,
    assetDisplayName: record.assetDisplayName,
    status: statusOf(state),
    servicedBy: record.servicedBy,
    newDrawsAllowed: record.newDrawsAllowed,
    nickname: record.nickname,
    isClosed: record.isClosed,
    declineReason: record.declineReason,
    chargedOffReason: chargedOffReasonOf(state),
    cancellationReason: record.cancellationReason,
    labels: labelViews(record.labels, state, env),
    additionalPeople: record.additionalPeople.map(loanPersonView),
    metaData: record.metaData,
    muteLoanNotices: record.muteLoanNotices,
    timestamps: timestampsView(record.timestamps, state.lastUpdate.at, state.migration?.migratedAt),
    endDate: orNull(dateText, endDayOf(state, env)),
    lockStatus: 'unlocked',
    migrationStatus: migrationStatus(state),
    migration: orNull(migrationView, state.migration),
    current: currentOf(state, env),
    get atOrigination() {
      return originationView(state, record, env);
    },
    get atActivation() {
      if (state.line !== null) return lineActivationView(state.line.contract);
      return contract && activationView(contract, record.atOrigination);
    },
    aprNominalAtActivation: orNull(rateValue, activation?.contract.aprNominal),
    aprEffectiveAtActivation: orNull(rateValue, activation?.contract.aprEffective),
    ratesValidation: ratesValidation(state, env),
    amountsValidation: amountsValidation(state),
  };
  if (options.includeAdditionalBorrowers !== true) return view;
  const additionalBorrowers = record.additionalPeople.map(({ personId, loanRelationType }) => ({
    id: personId,
    relationType: loanRelationType,
  }));
  return { ...view, additionalBorrowers };
}

/** What holds today. */
export const currentOf = (state: LoanState, env: ViewEnv): CurrentView =>
  recordOf(state).type === 'lineOfCredit'
    ? { ...currentLineView(state, env), merchantDiscount: merchantDiscountOfLine(state, env), merchantReserve: null }
    : currentView(state, env);

/** The last due date; null while none is known. */
export function endDayOf(state: LoanState, env: ViewEnv): Day | null {
  const activation = activationOf(state);
  if (activation === null) return recordOf(state).atOrigination.expectedPayments?.at(-1)?.date ?? null;
  return activation.summary.endDay ?? lineEndDay(state, env);
}

/** The reason that was set by an update, otherwise that of the charge-off. */
export function chargedOffReasonOf(state: LoanState): string | null {
  if (statusOf(state) !== 'chargedOff') return null;
  return recordOf(state).chargedOffReason ?? activationOf(state)?.summary.chargeOffReason ?? null;
}

export function loanIdsView(state: LoanState, env: EvolveEnv): LoanIdsView {
  const record = recordOf(state);
  return {
    id: state.id,
    externalId: record.externalId,
    loanTypeId: record.loanTypeId,
    mainBorrowerId: record.personId,
    mainBorrowerExternalId: borrowerExternalId(state, env),
    lockStatus: 'unlocked',
    migrationStatus: migrationStatus(state),
  };
}

export function borrowerExternalId(state: LoanState, env: EvolveEnv): string | null {
  return env.read<{ readonly externalId: string | null }>('person', recordOf(state).personId)?.externalId ?? null;
}

/** The labels of a loan, without deleted ones. */
export function labelViews(labels: readonly string[], state: LoanState, env: EvolveEnv): readonly LabelView[] {
  if (labels.length === 0) return [];
  const company = companyOf(env, state.tenant);
  return labels.flatMap((id) => {
    const label = loanLabelOf(company, id);
    if (label === undefined) return [];
    const { externalId, name, description, createdAt, updatedAt } = label;
    const times = { createdAt: dateTimeText(createdAt), updatedAt: orNull(dateTimeText, updatedAt), deletedAt: null };
    return [{ id, ...times, externalId, name, description }];
  });
}

export function timestampsView(times: LoanTimestamps, updatedAt: number, migratedAt: number | null = null): TimestampsView {
  return {
    createdAt: dateTimeText(times.createdAt),
    updatedAt: dateTimeText(updatedAt),
    deletedAt: null,
    startedAt: orNull(dateTimeText, times.startedAt),
    originatedAt: orNull(dateTimeText, times.originatedAt),
    activatedAt: orNull(dateTimeText, times.activatedAt),
    frozenAt: orNull(dateTimeText, times.frozenAt),
    lastAmortizedAt: orNull(dateTimeText, times.lastAmortizedAt),
    acceleratedAt: orNull(dateTimeText, times.acceleratedAt),
    chargedOffAt: orNull(dateTimeText, times.chargedOffAt),
    paidOffAt: orNull(dateTimeText, times.paidOffAt),
    closedAt: orNull(dateTimeText, times.closedAt),
    canceledAt: orNull(dateTimeText, times.canceledAt),
    migratedAt: orNull(dateTimeText, migratedAt),
  };
}

/** The current values. Each field is written once and in order: an object made by spreads costs microseconds. */
function currentView(state: LoanState, env: ViewEnv): CurrentView {
  const { atOrigination: terms, zone } = recordOf(state);
  const { servicing } = state;
  const today = env.today(zone);
  const ledger = servicing && installment.toReadOn(state, env, today);
  const overdue = ledger && overdueOf(ledger, comingFeesOf(state, env, today));
  const { paymentFrequency, specificDays } = dueDaysOf(state, env);
  return {
    autopayEnabled: livePlan(state) !== null,
    creditLimitAmount: null,
    activePaymentPlanId: activePlanOf(state.modifications)?.id ?? null,
    isScraActive: isScraOn(state, env, today),
    paymentFrequency,
    specificDays,
    periodicPayment: orNull(amount, ledger && recurringCents(ledger)),
    nextDueDate: orNull(dateText, overdue?.nextDueDate),
    nextDueAmount: orNull(amount, overdue?.nextDueCents),
    isOverdue: overdue?.isOverdue ?? false,
    daysOverdue: overdue?.daysOverdue ?? 0,
    overdueAmount: amount(overdue?.overdueCents ?? ZERO),
    duration: ledger ? ledger.rows.length : terms.duration,
    interestRate: ledger && rateValue(rateOn(ledger.rates, today).net),
    merchantDiscount: merchantDiscountOfLoan(state, env),
    merchantReserve: merchantReserveOf(state),
  };
}

/** The amount of the next row: the contract's, a plan's, or that of the last re-amortization. Null if there are no more rows. */
function recurringCents(ledger: LedgerState): Cents | null {
  if (ledger.status !== 'active' && ledger.status !== 'frozen') return null;
  const coming = ledger.rows.slice(firstRowAfter(ledger)).find((row) => row.isDeferred !== true && row.isClosing !== true);
  return coming?.amountCents ?? null;
}

function activationView(contract: Contract, atOrigination: Origination): ActivationView {
  const { terms } = contract;
  return {
    startDate: dateText(terms.activation),
    endDate: dateText(contract.endDate),
    duration: terms.rows.length,
    principalAmount: amount(terms.principalCents),
    amountFinanced: amount(atOrigination.amountFinancedCents),
    periodicPaymentAmount: amount(contract.periodicPaymentCents),
    totalInterestAmount: amount(contract.totalInterestCents),
    aprNominal: rateValue(contract.aprNominal),
    aprEffective: rateValue(contract.aprEffective),
    get expectedPayments() {
      return plannedRows(contract).map(computedPayment);
    },
  };
}

/** The reply of an activation. Its rows are made when it is rendered, from a copy of the ledger that is not moved. */
export function activationReply(state: LoanState, env: ViewEnv): ActivationReply {
  const ledger = installment.runningOn(state, env, env.today(recordOf(state).zone));
  return {
    get schedule() {
      return rowsOf(ledger, state, env);
    },
    ratesValidation: ratesValidation(state, env),
    amountsValidation: amountsValidation(state),
  };
}
