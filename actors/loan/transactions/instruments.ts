import { randomUUID } from 'node:crypto';
import { dayAt, formatCents } from '../../../engine/index.js';
import {
  type AnswersOfLoans,
  DEACTIVATING,
  type FailureReason,
  type Instrument,
  type PersonFacts,
  type PersonState,
  withSecretsOpen,
} from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandRequest, DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import { bodiesOf, type FactDraft, type Tenant } from '../../kernel/fact.js';
import { dateText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import { isOfRefund } from '../purchases/refunds.js';
import type { LoanState } from '../state.js';
import { chargebacksOf, disputedCents } from './chargebacks/record.js';
import type { TransactionChanges } from './evolve.js';
import { mayMove, statusesFor, type TransactionMove } from './machine.js';
import { fail, type Failure, moveDraft, type Recording } from './moves.js';
import { isPaidToBorrower, movedCents, type TransactionRecord, type UsedInstrument } from './record.js';
import { returnFee } from './return-fees.js';
import type { ReportReturn } from './settlement.js';

export interface FoundInstrument {
  readonly personId: string;
  readonly instrument: Instrument;
}

/** The instrument of one of these borrowers that an id names; undefined if none has it. */
export function findInstrument(env: EvolveEnv, personIds: readonly string[], anyId: string): FoundInstrument | undefined {
  for (const personId of personIds) {
    const instruments = env.read<PersonState>('person', personId)?.instruments ?? [];
    const instrument = instruments.find(
      (candidate) => candidate.deletedAt === null && (candidate.id === anyId || `ext-${candidate.externalId ?? ''}` === anyId),
    );
    if (instrument !== undefined) return { personId, instrument };
  }
  return undefined;
}

/** The fields of an instrument that a transaction stores: none of them identifies the account. */
export function usedInstrument({ personId, instrument }: FoundInstrument): UsedInstrument {
  const { id, instrumentType, details } = instrument;
  return {
    id,
    personId,
    instrumentType,
    cardType: details.cardType ?? null,
  };
}

/**
 * The last digits of the account or card. They are stored with the borrower, also those of a removed instrument, and are erased with the
 * borrower's data key. Null if there are none, or if the borrower is on another shard whose data keys are not here.
 */
export function lastFourOf(env: EvolveEnv, { id, personId }: UsedInstrument): string | null {
  const instrument = env.read<PersonState>('person', personId)?.instruments.find((candidate) => candidate.id === id);
  if (instrument === undefined) return null;
  const { details } = withSecretsOpen(env, personId, instrument);
  return details.accountNumberLastFour ?? details.cardNumberLastFour ?? null;
}

/**
 * Deactivates the instrument of a failed payment if its account is closed or may not be debited. Only for the main borrower, who is on the
 * loan's shard; the instrument of another person is checked before the next payment.
 */
export function lostInstrument(
  env: EvolveEnv,
  mainBorrowerId: string,
  used: UsedInstrument | null,
  failureReason: FailureReason,
): readonly FactDraft[] {
  const reason = DEACTIVATING[failureReason];
  if (used === null || reason === undefined || used.personId !== mainBorrowerId) return [];
  const found = findInstrument(env, [mainBorrowerId], used.id);
  if (found === undefined || found.instrument.status === 'inactive') return [];
  const body: PersonFacts['InstrumentDeactivated'] = { id: used.id, reason, failureReason };
  return [{ type: 'InstrumentDeactivated', body, target: { kind: 'person', id: mainBorrowerId } }];
}

/** A payment by an instrument, and its loan. */
interface InstrumentPayment {
  readonly loanId: string;
  readonly transaction: TransactionRecord;
}

/**
 * Payments by an instrument for loans whose main borrower is its owner: they are on the same shard. A payment for another person's loan
 * checks the instrument on the day on which it is initiated.
 */
function paymentsOn(env: DecideEnv, personId: string, instrumentId: string): readonly InstrumentPayment[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: Number.MAX_SAFE_INTEGER });
  return rows.flatMap(({ id }) => {
    const transactions = env.read<LoanState>('loan', id)?.transactions.values() ?? [];
    const used = [...transactions].filter(({ instrument }) => instrument?.id === instrumentId);
    return used.map((transaction) => ({ loanId: id, transaction }));
  });
}

/** A payment on its way, whose instrument cannot be removed. */
const isUnderWay = ({ transaction: { status } }: InstrumentPayment): boolean => status === 'initiated' || status === 'pending';

/** Cancels the scheduled payments of an instrument. */
function cancelScheduled(payments: readonly InstrumentPayment[]): readonly FactDraft[] {
  return payments
    .filter(({ transaction: { status } }) => status === 'scheduled')
    .map(({ loanId, transaction }) => ({
      ...moveDraft(transaction, 'cancel', { cancelReason: 'instrumentInactive' }, null),
      target: { kind: 'loan', id: loanId },
    }));
}

/** Whether a payment from the instrument is on its way. */
export const isPaymentUnderWay = (env: DecideEnv, personId: string, instrumentId: string): boolean =>
  paymentsOn(env, personId, instrumentId).some(isUnderWay);

/** Cancels the scheduled payments of instruments that facts of their borrower remove or deactivate. */
export const paymentsCanceled = (
  { id: personId, env, state }: CommandContext<PersonState>,
  facts: readonly FactDraft[],
): readonly FactDraft[] => instrumentsEnded(state, facts).flatMap((id) => cancelScheduled(paymentsOn(env, personId, id)));

function instrumentsEnded({ instruments }: PersonState, facts: readonly FactDraft[]): readonly string[] {
  const isActive = (id: string): boolean => instruments.find((known) => known.id === id)?.status !== 'inactive';
  const updated = bodiesOf<PersonFacts, 'InstrumentUpdated'>(facts, 'InstrumentUpdated').map(({ instrument }) => instrument);
  return [
    ...bodiesOf<PersonFacts, 'InstrumentRemoved'>(facts, 'InstrumentRemoved').map(({ id }) => id),
    ...updated.filter(({ id, status }) => status === 'inactive' && isActive(id)).map(({ id }) => id),
  ];
}

/** The answers to verification questions about the loans of a borrower. */
export function loanAnswers(env: EvolveEnv, loanIds: readonly string[]): AnswersOfLoans {
  const loans = loanIds.flatMap((id) => env.read<LoanState>('loan', id) ?? []);
  const records = loans.flatMap(({ record }) => record ?? []);
  const payments = lastPayments(loans);
  return {
    lastPaymentAmount: payments.map((payment) => formatCents(movedCents(payment))),
    lastPaymentDate: payments.map(({ effective }) => dateText(effective.day)),
    loanAmount: records.map(({ atOrigination }) => formatCents(atOrigination.amountFinancedCents)),
    originationDate: records.map(({ zone, timestamps }) => orNull((at) => dateText(dayAt(zone, at)), timestamps.originatedAt)),
  };
}

/** The newest payments of all loans, by day, then by the time of recording. */
function lastPayments(loans: readonly LoanState[]): readonly TransactionRecord[] {
  let last: TransactionRecord | null = null;
  for (const { transactions } of loans) {
    for (const record of transactions.values()) if (isPayment(record) && (last === null || isLater(record, last))) last = record;
  }
  return last === null ? [] : [last];
}

const isPayment = ({ transactionType, status }: TransactionRecord): boolean =>
  (transactionType === 'payment' || transactionType === 'downPayment') && (status === 'succeeded' || status === 'pending');

const isLater = (a: TransactionRecord, b: TransactionRecord): boolean =>
  a.effective.day === b.effective.day ? a.createdStamp > b.createdStamp : a.effective.day > b.effective.day;

/** Executes commands. */
interface Executor {
  execute(request: CommandRequest): Promise<unknown>;
}

/** Reports a bank's return to the engine, by a command of the service itself. */
export const reportReturns =
  (engine: Executor): ReportReturn =>
  async ({ company, mode, loanId, transactionId, returnCode }) => {
    await engine.execute({
      commandId: randomUUID(),
      company,
      mode,
      type: 'transaction.return',
      target: loanId,
      params: { transactionId },
      body: { returnCode },
      actor: { type: 'system', id: 'settlement' },
      permissions: new Set(),
      address: null,
      requestId: randomUUID(),
    });
  };

/** A payment that failed. */
export interface Return {
  readonly record: TransactionRecord;
  readonly failure: Failure;
  readonly recording: Recording;
  /** Other fields that the caller sets. */
  readonly changes?: TransactionChanges;
}

/**
 * The facts of a failed payment: the ledger no longer counts it, the product's fee for it is charged, and an instrument that cannot be
 * charged again is deactivated.
 */
export function comeBack(state: LoanState, env: EvolveEnv, returned: Return): readonly FactDraft[] {
  const { record, failure, recording, changes = {} } = returned;
  return [
    ...fail(record, failure, recording, changes),
    ...(failure.failureReason === null ? [] : returnFee(state, env, { record, failureReason: failure.failureReason, recording })),
    ...(record.isExternal ? [] : lostInstrument(env, recordOf(state).personId, record.instrument, failure.failureReason)),
  ];
}

/** The loan's transaction that an id names; 404 if there is none. */
export function transactionOf(state: LoanState, anyId: string | undefined): TransactionRecord {
  const known = anyId === undefined ? undefined : findTransaction(state, anyId);
  if (known === undefined && isOfRefund(state, anyId)) refuseDerived(anyId);
  return known ?? refuse('notFound', `The loan ${state.id} has no transaction ${anyId ?? ''}.`);
}

function refuseDerived(id: string | undefined): never {
  refuse('invalidState', `The transaction ${id ?? ''} follows from a refunded purchase. Change the purchase instead.`);
}

export function findTransaction(state: LoanState, anyId: string): TransactionRecord | undefined {
  const { transactions } = state;
  return anyId.startsWith('ext-') ? transactions.ofExternalId(anyId.slice(4)) : transactions.get(anyId);
}

/** 409 unless the status allows the move. The error names the statuses that do. */
export function requireTransactionMove(record: TransactionRecord, move: TransactionMove): void {
  if (mayMove(record.status, move)) return;
  const expected = statusesFor(move).join(' or ');
  refuse('invalidState', `The transaction is ${record.status}; it must be ${expected}.`, {
    errors: [{ path: 'status', expected, message: `the transaction is ${record.status}` }],
  });
}

/** 409 for transactions that accept no further action: reversals, and those that were reversed. */
export function refuseDone(record: TransactionRecord): void {
  if (isPaidToBorrower(record)) refuse('invalidState', `A transaction of type ${record.transactionType} cannot be changed.`);
  if (record.reversedByTransactionId !== null) refuse('invalidState', 'The transaction was reversed and cannot be changed.');
}

/** Whether it has open or lost chargebacks. */
export const isCharged = (state: LoanState, record: TransactionRecord): boolean =>
  disputedCents(chargebacksOf(state.chargebacks, record.id)) > 0;

/** 409 for a payment with open or lost chargebacks: the chargebacks must be changed instead. */
export function refuseCharged(state: LoanState, record: TransactionRecord): void {
  if (!isCharged(state, record)) return;
  refuse('invalidState', 'The transaction has chargebacks. Change those instead.');
}

/** 409 when another transaction of the company has the external id. */
export function checkExternalId(env: DecideEnv, tenant: Tenant, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(tenant, 'transaction', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another transaction.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}
