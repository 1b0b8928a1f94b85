import type { StreamConnection } from '../http/message.js';
import { LIMITS } from '../limits.js';
import type { EventReader, LoggedEvent, LogPosition, ReadEvents } from './event-source.js';

export interface TailOptions {
  /** Calls back when there is more to read; returns the way to stop it. */
  readonly onAdvance: (listener: () => void) => () => void;
  readonly read: EventReader;
  readonly from: LogPosition;
  readonly connection: StreamConnection;
  readonly format: StreamFormat;
  readonly onClose: () => void;
  /** Told before the reader is cut. */
  readonly onCut?: () => void;
  /** Told of what was thrown while reading; the reader is cut, and resumes by the last event. */
  readonly onFailure: (cause: unknown) => void;
}

interface StreamPiece {
  readonly content: string | Uint8Array;
  /** Whoever has the piece has seen all up to this event. */
  readonly last: LoggedEvent;
}

/** How events are written into a connection. */
export interface StreamFormat {
  readonly greeting: string | null;
  /** Some events in their order: in as many pieces as the connection must be given apart. */
  pieces(events: readonly LoggedEvent[]): Iterable<StreamPiece>;
  /** A sign of life; null where the connection has its own. */
  readonly heartbeat: string | null;
}

/**
 * One reader of the log. It is read as fast as its connection takes and not faster: while the connection is full
 * nothing is read for it, so a slow reader costs no memory, and one that takes nothing for long is cut.
 */
export class EventTail {
  #position: LogPosition;
  #isFull = false;
  #isClosed = false;
  /** A batch is being fetched, or others have their turn before the next one. */
  #isBusy = false;
  /** There was news while a batch was being fetched. */
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

  /** Called now and then: shows that the stream lives, and cuts a reader that takes nothing. */
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

  /** The log and the connection call this: what would be thrown at them would end the process, and with it all other readers. */
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

  /** One batch at a time; other work passes between two batches. */
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
