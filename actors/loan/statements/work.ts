import { comingPeriod, type Day, lastFallenDue, linePeriodsOf, must, type PeriodView, periodsOf } from '../../../engine/index.js';
import { activationOf } from '../context.js';
import { statementId } from '../derived-ids.js';
import { isLine, type RunningLedger, runningOf } from '../ledger/running.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { Activated } from '../state.js';
import { composeStatement, isEmpty } from './compose.js';
import type { StatementIssued, StatementOmitted } from './evolve.js';

/**
 * One statement a due date: of an installment loan on the due date itself, or some days before the end of its period; of a
 * line on the day after it, long before the due date.
 */
export const statementWork: ScheduledWork = {
  nextDay(state) {
    const activation = activationOf(state);
    if (activation === null || activation.summary.status === 'canceled') return null;
    const { summary, statedThrough } = activation;
    if (isMissing(activation)) return statedOn(activation);
    const { comingDueDay, comingStatementDay } = summary;
    return comingDueDay !== null && comingDueDay > statedThrough ? comingStatementDay : null;
  },
  *due(state, _day, env) {
    const activation = must(activationOf(state), 'statements are of loans with a ledger');
    const period = periodToState(runningOf(state, env), isMissing(activation));
    const id = statementId(env, state, activation.statements.length);
    const statement = composeStatement(state, env, { id, period, isTest: false });
    if (state.line !== null && isEmpty(statement)) {
      yield { type: 'StatementOmitted', body: { dueDay: period.dueDay } satisfies StatementOmitted };
      return;
    }
    const body: StatementIssued = { statement, caseId: null };
    yield { type: 'StatementIssued', body };
  },
};

/** The due date of a period that has ended is without its statement. */
const isMissing = ({ summary: { fallenDueDay }, statedThrough }: Activated): boolean =>
  fallenDueDay !== null && fallenDueDay > statedThrough;

/** The day of the statement that is missing: a line's period begins with it. */
const statedOn = ({ summary: { periodStartDay, fallenDueDay, through }, contract }: Activated): Day | null =>
  'schedule' in contract.terms ? (periodStartDay ?? through) : fallenDueDay;

function periodToState(ledger: RunningLedger, isFallen: boolean): PeriodView {
  if (isLine(ledger)) return must(linePeriodsOf(ledger).at(isFallen ? -2 : -1), 'a period of a line');
  const fallen = lastFallenDue(ledger);
  if (!isFallen || fallen === null) return must(comingPeriod(ledger), 'the period of a statement to come');
  return { ...must(periodsOf(ledger)[fallen.period], 'the period of a due date'), dueDay: fallen.dueDay };
}
