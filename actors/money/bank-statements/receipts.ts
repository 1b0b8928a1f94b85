import { must } from '../../../engine/index.js';
import type { BankEntry, EntryResult } from './entries.js';
import type { BankStatementState, ReceiptMove } from './statement.js';

/** Before the day and the moment of its recording. */
export type NewReceiptMove = Omit<ReceiptMove, 'recordedDay' | 'recordedAt'>;

/** The receipts of a statement that nothing explains, by the number of the entry. */
function openReceipts({ receipts }: Pick<BankStatementState, 'receipts'>): ReadonlyMap<number, ReceiptMove> {
  const open = new Map<number, ReceiptMove>();
  for (const move of receipts) {
    if (move.type === 'opened') open.set(move.entry, move);
    else open.delete(move.entry);
  }
  return open;
}

const closing = ({ entry, amountCents, day }: ReceiptMove): NewReceiptMove => ({ type: 'closed', entry, amountCents, day });

/**
 * What a matching changes: money that came and that nothing explains is a receipt without a loan until something does, or a person has
 * settled it otherwise.
 */
export function receiptMoves(
  state: Pick<BankStatementState, 'receipts'>,
  entries: readonly BankEntry[],
  results: readonly EntryResult[],
  isSettled: (number: number) => boolean,
): readonly NewReceiptMove[] {
  const open = openReceipts(state);
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  return results.flatMap(({ number, status }): readonly NewReceiptMove[] => {
    const { amountCents, day } = must(byNumber.get(number), 'a result is of an entry');
    const isReceipt = status === 'unexpected' && amountCents > 0 && !isSettled(number);
    const known = open.get(number);
    if (known === undefined) return isReceipt ? [{ type: 'opened', entry: number, amountCents, day }] : [];
    return isReceipt ? [] : [closing(known)];
  });
}

/** All of them end when the statement is withdrawn. */
export const closedReceipts = (state: Pick<BankStatementState, 'receipts'>): readonly NewReceiptMove[] =>
  [...openReceipts(state).values()].map(closing);
