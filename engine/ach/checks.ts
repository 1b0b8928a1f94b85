import { isRoutingNumber } from '../banking.js';
import { NAMED_SECS, SEC_CODES, transactionCode } from './codes.js';
import { addedTotals, HEADER_CONSTANTS, type Totals, totalsOf } from './file.js';
import type { Addenda } from './layouts.js';
import { type AchFault, type FoundBatch, type FoundEntry, type FoundFile, readRecords, RECORDS_OF_STEP } from './reader.js';
import { isKnownChangeCode, isKnownReturnCode } from './returns.js';

/** A file that was read and checked. */
export interface AchReading extends FoundFile {
  /** What makes a file unusable, and what is merely odd, in the order of lines. */
  readonly errors: readonly AchFault[];
  readonly warnings: readonly AchFault[];
}

/** Reads a NACHA file and makes every check of its rules. */
export function readAch(content: string): AchReading {
  const steps = readAchInSteps(content);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same in steps, between which other work may run. */
export function* readAchInSteps(content: string): Generator<undefined, AchReading> {
  const found = yield* readRecords(content);
  const checker = new Checker();
  yield* checker.file(found);
  return { ...found, errors: [...found.errors, ...checker.errors], warnings: [...found.warnings, ...checker.warnings] };
}

/** Files of which a part is missing. Some processors send their returns without header and control of the file. */
const MISSING_PARTS: ReadonlySet<string> = new Set(['no-file-header', 'no-file-control', 'batch-before-file-header']);

/** Faults other than a missing header or control of the file: with `false` nothing of the file can be relied on. */
export const isUsable = ({ errors }: AchReading, acceptsParts = false): boolean =>
  errors.every(({ code }) => acceptsParts && MISSING_PARTS.has(code));

const isReturnAddenda = ({ type }: Addenda): boolean => type !== 'information' && type !== 'other';

class Checker {
  readonly errors: AchFault[] = [];
  readonly warnings: AchFault[] = [];

  *file({ header, batches, control, records }: FoundFile): Generator<undefined, void> {
    if (header !== null) {
      const { line, recordSize, blockingFactor, formatCode } = header;
      if (recordSize !== HEADER_CONSTANTS.recordSize) this.#error('record-size-field', line, recordSize);
      if (blockingFactor !== HEADER_CONSTANTS.blockingFactor) this.#error('blocking-factor-field', line, blockingFactor);
      if (formatCode !== HEADER_CONSTANTS.formatCode) this.#error('format-code-field', line, formatCode);
    }
    let before = 0;
    for (const batch of batches) {
      if (batch.header.batchNumber <= before) this.#warn('batch-number-not-ascending', batch.line);
      before = batch.header.batchNumber;
      yield* this.#batch(batch);
    }
    if (control === null) return;
    const { line } = control;
    const totals = addedTotals(batches.map(({ entries }) => totalsOf(entries)));
    this.#equal('file-batch-count', line, control.batchCount, batches.length);
    this.#sums('file', line, control, totals);
    const blocks = Math.ceil(records / 10);
    if (control.blockCount !== blocks) this.#warn('file-block-count', line, `${control.blockCount}, counted ${blocks}`);
  }

  *#batch(batch: FoundBatch): Generator<undefined, void> {
    const { header, line, entries, control } = batch;
    if (!SEC_CODES.has(header.sec)) this.#error('sec-code', line, header.sec);
    if (!['200', '220', '225', '280'].includes(header.serviceClass)) this.#error('service-class', line, header.serviceClass);
    if (header.sec !== 'IAT' && /^0+$/.test(header.companyName)) this.#error('company-name-zeros', line);
    if (/^0+$/.test(header.entryDescription)) this.#error('entry-description-zeros', line);
    const comesBack = entries.some(({ addenda }) => addenda.some(isReturnAddenda));
    let before = '';
    for (const [at, entry] of entries.entries()) {
      if (at % RECORDS_OF_STEP === RECORDS_OF_STEP - 1) yield;
      this.#entry(entry, batch);
      // Returns carry the trace of the returning bank, in any order.
      if (comesBack) continue;
      if (before !== '' && entry.trace <= before) this.#error('trace-not-ascending', entry.line, entry.trace);
      before = entry.trace;
    }
    if (control !== null) this.#batchControl(batch, control);
  }

  #batchControl({ header, entries }: FoundBatch, control: NonNullable<FoundBatch['control']>): void {
    const { line } = control;
    this.#sums('batch', line, control, totalsOf(entries));
    this.#same('service-class-differs', line, header.serviceClass, control.serviceClass);
    // International batches leave the company's id out of their control record.
    if (control.companyId !== '' || header.sec !== 'IAT') this.#same('company-id-differs', line, header.companyId, control.companyId);
    this.#same('odfi-differs', line, header.odfi, control.odfi);
    this.#equal('batch-number-differs', line, control.batchNumber, header.batchNumber);
  }

  #entry(entry: FoundEntry, { header }: FoundBatch): void {
    const { line, trace, routingNumber, receiverName, addenda, addendaIndicator } = entry;
    const code = transactionCode(entry.transactionCode);
    if (code === undefined) this.#error('transaction-code', line, entry.transactionCode);
    else if (header.serviceClass === '220' && code.direction === 'debit') this.#warn('debit-in-credit-batch', line);
    else if (header.serviceClass === '225' && code.direction === 'credit') this.#warn('credit-in-debit-batch', line);
    if (!isRoutingNumber(routingNumber)) this.#error('check-digit', line, routingNumber);
    if (!/^\d{15}$/.test(trace)) this.#warn('trace-not-15-digits', line, trace);
    else if (!trace.startsWith(header.odfi)) this.#warn('trace-prefix-not-odfi', line, trace);
    if (NAMED_SECS.has(header.sec) && receiverName === '') this.#error('receiver-name-missing', line);
    if ((addendaIndicator === '1') !== addenda.length > 0) this.#error('addenda-indicator', line, addendaIndicator);
    for (const [index, each] of addenda.entries()) this.#addenda(each, entry, index);
  }

  #addenda(addenda: Addenda, { trace, addendaLines }: FoundEntry, index: number): void {
    const line = addendaLines[index] ?? null;
    switch (addenda.type) {
      case 'information':
        if (addenda.sequence !== index + 1) this.#warn('addenda-sequence', line, String(addenda.sequence));
        if (addenda.entryTrace !== trace.slice(-7)) this.#warn('addenda-entry-trace', line, addenda.entryTrace);
        return;
      case 'return':
      case 'dishonoredReturn':
      case 'contestedReturn':
        if (!isKnownReturnCode(addenda.code)) this.#error('return-code', line, addenda.code);
        break;
      case 'change':
      case 'refusedChange':
        if (!isKnownChangeCode(addenda.code)) this.#error('change-code', line, addenda.code);
        break;
      case 'other':
        return;
    }
    if (addenda.trace !== trace) this.#warn('addenda-trace', line, addenda.trace);
  }

  #sums(of: 'batch' | 'file', line: number, written: Totals, computed: Totals): void {
    this.#equal(`${of}-entry-count`, line, written.entryAddendaCount, computed.entryAddendaCount);
    this.#equal(`${of}-hash`, line, written.entryHash, computed.entryHash);
    this.#equal(`${of}-debit-total`, line, written.debitCents, computed.debitCents);
    this.#equal(`${of}-credit-total`, line, written.creditCents, computed.creditCents);
  }

  #equal(code: string, line: number, written: number, computed: number): void {
    if (written !== computed) this.#error(code, line, `${written}, computed ${computed}`);
  }

  #same(code: string, line: number, header: string, control: string): void {
    if (header.trim() !== control.trim()) this.#error(code, line, `${header}, control ${control}`);
  }

  #error(code: string, line: number | null, detail?: string): void {
    this.errors.push({ code, line, ...(detail === undefined ? {} : { detail }) });
  }

  #warn(code: string, line: number | null, detail?: string): void {
    this.warnings.push({ code, line, ...(detail === undefined ? {} : { detail }) });
  }
}
