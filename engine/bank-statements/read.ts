import { readBai2 } from './bai2.js';
import { readCamt053 } from './camt053.js';
import { readStatementCsv, type StatementCsvMapping } from './csv.js';
import { statementTextOf } from './decode.js';
import { readMt940 } from './mt940.js';
import { type StatementFormat, StatementFaults, type StatementReading } from './statement.js';

/** What is known of a file before it is read. */
export interface StatementOrder {
  /** Null: as its first characters say. */
  readonly format: StatementFormat | null;
  /** Of CSV. */
  readonly mapping: StatementCsvMapping | null;
}

/** Reads the bytes of a file. Whatever they are, the answer is a reading: one with errors is not to be used. */
export function readBankStatement(bytes: Uint8Array, { format, mapping }: StatementOrder): StatementReading {
  const faults = new StatementFaults();
  const text = statementTextOf(bytes, mapping?.encoding ?? null, faults);
  const found = format ?? (mapping === null ? formatOf(text) : 'csv');
  if (faults.all.length > 0 || found === null) {
    if (faults.all.length === 0) faults.add('no-statement');
    return { format: found ?? 'csv', statements: [], errors: faults.all, warnings: [] };
  }
  switch (found) {
    case 'bai2':
      return bare(readBai2(text));
    case 'camt053':
      return readCamt053(text);
    case 'mt940':
      return bare(readMt940(text));
    case 'csv':
      return readStatementCsv(text, mapping ?? NO_MAPPING);
  }
}

const NO_MAPPING: StatementCsvMapping = { dateFormat: 'YYYY-MM-DD', columns: { bookingDate: 'bookingDate', amount: 'amount' } };

/** Without what only the format has. */
const bare = ({ format, statements, errors, warnings }: StatementReading): StatementReading => ({ format, statements, errors, warnings });

function formatOf(text: string): StatementFormat | null {
  const start = text.slice(0, 1_000).trimStart();
  if (start.startsWith('<')) return 'camt053';
  if (start.startsWith('01,')) return 'bai2';
  return /^(?:\{1:|:20:|:\d\d[A-Z]?:)/.test(start) ? 'mt940' : null;
}
