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

/** The requests of a message that comes in, for one of the companies. */
export interface Receiving {
  senders(query: SenderQuery): Promise<readonly SenderItem[]>;
  /** The id of a borrower that an AnyId names; refuses where there is none. */
  borrower(anyId: string): Promise<string>;
  record(type: 'interaction.receive' | 'interaction.receiveUnbound', personId: string | null, body: ReceiveRequest): Promise<Reply>;
  /** Stops texts to the number of a contact. */
  stopTexts(personId: string, contactId: string): Promise<unknown>;
}

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
    handle: (call) => received(ofCaller(call), call.body),
  }),
];

const ofCaller = (call: Pick<Call<object, unknown, ReceiveRequest>, 'read' | 'command'>): Receiving => ({
  senders: async (query) => (await call.read('person.senders', null, { query })).data.items,
  borrower: async (anyId) => must(textIn((await call.read('person.get', anyId, { query: undefined })).data, 'id'), 'a borrower has its id'),
  record: (type, personId, body) => call.command(type, personId, { body }),
  stopTexts: (personId, contactId) => call.command('person.stopTexts', personId, { body: { contactId }, step: `stop ${personId}` }),
});

/** Records the message of its sender, and carries out what it requests. */
export async function received(receiving: Receiving, body: ReceiveRequest): Promise<Reply> {
  const query = senderQuery(body);
  const holders = query === null ? [] : await receiving.senders(query);
  const senders = holders.filter(({ isArchived }) => !isArchived);
  const personId = await personOf(receiving, body, senders);
  const own = senders.filter((sender) => sender.personId === personId);
  // First: a stop counts also where its record is refused.
  if (isStop(body))
    await stopOthers(
      receiving,
      holders.filter((holder) => own.length === 0 || holder.personId !== personId),
    );
  return recorded(receiving, body, personId, own);
}

/** The named borrower, or the only one with the address of the sender; null where there is none or more than one. */
async function personOf(receiving: Receiving, { personId: named }: ReceiveRequest, senders: readonly SenderItem[]): Promise<string | null> {
  if (named != null) return senders.length === 0 ? named : receiving.borrower(named);
  const people = new Set(senders.map(({ personId }) => personId));
  return people.size === 1 ? (senders[0]?.personId ?? null) : null;
}

/** Records the message with the contact that the body names, else a contact of the borrower itself, else one of a relative. */
function recorded(receiving: Receiving, body: ReceiveRequest, personId: string | null, senders: readonly SenderItem[]): Promise<Reply> {
  if (personId === null) return receiving.record('interaction.receiveUnbound', null, body);
  const sender = senders.find(({ affiliation }) => affiliation === 'self') ?? senders[0];
  const isNamed = body.contactId !== undefined || body.contactExternalId !== undefined;
  const contact = sender === undefined || isNamed ? {} : { contactId: sender.contactId };
  return receiving.record('interaction.receive', personId, { ...body, ...contact });
}

/**
 * A stop applies to the number (47 CFR 64.1200(a)(10)), and so to every borrower with that number, even where it is unknown which of them
 * has sent it.
 */
async function stopOthers(receiving: Receiving, senders: readonly SenderItem[]): Promise<void> {
  const first = new Map(senders.toReversed().map((sender) => [sender.personId, sender] as const));
  for (const { personId, contactId } of first.values()) await receiving.stopTexts(personId, contactId);
}
