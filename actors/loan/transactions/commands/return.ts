import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { effectiveNow, requireBody } from '../../context.js';
import type { LoanState } from '../../state.js';
import { comeBack } from '../come-back.js';
import { refuseCharged, refuseDone, requireTransactionMove, transactionOf } from '../find.js';
import { returned } from '../moves.js';
import { isInternalMoney } from '../record.js';
import type { BankReturn } from '../settlement.js';
import { decided } from './decision.js';

/**
 * The settlement part tells that a bank has sent money back, before its settlement day or after it, whatever has become
 * of the loan: it is gone. No route leads here.
 */
export const returnTransaction: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.return',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    const { returnCode } = requireBody<Pick<BankReturn, 'returnCode'>>(context.body);
    const record = transactionOf(state, command.params['transactionId']);
    if (!isInternalMoney(record)) refuse('invalidState', 'Only money that the service moves is returned to it.');
    if (record.status === 'failed' && record.achReturnCode === returnCode) return decided(context, {}, record.id, []);
    if (record.transactionType !== 'reimbursement') refuseDone(record);
    if (record.status === 'scheduled') refuse('invalidState', 'The transaction is scheduled: nothing was collected yet.');
    requireTransactionMove(record, 'fail');
    refuseCharged(state, record);
    const at = effectiveNow(env, state);
    const facts = comeBack(state, env, { record, failure: returned(returnCode), recording: { at, today: at.day, caseId: null } });
    return decided(context, {}, record.id, facts);
  },
};
