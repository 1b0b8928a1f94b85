import { type PeriodView, ZERO } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { amount, dateText, type DateText, dayOfText } from '../../wire.js';
import { activationOf, recordOf, requirePerson } from '../context.js';
import { periodId } from '../derived-ids.js';
import { comingFeesOf } from '../fees/coming.js';
import { obligationsIn, overdueIn, periodsIn, type RunningLedger, runningOn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { scheduleReply } from '../views/loan.js';
import { isMigratedPeriod, obligationReply } from '../views/obligation.js';
import type { ObligationsReply, PeriodReply } from '../views/read-types.js';

/** `fromDate` and `toDate` must be given together and match overlapping periods; `dueDate` matches one period. */
export interface PeriodsQuery {
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
  readonly dueDate?: DateText;
}

export interface ObligationsQuery extends PeriodsQuery {
  readonly periodId?: string;
  readonly status?: 'unfulfilled' | 'overdue';
  readonly isOpen?: boolean;
}

type Context<Query = unknown> = QueryContext<LoanState, Query>;

export const getExpectedPayments: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.expectedPayments',
  on: 'target',
  read({ state, env, request }) {
    requirePerson(state, request.params['personId'], env);
    return scheduleReply(state, env);
  },
};

export const listPeriods: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.periods',
  on: 'target',
  read(context): readonly PeriodReply[] {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    return periodsAsked(context).map((period) => periodReply(period, state, context));
  },
};

export const getPeriod: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.period',
  on: 'target',
  read(context): PeriodReply {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const id = request.params['loanPeriodId'] ?? '';
    const period = periodsNow(context).find(({ ordinal }) => periodId(env, state, ordinal) === id);
    return periodReply(period ?? refuse('notFound', `The loan has no period ${id}.`), state, context);
  },
};

export const listObligations: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.obligations',
  on: 'target',
  read: (context) => obligationsReply(context, null),
};

/** Obligations of the loan, or of one draw of a line. */
export function obligationsReply(context: Context, draw: number | null): ObligationsReply {
  const { state, env, request } = context;
  requirePerson(state, request.params['personId'], env);
  const query = (context.query ?? {}) as ObligationsQuery;
  if (activationOf(state) === null)
    return { isLocked: false, isOverdue: false, overdueAmount: amount(ZERO), daysOverdue: 0, obligations: [] };
  const ledger = ledgerNow(context);
  const overdue = overdueIn(ledger);
  const periods = new Map(periodsAsked(context).map((period) => [period.ordinal, periodId(env, state, period.ordinal)]));
  const obligations = obligationsIn(ledger, draw, comingFeesOf(state, env, ledger.day)).filter(
    (obligation) =>
      periods.has(obligation.period) &&
      (query.periodId === undefined || periods.get(obligation.period) === query.periodId) &&
      (query.status === undefined || (query.status === 'overdue' ? obligation.isOverdue : !obligation.isFulfilled)) &&
      (query.isOpen === undefined || obligation.isOpen === query.isOpen),
  );
  return {
    isLocked: false,
    isOverdue: overdue.isOverdue,
    overdueAmount: amount(overdue.overdueCents),
    daysOverdue: overdue.daysOverdue,
    obligations: obligations.map((obligation) => obligationReply(obligation, state, env)),
  };
}

const ledgerNow = ({ state, env }: Context): RunningLedger => runningOn(state, env, env.today(recordOf(state).zone));

function periodsNow(context: Context): readonly PeriodView[] {
  return activationOf(context.state) === null ? [] : periodsIn(ledgerNow(context));
}

function periodsAsked(context: Context): readonly PeriodView[] {
  const { fromDate, toDate, dueDate } = (context.query ?? {}) as PeriodsQuery;
  if ((fromDate === undefined) !== (toDate === undefined)) {
    const path = fromDate === undefined ? 'fromDate' : 'toDate';
    refuse('badRequest', 'Send both `fromDate` and `toDate`.', {
      errors: [{ path, expected: 'fromDate and toDate together', message: 'is missing' }],
    });
  }
  const periods = periodsNow(context);
  const due = dueDate === undefined ? null : dayOfText(dueDate);
  const from = fromDate === undefined ? null : dayOfText(fromDate);
  const to = toDate === undefined ? null : dayOfText(toDate);
  return periods.filter(
    (period) =>
      (due === null || period.dueDay === due) && (from === null || to === null || (period.startDay <= to && period.endDay >= from)),
  );
}

const periodReply = (period: PeriodView, state: LoanState, { env }: Context): PeriodReply => ({
  object: 'loanPeriod',
  id: periodId(env, state, period.ordinal),
  startDate: dateText(period.startDay),
  endDate: dateText(period.endDay),
  statementDate: dateText(period.statementDay),
  dueDate: dateText(period.dueDay),
  status: period.status,
  isMigrated: isMigratedPeriod(state, period),
});
