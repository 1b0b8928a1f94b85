import typia from 'typia';
import {
  type InteractionView,
  isStop,
  type ListResult,
  type PersonView,
  type ReceiveRequest,
  type SenderItem,
  type SenderQuery,
  senderQuery,
} from '../../../actors/index.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';

type ReceiveCall = Pick<Call<object, unknown, ReceiveRequest>, 'body' | 'read' | 'command'>;

/** What comes in from borrowers. */
export const receiveRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/communicator/receive',
    operation: 'receiveMessage',
    summary: 'Record an inbound message and do what it asks for',
    tags: ['Communicator'],
    permission: 'communicator:receive',
    reply: typia.json.schemas<[InteractionView], '3.1'>(),
    body: { validate: typia.misc.createValidatePrune<ReceiveRequest>(), schemas: typia.json.schemas<[ReceiveRequest], '3.1'>() },
    async handle(call) {
      const senders = await sendersOf(call);
      const personId = await personOf(call, senders);
      const reply = await recorded(
        call,
        personId,
        senders.filter((sender) => sender.personId === personId),
      );
      if (isStop(call.body))
        await stopElsewhere(
          call,
          senders.filter((sender) => sender.personId !== personId),
        );
      return reply;
    },
  }),
];

/** Whoever has the address or number of the sender among the contacts. */
async function sendersOf(call: ReceiveCall): Promise<readonly SenderItem[]> {
  const query: SenderQuery | null = senderQuery(call.body);
  return query === null ? [] : ((await call.read('person.senders', null, { query })).data as ListResult<SenderItem>).items;
}

/** The borrower who is named, or the one who has the sender's address; null where nobody is told from others. */
async function personOf(call: ReceiveCall, senders: readonly SenderItem[]): Promise<string | null> {
  const { personId: named } = call.body;
  if (named != null)
    return senders.length === 0 ? named : ((await call.read('person.get', named, { query: undefined })).data as PersonView).id;
  const people = new Set(senders.map(({ personId }) => personId));
  return people.size === 1 ? (senders[0]?.personId ?? null) : null;
}

/** The contact that was used is the borrower's own before those of others, unless the body names one. */
function recorded(call: ReceiveCall, personId: string | null, senders: readonly SenderItem[]): Promise<Reply> {
  const { body } = call;
  if (personId === null) return call.command('interaction.receiveUnbound', null);
  const sender = senders.find(({ affiliation }) => affiliation === 'self') ?? senders[0];
  const isNamed = body.contactId !== undefined || body.contactExternalId !== undefined;
  return call.command(
    'interaction.receive',
    personId,
    sender === undefined || isNamed ? {} : { body: { ...body, contactId: sender.contactId } },
  );
}

/**
 * A stop is one of the number (47 CFR 64.1200(a)(10)): it holds for every borrower who is reached at it, also where nobody knows which of
 * them has said it.
 */
async function stopElsewhere(call: ReceiveCall, senders: readonly SenderItem[]): Promise<void> {
  const first = new Map(senders.toReversed().map((sender) => [sender.personId, sender] as const));
  for (const { personId, contactId } of first.values())
    await call.command('person.stopTexts', personId, { body: { contactId }, step: `stop ${personId}` });
}
