import type { CommandSpec } from '../../../kernel/actor.js';
import type { LoanState } from '../../state.js';
import { moveDraft } from '../moves.js';
import type { CancelTransactionQuery, CancelTransactionRequest } from '../requests.js';
import { beginMove, decided } from './decision.js';

/** `POST L/transactions/{transactionId}/cancel`: only what is scheduled. */
export const cancelTransaction: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'transaction.cancel',
  place: { on: 'target' },
  decide(context) {
    const { request: body, record } = beginMove<CancelTransactionRequest>(context, 'cancel');
    const request = { ...(context.command.query as CancelTransactionQuery), ...body };
    const cancelReason = request.cancelReason ?? 'canceledByUser';
    const changes = { cancelReason, ...(request.clearExternalId === true ? { externalId: null } : {}) };
    return decided(context, request, record.id, [moveDraft(record, 'cancel', changes, request.caseId ?? null)]);
  },
};
