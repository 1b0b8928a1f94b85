import { refuse } from '../../../../errors.js';
import type { CommandContext, Decision } from '../../../../kernel/actor.js';
import { finished } from '../../../commands/order.js';
import { effectiveNow, requireBody, requireCase, requireMove, requirePerson } from '../../../context.js';
import type { ActionRequest } from '../../../requests.js';
import type { LoanState } from '../../../state.js';
import type { CancelTransactionQuery, CancelTransactionRequest, ReverseTransactionRequest } from '../../../transactions/requests.js';
import { isInPreparation } from '../../stage.js';
import type { PastExternalIdCleared, PastTransactionReversed } from '../evolve.js';
import type { PastTransaction, PastTransactionTerms } from '../history.js';
import { pastTransactionView } from '../view.js';
import { owedAgain, pastTransactionOf, requireUndone } from './past-transactions.js';

type Context = CommandContext<LoanState>;

/**
 * `POST L/transactions/{transactionId}/reverse` of a past transaction: the money goes back by a transaction beside it, and
 * after the migration each draw owes its share again. Before it the balances of the cutoff are to say so.
 */
export function reversePast(context: Context): Decision<LoanState> {
  const { state, env } = context;
  const { request, past } = begin<ReverseTransactionRequest>(context);
  if (past.status !== 'succeeded') {
    refuse('invalidState', `The past transaction is ${past.status}.`, {
      errors: [{ path: 'status', expected: 'succeeded', message: `the transaction is ${past.status}` }],
    });
  }
  const caseId = request.caseId ?? null;
  const { day: effectiveDay, seconds: effectiveSeconds } = effectiveNow(env, state);
  const reversal: PastTransactionTerms = {
    id: env.newId('TX'),
    externalId: null,
    transactionType: 'reversal',
    status: 'succeeded',
    amountCents: past.amountCents,
    effectiveDay,
    effectiveSeconds,
    instrumentType: past.instrumentType,
    failureReason: null,
    splits: past.splits,
    parentTransactionId: past.id,
    reversedByTransactionId: null,
    caseId,
    metaData: null,
  };
  const body: PastTransactionReversed = { transactionId: past.id, reversal };
  return decided(context, request, past, [
    { type: 'PastTransactionReversed', body },
    ...owedAgain(context, past, { caseId, reason: 'pastTransactionReversed' }),
  ]);
}

/** `POST L/transactions/{transactionId}/cancel` of a past transaction: it stays, and its external id is free again. */
export function clearPast(context: Context): Decision<LoanState> {
  const { request: body, past } = begin<CancelTransactionRequest>(context);
  const request = { ...(context.command.query as CancelTransactionQuery), ...body };
  if (request.clearExternalId !== true) {
    refuse('invalidState', 'A past transaction is not canceled: it can give its external id back.', {
      errors: [{ path: 'clearExternalId', expected: 'true', message: 'the transaction is past' }],
    });
  }
  const cleared: PastExternalIdCleared = { transactionId: past.id, caseId: request.caseId ?? null };
  return decided(context, request, past, past.externalId === null ? [] : [{ type: 'PastExternalIdCleared', body: cleared }]);
}

function begin<Request extends Pick<ActionRequest, 'caseId'>>(
  context: Context,
): { readonly request: Request; readonly past: PastTransaction } {
  const { state, env, command } = context;
  requirePerson(state, command.params['personId'], env);
  const request = requireBody<Request>(context.body);
  const past = pastTransactionOf(state, command.params['transactionId']);
  requireUndone(past);
  if (!isInPreparation(state)) requireMove(state, 'manageMoney');
  requireCase(env, state, command, request.caseId);
  return { request, past };
}

const decided = (
  context: Context,
  request: Pick<ActionRequest, 'previewMode'>,
  { id }: PastTransaction,
  facts: Decision<LoanState>['facts'],
): Decision<LoanState> => ({
  facts,
  preview: request.previewMode === true,
  reply: (after) => finished(context, request, { data: pastTransactionView(after, pastTransactionOf(after, id)) }),
});
