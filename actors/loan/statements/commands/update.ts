import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { beginAction } from '../../commands/order.js';
import type { LoanState } from '../../state.js';
import type { StatementChanges, StatementUpdated } from '../facts.js';
import { statementOf } from '../find.js';
import { FIGURES } from '../record.js';
import type { UpdateStatementRequest } from '../requests.js';
import { statementReply } from '../view.js';
import { figuresAsked } from './record.js';

/** `PUT L/statements/{statementId}`: figures only of a statement from outside; what was issued here never changes. */
export const updateStatement: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'statement.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<UpdateStatementRequest>(context, 'update');
    const { state, env, command } = context;
    const statement = statementOf(state, command.params['statementId']);
    const isExternal = request.isExternal ?? statement.isExternal;
    const named = FIGURES.filter((name) => request[name] !== undefined);
    if (named.length > 0 && !isExternal) {
      refuse('invalidState', 'The figures of a statement that was issued here do not change: generate a new version.', {
        errors: named.map((path) => ({
          path,
          expected: 'nothing, unless isExternal is true',
          message: 'is a figure of an issued statement',
        })),
      });
    }
    const changes: StatementChanges = {
      ...(request.documentDescriptorId === undefined ? {} : { documentDescriptorId: request.documentDescriptorId }),
      ...(request.metaData === undefined ? {} : { metaData: request.metaData }),
      ...(isExternal === statement.isExternal ? {} : { isExternal }),
      ...(named.length === 0 ? {} : { figures: figuresAsked(request, (index) => statement.figures[index] ?? null) }),
    };
    const body: StatementUpdated = { id: statement.id, changes, caseId: request.caseId ?? null };
    return {
      facts: Object.keys(changes).length === 0 ? [] : [{ type: 'StatementUpdated', body }],
      reply: (after) => ({ data: statementReply(after, env, statementOf(after, statement.id)) }),
    };
  },
};
