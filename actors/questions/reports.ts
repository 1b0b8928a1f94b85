import { csvLine } from '../../engine/index.js';
import type { DateTimeText } from '../wire.js';
import type { Cell } from './view.js';

/*
 * Ready-made questions (`GET /reports`): each is SQL over the views, which `docs/views.md` shows, as it is, or to begin another question
 * from.
 */

export interface Report {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly sql: string;
}

export interface ReportView extends Report {
  /** Its name. */
  readonly id: string;
  readonly object: 'report';
}

export interface ReportAnswer extends Report {
  readonly object: 'reportResult';
  /** Everything that was recorded before is in it. */
  readonly asOf: DateTimeText;
  readonly columns: readonly string[];
  /** A cell for each column: amounts and dates are text. */
  readonly rows: readonly (readonly Cell[])[];
}

/** `GET /reports/{reportName}/file`. */
export interface ReportFileQuery {
  /** Default `csv`. In Parquet amounts, dates and times have their types. */
  readonly format?: 'csv' | 'parquet';
}

/** The rows of an answer as CSV with a line of names. */
export const reportText = (columns: readonly string[], rows: ReportAnswer['rows']): string =>
  [columns, ...rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))))].map((line) => `${csvLine(line)}\r\n`).join('');

const BUCKET = `
  CASE WHEN days_overdue = 0 THEN 'current' WHEN days_overdue < 30 THEN '1-29' WHEN days_overdue < 60 THEN '30-59'
       WHEN days_overdue < 90 THEN '60-89' WHEN days_overdue < 120 THEN '90-119' ELSE '120 and more' END`;

/**
 * How many days each loan was behind at the end of the last thirteen months, by what fell due and what was paid until then: a due date is
 * met when all payments and credits up to the day cover all that fell due up to it.
 */
const MONTH_ENDS = `months AS (
  SELECT (date_trunc('month', (SELECT max(as_of) FROM v_loans))::DATE - to_months(range::INTEGER))::DATE - 1 AS month_end FROM range(13)
), due AS (
  SELECT loan_id, due_date, sum(obligation_amount) OVER (PARTITION BY loan_id ORDER BY due_date, ordinal) AS due_so_far FROM v_obligations
), paid AS (
  SELECT loan_id, effective_date, actual_amount FROM v_transactions
  WHERE status = 'succeeded' AND type IN ('payment', 'serviceCredit', 'downPayment')
), behind AS (
  SELECT l.loan_id, m.month_end, l.activated_at, l.outstanding_amount,
         (SELECT coalesce(sum(p.actual_amount), 0) FROM paid p
           WHERE p.loan_id = l.loan_id AND p.effective_date <= m.month_end) AS paid_so_far
  FROM v_loans l CROSS JOIN months m WHERE l.activated_at::DATE <= m.month_end
), by_month AS (
  SELECT b.loan_id, b.month_end, b.activated_at,
         coalesce(date_diff('day', (SELECT min(d.due_date) FROM due d
           WHERE d.loan_id = b.loan_id AND d.due_date <= b.month_end AND d.due_so_far > b.paid_so_far), b.month_end), 0) AS days_overdue
  FROM behind b
)`;

export const REPORTS: readonly Report[] = [
  {
    name: 'delinquency',
    title: 'Delinquency by bucket',
    description: 'Loans in servicing by how many days they are behind, today.',
    sql: `SELECT ${BUCKET} AS bucket,
       count(*) AS loans, sum(outstanding_amount) AS outstanding, sum(overdue_amount) AS overdue,
       round(100.0 * sum(outstanding_amount) / nullif(sum(sum(outstanding_amount)) OVER (), 0), 2) AS percent_of_outstanding
FROM v_loans WHERE status IN ('active', 'accelerated', 'frozen') GROUP BY bucket ORDER BY min(days_overdue)`,
  },
  {
    name: 'roll-rates',
    title: 'Roll rates',
    description: 'How many loans of each bucket were in which bucket a month later, over the last twelve months.',
    sql: `WITH ${MONTH_ENDS}, bucketed AS (
  SELECT loan_id, month_end, days_overdue, ${BUCKET} AS bucket FROM by_month
)
SELECT a.month_end, a.bucket AS from_bucket, b.bucket AS to_bucket, count(*) AS loans,
       round(100.0 * count(*) / sum(count(*)) OVER (PARTITION BY a.month_end, a.bucket), 2) AS percent
FROM bucketed a JOIN bucketed b ON b.loan_id = a.loan_id AND b.month_end = last_day(a.month_end + INTERVAL 1 DAY)
GROUP BY a.month_end, from_bucket, to_bucket ORDER BY a.month_end, min(a.days_overdue), min(b.days_overdue)`,
  },
  {
    name: 'vintages',
    title: 'Vintage curves',
    description: 'Of the loans that were activated in a month, how many were 30 days or more behind so many months later.',
    sql: `WITH ${MONTH_ENDS}
SELECT strftime(activated_at, '%Y-%m') AS vintage,
       date_diff('month', date_trunc('month', activated_at), date_trunc('month', month_end)) AS months_on_book,
       count(*) AS loans, count(*) FILTER (WHERE days_overdue >= 30) AS loans_30_days_behind,
       round(100.0 * count(*) FILTER (WHERE days_overdue >= 30) / count(*), 2) AS percent
FROM by_month GROUP BY vintage, months_on_book ORDER BY vintage, months_on_book`,
  },
  {
    name: 'cash-by-day',
    title: 'Cash by day',
    description: 'Payments that succeeded by the day from which they count, and what of them met principal, interest and fees.',
    sql: `SELECT effective_date AS day, count(*) AS payments, sum(actual_amount) AS amount, sum(principal_amount) AS principal,
       sum(interest_amount) AS interest, sum(fees_amount) AS fees
FROM v_transactions WHERE status = 'succeeded' AND type IN ('payment', 'downPayment') GROUP BY day ORDER BY day DESC LIMIT 400`,
  },
  {
    name: 'promises-kept',
    title: 'Promise-kept rates',
    description: 'Plans of promised payments that have ended, by the month in which they ended.',
    sql: `SELECT strftime(ended_date, '%Y-%m') AS month, count(*) AS plans, count(*) FILTER (WHERE status = 'kept') AS kept,
       count(*) FILTER (WHERE status = 'broken') AS broken, sum(promised_amount) AS promised,
       round(100.0 * count(*) FILTER (WHERE status = 'kept') / count(*), 2) AS kept_percent
FROM v_promises WHERE status IN ('kept', 'broken') GROUP BY month ORDER BY month DESC`,
  },
];
