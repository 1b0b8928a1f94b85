import {
  addBusinessDays,
  type BusinessCalendar,
  type Cents,
  type Day,
  type EffectiveTime,
  type LedgerFact,
  type LineFact,
  must,
  type TransactionKind,
} from '../../../engine/index.js';
import { type FailureReason, failureReasonOf } from '../../borrower/index.js';
import { companyOf, type LoanTypeSettings, loanTypeVersions, moneyCalendarOf, processorFor, settingsAt } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf } from '../context.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import type { LoanState } from '../state.js';
import type { TransactionChanges, TransactionMoved, TransactionUpdated } from './evolve.js';
import type { TransactionMove } from './machine.js';
import {
  type Hold,
  isCredit,
  isInternalMoney,
  isPaidToBorrower,
  movedCents,
  type TransactionRecord,
  type TransactionType,
} from './record.js';
import { holdDaysOf, lateReturnDay, settlementOf, type SettlementTerms, type Verdict } from './settlement.js';

/** The effective time of a ledger fact, the day of its recording, and its case. */
export interface Recording {
  readonly at: EffectiveTime;
  readonly today: Day;
  readonly caseId: string | null;
}

const KINDS: Readonly<Partial<Record<TransactionType, TransactionKind>>> = {
  payment: 'payment',
  downPayment: 'downPayment',
  serviceCredit: 'credit',
};

/** The fields of a transaction that the ledger needs to count it. */
export type Counted = Pick<TransactionRecord, 'transactionType' | 'effective' | 'scheduledCents' | 'actualCents'> &
  Partial<Pick<TransactionRecord, 'enablePrepayments' | 'principalOnlyCents' | 'draw' | 'hold'>>;

/**
 * The number of the next payment in the ledger: the sequence of its fact. `ahead` ledger facts come before it in the same batch.
 */
export const nextPaymentNumber = (state: LoanState, ahead = 0): number =>
  must(activationOf(state), `${state.id} has no ledger`).facts.length + 1 + ahead;

/** Money in processing counts, but does not pay off a loan. */
export type MoneyStatus = 'processing' | 'settled';

const NONE = {};

/** The ledger fact of a payment, a credit or a reimbursement, which counts from its effective time. */
export function paymentDraft(
  state: LoanState,
  record: Counted,
  payment: number,
  status: MoneyStatus,
  { today, caseId }: Recording,
): FactDraft<LedgerChanged> {
  const { transactionType, enablePrepayments, principalOnlyCents, effective } = record;
  if (transactionType === 'reimbursement')
    return ledgerDraft({ type: 'reimbursed', transaction: payment, amountCents: movedCents(record) }, { at: effective, today, caseId });
  const kind = must(KINDS[transactionType], `the ledger does not count a ${transactionType}`);
  return ledgerDraft(
    {
      type: 'payment',
      transaction: payment,
      kind,
      amountCents: movedCents(record),
      isPrepaymentEnabled: enablePrepayments ?? null,
      isProcessing: status === 'processing',
      ...(principalOnlyCents == null ? NONE : { principalOnlyCents }),
      ...(state.line === null ? NONE : { draw: record.draw ?? null, holdUntil: record.hold?.endDay ?? null }),
    },
    { at: effective, today, caseId },
  );
}

/** The money no longer counts, as if it never had. */
export const voidDraft = (payment: number, recording: Recording): FactDraft =>
  ledgerDraft({ type: 'paymentVoided', transaction: payment }, recording);

export const settledDraft = (payment: number, recording: Recording): FactDraft =>
  ledgerDraft({ type: 'paymentSettled', transaction: payment }, recording);

export const movedDraft = (payment: number, newEffective: EffectiveTime, recording: Recording): FactDraft =>
  ledgerDraft({ type: 'paymentMoved', transaction: payment, newEffective }, recording);

/** What the payment had paid is owed again from now on. */
export const chargedBackDraft = (
  back: { readonly chargeback: number; readonly payment: number; readonly amountCents: Cents },
  recording: Recording,
): FactDraft =>
  ledgerDraft(
    { type: 'paymentChargedBack', chargeback: back.chargeback, transaction: back.payment, amountCents: back.amountCents },
    recording,
  );

export const chargebackReversedDraft = (chargeback: number, recording: Recording): FactDraft =>
  ledgerDraft({ type: 'chargebackReversed', chargeback }, recording);

function ledgerDraft(change: LedgerChange<LedgerFact | LineFact>, { at, today, caseId }: Recording): FactDraft<LedgerChanged> {
  const body: LedgerChanged = { change, recordedDay: today, caseId, reason: null };
  return { type: 'LedgerChanged', body, effective: at };
}

/*
 * The facts of a transaction's moves: first that of its record, then that of the ledger, in one batch.
 */

export function moveDraft(record: TransactionRecord, move: TransactionMove, changes: TransactionChanges, caseId: string | null): FactDraft {
  const body: TransactionMoved = { transactionId: record.id, move, changes, caseId };
  return { type: 'TransactionMoved', body };
}

export function updateDraft(record: TransactionRecord, changes: TransactionChanges, caseId: string | null = null): FactDraft {
  const body: TransactionUpdated = { transactionId: record.id, changes, caseId };
  return { type: 'TransactionUpdated', body };
}

/** The product's settings on a day. */
export const productOn = (state: LoanState, env: EvolveEnv, day: Day): LoanTypeSettings =>
  settingsAt(loanTypeVersions(companyOf(env, state.tenant), recordOf(state).loanTypeId), day);

/** The product's settlement settings on a day. Each payment needs them, so only these fields are copied. */
export function settlementTermsOn(state: LoanState, env: EvolveEnv, day: Day): SettlementTerms {
  const product = productOn(state, env, day);
  const { settleDays, holdDays } = product;
  const company = companyOf(env, state.tenant);
  return { settleDays, holdDays, businessDays: moneyCalendarOf(company), processorFor: (type) => processorFor(company, product, type) };
}

/** Settlement and hold of a transaction that begins to count. It has a settlement if the service moves the money. */
export function settlementAndHold(
  record: Pick<TransactionRecord, 'transactionType' | 'isExternal' | 'instrument' | 'hold'>,
  product: SettlementTerms,
  initiatedOn: Day,
  effective: EffectiveTime,
): Pick<TransactionRecord, 'settlement' | 'hold'> {
  const instrumentType = record.instrument?.instrumentType ?? null;
  const isMoved = isInternalMoney(record) && record.instrument !== null;
  return {
    settlement: isMoved ? settlementOf(initiatedOn, record.instrument, product) : null,
    hold:
      record.hold ??
      (isCredit(record) || isPaidToBorrower(record) ? null : holdOf(effective.day, holdDaysOf(instrumentType, product), product)),
  };
}

const holdOf = (from: Day, days: number, { businessDays }: SettlementTerms): Hold | null =>
  days === 0 ? null : { endDay: addBusinessDays(from, days, businessDays), isOver: false };

/** The facts of a scheduled transaction that begins to count: its day has come, or the caller has received the money. */
export function applyScheduled(
  state: LoanState,
  record: TransactionRecord,
  move: 'initiate' | 'post' | 'succeed',
  options: {
    readonly product: SettlementTerms;
    readonly effective: EffectiveTime;
    readonly changes?: TransactionChanges;
    readonly recording: Recording;
  },
): readonly FactDraft[] {
  const { product, effective, recording } = options;
  const actualCents = options.changes?.actualCents ?? options.changes?.scheduledCents ?? record.scheduledCents;
  const payment = nextPaymentNumber(state);
  const changes: TransactionChanges = {
    ...options.changes,
    actualCents,
    payment,
    effective,
    ...settlementAndHold(record, product, recording.today, effective),
  };
  const counted = { ...record, ...changes, actualCents, effective };
  return [
    moveDraft(record, move, changes, recording.caseId),
    paymentDraft(state, counted, payment, move === 'succeed' ? 'settled' : 'processing', recording),
  ];
}

/** The facts of a payment that has settled. */
export function settle(
  record: TransactionRecord,
  verdict: Extract<Verdict, { type: 'settled' }>,
  recording: Recording,
  calendar: BusinessCalendar,
): readonly FactDraft[] {
  const { settlement, payment } = record;
  const { lateReturnCode } = verdict;
  const lateReturn = lateReturnCode === null ? null : { day: lateReturnDay(recording.today, calendar), returnCode: lateReturnCode };
  const changes: TransactionChanges = settlement === null ? {} : { settlement: { ...settlement, lateReturn } };
  const moved = moveDraft(record, 'succeed', changes, recording.caseId);
  return payment === null || isPaidToBorrower(record) ? [moved] : [moved, settledDraft(payment, recording)];
}

export interface Failure {
  readonly failureReason: FailureReason;
  readonly achReturnCode: string | null;
}

export const returned = (returnCode: string): Failure => ({ failureReason: failureReasonOf(returnCode), achReturnCode: returnCode });

/** The facts of a payment that failed: the ledger is as if it had never counted it. */
export function fail(
  record: TransactionRecord,
  failure: Failure,
  recording: Recording,
  changes: TransactionChanges = {},
): readonly FactDraft[] {
  const moved = moveDraft(record, 'fail', { ...changes, ...failure, payment: null }, recording.caseId);
  return record.payment === null ? [moved] : [moved, voidDraft(record.payment, recording)];
}

/** The facts of a payment that was charged back: the ledger no longer counts it. */
export function voidMoney(
  record: TransactionRecord,
  move: 'chargeBack',
  changes: TransactionChanges,
  recording: Recording,
): readonly FactDraft[] {
  const moved = moveDraft(record, move, { ...changes, payment: null }, recording.caseId);
  return record.payment === null ? [moved] : [moved, voidDraft(record.payment, recording)];
}

/** The facts of a reversed chargeback: the payment is reinstated from its effective time. `leftCents` is the part not charged back. */
export function reinstateMoney(
  state: LoanState,
  record: TransactionRecord,
  changes: TransactionChanges,
  recording: Recording,
  leftCents: TransactionRecord['actualCents'] = changes.actualCents ?? record.actualCents,
): readonly FactDraft[] {
  const payment = nextPaymentNumber(state);
  return [
    moveDraft(record, 'reverseChargeback', { ...changes, payment }, recording.caseId),
    paymentDraft(state, { ...record, ...changes, actualCents: leftCents }, payment, 'settled', recording),
  ];
}
