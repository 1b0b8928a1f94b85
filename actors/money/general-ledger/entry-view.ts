import { accountFor, type CompanyState, mappingOn } from '../../company/index.js';
import type { ActorView } from '../../kernel/actor-logic.js';
import { type AnyId, type DateText, dateText, type DateTimeText, dateTimeText } from '../../wire.js';
import type { PageQuery } from '../../list-order.js';
import { type Basis, type Dimensions, type Entry, entryIdOf, isOfLoan, type Role } from './entries.js';
import { type MoneyText, moneyText } from './view.js';

export interface LedgerEntryListQuery extends PageQuery {
  readonly basis?: Basis;
  readonly accountId?: AnyId;
  readonly role?: Role;
  readonly loanId?: AnyId;
  readonly drawId?: AnyId;
  readonly investorId?: AnyId;
  readonly factId?: string;
  readonly caseId?: AnyId;
  readonly recordedBy?: string;
  readonly correctionsOnly?: boolean;
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
  /** Which date lies between `fromDate` and `toDate`; default `accounting`. */
  readonly dateKind?: 'accounting' | 'effective';
}

interface LedgerLineView {
  readonly lineNo: number;
  readonly role: Role;
  readonly dimensions: Dimensions;
  /** Null: the mapping of the day has no account for the role. */
  readonly accountId: string | null;
  readonly accountNumber: string | null;
  readonly accountName: string | null;
  readonly debit: MoneyText;
  readonly credit: MoneyText;
  /** Whose books the line stands in, if each owner has books of its own. */
  readonly owner: string | null;
}

export interface LedgerEntryView {
  readonly id: string;
  readonly object: 'generalLedgerEntry';
  readonly companyId: string;
  readonly batchId: string | null;
  readonly key: string;
  readonly basis: Basis;
  readonly accountingDate: DateText;
  readonly effectiveDate: DateText;
  readonly effectiveThrough: DateText | null;
  readonly recordedAt: DateTimeText;
  /** Null for money without a loan. */
  readonly loanId: string | null;
  readonly drawId: string | null;
  readonly factId: string;
  readonly factType: string;
  readonly rule: string;
  /** The fact whose entries it corrects. */
  readonly corrects: string | null;
  readonly priorYear: boolean;
  readonly recordedBy: string | null;
  readonly caseId: string | null;
  readonly lines: readonly LedgerLineView[];
}

/** An entry with what it rests on. */
export interface LedgerEntryTrace extends LedgerEntryView {
  /** What the amounts rest on, in words. */
  readonly explanation: string | null;
  /** The payment, credit or refund that the fact is about. */
  readonly transactionId: string | null;
  /** The borrower of the loan. */
  readonly personId: string | null;
  /** Who recorded the fact; null for the daily work. */
  readonly by: ActorView | null;
}

export function entryView(company: CompanyState, entry: Entry, batchId: string | null): LedgerEntryView {
  const mapping = mappingOn(company, entry.accountingDate);
  return {
    id: entryIdOf(entry),
    object: 'generalLedgerEntry',
    companyId: company.id,
    batchId,
    key: entry.key,
    basis: entry.basis,
    accountingDate: dateText(entry.accountingDate),
    effectiveDate: dateText(entry.effectiveDate),
    effectiveThrough: entry.effectiveThrough === undefined ? null : dateText(entry.effectiveThrough),
    recordedAt: dateTimeText(entry.recordedAt),
    loanId: isOfLoan(entry.loanId) ? entry.loanId : null,
    drawId: entry.drawId ?? null,
    factId: entry.factId,
    factType: entry.factType,
    rule: entry.rule,
    corrects: entry.corrects ?? null,
    priorYear: entry.priorYear,
    recordedBy: entry.actor ?? null,
    caseId: entry.caseId ?? null,
    lines: entry.lines.map(({ role, dimensions, amount, owner }, at) => {
      const account = accountFor(company, mapping, { role, dimensions: owner === undefined ? dimensions : { ...dimensions, owner } });
      return {
        lineNo: at + 1,
        role,
        dimensions,
        accountId: account?.id ?? null,
        accountNumber: account?.number ?? null,
        accountName: account?.name ?? null,
        debit: moneyText(Math.max(amount, 0)),
        credit: moneyText(Math.max(-amount, 0)),
        owner: owner ?? null,
      };
    }),
  };
}

interface Wanted {
  readonly query: LedgerEntryListQuery;
  readonly company: CompanyState;
  /** Service ids of what the query names. */
  readonly accountId: string | undefined;
  readonly investorId: string | undefined;
}

/** Whether an entry passes the filters of a list. */
export function isWanted(entry: Entry, { query, company, accountId, investorId }: Wanted): boolean {
  const { role, drawId, factId, caseId, recordedBy, correctionsOnly, fromDate, toDate, dateKind = 'accounting' } = query;
  const date = dateText(dateKind === 'accounting' ? entry.accountingDate : entry.effectiveDate);
  return (
    (fromDate === undefined || date >= fromDate) &&
    (toDate === undefined || date <= toDate) &&
    (drawId === undefined || entry.drawId === drawId) &&
    (factId === undefined || entry.factId === factId) &&
    (caseId === undefined || entry.caseId === caseId) &&
    (recordedBy === undefined || entry.actor === recordedBy) &&
    (correctionsOnly !== true || entry.corrects !== undefined) &&
    (role === undefined || entry.lines.some((line) => line.role === role)) &&
    (investorId === undefined || entry.lines.some((line) => isOf(line, investorId))) &&
    (accountId === undefined || entryView(company, entry, null).lines.some((line) => line.accountId === accountId))
  );
}

export const isOf = ({ dimensions, owner }: Pick<Entry['lines'][number], 'dimensions' | 'owner'>, investorId: string): boolean =>
  dimensions.investor === investorId || dimensions.owner === investorId || owner === investorId;
