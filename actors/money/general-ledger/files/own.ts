import { amountText, csvLine, formatDay } from '../../../../engine/index.js';
import { isOfLoan } from '../entries.js';
import type { FileHead, FileJournal, FileJournals } from './rows.js';

const COLUMNS = [
  'batchId',
  'accountingDate',
  'effectiveDate',
  'effectiveThrough',
  'entryKey',
  'lineNo',
  'basis',
  'account',
  'accountName',
  'role',
  'debit',
  'credit',
  'currency',
  'loanId',
  'drawId',
  'loanTypeId',
  'owner',
  'factId',
  'factType',
  'corrects',
  'caseId',
  'actor',
  'memo',
  'priorYear',
];

/** Our own file: a line for each row. */
export async function* ownCsv({ batch, day, currency }: FileHead, journals: FileJournals): AsyncIterable<string> {
  yield `${csvLine(COLUMNS)}\r\n`;
  for await (const { key, entry, lines } of journals) {
    const memo = entry?.rule ?? 'summary';
    for (const line of lines) {
      const { loanTypeId = '', owner = '', currency: own = currency } = line.dimensions;
      yield `${csvLine([
        batch.id,
        formatDay(day),
        formatDay(entry?.effectiveDate ?? day),
        entry?.effectiveThrough === undefined ? '' : formatDay(entry.effectiveThrough),
        key,
        String(line.lineNo),
        batch.basis,
        line.account.number,
        line.account.name,
        line.role,
        line.debitCents === 0 ? '' : amountText(line.debitCents),
        line.creditCents === 0 ? '' : amountText(line.creditCents),
        own,
        loanIdOf(entry) ?? '',
        entry?.drawId ?? '',
        loanTypeId,
        owner,
        entry?.factId ?? '',
        entry?.factType ?? '',
        entry?.corrects ?? '',
        entry?.caseId ?? '',
        entry?.actor ?? '',
        memo,
        entry === null ? '' : String(entry.priorYear),
      ])}\r\n`;
    }
  }
}

/** The batch with its entries, an entry a line. */
export async function* ownJson({ batch, day, currency }: FileHead, journals: FileJournals): AsyncIterable<string> {
  const head = {
    id: batch.id,
    company: batch.tenant.company,
    mode: batch.tenant.mode,
    basis: batch.basis,
    accountingDate: formatDay(day),
    sequence: batch.sequence,
    mappingVersion: batch.mappingId,
    rulesVersion: batch.format,
    previousHash: batch.previousHash,
    hash: batch.hash,
    entryCount: batch.entryCount,
    debitTotal: amountText(batch.debitCents),
    creditTotal: amountText(batch.creditCents),
  };
  yield `{"batch":${JSON.stringify(head)},"entries":[`;
  let isFirst = true;
  for await (const journal of journals) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(entryOf(journal, formatDay(day), currency))}`;
    isFirst = false;
  }
  yield '\n]}\n';
}

/** Null for money without a loan. */
const loanIdOf = (entry: FileJournal['entry']): string | null => (entry !== null && isOfLoan(entry.loanId) ? entry.loanId : null);

const entryOf = ({ key, entry, lines }: FileJournal, date: string, currency: string): object => ({
  key,
  dates: {
    accountingDate: date,
    effectiveDate: entry === null ? date : formatDay(entry.effectiveDate),
    effectiveThrough: entry?.effectiveThrough === undefined ? null : formatDay(entry.effectiveThrough),
    recordedAt: entry === null ? null : new Date(entry.recordedAt).toISOString(),
  },
  loanId: loanIdOf(entry),
  drawId: entry?.drawId ?? null,
  factId: entry?.factId ?? null,
  factType: entry?.factType ?? null,
  rule: entry?.rule ?? 'summary',
  corrects: entry?.corrects ?? null,
  caseId: entry?.caseId ?? null,
  actor: entry?.actor ?? null,
  priorYear: entry?.priorYear ?? null,
  lines: lines.map(({ lineNo, account, role, dimensions, debitCents, creditCents }) => ({
    lineNo,
    account: account.number,
    accountName: account.name,
    role,
    dimensions,
    debit: amountText(debitCents),
    credit: amountText(creditCents),
    currency: dimensions.currency ?? currency,
  })),
});
