import { assert, must } from '../../../../engine/index.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import type { Context } from '../context.js';
import { type Feedback, feedbackTold, sendMoved, type SendMoved, sendRecorded, type SentMessage } from '../recording.js';
import type { InteractionState } from '../state.js';

/*
 * The service's own: no route leads here. What sends decides on another actor takes the facts of `recording.ts` instead, beside its own.
 */

const ofService = (
  type: string,
  place: CommandSpec<InteractionState>['place'],
  decide: (context: Context) => ReturnType<typeof feedbackTold>,
): CommandSpec<InteractionState> => ({
  kind: 'interaction',
  type,
  place,
  decide(context) {
    assert(context.command.actor.type === 'system', `${type} is a command of the service`);
    return { facts: decide(context), reply: ({ id, status, statusDetails }) => ({ data: { interactionId: id, status, statusDetails } }) };
  },
});

export const serviceCommands: readonly CommandSpec<InteractionState>[] = [
  ofService('interaction.recordSend', { on: 'beside', kind: 'person' }, ({ env, id, body, besideId }) => {
    const message = body as SentMessage;
    assert(message.personId === must(besideId, 'a message has a recipient'), 'the message is to the borrower whom it lies beside');
    return [sendRecorded(env, id, message)];
  }),
  ofService('interaction.moveSend', { on: 'target' }, ({ env, state, body }) => [sendMoved(env, state, body as SendMoved)]),
  ofService('interaction.feedback', { on: 'target' }, ({ env, state, body }) => feedbackTold(env, state, body as Feedback)),
];
