import type { CommandSpec } from '../../../kernel/actor.js';
import { checkContact } from '../../check-contact.js';
import { beginAction } from '../../commands/order.js';
import type { LoanState } from '../../state.js';
import { statementOf } from '../find.js';
import type { SendStatementRequest } from '../requests.js';
import { statementReply } from '../view.js';
import type { StatementSentReply } from '../view-types.js';

/** `POST L/statements/{statementId}/send`. There are no messages yet: the statement is checked and the reply says that nothing went out. */
export const sendStatement: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'statement.send',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<SendStatementRequest>(context, 'state');
    const { state, env, command } = context;
    const statement = statementOf(state, command.params['statementId']);
    checkContact(context, request);
    return {
      facts: [],
      reply: (after) => {
        const data: StatementSentReply = { ...statementReply(after, env, statement), isSent: false, deliveries: [] };
        return { data, message: 'Nothing was sent: messages are not delivered yet.' };
      },
    };
  },
};
