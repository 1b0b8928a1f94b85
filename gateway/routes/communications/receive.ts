import { must, textIn } from '../../../engine/index.js';
import typia from 'typia';
import {
  type InteractionView,
  isStop,
  type ReceiveRequest,
  type SenderItem,
  type SenderQuery,
  senderQuery,
} from '../../../actors/index.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';

type ReceiveCall = Pick<Call<object, unknown, ReceiveRequest>, 'body' | 'read' | 'command'>;

/** Inbound messages of borrowers. */
export const receiveRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/communicator/receive',
    operation: 'receiveMessage',
    summary: 'Record an inbound message and carry out what it requests',
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
        await stopOthers(
          call,
          senders.filter((sender) => sender.personId !== personId),
        );
      return reply;
    },
  }),
];

/** The borrowers who have the address or number of the sender among their contacts. */
async function sendersOf(call: ReceiveCall): Promise<readonly SenderItem[]> {
  const query: SenderQuery | null = senderQuery(call.body);
  return query === null ? [] : (await call.read('person.senders', null, { query })).data.items;
}

/** The named borrower, or the only one with the address of the sender; null where there is none or more than one. */
async function personOf(call: ReceiveCall, senders: readonly SenderItem[]): Promise<string | null> {
  const { personId: named } = call.body;
  if (named != null)
    return senders.length === 0
      ? named
      : must(textIn((await call.read('person.get', named, { query: undefined })).data, 'id'), 'a borrower has its id');
  const people = new Set(senders.map(({ personId }) => personId));
  return people.size === 1 ? (senders[0]?.personId ?? null) : null;
}

/** Records the message with the contact that the body names, else a contact of the borrower itself, else one of a relative. */
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
 * A stop applies to the number (47 CFR 64.1200(a)(10)), and so to every borrower with that number, even where it is unknown which of them
 * has sent it.
 */
async function stopOthers(call: ReceiveCall, senders: readonly SenderItem[]): Promise<void> {
  const first = new Map(senders.toReversed().map((sender) => [sender.personId, sender] as const));
  for (const { personId, contactId } of first.values())
    await call.command('person.stopTexts', personId, { body: { contactId }, step: `stop ${personId}` });
}
