import { STATEMENT_FAULTS, type StatementFault, type StatementFormat } from '../../../engine/index.js';
import { ALL_ROWS, type CatalogRow, type QueryOf, type QuerySpec } from '../../kernel/actor.js';
import { listedActors } from '../../kernel/lists/listed-actors.js';
import { HAS_CONTENTS, outlivedQuery } from '../../kernel/retention.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import type { PageQuery } from '../../list-order.js';
import { refuse } from '../../errors.js';
import {
  amount,
  type Amount,
  type AnyId,
  dateText,
  type DateText,
  dateTimeText,
  type DateTimeText,
  dayOfText,
  type ListResult,
  orNull,
  type SignedAmount,
} from '../../wire.js';
import { cents } from '../../../engine/index.js';
import type { BankEntry, EntryResult, EntryStatus } from './entries.js';
import {
  BANK_STATEMENT,
  BANK_STATEMENT_RETENTION,
  type BankStatementState,
  type BankStatementStatus,
  bankStatementStatus,
  openStatementContent,
} from './statement.js';

export interface BankStatementView {
  readonly id: string;
  readonly object: 'bankStatement';
  readonly companyId: string;
  readonly paymentProcessorId: string;
  readonly fundingInstrumentId: string;
  readonly format: StatementFormat;
  readonly fileName: string | null;
  /** SHA-256 of the file. */
  readonly sha256: string;
  readonly status: BankStatementStatus;
  readonly fromDate: DateText | null;
  readonly throughDate: DateText | null;
  readonly openingAmount: SignedAmount | null;
  readonly closingAmount: SignedAmount | null;
  /** What the account should hold: the balance before, and all that was due since. Null until the statement is matched. */
  readonly expectedClosingAmount: SignedAmount | null;
  /** `closingAmount` less `expectedClosingAmount`. */
  readonly differenceAmount: SignedAmount | null;
  /** Due by the end of the statement, and not booked yet. */
  readonly inTransitAmount: SignedAmount | null;
  /** What neither the balance before nor the entries explain. */
  readonly unexplainedAmount: SignedAmount | null;
  readonly entryCount: number;
  readonly creditTotalAmount: Amount;
  readonly debitTotalAmount: Amount;
  readonly matchedCount: number;
  readonly differentAmountCount: number;
  readonly unexpectedCount: number;
  readonly duplicateCount: number;
  readonly missingCount: number;
  readonly warnings: readonly StatementWarningView[];
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  /** When it was withdrawn. */
  readonly deletedAt: DateTimeText | null;
}

interface StatementWarningView {
  readonly code: string;
  readonly line: number | null;
  readonly message: string;
}

export interface BankStatementEntryView {
  /** Its number in the statement, from 1, as text. */
  readonly id: string;
  readonly object: 'bankStatementEntry';
  readonly line: number;
  readonly bookingDate: DateText;
  readonly valueDate: DateText | null;
  /** Above zero: into the account. */
  readonly amount: SignedAmount;
  readonly code: string;
  readonly references: readonly string[];
  readonly text: string;
  readonly isReversal: boolean;
  readonly status: EntryStatus | 'received';
  readonly matchedBy: 'reference' | 'amount' | 'hand' | null;
  readonly expectedAmount: SignedAmount | null;
  readonly achFileId: string | null;
  readonly settlementId: string | null;
  readonly transactionId: string | null;
  readonly loanId: string | null;
  readonly payoutId: string | null;
  readonly note: string | null;
}

export interface BankStatementListQuery extends PageQuery {
  readonly fundingInstrumentId?: AnyId;
  readonly status?: BankStatementStatus;
  /** Statements that reach this day, or a later one. */
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export interface BankStatementEntryQuery extends PageQuery {
  readonly status?: EntryStatus;
}

export const warningViews = (warnings: readonly StatementFault[]): readonly StatementWarningView[] =>
  warnings.map(({ code, line }) => ({ code, line, message: STATEMENT_FAULTS[code] }));

export function bankStatementView(state: BankStatementState): BankStatementView {
  const { counts, balance, closingCents } = state;
  const expected = balance?.expectedCents ?? null;
  return {
    id: state.id,
    object: 'bankStatement',
    companyId: state.tenant.company,
    paymentProcessorId: state.processorId,
    fundingInstrumentId: state.fundingInstrumentId,
    format: state.format,
    fileName: state.fileName,
    sha256: state.sha256,
    status: bankStatementStatus(state),
    fromDate: orNull(dateText, state.fromDay),
    throughDate: orNull(dateText, state.throughDay),
    openingAmount: orNull(amount, state.openingCents),
    closingAmount: orNull(amount, closingCents),
    expectedClosingAmount: orNull(amount, expected),
    differenceAmount: closingCents === null || expected === null ? null : amount(cents(closingCents - expected)),
    inTransitAmount: orNull(amount, balance?.inTransitCents),
    unexplainedAmount: orNull(amount, balance?.unexplainedCents),
    entryCount: state.entryCount,
    creditTotalAmount: amount(state.creditCents),
    debitTotalAmount: amount(state.debitCents),
    matchedCount: counts?.matched ?? 0,
    differentAmountCount: counts?.differentAmount ?? 0,
    unexpectedCount: counts?.unexpected ?? 0,
    duplicateCount: counts?.duplicate ?? 0,
    missingCount: counts?.missing ?? 0,
    warnings: warningViews(state.warnings),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: orNull(dateTimeText, state.withdrawnAt),
  };
}

export function bankEntryView(entry: BankEntry, result: EntryResult | undefined): BankStatementEntryView {
  return {
    id: String(entry.number),
    object: 'bankStatementEntry',
    line: entry.line,
    bookingDate: dateText(entry.day),
    valueDate: orNull(dateText, entry.valueDay),
    amount: amount(entry.amountCents),
    code: entry.code,
    references: entry.references,
    text: entry.text,
    isReversal: entry.isReversal,
    status: result?.status ?? 'received',
    matchedBy: result?.by ?? null,
    expectedAmount: orNull(amount, result?.expectedCents),
    achFileId: result?.target.achFileId ?? null,
    settlementId: result?.target.settlementId ?? null,
    transactionId: result?.target.transactionId ?? null,
    loanId: result?.target.loanId ?? null,
    payoutId: result?.target.payoutId ?? null,
    note: result?.note ?? null,
  };
}

/** A statement with the keys of its contents: for the matching, and for lists of entries. */
export interface BankStatementWork {
  readonly state: BankStatementState;
  readonly entries: OpenContent | null;
  readonly results: OpenContent | null;
}

/** What is known of a statement without opening it. */
export interface StatementSpan {
  readonly id: string;
  readonly fundingInstrumentId: string;
  readonly processorId: string;
  readonly isOpen: boolean;
  readonly isWithdrawn: boolean;
  /** Without its entries it is not matched again. */
  readonly hasContents: boolean;
  readonly hasDifferences: boolean;
  readonly fromDay: number;
  readonly throughDay: number;
  readonly createdStamp: number;
}

const known = (state: BankStatementState): BankStatementState =>
  state.createdStamp === 0 ? refuse('notFound', `There is no bank statement ${state.id}.`) : state;

export const bankStatementQueries: readonly QuerySpec<BankStatementState>[] = [
  outlivedQuery(BANK_STATEMENT_RETENTION),
  { kind: BANK_STATEMENT, type: 'bankStatement.get', on: 'target', read: ({ state }) => bankStatementView(known(state)) },
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.list',
    on: 'tenant',
    read({ query: { fundingInstrumentId, status, fromDate, toDate, ...page }, env }: QueryOf<BankStatementListQuery>): ListResult {
      const [from, to] = [fromDate === undefined ? -Infinity : dayOfText(fromDate), toDate === undefined ? Infinity : dayOfText(toDate)];
      const matches = ({ parentId, fields }: CatalogRow): boolean =>
        (fundingInstrumentId === undefined || parentId === fundingInstrumentId) &&
        (status === undefined || fields['status'] === status) &&
        fields['isWithdrawn'] !== true &&
        Number(fields['throughDay']) >= from &&
        Number(fields['fromDay']) <= to;
      return listedActors(env, BANK_STATEMENT, { ...page, matches }, bankStatementView);
    },
  },
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.work',
    on: 'target',
    read: ({ state, env }): BankStatementWork => ({
      state: known(state),
      entries: openStatementContent(env, state.id, state.entries),
      results: openStatementContent(env, state.id, state.results),
    }),
  },
  // The service's own: no route leads here.
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.spans',
    on: 'company',
    read({ env }): readonly StatementSpan[] {
      const { rows } = env.listAll(BANK_STATEMENT, { limit: ALL_ROWS });
      return rows
        .map(({ id, parentId, createdStamp, fields }) => ({
          id,
          fundingInstrumentId: parentId ?? '',
          processorId: String(fields['processorId']),
          isOpen: fields['isOpen'] === true,
          isWithdrawn: fields['isWithdrawn'] === true,
          hasContents: fields[HAS_CONTENTS] !== false,
          hasDifferences: fields['status'] === 'differences',
          fromDay: Number(fields['fromDay']),
          throughDay: Number(fields['throughDay']),
          createdStamp,
        }))
        .reverse();
    },
  },
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.ofDigest',
    on: 'company',
    read({ query: { fundingInstrumentId, sha256 }, env }: QueryOf<{ readonly fundingInstrumentId: string; readonly sha256: string }>): {
      readonly id: string | null;
    } {
      const { rows } = env.listAll(BANK_STATEMENT, {
        matches: ({ parentId, fields }) => parentId === fundingInstrumentId && fields['sha256'] === sha256,
        limit: 1,
      });
      return { id: rows[0]?.id ?? null };
    },
  },
];
