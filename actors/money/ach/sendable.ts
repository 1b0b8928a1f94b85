import { mayRepresent } from '../../../engine/index.js';
import type { FileAccount } from '../../borrower/index.js';
import type { AwaitingFile, TransactionUnsendable } from '../../loan/index.js';
import type { BankDay } from '../bank-day.js';
import { MAX_ENTRY_CENTS, type PlannedEntry } from './building.js';

export const UNREADABLE: TransactionUnsendable = { failureReason: 'invalidAccount', details: 'The account can no longer be read.' };

/** Why a payment cannot be sent; null: it can. */
export function unsendable({ amountCents }: AwaitingFile, { status }: FileAccount, purpose: Purpose | null): TransactionUnsendable | null {
  if (status !== 'active') return { failureReason: 'invalidAccount', details: `The account is ${status}.` };
  if (purpose === null) return { failureReason: 'insufficientFunds', details: 'The payment must not be presented again.' };
  return amountCents > MAX_ENTRY_CENTS ? { failureReason: 'unknownReason', details: 'The amount is more than an entry can have.' } : null;
}

type Purpose = PlannedEntry['purpose'];

/**
 * A re-presentment is the same debit again, with the same amount; with another amount it is a payment of its own. Null: it must not be
 * presented again, since its return does not allow it, it was presented twice again, or too long ago.
 */
export function purposeOf({ direction, retry, amountCents }: AwaitingFile, today: BankDay['today']): Purpose | null {
  if (direction === 'credit') return 'refund';
  if (retry === null || retry.amountCents !== amountCents) return 'payment';
  const { returnCode, settledOn, attempt } = retry;
  // The first presentment was not made by a file: it has no code of a bank.
  if (returnCode === null || settledOn === null) return 'payment';
  return mayRepresent({ returnCode, settled: settledOn, attempts: attempt - 1 }, today) ? 'retry' : null;
}
