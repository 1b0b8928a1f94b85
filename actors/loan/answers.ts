import { dayAt, formatCents } from '../../engine/index.js';
import type { AnswersOfLoans } from '../borrower/index.js';
import type { EvolveEnv } from '../kernel/actor.js';
import { dateText, orNull } from '../wire.js';
import type { LoanState } from './state.js';
import { movedCents, type TransactionRecord } from './transactions/record.js';

/** The answers to verification questions about the loans of a borrower. */
export function loanAnswers(env: EvolveEnv, loanIds: readonly string[]): AnswersOfLoans {
  const loans = loanIds.flatMap((id) => env.read<LoanState>('loan', id) ?? []);
  const records = loans.flatMap(({ record }) => record ?? []);
  const payments = lastPayments(loans);
  return {
    lastPaymentAmount: payments.map((payment) => formatCents(movedCents(payment))),
    lastPaymentDate: payments.map(({ effective }) => dateText(effective.day)),
    loanAmount: records.map(({ atOrigination }) => formatCents(atOrigination.amountFinancedCents)),
    originationDate: records.map(({ zone, timestamps }) => orNull((at) => dateText(dayAt(zone, at)), timestamps.originatedAt)),
  };
}

/** The newest payments of all loans, by day, then by the time of recording. */
function lastPayments(loans: readonly LoanState[]): readonly TransactionRecord[] {
  let last: TransactionRecord | null = null;
  for (const { transactions } of loans) {
    for (const record of transactions.values()) if (isPayment(record) && (last === null || isLater(record, last))) last = record;
  }
  return last === null ? [] : [last];
}

const isPayment = ({ transactionType, status }: TransactionRecord): boolean =>
  (transactionType === 'payment' || transactionType === 'downPayment') && (status === 'succeeded' || status === 'pending');

const isLater = (a: TransactionRecord, b: TransactionRecord): boolean =>
  a.effective.day === b.effective.day ? a.createdStamp > b.createdStamp : a.effective.day > b.effective.day;
