import type { Day } from '../../../../engine/index.js';
import type { LedgerAccount } from '../../../company/index.js';
import type { BatchState, ExportDetail } from '../batch.js';
import { dimensionsText, type Dimensions, type Entry, type Role } from '../entries.js';
import type { AccountOf } from '../mapped.js';

/** A line of a file. Amounts are cents; one of debit and credit is zero. */
interface FileLine {
  readonly lineNo: number;
  readonly account: LedgerAccount;
  readonly role: Role;
  readonly dimensions: Dimensions;
  readonly debitCents: number;
  readonly creditCents: number;
}

/** What is booked together: an entry, or the whole day where the file sums up. */
export interface FileJournal {
  readonly key: string;
  /** The number of the journal in the books of the lender: it is booked once. */
  readonly number: string;
  readonly entry: Entry | null;
  readonly lines: readonly FileLine[];
}

/** What a writer knows of the batch. */
export interface FileHead {
  readonly batch: BatchState;
  readonly day: Day;
  readonly currency: string;
}

/** Entries of a batch, in order, as lines on accounts. */
export type FileJournals = AsyncIterable<FileJournal>;

export async function* journalsOf(
  batch: BatchState,
  detail: ExportDetail,
  {
    entries,
    accountOf,
    numberOf,
  }: {
    readonly entries: AsyncIterable<Entry>;
    readonly accountOf: AccountOf;
    readonly numberOf: (key: string) => string;
  },
): FileJournals {
  if (detail === 'summary') {
    // The entries are walked all the same: their hash is compared.
    let count = 0;
    for await (const { lines } of entries) count += lines.length;
    if (count !== batch.lineCount) return;
    const key = `${batch.tenant.company}/${batch.tenant.mode}/${batch.basis}/${batch.sequence}`;
    const lines = batch.totals.flatMap(({ role, dimensions, debitCents, creditCents }) => {
      const net = debitCents - creditCents;
      return net === 0 ? [] : [{ role, dimensions, net }];
    });
    yield { key, number: numberOf(key), entry: null, lines: numbered(lines, accountOf) };
    return;
  }
  for await (const entry of entries) {
    const lines = entry.lines.map(({ role, dimensions, amount, owner }) => ({
      role,
      dimensions: owner === undefined ? dimensions : { ...dimensions, owner },
      net: amount,
    }));
    yield { key: entry.key, number: numberOf(entry.key), entry, lines: numbered(lines, accountOf) };
  }
}

const numbered = (
  lines: readonly { readonly role: Role; readonly dimensions: Dimensions; readonly net: number }[],
  accountOf: AccountOf,
): readonly FileLine[] =>
  lines.map(({ role, dimensions, net }, at) => {
    const account = accountOf({ role, dimensions });
    if (account === undefined) throw new Error(`the role ${role} ${dimensionsText(dimensions)} has no account`);
    return { lineNo: at + 1, account, role, dimensions, debitCents: Math.max(net, 0), creditCents: Math.max(-net, 0) };
  });
