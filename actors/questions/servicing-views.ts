import { addDays, formatRate } from '../../engine/index.js';
import type { CaseState } from '../casework/index.js';
import {
  activationOf,
  activeStatements,
  feeReplies,
  type FeeReply,
  figuresOf,
  type LoanState,
  rateRowsOf,
  scheduleRows,
  type StatementRecord,
} from '../loan/index.js';
import { dayOfText, orNull } from '../wire.js';
import type { LoanItem } from './subjects.js';
import { type Cell, printedCents, view } from './view.js';

/*
 * What runs on a loan as of today, a row for each: coming payments, fees, rates, statements, automatic payments. And what stops contacts.
 */

type OfLoan<Row> = Row & { readonly loanId: string };

const LOAN_COLUMN = {
  name: 'loan_id',
  type: 'VARCHAR',
  meaning: 'The loan',
  of: ({ loanId }: { readonly loanId: string }) => loanId,
} as const;

type ExpectedItem = OfLoan<{ readonly row: ReturnType<typeof scheduleRows>[number] }>;

const expected = (name: string, field: 'amount' | 'principalAmount' | 'interestAmount', meaning: string) =>
  ({ name, type: 'MONEY', meaning, of: ({ row }: ExpectedItem): Cell => printedCents(row[field]) }) as const;

/** Statuses of rows of the schedule that are not met. */
const NOT_MET: ReadonlySet<string> = new Set(['booked', 'projected']);

export const expectedPayments = view<LoanItem, ExpectedItem>({
  name: 'v_expected_payments',
  meaning: 'Payments of the schedule of today that are not met: those to come, and what fell due and was not paid, one row each.',
  kind: 'loan',
  items: ({ today, env }) =>
    activationOf(today) === null
      ? []
      : scheduleRows(today, env)
          .filter(({ status }) => NOT_MET.has(status))
          .map((row) => ({ loanId: today.id, row })),
  columns: [
    LOAN_COLUMN,
    { name: 'expected_date', type: 'DATE', meaning: 'The day of the payment', of: ({ row }) => dayOfText(row.date) },
    {
      name: 'payment_type',
      type: 'VARCHAR',
      meaning: '`periodicPayment`, `downPayment` or `dynamicFee`',
      of: ({ row }) => row.paymentType,
    },
    { name: 'status', type: 'VARCHAR', meaning: '`booked`: its period has begun; `projected`: later ones', of: ({ row }) => row.status },
    expected('amount', 'amount', 'What is to be paid'),
    expected('principal_amount', 'principalAmount', 'Of it principal'),
    expected('interest_amount', 'interestAmount', 'Of it interest'),
    { name: 'is_deferred', type: 'BOOLEAN', meaning: 'Whether it was deferred', of: ({ row }) => row.isDeferred },
  ],
});

type FeeItem = OfLoan<{ readonly fee: FeeReply }>;

const feeAmount = (name: string, field: 'amount' | 'originalAmount' | 'remainingAmount', meaning: string) =>
  ({ name, type: 'MONEY', meaning, of: ({ fee }: FeeItem): Cell => printedCents(fee[field]) }) as const;

const feeDate = (name: string, field: 'createdDate' | 'scheduledDate' | 'dueDate', meaning: string) =>
  ({ name, type: 'DATE', meaning, of: ({ fee }: FeeItem): Cell => orNull(dayOfText, fee[field]) }) as const;

export const fees = view<LoanItem, FeeItem>({
  name: 'v_fees',
  meaning: 'Fees of loans, canceled ones too, one row each.',
  kind: 'loan',
  items: ({ today, env }) => (today.record === null ? [] : feeReplies(today, env).map((fee) => ({ loanId: today.id, fee }))),
  columns: [
    { name: 'fee_id', type: 'VARCHAR', meaning: 'Id of the fee', of: ({ fee }) => fee.id },
    LOAN_COLUMN,
    { name: 'draw_id', type: 'VARCHAR', meaning: 'The draw that bears it', of: ({ fee }) => fee.drawId },
    { name: 'type', type: 'VARCHAR', meaning: '`originationFee`, `drawFee`, `dynamicFee` or `serviceFee`', of: ({ fee }) => fee.type },
    { name: 'fee_type_id', type: 'VARCHAR', meaning: "The company's fee type", of: ({ fee }) => fee.feeTypeId },
    {
      name: 'api_name',
      type: 'VARCHAR',
      meaning: 'The name of that type, such as `lateFee`',
      of: ({ fee }) => fee.dynamicFeeDetails?.apiName ?? null,
    },
    { name: 'status', type: 'VARCHAR', meaning: '`scheduled`, `booked`, `paid` or `canceled`', of: ({ fee }) => fee.status },
    feeAmount('amount', 'amount', 'The fee as it is charged'),
    feeAmount('original_amount', 'originalAmount', 'The fee as it was set'),
    feeAmount('remaining_amount', 'remainingAmount', 'What of it is not paid'),
    feeDate('created_date', 'createdDate', 'The day on which it was made'),
    feeDate('scheduled_date', 'scheduledDate', 'The day on which it is charged'),
    feeDate('due_date', 'dueDate', 'The day on which it is due'),
  ],
});

type RateItem = OfLoan<{ readonly row: ReturnType<typeof rateRowsOf>[number] }>;

export const rates = view<LoanItem, RateItem>({
  name: 'v_rates',
  meaning: 'Rates of loans that were activated, removed ones too, one row each. Rates are text with up to eight decimals.',
  kind: 'loan',
  items: ({ today, env }) => rateRowsOf(today, env).map((row) => ({ loanId: today.id, row })),
  columns: [
    { name: 'rate_id', type: 'VARCHAR', meaning: 'Id of the rate', of: ({ row }) => row.id },
    LOAN_COLUMN,
    { name: 'kind', type: 'VARCHAR', meaning: '`interestRate`, `promoRate`, `rateCap` and so on', of: ({ row }) => row.kind },
    {
      name: 'interest_type',
      type: 'VARCHAR',
      meaning: 'Of an interest rate: `absolute`, or `spread` over an index',
      of: ({ row }) => row.interestType,
    },
    { name: 'rate', type: 'VARCHAR', meaning: 'The rate a year', of: ({ row }) => formatRate(row.rate) },
    { name: 'start_date', type: 'DATE', meaning: 'Its first day', of: ({ row }) => row.from },
    {
      name: 'end_date',
      type: 'DATE',
      meaning: 'Its last day; null: the end of the loan',
      of: ({ row }) => orNull((day) => addDays(day, -1), row.until),
    },
    { name: 'is_active', type: 'BOOLEAN', meaning: 'Whether it applies; false of a removed one', of: ({ row }) => row.isActive },
    {
      name: 'is_of_origination',
      type: 'BOOLEAN',
      meaning: 'Whether it was set at the activation',
      of: ({ row }) => row.setAtActivation,
    },
  ],
});

type StatementItem = OfLoan<{ readonly statement: StatementRecord; readonly figures: ReturnType<typeof figuresOf> }>;

const figure = (name: string, of: keyof StatementItem['figures'], meaning: string) =>
  ({ name, type: 'MONEY', meaning, of: ({ figures }: StatementItem): Cell => figures[of] }) as const;

export const statements = view<LoanItem, StatementItem>({
  name: 'v_statements',
  meaning: 'Statements of loans, the version in force of each due date, one row each, as they were issued.',
  kind: 'loan',
  items: ({ today }) =>
    activeStatements(activationOf(today)?.statements ?? []).map((statement) => ({
      loanId: today.id,
      statement,
      figures: figuresOf(statement),
    })),
  columns: [
    { name: 'statement_id', type: 'VARCHAR', meaning: 'Id of the statement', of: ({ statement }) => statement.id },
    LOAN_COLUMN,
    { name: 'version', type: 'INTEGER', meaning: 'Its version, from 1', of: ({ statement }) => statement.version },
    { name: 'cycle_start_date', type: 'DATE', meaning: 'The first day of the billing cycle', of: ({ statement }) => statement.startDay },
    { name: 'cycle_end_date', type: 'DATE', meaning: 'The last day of it', of: ({ statement }) => statement.endDay },
    { name: 'statement_date', type: 'DATE', meaning: 'The day of the statement', of: ({ statement }) => statement.statementDay },
    { name: 'due_date', type: 'DATE', meaning: 'The day on which the payment is due', of: ({ statement }) => statement.dueDay },
    figure('minimum_due_amount', 'minimumDueAmount', 'What is due at least'),
    figure('overdue_amount', 'overdueAmount', 'What of it was overdue'),
    figure('previous_balance', 'previousBalance', 'The balance before the cycle'),
    figure('new_balance', 'newBalanceAmount', 'The balance after it'),
    figure('new_principal_balance', 'newPrincipalBalance', 'Of it principal'),
    figure('interest_amount', 'totalInterestForThisPeriod', 'Interest of the cycle'),
    figure('fees_amount', 'totalFeesForThisPeriod', 'Fees of the cycle'),
    figure('payments_amount', 'totalPaymentsForThisPeriod', 'Payments of the cycle'),
    figure('credits_amount', 'totalCreditsForThisPeriod', 'Credits of the cycle'),
    { name: 'is_external', type: 'BOOLEAN', meaning: 'Whether another system issued it', of: ({ statement }) => statement.isExternal },
    {
      name: 'document_descriptor_id',
      type: 'VARCHAR',
      meaning: 'Its document',
      of: ({ statement }) => statement.documentDescriptorId,
    },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was issued', of: ({ statement }) => statement.createdAt },
  ],
});

type AutopayItem = OfLoan<{ readonly plan: LoanState['autopay'][number] }>;

export const autopay = view<LoanItem, AutopayItem>({
  name: 'v_autopay',
  meaning: 'Plans of automatic payments, ended ones too, one row each.',
  kind: 'loan',
  items: ({ today }) => today.autopay.map((plan) => ({ loanId: today.id, plan })),
  columns: [
    { name: 'autopay_id', type: 'VARCHAR', meaning: 'Id of the plan', of: ({ plan }) => plan.id },
    LOAN_COLUMN,
    { name: 'status', type: 'VARCHAR', meaning: '`active`, `suspended`, `canceled` or `completed`', of: ({ plan }) => plan.status },
    {
      name: 'payment_instrument_id',
      type: 'VARCHAR',
      meaning: 'What is charged',
      of: ({ plan }) => plan.instrument.id,
    },
    {
      name: 'instrument_type',
      type: 'VARCHAR',
      meaning: 'Its kind, such as `bankAccount`',
      of: ({ plan }) => plan.instrument.instrumentType,
    },
    { name: 'amount_type', type: 'VARCHAR', meaning: '`scheduledAmount`, `fixedAmount` and so on', of: ({ plan }) => plan.amountType },
    { name: 'fixed_amount', type: 'MONEY', meaning: 'Of `fixedAmount`: the amount', of: ({ plan }) => plan.fixedCents },
    { name: 'extra_amount', type: 'MONEY', meaning: 'What is added to each payment', of: ({ plan }) => plan.extraCents },
    { name: 'next_payment_date', type: 'DATE', meaning: 'The day of the next payment', of: ({ plan }) => plan.nextDay },
    { name: 'payments', type: 'INTEGER', meaning: 'Payments whose day has come', of: ({ plan }) => plan.payments.length },
    { name: 'failures', type: 'INTEGER', meaning: 'Payments in a row that have failed', of: ({ plan }) => plan.failures },
    { name: 'cancel_reason', type: 'VARCHAR', meaning: 'Why it was canceled', of: ({ plan }) => plan.cancelReason },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ plan }) => plan.createdAt },
    { name: 'ended_at', type: 'TIMESTAMP', meaning: 'When it ended', of: ({ plan }) => plan.endedAt },
  ],
});

interface BlockItem {
  readonly of: CaseState;
  readonly block: CaseState['blocks'][number];
}

const listed = (name: string, field: 'channels' | 'themes' | 'contactLabels' | 'daysOfWeek', meaning: string) =>
  ({ name, type: 'VARCHAR', meaning, of: ({ block }: BlockItem): Cell => block[field].join(',') }) as const;

export const doNotInteracts = view<CaseState, BlockItem>({
  name: 'v_do_not_interact',
  meaning: 'What stops contacts with borrowers (Do Not Interact), lifted and expired ones too, one row each.',
  kind: 'case',
  items: (state) => state.blocks.map((block) => ({ of: state, block })),
  columns: [
    { name: 'do_not_interact_id', type: 'VARCHAR', meaning: 'Its id', of: ({ block }) => block.id },
    { name: 'case_id', type: 'VARCHAR', meaning: 'Its case', of: ({ of }) => of.id },
    { name: 'person_id', type: 'VARCHAR', meaning: 'The borrower', of: ({ of }) => of.personId },
    { name: 'status', type: 'VARCHAR', meaning: '`active`, `lifted` or `expired`', of: ({ block }) => block.status },
    listed('channels', 'channels', 'The channels that it stops, separated by commas, or `all`'),
    listed('themes', 'themes', 'The themes, or `all`'),
    listed('contact_labels', 'contactLabels', 'The labels of contacts; empty: all'),
    listed('days_of_week', 'daysOfWeek', 'The days of the week, 0 is Monday; empty: all'),
    { name: 'timezone', type: 'VARCHAR', meaning: 'The time zone of its hours', of: ({ block }) => block.timezone },
    { name: 'start_date', type: 'DATE', meaning: 'Its first day', of: ({ block }) => dayOfText(block.startDate) },
    { name: 'end_date', type: 'DATE', meaning: 'Its last day; null: without end', of: ({ block }) => orNull(dayOfText, block.endDate) },
    { name: 'source', type: 'VARCHAR', meaning: '`api`, `agent`, `system` or `supercase`', of: ({ block }) => block.source },
    {
      name: 'do_not_interact_type_id',
      type: 'VARCHAR',
      meaning: 'The type of the company that made it',
      of: ({ block }) => block.doNotInteractTypeId,
    },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ block }) => block.createdAt },
    { name: 'ended_at', type: 'TIMESTAMP', meaning: 'When it was lifted or has expired', of: ({ block }) => block.endedAt },
  ],
});
