import { must } from '../../../../engine/index.js';
import type { CommandSpec } from '../../../runtime/actor.js';
import { requireBody, requireCase, requireMove, requirePerson } from '../../context.js';
import type { LoanState } from '../../state.js';
import { requireTransactionMove, transactionOf } from '../find.js';
import { moveDraft } from '../moves.js';
import type { CancelTransactionQuery, CancelTransactionRequest } from '../requests.js';
import { transactionView } from '../view.js';

/** `POST L/transactions/{transactionId}/cancel`: only what is scheduled (money 2, rule 1). */
export const cancelTransaction: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.cancel',
  place: { on: 'target' },
  decide({ state, env, command, body }) {
    const request = { ...(command.query as CancelTransactionQuery), ...requireBody<CancelTransactionRequest>(body) };
    requirePerson(state, command.params['personId'], env);
    const record = transactionOf(state, command.params['transactionId']);
    requireTransactionMove(record, 'cancel');
    requireMove(state, 'manageMoney');
    requireCase(env, state, command, request.caseId);
    const cancelReason = request.cancelReason ?? 'canceledByUser';
    const changes = { cancelReason, ...(request.clearExternalId === true ? { externalId: null } : {}) };
    return {
      facts: [moveDraft(record, 'cancel', changes, request.caseId ?? null)],
      preview: request.previewMode === true,
      reply: (after) => ({ data: transactionView(after, env, must(after.transactions.get(record.id), record.id)) }),
    };
  },
};
