import { randomUUID } from 'node:crypto';
import { dayAt, formatCents } from '../../../engine/index.js';
import {
  type AnswersOfLoans,
  type FailureReason,
  type InactiveReason,
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
import { isPaidToBorrower, type TransactionRecord, type UsedInstrument } from './record.js';
import { returnFee } from './reimbursement.js';
import type { TellReturn } from './settlement.js';

export interface FoundInstrument {
  readonly personId: string;
  readonly instrument: Instrument;
}

/** The instrument of one of these borrowers that an AnyId names; undefined when none has it. */
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

/** What a transaction keeps of its instrument: nothing that identifies the account. */
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
 * The last digits of the account or card, by reference: they lie with the borrower, also of an instrument that was removed, and go with
 * the borrower's key. Null where there are none, and of a borrower of another part of a cluster whose keys are not here.
 */
export function lastFourOf(env: EvolveEnv, { id, personId }: UsedInstrument): string | null {
  const instrument = env.read<PersonState>('person', personId)?.instruments.find((candidate) => candidate.id === id);
  if (instrument === undefined) return null;
  const { details } = withSecretsOpen(env, personId, instrument);
  return details.accountNumberLastFour ?? details.cardNumberLastFour ?? null;
}

/** Failures after which an instrument cannot be charged again, and what it then says. */
export const DEACTIVATING: { readonly [Reason in FailureReason]?: InactiveReason } = {
  accountClosed: 'accountClosed',
  invalidAccount: 'invalidAccount',
  incorrectNumber: 'invalidAccount',
  invalidRouting: 'invalidAccount',
  unauthorizedDebit: 'unauthorized',
  paymentStopped: 'unauthorized',
  fraudulent: 'fraudAlert',
  deceased: 'other',
};

/**
 * What a failed payment does to its instrument: one whose account is gone or forbidden is switched off. Only that of
 * the main borrower, who lies on the loan's shard; another one's is found out by the next payment.
 */
function lostInstrument(
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

/** A payment on an instrument, and the loan that it is for. */
interface InstrumentPayment {
  readonly loanId: string;
  readonly transaction: TransactionRecord;
}

/**
 * Payments on an instrument for the loans of which its owner is the main borrower: they lie on the same shard. A
 * payment for somebody else's loan finds out on the day on which it would begin.
 */
function paymentsOn(env: DecideEnv, personId: string, instrumentId: string): readonly InstrumentPayment[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: Number.MAX_SAFE_INTEGER });
  return rows.flatMap(({ id }) => {
    const transactions = env.read<LoanState>('loan', id)?.transactions.values() ?? [];
    const used = [...transactions].filter(({ instrument }) => instrument?.id === instrumentId);
    return used.map((transaction) => ({ loanId: id, transaction }));
  });
}

/** Money on its way, which the instrument cannot be taken from. */
const isUnderWay = ({ transaction: { status } }: InstrumentPayment): boolean => status === 'initiated' || status === 'pending';

/** What is scheduled on an instrument ends with it. */
function cancelScheduled(payments: readonly InstrumentPayment[]): readonly FactDraft[] {
  return payments
    .filter(({ transaction: { status } }) => status === 'scheduled')
    .map(({ loanId, transaction }) => ({
      ...moveDraft(transaction, 'cancel', { cancelReason: 'instrumentInactive' }, null),
      target: { kind: 'loan', id: loanId },
    }));
}

/** Whether money is on its way that is taken from the instrument. */
export const isPaymentUnderWay = (env: DecideEnv, personId: string, instrumentId: string): boolean =>
  paymentsOn(env, personId, instrumentId).some(isUnderWay);

/** What ends with the instruments that facts of their borrower remove or make inactive. */
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

/** The answers to questions of a verification that the loans of a borrower know. */
export function loanAnswers(env: EvolveEnv, loanIds: readonly string[]): AnswersOfLoans {
  const loans = loanIds.flatMap((id) => env.read<LoanState>('loan', id) ?? []);
  const records = loans.flatMap(({ record }) => record ?? []);
  const payments = lastPayments(loans);
  return {
    lastPaymentAmount: payments.map(({ actualCents, scheduledCents }) => formatCents(actualCents ?? scheduledCents)),
    lastPaymentDate: payments.map(({ effective }) => dateText(effective.day)),
    loanAmount: records.map(({ atOrigination }) => formatCents(atOrigination.amountFinancedCents)),
    originationDate: records.map(({ zone, timestamps }) => orNull((at) => dateText(dayAt(zone, at)), timestamps.originatedAt)),
  };
}

/** The newest payment that has come, over all loans: its day first, then when it was recorded. */
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

/** What carries out commands. */
interface Executor {
  execute(request: CommandRequest): Promise<unknown>;
}

/** The way of a bank's return into the engine: a command of the service itself. */
export const tellReturns =
  (engine: Executor): TellReturn =>
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

/** Money that did not come. */
export interface Return {
  readonly record: TransactionRecord;
  readonly failure: Failure;
  readonly recording: Recording;
  /** What the caller sets besides. */
  readonly changes?: TransactionChanges;
}

/**
 * Money that did not come, with all that follows: the ledger without it, the fee for it, and an instrument that cannot be
 * charged again.
 */
export function comeBack(state: LoanState, env: EvolveEnv, returned: Return): readonly FactDraft[] {
  const { record, failure, recording, changes = {} } = returned;
  return [
    ...fail(record, failure, recording, changes),
    ...(failure.failureReason === null ? [] : returnFee(state, env, { record, failureReason: failure.failureReason, recording })),
    ...(record.isExternal ? [] : lostInstrument(env, recordOf(state).personId, record.instrument, failure.failureReason)),
  ];
}

/** The loan's transaction that an AnyId names; 404 when it has none. */
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

/** 409 that names the status and the ones in which the move is legal. */
export function requireTransactionMove(record: TransactionRecord, move: TransactionMove): void {
  if (mayMove(record.status, move)) return;
  const expected = statusesFor(move).join(' or ');
  refuse('invalidState', `The transaction is ${record.status}; it must be ${expected}.`, {
    errors: [{ path: 'status', expected, message: `the transaction is ${record.status}` }],
  });
}

/** 409 for what takes no further action: reversals, and what was reversed. */
export function refuseDone(record: TransactionRecord): void {
  if (isPaidToBorrower(record)) refuse('invalidState', `A transaction of type ${record.transactionType} cannot be changed.`);
  if (record.reversedByTransactionId !== null) refuse('invalidState', 'The transaction was reversed and cannot be changed.');
}

/** Whether chargebacks take their part of it, or may. */
export const isCharged = (state: LoanState, record: TransactionRecord): boolean =>
  disputedCents(chargebacksOf(state.chargebacks, record.id)) > 0;

/** 409 for money of which chargebacks take their part: they are changed instead. */
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
