import { Refusal, type Tenant } from '../../actors/index.js';
import type { StreamConnection } from '../http/message.js';
import { LIMITS } from '../limits.js';
import type { Reply } from '../routing/route.js';
import type { EventReader, EventSource, LogPosition, ReadEvents, StreamedEvent, StreamFilter } from './event-source.js';

export interface TailOptions {
  /** Calls back when there are new events; returns a function that ends that. */
  readonly onAdvance: (listener: () => void) => () => void;
  readonly read: EventReader;
  readonly from: LogPosition;
  readonly connection: StreamConnection;
  readonly format: StreamFormat;
  readonly onClose: () => void;
  /** Called before the reader is disconnected. */
  readonly onCut?: () => void;
  /** Called with failures of reading. The reader is disconnected, and can resume after its last event. */
  readonly onFailure: (cause: unknown) => void;
}

interface StreamPiece {
  readonly content: string | Uint8Array;
  /** A reader that has the piece has read everything up to this event. */
  readonly last: StreamedEvent;
}

/** How events are written to a connection. */
export interface StreamFormat {
  readonly greeting: string | null;
  /** Some events in order, in as many pieces as must be written separately. */
  pieces(events: readonly StreamedEvent[]): Iterable<StreamPiece>;
  /** Written on a quiet stream; null where the protocol has its own heartbeat. */
  readonly heartbeat: string | null;
}

/**
 * One reader of the log. The log is read as fast as the connection accepts events: while it is full nothing is read, so that a slow reader
 * costs no memory. A reader that accepts nothing for long is disconnected.
 */
export class EventTail {
  #position: LogPosition;
  #isFull = false;
  #isClosed = false;
  /** A batch is being read, or other work runs before the next one. */
  #isBusy = false;
  /** New events came while a batch was being read. */
  #hasMore = false;
  #fullSinceMs = 0;
  #stopListening = (): void => {};

  constructor(
    private readonly options: TailOptions,
    private readonly nowMs: () => number,
  ) {
    this.#position = options.from;
  }

  start(): void {
    const { connection, onAdvance, format } = this.options;
    connection.onClose(() => this.#closed());
    connection.onDrain(() => {
      this.#isFull = false;
      this.#pump();
    });
    this.#stopListening = onAdvance(() => this.#pump());
    if (format.greeting !== null) this.#write(format.greeting);
    this.#pump();
  }

  /** Called at intervals: writes a heartbeat, and disconnects a reader that accepts nothing. */
  tick(): void {
    const { format } = this.options;
    if (this.#isFull) {
      if (this.nowMs() - this.#fullSinceMs >= LIMITS.streamStallMs) this.#cut();
    } else if (format.heartbeat !== null) {
      this.#write(format.heartbeat);
    }
  }

  end(): void {
    this.options.connection.end();
  }

  /** Called by the log and the connection, and so throws nothing: an error there would end the process with all other readers. */
  #pump(): void {
    if (this.#isBusy) this.#hasMore = true;
    if (this.#isBusy || this.#isFull || this.#isClosed) return;
    try {
      const batch = this.options.read(this.#position, LIMITS.streamBatch);
      if (batch instanceof Promise) this.#await(batch);
      else this.#take(batch);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  #await(batch: Promise<ReadEvents>): void {
    this.#isBusy = true;
    this.#hasMore = false;
    batch
      .then((read) => {
        this.#isBusy = false;
        if (this.#isClosed) return;
        this.#take(read);
        if (this.#hasMore) this.#pump();
      })
      .catch((cause: unknown) => this.#fail(cause));
  }

  #fail(cause: unknown): void {
    this.options.onFailure(cause);
    this.#cut();
  }

  #cut(): void {
    this.options.onCut?.();
    this.options.connection.cut();
  }

  /** Writes one batch. Other work runs between two batches. */
  #take({ events, position }: ReadEvents): void {
    const { format, connection } = this.options;
    if (events.length > 0) {
      connection.together(() => {
        for (const { content, last } of format.pieces(events)) {
          this.#position = last.position;
          this.#write(content);
          if (this.#isFull || this.#isClosed) return;
        }
      });
    }
    if (this.#isFull || this.#isClosed) return;
    this.#position = position;
    if (events.length < LIMITS.streamBatch) return;
    this.#isBusy = true;
    setImmediate(() => {
      this.#isBusy = false;
      this.#pump();
    });
  }

  #write(content: string | Uint8Array): void {
    if (this.options.connection.write(content)) return;
    this.#isFull = true;
    this.#fullSinceMs = this.nowMs();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening();
    this.options.onClose();
  }
}

export interface StreamRequest {
  readonly tenant: Tenant;
  readonly filter: StreamFilter;
  /** Id of the last event that the reader has; null = from now on. */
  readonly after: string | null;
  readonly format: StreamFormat;
  readonly requestId: string;
}

export interface EventStreamsOptions {
  readonly source: EventSource;
  /** Called with failures of the service itself. */
  readonly onFailure: (cause: unknown, context: { readonly requestId: string; readonly operation: string }) => void;
  readonly nowMs?: () => number;
}

/** All open streams of this process. */
export class EventStreams {
  readonly #tails = new Set<EventTail>();
  readonly #timer: NodeJS.Timeout;
  #cut = 0;

  constructor(private readonly options: EventStreamsOptions) {
    this.#timer = setInterval(() => this.tick(), LIMITS.streamHeartbeatMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#tails.size;
  }

  /** Readers that were disconnected since the start: they accepted nothing, or reading the log failed. */
  get cut(): number {
    return this.#cut;
  }

  /** A reply that streams the events after the reader's last one. Throws `Refusal` before anything is sent. */
  async open({ tenant, filter, after, format, requestId }: StreamRequest): Promise<Reply> {
    const { source, onFailure, nowMs = Date.now } = this.options;
    if (this.#tails.size >= LIMITS.streams)
      throw new Refusal('unavailable', 'Too many event streams are open. Try again in 5 seconds.', { retryAfterSeconds: 5 });
    const from = await this.#start(tenant, after);
    const read = await source.reader(tenant, filter);
    return {
      stream: (connection) => {
        const tail: EventTail = new EventTail(
          {
            read,
            from,
            connection,
            format,
            onAdvance: (listener) => source.onAdvance(listener, tenant),
            onClose: () => this.#tails.delete(tail),
            onCut: () => void (this.#cut += 1),
            onFailure: (cause) => onFailure(cause, { requestId, operation: 'streamEvents' }),
          },
          nowMs,
        );
        this.#tails.add(tail);
        tail.start();
      },
    };
  }

  tick(): void {
    for (const tail of this.#tails) tail.tick();
  }

  /** Ends all streams. Their readers resume at another gateway after their last event. */
  close(): void {
    clearInterval(this.#timer);
    for (const tail of [...this.#tails]) tail.end();
  }

  async #start(tenant: Tenant, after: string | null): Promise<LogPosition> {
    const { source } = this.options;
    if (after === null) return source.newest(tenant);
    const position = (await source.find(tenant, after))?.position;
    if (position !== undefined) return position;
    throw new Refusal('badRequest', '`startingAfter` is not the id of an event in the log. It may be unknown or too old.', {
      errors: [
        { path: 'startingAfter', expected: 'the id of an event of this company', message: 'startingAfter is not the id of an event' },
      ],
    });
  }
}

/** Server-sent events. A browser that reconnects sends the last id by itself. */
export const SERVER_SENT_EVENTS: StreamFormat = {
  greeting: 'retry: 1000\n\n',
  pieces: inOnePiece(({ id, eventType, text }) => `id: ${id}\nevent: ${eventType}\ndata: ${text}\n\n`),
  heartbeat: ':\n\n',
};

/** One message for each event. The protocol has its own pings. */
export const SOCKET_MESSAGES: StreamFormat = {
  greeting: null,
  *pieces(events) {
    for (const event of events) yield { content: event.text, last: event };
  },
  heartbeat: null,
};

interface WrittenBatch {
  readonly events: readonly StreamedEvent[];
  readonly bytes: Uint8Array;
}

/** Readers that keep up get the same batches: the bytes of a batch are made for the first of them. */
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

const areSame = (one: readonly StreamedEvent[], other: readonly StreamedEvent[]): boolean =>
  one.length === other.length && one[0] === other[0] && one.every((event, at) => event === other[at]);
