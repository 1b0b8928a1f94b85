import { dayAt } from '../../engine/index.js';
import { drawIdOf, type LoanState, recordOf, splitOf, type TransactionRecord, type ViewEnv } from '../loan/index.js';
import type { LoanItem } from './subjects.js';
import { type Cell, view } from './view.js';

interface TransactionItem {
  readonly state: LoanState;
  readonly env: ViewEnv;
  readonly record: TransactionRecord;
}

const split = (bucket: 'principal' | 'interest' | 'fees' | 'over') =>
  ({
    name: `${bucket}_amount`,
    type: 'MONEY',
    meaning: bucket === 'over' ? 'What of it was paid over' : `What of it met ${bucket}`,
    of: ({ state, env, record }: TransactionItem): Cell => splitOf(state, env, record)[`${bucket}Cents`],
  }) as const;

export const transactions = view<LoanItem, TransactionItem>({
  name: 'v_transactions',
  meaning: 'Payments, credits, reversals and refunds, one row each.',
  kind: 'loan',
  items: ({ state, env, transactions: records }) => records.map((record) => ({ state, env, record })),
  columns: [
    { name: 'transaction_id', type: 'VARCHAR', meaning: 'Id of the transaction', of: ({ record }) => record.id },
    { name: 'external_id', type: 'VARCHAR', meaning: 'The external id', of: ({ record }) => record.externalId },
    { name: 'loan_id', type: 'VARCHAR', meaning: 'Its loan', of: ({ state }) => state.id },
    { name: 'person_id', type: 'VARCHAR', meaning: 'The borrower of the loan', of: ({ state }) => recordOf(state).personId },
    {
      name: 'type',
      type: 'VARCHAR',
      meaning: '`payment`, `serviceCredit`, `reversal` and so on',
      of: ({ record }) => record.transactionType,
    },
    { name: 'status', type: 'VARCHAR', meaning: 'Status of the transaction', of: ({ record }) => record.status },
    { name: 'is_external', type: 'BOOLEAN', meaning: 'Whether others moved the money', of: ({ record }) => record.isExternal },
    {
      name: 'is_autopay',
      type: 'BOOLEAN',
      meaning: 'Whether it is an automatic payment',
      of: ({ record }) => record.autopayPlanId !== null,
    },
    {
      name: 'instrument_type',
      type: 'VARCHAR',
      meaning: 'What it was paid with, such as `bankAccount`',
      of: ({ record }) => record.instrument?.instrumentType ?? null,
    },
    { name: 'scheduled_amount', type: 'MONEY', meaning: 'What was to move', of: ({ record }) => record.scheduledCents },
    { name: 'actual_amount', type: 'MONEY', meaning: 'What moved; null before it did', of: ({ record }) => record.actualCents },
    split('principal'),
    split('interest'),
    split('fees'),
    split('over'),
    { name: 'scheduled_date', type: 'DATE', meaning: 'The day it was planned for', of: ({ record }) => record.scheduledDay },
    { name: 'effective_date', type: 'DATE', meaning: 'The day from which it counts', of: ({ record }) => record.effective.day },
    {
      name: 'display_date',
      type: 'DATE',
      meaning: 'The planned day while it is scheduled, then the day from which it counts',
      of: ({ record }) => (record.status === 'scheduled' ? record.scheduledDay : record.effective.day),
    },
    {
      name: 'changed_date',
      type: 'DATE',
      meaning: 'The day on which it changed last',
      of: ({ state, record }) => dayAt(recordOf(state).zone, record.timestamps.updatedAt),
    },
    {
      name: 'draw_id',
      type: 'VARCHAR',
      meaning: 'The draw that it is directed to',
      of: ({ state, record }) => drawIdOf(state, record.draw),
    },
    {
      name: 'reversed_transaction_id',
      type: 'VARCHAR',
      meaning: 'Of a reversal: what it reverses',
      of: ({ record }) => record.reversedTransactionId,
    },
    {
      name: 'processor_transaction_id',
      type: 'VARCHAR',
      meaning: 'The id that the processor gave it',
      of: ({ record }) => record.processorTransactionId,
    },
    { name: 'failure_reason', type: 'VARCHAR', meaning: 'Why it failed', of: ({ record }) => record.failureReason },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ record }) => record.timestamps.createdAt },
    { name: 'succeeded_at', type: 'TIMESTAMP', meaning: 'When it succeeded', of: ({ record }) => record.timestamps.succeededAt },
  ],
});
