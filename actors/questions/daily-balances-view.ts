import { addDays, addMonths, type Balances, civil, type Day, dayOf } from '../../engine/index.js';
import { type DailyBalances, dailyBalancesOf, recordOf } from '../loan/index.js';
import type { LoanItem } from './subjects.js';
import { type Cell, view } from './view.js';

interface DailyItem {
  readonly loanId: string;
  readonly daily: DailyBalances;
}

/** Days up to today, and months before it whose last days are there, too. */
const LAST_DAYS = 35;
const MONTHS = 13;

/** Of a company. Its tables must leave room for those of other views: all are in the memory of one process. */
const MOST_BALANCES = 2_000_000;

/** They rise. */
function daysShown(today: Day): readonly Day[] {
  const { year, month } = civil(today);
  const first = dayOf(year, month, 1);
  const ofMonths = Array.from({ length: MONTHS }, (_, months) => addDays(addMonths(first, -months), -1));
  const last = Array.from({ length: LAST_DAYS }, (_, days) => addDays(today, -days));
  return [...new Set([...ofMonths, ...last])].sort((a, b) => a - b);
}

/** `LOAN_STATUS_PAID_OFF` of `paidOff`. */
const statusCode = (status: DailyBalances['status']): string =>
  `LOAN_STATUS_${status.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const BLOCKS = ['outstanding', 'nonDue', 'due', 'overdue'] as const satisfies readonly (keyof Balances)[];
const PARTS = ['total', 'principal', 'interest', 'fees'] as const;

const part = (block: (typeof BLOCKS)[number], of: (typeof PARTS)[number]) => {
  const prefix = block === 'nonDue' ? 'non_due' : block;
  return {
    name: block === 'outstanding' && of === 'total' ? 'outstanding_balance_total_amount' : `${prefix}_${of}`,
    type: 'MONEY',
    meaning: of === 'total' ? `All that is ${prefix.replace('_', '-')}` : `Of it ${of}`,
    of: ({ daily }: DailyItem): Cell => daily.balances?.[block][`${of}Cents`] ?? 0,
  } as const;
};

export const dailyBalances = view<LoanItem, DailyItem>({
  name: 'v_balances_daily',
  meaning:
    `Balances of loans at the end of days, one row for each loan and day: of the last ${LAST_DAYS} days, today included, and of the last ` +
    `day of each of the ${MONTHS} months before this one. Each is rounded to the cent. Days before a replay are as it computed them ` +
    'again. A loan has no days before it was made, and after it was paid off, canceled or declined as many as its type sets ' +
    '(`snapshotDaysAfterPayoff`).',
  kind: 'loan',
  mostRows: MOST_BALANCES,
  items: ({ state, env }) =>
    state.record === null
      ? []
      : dailyBalancesOf(state, env, daysShown(env.today(recordOf(state).zone))).map((daily) => ({ loanId: state.id, daily })),
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ loanId }) => loanId },
    { name: 'day', type: 'DATE', meaning: 'The day', of: ({ daily }) => daily.day },
    {
      name: 'status',
      type: 'VARCHAR',
      meaning: 'The status of the loan, such as `LOAN_STATUS_PAID_OFF`',
      of: ({ daily }) => statusCode(daily.status),
    },
    ...BLOCKS.flatMap((block) => PARTS.map((of) => part(block, of))),
    {
      name: 'charged_off_total',
      type: 'MONEY',
      meaning: 'What was charged off',
      of: ({ daily }) => daily.balances?.chargedOff.totalCents ?? 0,
    },
    { name: 'paid_total', type: 'MONEY', meaning: 'All that was paid until then', of: ({ daily }) => daily.balances?.paid.totalCents ?? 0 },
    {
      name: 'days_overdue',
      type: 'INTEGER',
      meaning: 'Days since the oldest due date that is not met',
      of: ({ daily }) => daily.daysOverdue,
    },
    {
      name: 'overdue_amount',
      type: 'MONEY',
      meaning: 'What remains of obligations that are overdue',
      of: ({ daily }) => daily.overdueCents,
    },
    {
      name: 'overdue_over_30_days_balance_total_amount',
      type: 'MONEY',
      meaning: 'What remains of obligations that are overdue for more than 30 days',
      of: ({ daily }) => daily.longOverdueCents,
    },
  ],
});
