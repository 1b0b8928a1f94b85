import type { Cents } from '../../../engine/index.js';

/** What an entry of an outgoing file stands for. */
export interface OutgoingEntry {
  readonly trace: string;
  readonly direction: 'debit' | 'credit';
  readonly amountCents: Cents;
  readonly personId: string;
  readonly instrumentId: string;
  /** Null: it verifies an account. */
  readonly payment: { readonly loanId: string; readonly transactionId: string } | null;
  /** It moves no money: the bank checks the account. */
  readonly isPrenote?: true;
}

/** What became of an entry of a file from the bank. */
export interface IncomingEntry {
  /** Of the original entry. */
  readonly trace: string;
  /** R01 and so on; C01 and so on. */
  readonly code: string;
  readonly direction: 'debit' | 'credit';
  readonly amountCents: Cents;
  readonly personId: string | null;
  readonly instrumentId: string | null;
  readonly payment: OutgoingEntry['payment'];
  readonly isPrenote?: true;
  /** Null: what follows was recorded. */
  readonly problem: string | null;
  /** That its own bank has given it. Absent: an earlier release has taken it. */
  readonly ownTrace?: string;
}

/**
 * The text of a file from a bank, a character for each byte: its columns are bytes. NACHA has ASCII alone; what a bank puts into names all
 * the same, in whatever encoding, keeps its bytes and moves no column.
 */
export const textOfFile = (content: Uint8Array): string =>
  Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');

export const packEntries = (entries: readonly (OutgoingEntry | IncomingEntry)[]): Buffer => Buffer.from(JSON.stringify(entries));

export function unpackOutgoing(content: Uint8Array): readonly OutgoingEntry[] {
  const entries: readonly OutgoingEntry[] = JSON.parse(Buffer.from(content).toString('utf8'));
  return entries;
}

export function unpackIncoming(content: Uint8Array): readonly IncomingEntry[] {
  const entries: readonly IncomingEntry[] = JSON.parse(Buffer.from(content).toString('utf8'));
  return entries;
}
