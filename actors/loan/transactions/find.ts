import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';
import { isOfRefund } from '../purchases/refund-transactions.js';
import type { LoanState } from '../state.js';
import { chargebacksOf, disputedCents } from './chargebacks/record.js';
import { mayMove, statusesFor, type TransactionMove } from './machine.js';
import { isPaidToBorrower, type TransactionRecord } from './record.js';

/** The loan's transaction that an AnyId names; 404 when it has none. */
export function transactionOf(state: LoanState, anyId: string | undefined): TransactionRecord {
  const known = anyId === undefined ? undefined : findTransaction(state, anyId);
  if (known === undefined && isOfRefund(state, anyId)) refuseDerived(anyId);
  return known ?? refuse('notFound', `The loan ${state.id} has no transaction ${anyId ?? ''}.`);
}

function refuseDerived(id: string | undefined): never {
  refuse('invalidState', `The transaction ${id ?? ''} follows from a refunded purchase: change that instead.`);
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
  if (isPaidToBorrower(record)) refuse('invalidState', `A ${record.transactionType} accepts no further action.`);
  if (record.reversedByTransactionId !== null) refuse('invalidState', 'The transaction was reversed and accepts no further action.');
}

/** Whether chargebacks take their part of it, or may. */
export const isCharged = (state: LoanState, record: TransactionRecord): boolean =>
  disputedCents(chargebacksOf(state.chargebacks, record.id)) > 0;

/** 409 for money of which chargebacks take their part: they are changed instead. */
export function refuseCharged(state: LoanState, record: TransactionRecord): void {
  if (!isCharged(state, record)) return;
  refuse('invalidState', 'The transaction has chargebacks: change those instead.');
}

/** 409 when another transaction of the company has the external id. */
export function checkExternalId(env: DecideEnv, tenant: Tenant, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(tenant, 'transaction', externalId) === undefined) return;
  refuse('duplicate', `A transaction with the external id ${externalId} exists.`, {
    errors: [{ path: 'externalId', expected: 'an id that no other transaction has', message: 'taken' }],
  });
}
