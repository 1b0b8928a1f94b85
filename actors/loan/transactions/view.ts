import { CANCEL_DESCRIPTIONS, FAILURE_DESCRIPTIONS } from '../../borrower/index.js';
import { cents, type ChargedBackParts, type PaymentState, positionOfPayment, ZERO } from '../../../engine/index.js';
import { companyOf, fundingInstrumentFor, usersOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { ask } from '../../kernel/policy.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import { loanAsks } from '../questions.js';
import { drawIdOf } from '../draws/draw.js';
import { lineOf } from '../line/ledger.js';
import { runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { chargebacksOf, chargebackView, lostCents } from './chargebacks/record.js';
import { lastFourOf } from './instruments.js';
import {
  isPaidToBorrower,
  type InstrumentType,
  type ServiceCredit,
  type Split,
  type TransactionRecord,
  type UsedInstrument,
} from './record.js';
import type {
  DrawSplitView,
  InstrumentSummaryView,
  PaymentDetailsView,
  ServiceCreditView,
  TransactionTimestampsView,
  TransactionView,
} from './view-types.js';

/** A transaction in replies, with the split of the current ledger. */
export function transactionView(state: LoanState, env: EvolveEnv, record: TransactionRecord): TransactionView {
  const loan = recordOf(state);
  const split = splitOf(state, env, record);
  const failure = record.failureReason === null ? null : FAILURE_DESCRIPTIONS[record.failureReason];
  const cancellation = record.cancelReason === null ? null : CANCEL_DESCRIPTIONS[record.cancelReason];
  const timestamps = timestampsView(record);
  const { createdAt, updatedAt } = timestamps;
  const ach = record.settlement?.ach;
  return {
    object: 'transaction',
    id: record.id,
    externalId: record.externalId,
    companyId: state.tenant.company,
    loanId: state.id,
    drawId: drawIdOf(state, record.draw),
    mainBorrowerId: loan.personId,
    transactionType: record.transactionType,
    status: record.status,
    isExternal: record.isExternal,
    isVirtual: record.isVirtual,
    scheduledAmount: amount(record.scheduledCents),
    actualAmount: amount(record.actualCents ?? ZERO),
    paidPrincipalAmount: amount(split.principalCents),
    paidInterestAmount: amount(split.interestCents),
    paidFeesAmount: amount(split.feesCents),
    paidOverAmount: amount(split.overCents),
    currency: record.currency,
    paymentDetails: paymentDetailsView(state, record, env),
    serviceCreditDetails: serviceCreditView(record.serviceCredit),
    chargebackDetails: chargebackDetails(state, record),
    drawSplitDetails: drawSplits(state, env, record),
    autopayPlanId: record.autopayPlanId,
    autopayPaymentIds: record.autopayPaymentIds,
    parentTransactionId: record.parentTransactionId,
    reversedByTransactionId: record.reversedByTransactionId,
    reversedByTransactionExternalId: record.reversedByTransactionExternalId,
    reversedTransactionId: record.reversedTransactionId,
    reversedTransactionStatus: statusOf(state, record.reversedTransactionId),
    reversingTransactionStatus: statusOf(state, record.reversedByTransactionId),
    retryAttempt: record.retryAttempt,
    retryOriginalTransactionId: record.retryOriginalTransactionId,
    processorTransactionId: record.processorTransactionId,
    processorReversalId: record.processorReversalId,
    processorReconciliationId: record.processorReconciliationId,
    processorMerchantId: null,
    processingFeeAmount: orNull(amount, record.processingFeeCents),
    processingFeeType: record.processingFeeType,
    achSameDay: ach?.isSameDay ?? false,
    achProcessedSameDay: ach !== undefined && ach.fileId !== null && ach.isSameDay,
    achConfirmed: ach?.fileId != null && ask(env, loanAsks.isFileConfirmed, ach.fileId),
    achReturnCode: record.achReturnCode,
    avsResult: record.avsResult,
    failureReason: record.failureReason,
    failureDescriptionShort: failure?.short ?? null,
    failureDescriptionLong: failure?.long ?? null,
    processorFailureReason: record.processorFailureReason,
    processorFailureDetails: record.processorFailureDetails,
    cancelReason: record.cancelReason,
    cancelShortDescription: cancellation?.short ?? null,
    cancelLongDescription: cancellation?.long ?? null,
    enablePrepayments: record.enablePrepayments,
    evidenceDocumentId: record.evidenceDocumentId,
    consentDocumentId: record.consentDocumentId,
    holdDaysEndDate: orNull(dateText, record.hold?.endDay),
    createdBy: createdBy(state, env, record),
    timestamps,
    caseId: record.caseId,
    metaData: record.metaData,
    createdAt,
    updatedAt,
    deletedAt: null,
  };
}

/** The amount that was charged back; the whole payment if it was charged back without chargeback objects. */
function chargebackDetails(state: LoanState, record: TransactionRecord): TransactionView['chargebackDetails'] {
  const known = chargebacksOf(state.chargebacks, record.id);
  const isWhole = record.status === 'chargeback' && known.length === 0;
  return { amount: amount(isWhole ? (record.actualCents ?? ZERO) : lostCents(known)), chargebacks: known.map(chargebackView) };
}

const NOTHING: Split = { principalCents: ZERO, interestCents: ZERO, feesCents: ZERO, overCents: ZERO };

/** The split of the money: computed by the ledger, or as stated by the caller if the ledger does not count it. */
export function splitOf(state: LoanState, env: EvolveEnv, record: TransactionRecord): Split {
  const parts = record.payment === null ? chargedBackOf(state, env, record) : countedPayment(state, env, record.payment);
  if (parts === undefined) return (record.payment === null ? record.toldSplit : null) ?? NOTHING;
  return {
    principalCents: cents(parts.principalCents),
    interestCents: cents(parts.interestCents),
    feesCents: cents(parts.feesCents),
    overCents: cents(parts.overCents),
  };
}

function countedPayment(state: LoanState, env: EvolveEnv, payment: number): PaymentState | undefined {
  const { payments } = runningOf(state, env);
  const at = positionOfPayment(payments, payment);
  return at < 0 ? undefined : payments.at(at);
}

/** The split of a charged-back part that is owed again, if the loan type has an order for charge-backs. */
function chargedBackOf(state: LoanState, env: EvolveEnv, { id, transactionType }: TransactionRecord): ChargedBackParts | undefined {
  if (transactionType !== 'chargeback') return undefined;
  const number = state.chargebacks.findIndex(({ partTransactionId }) => partTransactionId === id);
  const payment = state.transactions.get(state.chargebacks[number]?.transactionId ?? '')?.payment;
  if (payment == null) return undefined;
  return countedPayment(state, env, payment)?.chargebacks?.find(({ chargeback }) => chargeback === number);
}

/** The split by draw; a part without a draw paid fees of the line itself. */
export function drawSplits(state: LoanState, env: EvolveEnv, { payment }: TransactionRecord): readonly DrawSplitView[] {
  if (payment === null || state.line === null) return [];
  const { payments } = lineOf(state, env);
  const counted = payments[positionOfPayment(payments, payment)];
  return (counted?.splits ?? []).map(({ draw, principalCents, interestCents, feesCents }) => ({
    drawId: drawIdOf(state, draw),
    principalAmount: amount(cents(principalCents)),
    interestAmount: amount(cents(interestCents)),
    feesAmount: amount(cents(feesCents)),
    totalAmount: amount(cents(principalCents + interestCents + feesCents)),
  }));
}

function statusOf(state: LoanState, id: string | null): TransactionRecord['status'] | null {
  return id === null ? null : (state.transactions.get(id)?.status ?? null);
}

/** Names of payment methods, by type of instrument. */
const METHODS = {
  bankAccount: 'ach',
  check: 'check',
  payroll: 'payroll',
  paymentNetwork: 'paymentNetwork',
  moneyOrder: 'moneyOrder',
  wire: 'wire',
} as const;

const REASONS = {
  payment: 'oneTimePayment',
  downPayment: 'downPayment',
  serviceCredit: 'serviceCredit',
  reversal: 'reversal',
  reimbursement: 'reimbursement',
  chargeback: 'chargeback',
  refund: 'refund',
} as const;

function paymentDetailsView(state: LoanState, record: TransactionRecord, env: EvolveEnv): PaymentDetailsView {
  const { instrument, reimbursement } = record;
  const summary = instrument === null ? null : instrumentView(instrument, env);
  const id = instrument?.id ?? null;
  const isBack = isPaidToBorrower(record);
  const own = fundingOf(state, record, env);
  return {
    type: methodOf(instrument?.instrumentType ?? reimbursement?.instrumentType ?? null, instrument),
    reason: reasonOf(record),
    fromInstrumentId: isBack ? (own?.id ?? null) : id,
    fromInstrument: isBack ? (own?.summary ?? null) : summary,
    toInstrumentId: isBack ? id : (own?.id ?? null),
    toInstrument: isBack ? summary : (own?.summary ?? null),
  };
}

interface OwnAccount {
  readonly id: string;
  readonly summary: InstrumentSummaryView;
}

/** The lender's account at the processor that moves the money. */
function fundingOf(state: LoanState, record: TransactionRecord, env: EvolveEnv): OwnAccount | null {
  const processorId = record.settlement?.ach?.processorId ?? record.settlement?.card?.processorId ?? null;
  if (processorId === null) return null;
  const { loanTypeId } = recordOf(state);
  const purpose = isPaidToBorrower(record) ? 'disbursement' : 'collection';
  const found = fundingInstrumentFor(companyOf(env, state.tenant), processorId, { purpose, loanTypeId });
  if (found === undefined) return null;
  const { accountNumberLastFour } = found.stored;
  return { id: found.id, summary: { instrumentType: 'bankAccount', accountNumberLastFour } };
}

function reasonOf({ transactionType, autopayPlanId, retryAttempt }: TransactionRecord): PaymentDetailsView['reason'] {
  if (transactionType !== 'payment' || autopayPlanId === null) return REASONS[transactionType];
  return retryAttempt === null ? 'autopay' : 'retry';
}

function methodOf(instrumentType: InstrumentType | null, instrument: UsedInstrument | null): PaymentDetailsView['type'] {
  if (instrumentType === null) return 'internal';
  if (instrumentType === 'card') return instrument?.cardType === 'credit' ? 'creditCard' : 'debitCard';
  return METHODS[instrumentType];
}

const instrumentView = (used: UsedInstrument, env: EvolveEnv): InstrumentSummaryView => ({
  instrumentType: used.instrumentType,
  accountNumberLastFour: lastFourOf(env, used),
});

const serviceCreditView = (credit: ServiceCredit | null): ServiceCreditView => ({
  type: credit?.type ?? null,
  sponsor: credit?.sponsor ?? null,
  reason: credit?.reason ?? null,
  displayName: credit?.displayName ?? null,
});

function createdBy(state: LoanState, env: EvolveEnv, { createdBy: agent }: TransactionRecord): TransactionView['createdBy'] {
  const user = agent.userId === undefined ? undefined : usersOf(companyOf(env, state.tenant)).get(agent.userId);
  return { id: agent.userId ?? agent.id, name: user?.stored.userName ?? null };
}

function timestampsView({
  timestamps,
  effective,
  originalEffectiveDay,
  scheduledDay,
  status,
}: TransactionRecord): TransactionTimestampsView {
  return {
    createdAt: dateTimeText(timestamps.createdAt),
    updatedAt: dateTimeText(timestamps.updatedAt),
    deletedAt: null,
    initiatedAt: orNull(dateTimeText, timestamps.initiatedAt),
    pendingAt: orNull(dateTimeText, timestamps.pendingAt),
    succeededAt: orNull(dateTimeText, timestamps.succeededAt),
    failedAt: orNull(dateTimeText, timestamps.failedAt),
    canceledAt: orNull(dateTimeText, timestamps.canceledAt),
    inDisputeAt: orNull(dateTimeText, timestamps.inDisputeAt),
    chargebackAt: orNull(dateTimeText, timestamps.chargebackAt),
    appliedAt: orNull(dateTimeText, timestamps.appliedAt),
    effectiveDate: dateText(effective.day),
    originalEffectiveDate: dateText(originalEffectiveDay),
    scheduledDate: dateText(scheduledDay),
    displayDate: dateText(status === 'scheduled' ? scheduledDay : effective.day),
  };
}
