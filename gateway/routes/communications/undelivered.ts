import typia from 'typia';
import type { InteractionView, UndeliveredQuery } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { orStopped } from './hydrated.js';

const TAGS = ['Communicator'];

/** Messages that could not be handed over to any provider, for operators who have mended the way there. */
export const undeliveredRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/communicator/undelivered',
    operation: 'listUndelivered',
    summary: 'Messages whose tries are used up, newest first',
    description: 'Without what was said. What a provider has refused is not among them: it would refuse it again.',
    tags: TAGS,
    permission: 'interaction:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<UndeliveredQuery>(), schemas: typia.json.schemas<[UndeliveredQuery], '3.1'>() },
    reply: typia.json.schemas<[InteractionView[]], '3.1'>(),
    handle: (call) => call.read('interaction.listUndelivered', null),
  }),
  defineRoute({
    method: 'POST',
    path: '/communicator/undelivered/{interactionId}/send-again',
    operation: 'sendAgain',
    summary: 'Send a message again whose tries are used up',
    description:
      'It waits as at first, and is screened before each try. At a wrong hour it is `scheduled` for the next allowed one. ' +
      'What a rule blocks for good is 422, with the reason, and stays in the list.',
    tags: TAGS,
    permission: 'communicator:send',
    reply: typia.json.schemas<[InteractionView], '3.1'>(),
    handle: async (call) => orStopped(await call.command('interaction.sendAgain', call.params.interactionId)),
  }),
];
