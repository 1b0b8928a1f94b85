import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { beginAction } from '../../commands/order.js';
import { recordOf } from '../../context.js';
import { deferredBalances } from '../../line/tools.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import { beginTool } from '../schedule-now.js';

/** `POST L/defer-remaining-balances`: a tool of lines of credit; an installment loan is refused. */
export const deferRemainingBalances: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.deferRemainingBalances',
  place: { on: 'target' },
  decide(context) {
    if (recordOf(context.state).type === 'lineOfCredit')
      return deferredBalances(context, beginAction<ActionRequest>(context, 'deferBalances'));
    beginTool<ActionRequest>(context);
    return refuse('ruleViolation', 'Only a line of credit can defer its remaining balances.', {
      errors: [{ path: 'type', expected: 'lineOfCredit', message: 'the loan is an installment loan' }],
    });
  },
};
