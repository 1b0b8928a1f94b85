import { LIMITS } from '../limits.js';
import type { LoggedEvent, StreamedEvent } from './event-source.js';
import type { StreamFormat } from './event-tail.js';

/** Server-sent events: a reader that reconnects sends the last id by itself. */
export const SERVER_SENT_EVENTS: StreamFormat = {
  greeting: 'retry: 1000\n\n',
  pieces: inOnePiece(({ id, eventType, text }) => `id: ${id}\nevent: ${eventType}\ndata: ${text}\n\n`),
  heartbeat: ':\n\n',
};

/** One message an event; the protocol has its own pings. */
export const SOCKET_MESSAGES: StreamFormat = {
  greeting: null,
  *pieces(events) {
    for (const event of events) yield { content: event.text, last: event };
  },
  heartbeat: null,
};

interface WrittenBatch {
  readonly events: readonly LoggedEvent[];
  readonly bytes: Uint8Array;
}

/** Readers who keep up get the same events together: they are written down, and made into bytes, for the first of them. */
function inOnePiece(write: (event: StreamedEvent) => string): StreamFormat['pieces'] {
  const written: WrittenBatch[] = [];
  return (events) => {
    const last = events.at(-1);
    if (!last) return [];
    const known = written.find((batch) => areSame(batch.events, events));
    const { bytes } = known ?? { bytes: Buffer.from(events.map(write).join('')) };
    if (!known) written.unshift({ events, bytes });
    if (written.length > LIMITS.streamBatchesKept) written.pop();
    return [{ content: bytes, last }];
  };
}

const areSame = (one: readonly LoggedEvent[], other: readonly LoggedEvent[]): boolean =>
  one.length === other.length && one[0] === other[0] && one.every((event, at) => event === other[at]);
