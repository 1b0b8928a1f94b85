import { amountText, civil, csvLine, type Day, formatDay } from '../../../../engine/index.js';
import type { FileHead, FileJournal, FileJournals } from './rows.js';

/*
 * Files for the imports of other books. An entry with fewer than two lines is none for them; each of ours has two. Memos have ids alone.
 */

const blankZero = (cents: number): string => (cents === 0 ? '' : amountText(cents));

/** Ids that lead from a line in other books to its entry here. */
const memoOf = ({ key, entry }: FileJournal): string => (entry === null ? key : `${entry.rule} ${entry.loanId} ${entry.factId}`);

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** As in `03/31/2026`. */
function usDate(day: Day): string {
  const { year, month, day: ofMonth } = civil(day);
  return `${twoDigits(month)}/${twoDigits(ofMonth)}/${year}`;
}

/** A NetSuite journal entry: the external id groups its lines, and keeps a second import from booking it twice. */
export async function* netsuite({ batch, day }: FileHead, journals: FileJournals): AsyncIterable<string> {
  yield `${csvLine(['External ID', 'Date', 'Memo', 'Subsidiary', 'Account', 'Debit', 'Credit', 'Line Memo'])}\r\n`;
  for await (const journal of journals)
    for (const { account, role, debitCents, creditCents } of journal.lines)
      yield `${csvLine([
        journal.number,
        formatDay(day),
        `${batch.id} ${batch.basis}`,
        '',
        account.number,
        blankZero(debitCents),
        blankZero(creditCents),
        `${role} ${memoOf(journal)}`,
      ])}\r\n`;
}

/** A Sage Intacct journal: the head on the first line of each entry alone. */
export async function* sageIntacct({ batch, day }: FileHead, journals: FileJournals): AsyncIterable<string> {
  yield `${csvLine(['JOURNAL', 'DATE', 'DESCRIPTION', 'LINE_NO', 'ACCT_NO', 'DEBIT', 'CREDIT', 'MEMO', 'LOCATION_ID', 'DEPT_ID'])}\r\n`;
  for await (const journal of journals)
    for (const { lineNo, account, role, debitCents, creditCents } of journal.lines) {
      const head = lineNo === 1 ? ['GJ', usDate(day), `${journal.number} ${batch.id}`] : ['', '', ''];
      yield `${csvLine([
        ...head,
        String(lineNo),
        account.number,
        blankZero(debitCents),
        blankZero(creditCents),
        `${role} ${memoOf(journal)}`,
        '',
        '',
      ])}\r\n`;
    }
}

/** A QuickBooks Online journal: accounts by their names. */
export async function* onlineJournals({ day }: FileHead, journals: FileJournals): AsyncIterable<string> {
  yield `${csvLine(['JournalNo', 'JournalDate', 'AccountName', 'Debits', 'Credits', 'Description', 'Name'])}\r\n`;
  for await (const journal of journals)
    for (const { account, role, debitCents, creditCents } of journal.lines)
      yield `${csvLine([
        journal.number,
        usDate(day),
        account.name,
        blankZero(debitCents),
        blankZero(creditCents),
        `${role} ${memoOf(journal)}`,
        '',
      ])}\r\n`;
}

/** A QuickBooks desktop file: tabs between fields, one amount a line, debits positive. */
export async function* desktopJournals({ day }: FileHead, journals: FileJournals): AsyncIterable<string> {
  const names = ['TRNSTYPE', 'DATE', 'ACCNT', 'AMOUNT', 'DOCNUM', 'MEMO'];
  yield `${tabbed(['!TRNS', ...names])}${tabbed(['!SPL', ...names])}${tabbed(['!ENDTRNS'])}`;
  for await (const journal of journals) {
    for (const { lineNo, account, role, debitCents, creditCents } of journal.lines)
      yield tabbed([
        lineNo === 1 ? 'TRNS' : 'SPL',
        'GENERAL JOURNAL',
        usDate(day),
        account.name,
        amountText(debitCents - creditCents),
        journal.number,
        `${role} ${memoOf(journal)}`,
      ]);
    yield tabbed(['ENDTRNS']);
  }
}

const tabbed = (values: readonly string[]): string => `${values.map((value) => value.replaceAll(/[\t\r\n"]/g, ' ')).join('\t')}\r\n`;
