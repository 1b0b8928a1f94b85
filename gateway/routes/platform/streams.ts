import typia from 'typia';
import type { AnyId } from '../../../actors/index.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { type EventStreams, SERVER_SENT_EVENTS, SOCKET_MESSAGES, type StreamFormat } from '../../streams/event-streams.js';
import { mustBeEvents } from './event-names.js';

interface StreamEvents {
  readonly eventType?: readonly string[];
  readonly objectType?: string;
  readonly objectId?: string;
  readonly personId?: AnyId;
  readonly loanId?: AnyId;
  readonly caseId?: AnyId;
  /** The last event that the reader has; absent = from now on. */
  readonly startingAfter?: string;
}

const query = { validate: typia.misc.createValidatePrune<StreamEvents>(), schemas: typia.json.schemas<[StreamEvents], '3.1'>() };

/** The path of WebSockets, relative to the base. */
export const SOCKET_PATH = '/events/socket';

/** Streams of the event log. A reader that resumes with its last event id misses none. */
export function streamRoutes(streams: EventStreams): readonly Route[] {
  const open = (call: Call<object, StreamEvents>, format: StreamFormat): Promise<Reply> => {
    const { startingAfter, ...filter } = call.query;
    const { company, mode } = call.caller;
    mustBeEvents(filter);
    return streams.open({ tenant: { company, mode }, filter, after: startingAfter ?? call.lastEventId, format, requestId: call.requestId });
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/events/stream',
      operation: 'streamEvents',
      tags: ['Events'],
      permission: 'event:list',
      envelope: 'events',
      summary: 'Stream events as server-sent events',
      description:
        'A reader that connects again with `Last-Event-ID` (or `startingAfter`) misses no event. One that reads too slowly is ' +
        'disconnected.',
      query,
      handle: (call) => open(call, SERVER_SENT_EVENTS),
    }),
    defineRoute({
      method: 'GET',
      path: SOCKET_PATH,
      operation: 'openEventSocket',
      tags: ['Events'],
      permission: 'event:list',
      envelope: 'socket',
      success: 101,
      summary: 'Stream events over a WebSocket',
      description:
        'Each event is one message. A reader that connects again with `startingAfter` misses no event. One that reads too slowly is ' +
        'disconnected.',
      query,
      handle: (call) => open(call, SOCKET_MESSAGES),
    }),
  ];
}
