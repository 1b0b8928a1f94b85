import { ACCELERATION_ORDINAL, type PeriodView } from '../../engine/index.js';
import {
  isMigratedPeriod,
  type LoanState,
  obligationId,
  obligationsIn,
  periodId,
  periodsIn,
  type RunningLedger,
  type ViewEnv,
} from '../loan/index.js';
import type { LoanItem } from './subjects.js';
import { type Cell, view } from './view.js';

interface PeriodItem {
  readonly state: LoanState;
  readonly env: ViewEnv;
  readonly period: PeriodView;
  readonly obligation: ReturnType<typeof obligationsIn>[number] | undefined;
}

function periodsOf(state: LoanState, env: ViewEnv, ledger: RunningLedger): readonly PeriodItem[] {
  const obligations = new Map(
    obligationsIn(ledger)
      .filter(({ ordinal }) => ordinal !== ACCELERATION_ORDINAL)
      .map((obligation) => [obligation.period, obligation]),
  );
  return periodsIn(ledger).map((period) => ({ state, env, period, obligation: obligations.get(period.ordinal) }));
}

const amount = (
  name: string,
  of: 'obligation' | 'fulfilled' | 'remaining' | 'payments' | 'serviceCredits' | 'overpayments' | 'capitalized',
  meaning: string,
) =>
  ({
    name: `${name}_amount`,
    type: 'MONEY',
    meaning,
    of: ({ obligation }: PeriodItem): Cell => obligation?.[`${of}Cents`] ?? null,
  }) as const;

const flag = (name: string, meaning: string, of: 'isFulfilled' | 'isOverdue' | 'isOpen') =>
  ({ name, type: 'BOOLEAN', meaning, of: ({ obligation }: PeriodItem): Cell => obligation?.[of] ?? null }) as const;

export const periods = view<LoanItem, PeriodItem>({
  name: 'v_periods',
  meaning:
    'Billing periods of loans that were activated, those to come too, one row each, with what falls due with them. ' +
    'An acceleration makes an obligation without a period: `v_obligations` has it.',
  kind: 'loan',
  items: ({ state, env, ledger }) => (ledger === null ? [] : periodsOf(state, env, ledger)),
  columns: [
    {
      name: 'period_id',
      type: 'VARCHAR',
      meaning: 'Id of the period',
      of: ({ state, env, period }) => periodId(env, state, period.ordinal),
    },
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ state }) => state.id },
    { name: 'ordinal', type: 'INTEGER', meaning: 'Its place in the schedule, as in `v_obligations`', of: ({ period }) => period.ordinal },
    { name: 'start_date', type: 'DATE', meaning: 'Its first day', of: ({ period }) => period.startDay },
    { name: 'end_date', type: 'DATE', meaning: 'Its last day', of: ({ period }) => period.endDay },
    { name: 'statement_date', type: 'DATE', meaning: 'The day of its statement', of: ({ period }) => period.statementDay },
    { name: 'due_date', type: 'DATE', meaning: 'The day on which its payment is due', of: ({ period }) => period.dueDay },
    { name: 'status', type: 'VARCHAR', meaning: '`closed`, `open` or `future`', of: ({ period }) => period.status },
    {
      name: 'is_migrated',
      type: 'BOOLEAN',
      meaning: 'Whether it began before the line of credit was taken over',
      of: ({ state, period }) => isMigratedPeriod(state, period),
    },
    {
      name: 'obligation_id',
      type: 'VARCHAR',
      meaning: 'Its obligation; null, as all that follows, where nothing falls due with it or it is to come',
      of: ({ state, env, obligation }) => (obligation === undefined ? null : obligationId(env, state, obligation.ordinal)),
    },
    amount('obligation', 'obligation', 'What is to be paid'),
    amount('fulfilled', 'fulfilled', 'What of it is met'),
    amount('remaining', 'remaining', 'What is still to be paid'),
    amount('payments', 'payments', 'What payments have met of it'),
    amount('service_credits', 'serviceCredits', 'What credits have met of it'),
    amount('overpayments', 'overpayments', 'What money paid in advance has met of it'),
    amount('capitalized', 'capitalized', 'What became principal'),
    flag('is_fulfilled', 'Whether it is met', 'isFulfilled'),
    flag('is_overdue', 'Whether it is overdue', 'isOverdue'),
    flag('is_open', 'Whether its amount may still change', 'isOpen'),
  ],
});
