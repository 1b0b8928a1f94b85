import { addDays, type Day, formatDay, must } from '../../../engine/index.js';
import { META_DATA, TAPE_FIELDS, type TapeField } from './fields.js';
import { periodBefore } from './schedule.js';
import type { LoanTapeType } from './tape-type.js';

/** What one file of a tape shows. */
export interface TapeAsked {
  readonly type: LoanTapeType;
  readonly companyId: string;
  /** Null: loans of all owners. */
  readonly investorId: string | null;
  readonly reportDay: Day;
  /** For each loan type: the days after payoff for which its loans still have data. */
  readonly daysOfData: ReadonlyMap<string, number>;
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const date = (day: Day): string => `DATE '${formatDay(day)}'`;

/** Whether a tape needs views with personal columns. */
export const seesPersonalData = ({ tapeType, fields }: LoanTapeType): boolean =>
  fields.some((field) => TAPE_FIELDS[tapeType][field]?.isPersonal === true);

/** Views by the names that the SQL gives them. The derived tables `y` (last payments) and `o` have columns of theirs alone. */
const ALIASES: Readonly<Record<string, string>> = {
  l: 'v_loans',
  s: 'v_terms',
  b: 'v_balances',
  p: 'v_borrowers',
  o: 'v_owners',
  w: 'v_owners',
  t: 'v_transactions',
  r: 'v_transactions',
  y: 'v_transactions',
  d: 'v_draws',
  v: 'v_draws',
  q: 'v_loans',
};

export interface TapeSelect {
  readonly sql: string;
  /** By view: what the SQL names of it. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** The days whose transactions it asks for; absent: of all days. */
  readonly period?: { readonly from: Day; readonly through: Day };
}

/**
 * The one SELECT whose answer is the tape: columns in the order of the fields, rows in the order of ids, those of payments in the order of
 * days. No row depends on another loan, so that the answers about sections of loans are together the whole.
 */
export function tapeSelect(asked: TapeAsked): TapeSelect {
  const { type } = asked;
  const columns = type.fields.flatMap((field) => columnsOf(asked, field)).join(', ');
  const [from, where, order] = type.tapeType === 'loans' ? loansOf(asked, columns) : paymentsOf(asked, columns);
  const sql = `SELECT ${columns}\nFROM ${from.join('\n')}\nWHERE ${where.join(' AND ')}\nORDER BY ${order}`;
  if (type.tapeType === 'loans') return { sql, columns: columnsNamed(sql) };
  const [first, last] = periodBefore(type, asked.reportDay);
  return { sql, columns: columnsNamed(sql), period: { from: first, through: last } };
}

function columnsNamed(sql: string): TapeSelect['columns'] {
  const found: Record<string, string[]> = {};
  for (const [, alias = '', column = ''] of sql.matchAll(/\b([a-z])\.([a-z_]+)/g)) {
    const view = ALIASES[alias];
    if (view !== undefined) (found[view] ??= []).push(column);
  }
  return found;
}

function columnsOf(asked: TapeAsked, field: string): readonly string[] {
  const { type } = asked;
  const { ofDraw, ...column } = must(TAPE_FIELDS[type.tapeType][field], `a tape type with the unknown field ${field}`);
  if (field === META_DATA)
    return type.loanMetaDataFields.map(
      (key) => `${whereKnown(column, `json_extract_string(${column.sql}, ${text(`$."${key}"`)})`)} AS ${named(nameOf(type, key))}`,
    );
  const ofLoan = column.sql.replaceAll('$reportDate', date(asked.reportDay)).replace('$companyId', text(asked.companyId));
  const value = hasRowsOfDraws(type) && ofDraw !== undefined ? `CASE WHEN d.draw_id IS NULL THEN ${ofLoan} ELSE ${ofDraw} END` : ofLoan;
  const inUnit = column.isMoney === true && type.moneyUnit === 'subUnit100' ? `CAST(${value} * 100 AS BIGINT)` : value;
  return [`${whereKnown(column, inUnit)} AS ${named(nameOf(type, field))}`];
}

const hasRowsOfDraws = ({ shouldReportDrawsSeparately = false }: LoanTapeType): boolean => shouldReportDrawsSeparately;

/** A loan without balances has empty data beside its ids. */
const whereKnown = ({ isId }: TapeField, sql: string): string => (isId === true ? sql : `CASE WHEN b.loan_id IS NOT NULL THEN ${sql} END`);

/** The column's name on the tape. */
const nameOf = ({ fieldNameMappings }: Pick<LoanTapeType, 'fieldNameMappings'>, field: string): string => fieldNameMappings[field] ?? field;

type Parts = readonly [readonly string[], readonly string[], string];

const BALANCES = 'LEFT JOIN v_balances b ON b.loan_id = l.loan_id';

/** What the SQL of the columns does not name is not joined, and so not read. */
const aboutLoans = ({ investorId, reportDay }: TapeAsked, columns: string, balances: string): readonly string[] => [
  'JOIN v_terms s ON s.loan_id = l.loan_id',
  balances,
  ...(/\bp\./.test(columns) ? ['LEFT JOIN v_borrowers p ON p.loan_id = l.loan_id'] : []),
  ...(investorId === null
    ? /\bo\./.test(columns)
      ? [OWNERS]
      : []
    : [`JOIN v_owners o ON o.loan_id = l.loan_id AND o.investor_id = ${text(investorId)}`]),
  ...(/\by\./.test(columns) ? [lastPayments(reportDay)] : []),
];

/** Draws that are active on the day, a row each, and a row of the line, or of another loan, with no draw. */
const drawsOf = (columns: string): string => {
  const own = [...new Set([...columns.matchAll(/\bd\.([a-z_]+)/g)].map(([, column = '']) => column))].filter(
    (column) => column !== 'draw_id',
  );
  return `JOIN (SELECT v.loan_id, v.draw_id${own.map((column) => `, v.${column}`).join('')} FROM v_draws v WHERE v.interest_rate IS NOT NULL
  UNION ALL SELECT q.loan_id, NULL${', NULL'.repeat(own.length)} FROM v_loans q) d ON d.loan_id = l.loan_id`;
};

const OWNERS = `LEFT JOIN (SELECT w.loan_id, string_agg(w.investor_id, ',' ORDER BY w.investor_id) AS investor_id,
  CASE WHEN count(*) = 1 THEN max(w.share) END AS share FROM v_owners w GROUP BY w.loan_id) o ON o.loan_id = l.loan_id`;

const lastPayments = (reportDay: Day): string => `LEFT JOIN (SELECT r.loan_id, r.effective_date, r.actual_amount FROM v_transactions r
  WHERE r.status = 'succeeded' AND r.type IN ('payment', 'downPayment') AND r.effective_date <= ${date(reportDay)}
  QUALIFY row_number() OVER (PARTITION BY r.loan_id ORDER BY r.effective_date DESC, r.created_at DESC, r.transaction_id DESC) = 1
) y ON y.loan_id = l.loan_id`;

/** The balances of loans that have data: a loan that was paid off has some for the days that its loan type says. */
function withData({ type, reportDay, daysOfData }: TapeAsked): string {
  const shorter = [...daysOfData].filter(([, days]) => days < type.reportDaysWhenPaidOff);
  const isOver = shorter.map(
    ([loanTypeId, days]) => `(l.loan_type_id = ${text(loanTypeId)} AND s.paid_off_date < ${date(addDays(reportDay, -days))})`,
  );
  if (isOver.length === 0) return BALANCES;
  return `${BALANCES} AND NOT (l.status = 'paidOff' AND coalesce(${isOver.join(' OR ')}, FALSE))`;
}

function loansOf(asked: TapeAsked, columns: string): Parts {
  const { type, reportDay } = asked;
  const ended = (status: string, column: string, days: number): string =>
    `NOT (l.status = '${status}' AND coalesce(s.${column} < ${date(addDays(reportDay, -days))}, FALSE))`;
  return [
    ['v_loans l', ...(hasRowsOfDraws(type) ? [drawsOf(columns)] : []), ...aboutLoans(asked, columns, withData(asked))],
    [
      "l.status NOT IN ('canceled', 'declined')",
      ended('paidOff', 'paid_off_date', type.reportDaysWhenPaidOff),
      ended('chargedOff', 'charged_off_date', type.reportDaysWhenChargedOff),
      ...(type.actionOnMissingData === 'excludeFromTape' ? ['b.loan_id IS NOT NULL'] : []),
    ],
    hasRowsOfDraws(type) ? 'l.loan_id, d.draw_id NULLS FIRST' : 'l.loan_id',
  ];
}

/** Transactions that are effective in the period, and those of other days that have changed in it. */
function paymentsOf(asked: TapeAsked, columns: string): Parts {
  const { type, reportDay } = asked;
  const [first, last] = periodBefore(type, reportDay);
  const period = `BETWEEN ${date(first)} AND ${date(last)}`;
  return [
    ['v_transactions t', 'JOIN v_loans l ON l.loan_id = t.loan_id', ...aboutLoans(asked, columns, BALANCES)],
    [
      `(t.effective_date ${period} OR t.changed_date ${period})`,
      ...(type.actionOnMissingData === 'excludeFromTape' ? ['b.loan_id IS NOT NULL'] : []),
    ],
    't.effective_date, t.transaction_id',
  ];
}
