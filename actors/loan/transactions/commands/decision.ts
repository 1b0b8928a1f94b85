import { must } from '../../../../engine/index.js';
import { finished } from '../../commands/order.js';
import { requireBody, requireCase, requireMove, requirePerson } from '../../context.js';
import type { CommandContext, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import { refuseDone, requireTransactionMove, transactionOf } from '../find.js';
import type { TransactionMove } from '../machine.js';
import type { TransactionRecord } from '../record.js';
import { transactionView } from '../view.js';

export interface Begun<Request> {
  readonly request: Request;
  readonly record: TransactionRecord;
}

/** What every action on a transaction asks first: the person of the path, both statuses, a case where one is needed. */
export function beginMove<Request extends Pick<ActionRequest, 'caseId'>>(
  context: CommandContext<LoanState>,
  move: TransactionMove,
): Begun<Request> {
  const { state, env, command } = context;
  const request = requireBody<Request>(context.body);
  requirePerson(state, command.params['personId'], env);
  const record = transactionOf(state, command.params['transactionId']);
  refuseDone(record);
  requireTransactionMove(record, move);
  requireMove(state, 'manageMoney');
  requireCase(env, state, command, request.caseId);
  return { request, record };
}

/** The facts of an action, previewed or booked, answered by the transaction as it is then. */
export function decided(
  context: CommandContext<LoanState>,
  request: Pick<ActionRequest, 'previewMode'>,
  transactionId: string,
  facts: readonly FactDraft[],
): Decision<LoanState> {
  return {
    facts,
    preview: request.previewMode === true,
    reply: (after) => {
      const record = must(after.transactions.get(transactionId), `the transaction ${transactionId} is there`);
      const data = transactionView(after, context.env, record);
      const { fromInstrument, toInstrument } = data.paymentDetails;
      const showsDigits = (fromInstrument ?? toInstrument)?.accountNumberLastFour != null;
      return finished(context, request, showsDigits && record.instrument ? { data, sealedFor: record.instrument.personId } : { data });
    },
  };
}
