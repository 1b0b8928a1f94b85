import { must } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { dateText } from '../../../wire.js';
import { beginAction, finished } from '../../commands/order.js';
import { todayOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import { composeStatement } from '../compose.js';
import type { StatementIssued } from '../facts.js';
import { periodNamed, statementOf } from '../find.js';
import type { GenerateStatementRequest } from '../requests.js';
import { statementReply } from '../view.js';

/** `POST L/periods/{periodId}/generate-statement`: a new version from what is known now; the older ones stay as they are. */
export const generateStatement: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'statement.generate',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<GenerateStatementRequest>(context, 'state');
    const { state, env, command } = context;
    const period = periodNamed(state, env, command.params['periodId']);
    if (period.statementDay > todayOf(env, state)) {
      refuse('invalidState', `The statement of the period is made on ${dateText(period.statementDay)}.`, {
        errors: [
          {
            path: 'periodId',
            expected: 'a period whose statement date has come',
            message: `is stated on ${dateText(period.statementDay)}`,
          },
        ],
      });
    }
    const statement = composeStatement(state, env, { id: env.newId('SM'), period, isTest: request.isTest === true });
    const body: StatementIssued = { statement, caseId: request.caseId ?? null };
    return {
      facts: [{ type: 'StatementIssued', body }],
      preview: request.previewMode === true,
      reply: (after) =>
        finished(context, request, { data: statementReply(after, env, must(statementOf(after, statement.id), 'a new statement')) }),
    };
  },
};
