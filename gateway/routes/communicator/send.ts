import typia from 'typia';
import { BLOCKED_STATUS, type FailedSend, type InteractionView, refusalOf, type SendRequest, textOf } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';
import { SendRate } from './send-rate.js';

/** What is sent to borrowers (communications 1). */
export function sendRoutes(): readonly Route[] {
  const rate = new SendRate(() => performance.now());
  return [
    defineRoute({
      method: 'POST', path: '/communicator/send', operation: 'sendMessage', summary: 'Screen, record and queue a message to a borrower', tags: ['Communicator'], permission: 'communicator:send',
      query: syncQuery, reply: typia.json.schemas<[InteractionView], '3.1'>(),
      body: { validate: typia.misc.createValidatePrune<SendRequest>(), schemas: typia.json.schemas<[SendRequest], '3.1'>() },
      handle: async (call) => {
        rate.take(call.caller);
        const reply = await call.command('interaction.send', call.body.personId);
        if (reply.status === BLOCKED_STATUS) throw refusalOf(JSON.parse(textOf(reply.data)) as FailedSend); // a stored reply is text
        return reply;
      },
    }),
  ];
}
