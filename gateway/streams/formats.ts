import type { StreamedEvent } from './event-source.js';
import type { StreamFormat } from './event-tail.js';

/** Server-sent events: a reader that reconnects sends the last id by itself. */
export const SERVER_SENT_EVENTS: StreamFormat = {
  greeting: 'retry: 1000\n\n',
  event: once(({ id, eventType, text }) => `id: ${id}\nevent: ${eventType}\ndata: ${text}\n\n`),
  heartbeat: ':\n\n',
};

/** One message an event; the protocol has its own pings. */
export const SOCKET_MESSAGES: StreamFormat = {
  greeting: null,
  event: ({ text }) => text,
  heartbeat: null,
};

/** Many readers get the same event: it is written down for the first of them. */
function once(write: (event: StreamedEvent) => string): (event: StreamedEvent) => string {
  const written = new WeakMap<StreamedEvent, string>();
  return (event) => {
    const known = written.get(event) ?? write(event);
    written.set(event, known);
    return known;
  };
}
