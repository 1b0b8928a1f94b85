import typia, { type tags } from 'typia';
import { type AnyId, type DateTimeText, EVENT_TYPES, type EventType, type EventView } from '../../../actors/index.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { mustBeEvents } from './event-names.js';
import { hydrated } from '../communications/hydrated.js';

/** Filters and cursor of an event list. */
interface ListEvents {
  readonly eventType?: readonly string[];
  readonly objectType?: string;
  readonly objectId?: string;
  readonly personId?: AnyId;
  readonly loanId?: AnyId;
  readonly caseId?: AnyId;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
  readonly order?: 'asc' | 'desc';
  /** How long to wait for the first event where the page is empty. */
  readonly waitSeconds?: number & tags.Type<'uint32'> & tags.Maximum<20>;
  readonly limit?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100>;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

interface GetEvent {
  readonly hydrate?: boolean;
}

const listQuery = { validate: typia.misc.createValidatePrune<ListEvents>(), schemas: typia.json.schemas<[ListEvents], '3.1'>() };
const listReply = typia.json.schemas<[EventView[]], '3.1'>();

const list = (call: Call): Promise<Reply> => {
  mustBeEvents(call.query ?? {});
  return call.read('event.list', null);
};

export const eventRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/events',
    operation: 'listEvents',
    tags: ['Events'],
    permission: 'event:list',
    envelope: 'list',
    summary: 'List the events of the company',
    description:
      'With `order=asc` and `startingAfter=<last id>` a caller reads the log without gaps. `waitSeconds` waits for the next event.',
    query: listQuery,
    reply: listReply,
    handle: list,
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/events',
    operation: 'listPersonEvents',
    tags: ['Events'],
    permission: 'event:list',
    envelope: 'list',
    summary: 'List the events of a borrower',
    query: listQuery,
    reply: listReply,
    handle: list,
  }),
  defineRoute({
    method: 'GET',
    path: '/loans/{loanId}/events',
    operation: 'listLoanEvents',
    tags: ['Events'],
    permission: 'event:list',
    envelope: 'list',
    summary: 'List the events of a loan',
    query: listQuery,
    reply: listReply,
    handle: list,
  }),
  defineRoute({
    method: 'GET',
    path: '/event-types',
    operation: 'listEventTypes',
    tags: ['Events'],
    permission: 'event:list',
    envelope: 'list',
    summary: 'List the event types',
    reply: typia.json.schemas<[EventType[]], '3.1'>(),
    handle: async () => ({ data: { items: EVENT_TYPES, total: EVENT_TYPES.length, hasMore: false, hasPrevious: false } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/events/{eventId}',
    operation: 'getEvent',
    tags: ['Events'],
    permission: 'event:read',
    summary: 'Get an event',
    query: { validate: typia.misc.createValidatePrune<GetEvent>(), schemas: typia.json.schemas<[GetEvent], '3.1'>() },
    reply: typia.json.schemas<[EventView], '3.1'>(),
    handle: async (call) => {
      const reply = await call.read('event.get', null);
      const event = reply.data;
      return (call.query as GetEvent | undefined)?.hydrate === true
        ? { ...reply, data: { ...event, hydrated: await hydrated(call, event) } }
        : reply;
    },
  }),
];
