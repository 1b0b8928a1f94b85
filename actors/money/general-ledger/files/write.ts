import { createHash } from 'node:crypto';
import { formatDay } from '../../../../engine/index.js';
import type { BatchState, ExportDetail, ExportFormat } from '../batch.js';
import type { Entry } from '../entries.js';
import type { AccountOf } from '../mapped.js';
import { desktopJournals, netsuite, onlineJournals, sageIntacct } from './foreign.js';
import { ownCsv, ownJson } from './own.js';
import { type FileHead, type FileJournals, journalsOf } from './rows.js';

const WRITERS = {
  csv: ownCsv,
  json: ownJson,
  netsuite,
  sageIntacct,
  quickBooksOnline: onlineJournals,
  iif: desktopJournals,
} as const satisfies Readonly<Record<ExportFormat, (head: FileHead, journals: FileJournals) => AsyncIterable<string>>>;

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  csv: 'csv',
  json: 'json',
  netsuite: 'csv',
  sageIntacct: 'csv',
  quickBooksOnline: 'csv',
  iif: 'iif',
};

const NUMBER_LETTERS = 12;

/** The number of a journal in other books: QuickBooks takes 21 characters at most. */
const numberOf = (key: string): string => `GL${createHash('sha256').update(key).digest('hex').slice(0, NUMBER_LETTERS)}`;

/** As in `ledger_accrual_20260331_000017_csv.csv`: the same for the same file. */
export const fileNameOf = ({ basis, day, sequence }: BatchState, format: ExportFormat, detail: ExportDetail): string =>
  [
    'ledger',
    basis,
    formatDay(day).replaceAll('-', ''),
    String(sequence).padStart(6, '0'),
    format,
    ...(detail === 'summary' ? [detail] : []),
  ]
    .join('_')
    .concat('.', EXTENSIONS[format]);

export interface WrittenFile {
  readonly content: Buffer;
  /** Lines on accounts. */
  readonly rowCount: number;
}

/** Writes the file of a batch. `accountOf` has an account for each role that the batch uses. */
export async function writeFile(
  head: FileHead,
  { format, detail }: { readonly format: ExportFormat; readonly detail: ExportDetail },
  { entries, accountOf }: { readonly entries: AsyncIterable<Entry>; readonly accountOf: AccountOf },
): Promise<WrittenFile> {
  let rowCount = 0;
  let restCents = 0;
  const journals = async function* (): FileJournals {
    for await (const journal of journalsOf(head.batch, detail, { entries, accountOf, numberOf })) {
      rowCount += journal.lines.length;
      for (const { debitCents, creditCents } of journal.lines) restCents += debitCents - creditCents;
      yield journal;
    }
  };
  const pieces: Buffer[] = [];
  for await (const text of WRITERS[format](head, journals())) pieces.push(Buffer.from(text));
  if (restCents !== 0) throw new Error(`the file of the batch ${head.batch.id} does not balance`);
  return { content: Buffer.concat(pieces), rowCount };
}
