import { Refusal, type Tenant } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { Reply } from '../routing/route.js';
import type { EventSource, LogPosition, StreamFilter } from './event-source.js';
import { EventTail, type StreamFormat } from './event-tail.js';

export interface StreamRequest {
  readonly tenant: Tenant;
  readonly filter: StreamFilter;
  /** Id of the last event that the reader has seen; null = from now on. */
  readonly after: string | null;
  readonly format: StreamFormat;
  readonly requestId: string;
}

export interface EventStreamsOptions {
  readonly source: EventSource;
  /** Told of failures of the service itself. */
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

  /** Readers that were cut since the start: they took nothing, or reading for them failed. */
  get cut(): number {
    return this.#cut;
  }

  /** A reply that goes on with the events after the reader's last one. Throws `Refusal` before anything is sent. */
  async open({ tenant, filter, after, format, requestId }: StreamRequest): Promise<Reply> {
    const { source, onFailure, nowMs = Date.now } = this.options;
    if (this.#tails.size >= LIMITS.streams) throw new Refusal('unavailable', 'Too many streams are open.', { retryAfterSeconds: 5 });
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

  /** Ends all streams; their readers resume elsewhere by their last event. */
  close(): void {
    clearInterval(this.#timer);
    for (const tail of [...this.#tails]) tail.end();
  }

  async #start(tenant: Tenant, after: string | null): Promise<LogPosition> {
    const { source } = this.options;
    if (after === null) return source.newest(tenant);
    const position = (await source.find(tenant, after))?.position;
    if (position !== undefined) return position;
    throw new Refusal('badRequest', 'The log has no such event, or no longer.', {
      errors: [{ path: 'startingAfter', expected: 'the id of an event of this company', message: 'unknown event' }],
    });
  }
}
