import typia from 'typia';
import { type InteractionView, type ListResult, type ReceiveRequest, type SenderItem, type SenderQuery, senderQuery } from '../../../actors/index.js';
import type { Call } from '../../routing/call.js';
import { defineRoute, type Route } from '../../routing/route.js';

/** What comes in from borrowers (communications 1.6). */
export const receiveRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST', path: '/communicator/receive', operation: 'receiveMessage', summary: 'Record an inbound message and do what it asks for', tags: ['Communicator'],
    permission: 'communicator:receive', reply: typia.json.schemas<[InteractionView], '3.1'>(),
    body: { validate: typia.misc.createValidatePrune<ReceiveRequest>(), schemas: typia.json.schemas<[ReceiveRequest], '3.1'>() },
    async handle(call) {
      const { body } = call;
      if (body.personId != null) return call.command('interaction.receive', body.personId);
      const sender = await senderOf(call);
      if (sender === null) return call.command('interaction.receiveUnbound', null);
      const names = body.contactId !== undefined || body.contactExternalId !== undefined;
      return call.command('interaction.receive', sender.personId, { body: names ? body : { ...body, contactId: sender.contactId } });
    },
  }),
];

/** The one borrower with the address or number of the sender, by its own contact before those of others. */
async function senderOf(call: Pick<Call<object, unknown, ReceiveRequest>, 'body' | 'read'>): Promise<SenderItem | null> {
  const query: SenderQuery | null = senderQuery(call.body);
  if (query === null) return null;
  const { items } = (await call.read('person.senders', null, { query })).data as ListResult<SenderItem>;
  const people = new Set(items.map(({ personId }) => personId));
  return people.size === 1 ? (items.find(({ affiliation }) => affiliation === 'self') ?? items[0] ?? null) : null;
}
