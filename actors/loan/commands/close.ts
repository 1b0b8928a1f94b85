import { refuse } from '../../errors.js';
import type { CommandSpec } from '../../kernel/actor.js';
import { effectiveNow, loanTypeOf, recordOf, todayOf } from '../context.js';
import type { LoanClosed } from '../facts.js';
import type { CloseLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';
import { beginAction, finished, ledgerFact } from './order.js';

/**
 * `POST L/close`: no further draws, purchases or advances, for good. Installment loans only with several
 * advances: one that owes nothing is paid off already. A line that owes nothing is paid off by its closing.
 */
export const closeLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.close',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CloseLoanRequest>(context, 'close');
    const { state, env } = context;
    const record = recordOf(state);
    const settings = loanTypeOf(env, state).versions.at(-1)?.settings;
    const isLine = record.type === 'lineOfCredit';
    if (!isLine && settings?.structure.allowMultipleAdvances !== true) {
      refuse('invalidState', 'Only a loan whose product allows several advances can be closed.', {
        errors: [{ path: 'loanTypeId', expected: 'a product with structure.allowMultipleAdvances', message: 'has one advance alone' }],
      });
    }
    if (record.isClosed)
      refuse('invalidState', 'The loan is closed already.', { errors: [{ path: 'isClosed', expected: 'false', message: 'is closed' }] });
    const body: LoanClosed = {
      day: todayOf(env, state),
      reason: request.closeReason ?? null,
      description: request.closeReasonDescription,
      isRequestedByBorrower: request.closeRequestedByBorrower ?? false,
      caseId: request.caseId ?? null,
    };
    const effective = effectiveNow(env, state);
    // The ledger of a line must know: it is paid off only once it is closed.
    const told = isLine ? [ledgerFact(context, request, { change: { type: 'lineClosed' }, effective })] : [];
    return {
      facts: [{ type: 'LoanClosed', body }, ...told],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: loanView(after, env), sealedFor: record.personId }),
    };
  },
};
