import { beside, failedSend, orderForCase, refusalOf, type SaidOrder, sending } from '../../../contact/index.js';
import type { PersonState } from '../../../borrower/index.js';
import { isReachable } from '../../../borrower/index.js';
import { refuse } from '../../../errors.js';
import { onCase } from '../context.js';

/** What is sent for each subcase: the words that the order of all has brought. */
export type SendToSubcase = SaidOrder;

/**
 * One message to the borrower of a subcase, about the loans of the case. One that is blocked is recorded, and counts as failed in the
 * operation; one for which there is nothing to record is refused.
 */
export const sendForSubcase = onCase('case.sendInBulk', null, ({ state, env, body, command }) => {
  const person = env.read<PersonState>('person', state.personId);
  if (!person || !isReachable(person)) return refuse('notFound', `There is no borrower ${state.personId}.`);
  const order = orderForCase(state, body as SendToSubcase, {
    channel: 'email',
    origin: 'request',
    supercaseBulkOperationId: command.commandId,
  });
  const sent = sending(env, person, order);
  const { failure } = sent;
  if (failure === null) return { facts: beside(sent), reply: () => ({ data: undefined }) };
  const data = failedSend(failure);
  if (sent.facts.length === 0) throw refusalOf(data);
  return {
    facts: beside(sent),
    reply: () => ({ data: undefined }),
    failure: { errorType: 'businessValidation', message: `${failure.blockReason}: ${failure.message}` },
  };
});
