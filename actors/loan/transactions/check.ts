import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';
import { isOfRefund } from '../purchases/refunds.js';
import type { LoanState } from '../state.js';
import { chargebacksOf, disputedCents } from './chargebacks/record.js';
import { mayMove, statusesFor, type TransactionMove } from './machine.js';
import { isPaidToBorrower, type TransactionRecord } from './record.js';

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
