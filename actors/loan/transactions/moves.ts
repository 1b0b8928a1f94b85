import { type FailureReason, failureReasonOf } from '../../borrower/index.js';
import { addBusinessDays, type BusinessCalendar, type Day, type EffectiveTime } from '../../../engine/index.js';
import { companyOf, type LoanTypeSettings, loanTypeVersions, moneyCalendarOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { recordOf } from '../context.js';
import { settingsAt } from '../ledger/settings.js';
import type { LoanState } from '../state.js';
import type { TransactionChanges, TransactionMoved, TransactionUpdated } from './evolve.js';
import { countDraft, nextPaymentNumber, type Recording, settledDraft, voidDraft } from './ledger-facts.js';
import type { TransactionMove } from './machine.js';
import { isPaidToBorrower, type Hold, isCredit, isInternalMoney, type TransactionRecord } from './record.js';
import { holdDaysOf, lateReturnDay, type SettlementTerms, settlementOf, type Verdict } from './settlement.js';

/*
 * The moves of transactions as facts: what happens to the record, then what the ledger makes of it, in one batch.
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

/** What they say of money on its way: each payment asks, so it is no copy of all of them. */
export function settlementTermsOn(state: LoanState, env: EvolveEnv, day: Day): SettlementTerms {
  const { settleDays, holdDays } = productOn(state, env, day);
  return { settleDays, holdDays, businessDays: moneyCalendarOf(companyOf(env, state.tenant)) };
}

/** Fields of a transaction that begins to count: its settlement, when the service moves it, and its hold. */
export function beginning(
  record: Pick<TransactionRecord, 'transactionType' | 'isExternal' | 'instrument' | 'hold'>,
  product: SettlementTerms,
  initiatedOn: Day,
  effective: EffectiveTime,
): Pick<TransactionRecord, 'settlement' | 'hold'> {
  const instrumentType = record.instrument?.instrumentType ?? null;
  const isMoved = isInternalMoney(record) && instrumentType !== null;
  return {
    settlement: isMoved ? settlementOf(initiatedOn, instrumentType, product) : null,
    hold:
      record.hold ??
      (isCredit(record) || isPaidToBorrower(record) ? null : holdOf(effective.day, holdDaysOf(instrumentType, product), product)),
  };
}

const holdOf = (from: Day, days: number, { businessDays }: SettlementTerms): Hold | null =>
  days === 0 ? null : { endDay: addBusinessDays(from, days, businessDays), isOver: false };

/** The scheduled day has come, or the caller says that the money is there: it counts from now on. */
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
    ...beginning(record, product, recording.today, effective),
  };
  const counted = { ...record, ...changes, actualCents, effective };
  return [
    moveDraft(record, move, changes, recording.caseId),
    countDraft(state, counted, payment, move === 'succeed' ? 'settled' : 'processing', recording),
  ];
}

/** The money has arrived for good, as far as anybody knows. */
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

/** The money did not come: the ledger is as if it never had. */
export function fail(
  record: TransactionRecord,
  failure: Failure,
  recording: Recording,
  changes: TransactionChanges = {},
): readonly FactDraft[] {
  const moved = moveDraft(record, 'fail', { ...changes, ...failure, payment: null }, recording.caseId);
  return record.payment === null ? [moved] : [moved, voidDraft(record.payment, recording)];
}

/** It counts no longer, though nothing failed: charged back. */
export function takeOut(
  record: TransactionRecord,
  move: 'chargeBack',
  changes: TransactionChanges,
  recording: Recording,
): readonly FactDraft[] {
  const moved = moveDraft(record, move, { ...changes, payment: null }, recording.caseId);
  return record.payment === null ? [moved] : [moved, voidDraft(record.payment, recording)];
}

/** It counts again from its effective time: a chargeback was reversed. `leftCents`: what of it counts, where a part stays charged back. */
export function countAgain(
  state: LoanState,
  record: TransactionRecord,
  changes: TransactionChanges,
  recording: Recording,
  leftCents: TransactionRecord['actualCents'] = changes.actualCents ?? record.actualCents,
): readonly FactDraft[] {
  const payment = nextPaymentNumber(state);
  return [
    moveDraft(record, 'reverseChargeback', { ...changes, payment }, recording.caseId),
    countDraft(state, { ...record, ...changes, actualCents: leftCents }, payment, 'settled', recording),
  ];
}
