import { toJsonText } from '../../actors/index.js';
import type { StreamFormat } from './event-tail.js';

/** Server-sent events: a reader that reconnects sends the last id by itself. */
export const SERVER_SENT_EVENTS: StreamFormat = {
  greeting: 'retry: 1000\n\n',
  event: ({ id, eventType, view }) => `id: ${id}\nevent: ${eventType}\ndata: ${toJsonText(view)}\n\n`,
  heartbeat: ':\n\n',
};

/** One message an event; the protocol has its own pings. */
export const SOCKET_MESSAGES: StreamFormat = {
  greeting: null,
  event: ({ view }) => toJsonText(view),
  heartbeat: null,
};
