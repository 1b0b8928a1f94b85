import { createHash } from 'node:crypto';
import type { AccountEntry, Cents, Day } from '../../../engine/index.js';

/** An entry of a statement, as it is kept. */
export interface BankEntry {
  /** From 1. */
  readonly number: number;
  readonly line: number;
  readonly day: Day;
  readonly valueDay: Day | null;
  readonly amountCents: Cents;
  readonly code: string;
  readonly references: readonly string[];
  readonly text: string;
  readonly isReversal: boolean;
  /** The same in every statement that has the entry. */
  readonly key: string;
}

/** What an entry was matched with. */
export interface MatchTarget {
  readonly achFileId: string | null;
  readonly settlementId: string | null;
  readonly transactionId: string | null;
  readonly loanId: string | null;
  readonly personId: string | null;
  /** The trace number of an entry of a file. */
  readonly trace: string | null;
  /** Money that was sent for the loan. Absent from what earlier releases have found. */
  readonly payoutId?: string | null;
}

export const NO_TARGET: MatchTarget = {
  achFileId: null,
  settlementId: null,
  transactionId: null,
  loanId: null,
  personId: null,
  trace: null,
};

export type EntryStatus = 'matched' | 'differentAmount' | 'unexpected' | 'duplicate';

export interface EntryResult {
  readonly number: number;
  readonly entryKey: string;
  readonly status: EntryStatus;
  readonly by: 'reference' | 'amount' | 'hand' | null;
  /** Of the expected money. */
  readonly key: string | null;
  readonly expectedCents: Cents | null;
  readonly target: MatchTarget;
  readonly note: string | null;
}

/** Numbers the entries of a file. Two that are alike in all are the first and the second of their kind, in every statement with both. */
export function keptEntries(entries: readonly AccountEntry[]): readonly BankEntry[] {
  const seen = new Map<string, number>();
  return entries.map(({ line, day, valueDay, amountCents, code, references, text, isReversal }, at) => {
    const alike = createHash('sha256')
      .update(JSON.stringify([day, valueDay, amountCents, code, references, text, isReversal]))
      .digest('hex')
      .slice(0, 32);
    const count = (seen.get(alike) ?? 0) + 1;
    seen.set(alike, count);
    return { number: at + 1, line, day, valueDay, amountCents, code, references, text, isReversal, key: `${alike}/${count}` };
  });
}

export const packStatement = (items: readonly (BankEntry | EntryResult)[]): Buffer => Buffer.from(JSON.stringify(items));

export function unpackEntryList(content: Uint8Array): readonly BankEntry[] {
  const entries: readonly BankEntry[] = JSON.parse(Buffer.from(content).toString('utf8'));
  return entries;
}

export function unpackResults(content: Uint8Array): readonly EntryResult[] {
  const results: readonly EntryResult[] = JSON.parse(Buffer.from(content).toString('utf8'));
  return results;
}
