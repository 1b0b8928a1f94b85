import typia from 'typia';
import type { InteractionView, SendRequest } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';
import { orStopped, SendRate } from './hydrated.js';

/** Messages to borrowers. */
export function sendRoutes(): readonly Route[] {
  const rate = new SendRate(() => performance.now());
  return [
    defineRoute({
      method: 'POST',
      path: '/communicator/send',
      operation: 'sendMessage',
      summary: 'Send a message to a borrower',
      tags: ['Communicator'],
      permission: 'communicator:send',
      query: syncQuery,
      reply: typia.json.schemas<[InteractionView], '3.1'>(),
      body: { validate: typia.misc.createValidatePrune<SendRequest>(), schemas: typia.json.schemas<[SendRequest], '3.1'>() },
      handle: async (call) => {
        rate.take(call.caller);
        return orStopped(await call.command('interaction.send', call.body.personId));
      },
    }),
  ];
}
