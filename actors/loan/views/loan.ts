import { type Cents, type Day, firstRowAfter, type LedgerState, overdueOf, rateOn, ZERO } from '../../../engine/index.js';
import { companyOf, loanLabelOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, dateText, dateTimeText, orNull, rateValue } from '../../wire.js';
import { livePlan } from '../autopay/plan.js';
import { activationOf, recordOf, statusOf } from '../context.js';
import { currentLineView, lineActivationView, lineEndDay } from '../line/view.js';
import { plannedRows } from '../origination/contract.js';
import { installment } from '../ledger/installment.js';
import { migrationStatus } from '../migration/status.js';
import { migrationView } from '../migration/view.js';
import { activePlanOf } from '../modifications/state.js';
import type { Origination } from '../origination/terms.js';
import { isScraOn } from '../rates/rows.js';
import { loanPersonView } from '../people/view.js';
import type { Contract, LoanState, LoanTimestamps } from '../state.js';
import { computedPayment, originationView } from './origination.js';
import { dueDaysOf } from './schedule.js';
import { amountsValidation, ratesValidation } from './validation.js';
import type { ActivationView, CurrentView, LabelView, LoanIdsView, LoanView, TimestampsView } from './types.js';

/** What a view may know: the day in the loan's zone decides what is current. */
export interface ViewEnv extends EvolveEnv {
  today(zone: string): Day;
}

export interface LoanViewOptions {
  readonly includeAdditionalBorrowers?: boolean;
}

/**
 * The loan as every reply shows it. What never changes once it is recorded is printed only when somebody renders the
 * reply: the terms, and the rows of activation.
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
    endDate: orNull(
      dateText,
      activation === null ? record.atOrigination.expectedPayments?.at(-1)?.date : (activation.summary.endDay ?? lineEndDay(state, env)),
    ),
    lockStatus: 'unlocked',
    migrationStatus: migrationStatus(state),
    migration: orNull(migrationView, state.migration),
    current: record.type === 'lineOfCredit' ? currentLineView(state, env) : currentView(state, env),
    get atOrigination() {
      return originationView(state.id, record, env);
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

/** The one that was set by hand, else what the charge-off said. */
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

/** A deleted label is off all loans. */
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

/** Each field is named once and in its place: an object that grows by spreading costs microseconds. */
function currentView(state: LoanState, env: ViewEnv): CurrentView {
  const { atOrigination: terms, zone } = recordOf(state);
  const { servicing } = state;
  const today = env.today(zone);
  const ledger = servicing && installment.toRead(state, env, today);
  const overdue = ledger && overdueOf(ledger);
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
  };
}

/** What the next row asks for: the contract's amount, a plan's, or that of the last re-amortization. Null where no row comes any more. */
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
