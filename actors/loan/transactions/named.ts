import type { CatalogRow, QueryEnv } from '../../kernel/actor.js';
import { partNamed } from '../../kernel/lists/part-named.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord } from './record.js';

/** Whether a loan has any. */
export const hasTransactions = ({ fields }: CatalogRow): boolean => fields['lastTransactionStamp'] !== 0;

/** The transaction that a cursor names, whatever a list asks for: on a loan of the borrower if one is named, else on any loan. */
export const transactionNamed = (
  env: QueryEnv,
  cursor: string,
  mainBorrowerId?: string,
): Promise<{ readonly loan: LoanState; readonly record: TransactionRecord } | undefined> =>
  partNamed(env, cursor, {
    of: 'loan',
    kind: 'transaction',
    mayHave: (row) => hasTransactions(row) && (mainBorrowerId === undefined || row.parentId === mainBorrowerId),
    partOf(loan: LoanState, id) {
      const record = loan.transactions.get(id);
      return record && { loan, record };
    },
  });
