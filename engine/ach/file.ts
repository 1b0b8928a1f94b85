import { assert } from '../assert.js';
import { add, type Cents, ZERO } from '../money/index.js';
import { serviceClassOf, transactionCode, type TransactionCode } from './codes.js';
import { RECORD_LENGTH } from './fields.js';
import {
  type Addenda,
  BATCH_CONTROL,
  BATCH_HEADER,
  type BatchControl,
  type BatchHeader,
  type EntryRecord,
  entryLayoutOf,
  FILE_CONTROL,
  FILE_HEADER,
  type FileControl,
  type FileHeader,
  writeAddenda,
} from './layouts.js';

/** A NACHA file: entries in batches. Counts, totals and hashes are never stored: they follow from the entries. */
export interface AchFile {
  readonly header: FileHeader;
  readonly batches: readonly AchBatch[];
}

export interface AchBatch {
  readonly header: BatchHeader;
  readonly entries: readonly AchEntry[];
}

export interface AchEntry extends EntryRecord {
  readonly addenda: readonly Addenda[];
}

/** Fields of the header that are the same in every file. */
export const HEADER_CONSTANTS = { priority: '01', recordSize: '094', blockingFactor: '10', formatCode: '1' } as const;

/** Records in a block. The last block is filled with records of nines. */
const BLOCKING_FACTOR = 10;
const FILLER = '9'.repeat(RECORD_LENGTH);
/** The low-order ten digits of an entry hash are kept. */
const HASH_MODULUS = 10_000_000_000;

export interface Totals {
  readonly entryAddendaCount: number;
  readonly entryHash: number;
  readonly debitCents: Cents;
  readonly creditCents: Cents;
}

/** The sums that a batch control states: they follow from the entries alone. */
export function totalsOf(entries: readonly AchEntry[]): Totals {
  let totals: Totals = { entryAddendaCount: 0, entryHash: 0, debitCents: ZERO, creditCents: ZERO };
  for (const { routingNumber, transactionCode: code, amountCents, addenda } of entries) {
    const isDebit = transactionCode(code)?.direction === 'debit';
    const isCredit = transactionCode(code)?.direction === 'credit';
    totals = {
      entryAddendaCount: totals.entryAddendaCount + 1 + addenda.length,
      entryHash: (totals.entryHash + (Number(routingNumber.slice(0, 8)) || 0)) % HASH_MODULUS,
      debitCents: isDebit ? add(totals.debitCents, amountCents) : totals.debitCents,
      creditCents: isCredit ? add(totals.creditCents, amountCents) : totals.creditCents,
    };
  }
  return totals;
}

/** The sums of a file: those of its batches. */
export const addedTotals = (parts: readonly Totals[]): Totals =>
  parts.reduce(
    (total, part): Totals => ({
      entryAddendaCount: total.entryAddendaCount + part.entryAddendaCount,
      entryHash: (total.entryHash + part.entryHash) % HASH_MODULUS,
      debitCents: add(total.debitCents, part.debitCents),
      creditCents: add(total.creditCents, part.creditCents),
    }),
    { entryAddendaCount: 0, entryHash: 0, debitCents: ZERO, creditCents: ZERO },
  );

/** The service class that the entries of a batch need. */
export function serviceClassFor(entries: readonly AchEntry[]): string {
  const directions = new Set<TransactionCode['direction']>();
  for (const entry of entries) {
    const code = transactionCode(entry.transactionCode);
    if (code !== undefined) directions.add(code.direction);
  }
  return serviceClassOf(directions);
}

/** The control record of a batch. */
export const batchControlOf = ({ header, entries }: AchBatch): BatchControl => ({
  ...totalsOf(entries),
  serviceClass: header.serviceClass,
  companyId: header.companyId,
  authenticationCode: '',
  odfi: header.odfi,
  batchNumber: header.batchNumber,
});

const blocksOf = (records: number): number => Math.ceil(records / BLOCKING_FACTOR);

/** The control record of a file of so many records, itself included. */
export function fileControlOf(batches: readonly AchBatch[], records: number): FileControl {
  return { ...addedTotals(batches.map(({ entries }) => totalsOf(entries))), batchCount: batches.length, blockCount: blocksOf(records) };
}

/** The text of a file, each record on its line. Asserts what a bank would refuse: every value must fit, and traces must ascend. */
export function writeAch({ header, batches }: AchFile): string {
  const records = [FILE_HEADER.write(header)];
  for (const batch of batches) records.push(...batchRecords(batch));
  const control = fileControlOf(batches, records.length + 1);
  records.push(FILE_CONTROL.write(control));
  while (records.length % BLOCKING_FACTOR !== 0) records.push(FILLER);
  return `${records.join('\n')}\n`;
}

function* batchRecords(batch: AchBatch): Iterable<string> {
  const { header, entries } = batch;
  const entryLayout = entryLayoutOf(header.sec);
  yield BATCH_HEADER.write(header);
  let before = '';
  for (const entry of entries) {
    const isReturn = entry.addenda.some(({ type }) => type !== 'information' && type !== 'other');
    assert(isReturn || entry.trace > before, 'traces of a batch ascend');
    before = entry.trace;
    yield entryLayout.write(entry);
    for (const addenda of entry.addenda) yield writeAddenda(addenda);
  }
  yield BATCH_CONTROL.write(batchControlOf(batch));
}

/** A name or text as it may stand in a file: printable ASCII in capitals, cut to its field. */
export const achText = (value: string, width: number): string =>
  value
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .toUpperCase()
    .slice(0, width)
    .trimEnd();
