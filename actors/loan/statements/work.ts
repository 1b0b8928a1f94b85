import { comingPeriod, lastFallenDue, type LedgerState, must, type PeriodView, periodsOf } from '../../../engine/index.js';
import { statementId } from '../derived-ids.js';
import { ledgerOf } from '../ledger.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { Servicing } from '../state.js';
import { composeStatement } from './compose.js';
import type { StatementIssued } from './facts.js';

/** One statement a due date: on the due date itself, or some days before the end of its period (money 5, rules 1 and 2). */
export const statementWork: ScheduledWork = {
  nextDay({ servicing }) {
    if (servicing === null) return null;
    const { summary, statedThrough } = servicing;
    if (isMissing(servicing)) return summary.fallenDueDay;
    const { comingDueDay, comingStatementDay } = summary;
    return comingDueDay !== null && comingDueDay > statedThrough ? comingStatementDay : null;
  },
  *due(state, _day, env) {
    const servicing = must(state.servicing, 'statements are of loans with a ledger');
    const period = periodToState(ledgerOf(state, env), isMissing(servicing));
    const id = statementId(env, state, servicing.statements.length);
    const body: StatementIssued = { statement: composeStatement(state, env, { id, period, isTest: false }), caseId: null };
    yield { type: 'StatementIssued', body };
  },
};

/** A due date has come and has no statement. */
const isMissing = ({ summary: { fallenDueDay }, statedThrough }: Servicing): boolean => fallenDueDay !== null && fallenDueDay > statedThrough;

function periodToState(ledger: LedgerState, isFallen: boolean): PeriodView {
  const fallen = lastFallenDue(ledger);
  if (!isFallen || fallen === null) return must(comingPeriod(ledger), 'the period of a statement to come');
  return { ...must(periodsOf(ledger)[fallen.period], 'the period of a due date'), dueDay: fallen.dueDay };
}
