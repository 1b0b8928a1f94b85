import type { Cents, Day } from '../../../engine/index.js';
import type { CatalogRow, QueryEnv, QueryOf, QuerySpec } from '../../kernel/actor.js';
import type { PageQuery } from '../../list-order.js';
import { recordOf } from '../context.js';
import { newestFirst } from '../newest-first.js';
import { transactionNamed } from './named.js';
import type { LoanState } from '../state.js';
import { isPaidToBorrower, type TransactionRecord } from './record.js';

/** A payment that waits for a file of its processor. */
export interface AwaitingFile {
  readonly id: string;
  readonly loanId: string;
  readonly loanTypeId: string;
  /** Whose account it is. */
  readonly personId: string;
  readonly instrumentId: string;
  readonly amountCents: Cents;
  /** A debit of the account, or a credit to it. */
  readonly direction: 'debit' | 'credit';
  /** Returns a payment that was reversed. */
  readonly isReversal: boolean;
  readonly isRecurring: boolean;
  /** Of a re-presentment; null for a first presentment. */
  readonly retry: Presented | null;
}

/** What was presented before. */
interface Presented {
  /** The number of the re-presentment, from 1. */
  readonly attempt: number;
  /** Of the first presentment: its amount, and the day on which the bank settled it. */
  readonly amountCents: Cents;
  readonly settledOn: Day | null;
  /** Why the last presentment came back. */
  readonly returnCode: string | null;
}

export interface AwaitingFileQuery extends PageQuery {
  readonly processorId: string;
  /** Initiated up to this moment, in milliseconds of the company's clock. */
  readonly until: number;
}

/** For the part that makes files, which asks all shards: the initiated payments of a processor, newest first. No route leads here. */
export const awaitingFile: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.awaitingFile',
  on: 'tenant',
  read({ query: asked, env }: QueryOf<AwaitingFileQuery>) {
    const { rows } = env.list('loan', {
      matches: ({ fields }) => [fields['transactionStatuses']].flat().includes('initiated'),
      limit: Number.MAX_SAFE_INTEGER,
    });
    return newestFirst(rows, asked, {
      stampOf: ({ fields }) => Number(fields['lastTransactionStamp']),
      countOf: () => 0,
      partsOf: (row) => waitingOf(row, asked, env),
      named: async (cursor) => (await transactionNamed(env, cursor))?.record,
    });
  },
};

const waitingOf = (row: CatalogRow, asked: AwaitingFileQuery, env: QueryEnv): ReturnType<typeof listed>[] => {
  const loan = env.read<LoanState>('loan', row.id);
  if (loan === undefined) return [];
  return [...loan.transactions.open()]
    .filter((record) => record.status === 'initiated' && isWaiting(record, asked))
    .map((record) => listed(loan, record));
};

const isWaiting = ({ settlement, timestamps }: TransactionRecord, { processorId, until }: AwaitingFileQuery): boolean =>
  settlement?.ach?.processorId === processorId && settlement.ach.fileId === null && (timestamps.initiatedAt ?? 0) <= until;

const listed = (
  loan: LoanState,
  record: TransactionRecord,
): { readonly id: string; readonly createdStamp: number; readonly view: () => AwaitingFile } => ({
  id: record.id,
  createdStamp: record.createdStamp,
  view: () => ({
    id: record.id,
    loanId: loan.id,
    loanTypeId: recordOf(loan).loanTypeId,
    personId: record.instrument?.personId ?? '',
    instrumentId: record.instrument?.id ?? '',
    amountCents: record.actualCents ?? record.scheduledCents,
    direction: isPaidToBorrower(record) ? 'credit' : 'debit',
    isReversal: record.transactionType === 'reversal',
    isRecurring: record.autopayPlanId !== null,
    retry: presentedBefore(loan, record),
  }),
});

function presentedBefore(loan: LoanState, { retryAttempt, retryOriginalTransactionId }: TransactionRecord): Presented | null {
  const last = retryOriginalTransactionId === null ? undefined : loan.transactions.get(retryOriginalTransactionId);
  if (retryAttempt === null || last === undefined) return null;
  const { actualCents, scheduledCents, settlement } = firstOf(loan, last);
  const settledOn = settlement?.ach?.entryDay ?? null;
  return { attempt: retryAttempt, amountCents: actualCents ?? scheduledCents, settledOn, returnCode: last.achReturnCode };
}

/** The first presentment of a payment: each re-presentment names the one before. */
function firstOf(loan: LoanState, record: TransactionRecord): TransactionRecord {
  const before = record.retryOriginalTransactionId === null ? undefined : loan.transactions.get(record.retryOriginalTransactionId);
  return before === undefined ? record : firstOf(loan, before);
}
