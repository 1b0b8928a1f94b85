import type { KeyValue, Tenant } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { EventReader, EventSource, LogPosition, StreamedEvent } from './event-source.js';

interface PublishedEvent {
  readonly subject: string;
  readonly id: string;
  readonly text: string;
  /** All events up to this stamp were stored before this one was published. */
  readonly storedThrough: number;
}

/** Where events are published to: a stream of a message server. */
export interface PublishTarget {
  /** Resolves when the event is stored there. An event that is published again under its id is stored once. */
  publish(event: PublishedEvent): Promise<void>;
  /** `storedThrough` of the newest event under the subjects; null = there is none, or it has no such stamp. */
  storedThrough(subjects: string): Promise<number | null>;
  close(): Promise<void>;
}

export interface EventPublisherOptions {
  readonly source: EventSource;
  readonly target: PublishTarget;
  readonly tenants: () => readonly Tenant[];
  /** Stores the position up to which events are published. */
  readonly store: () => KeyValue;
  /** Whether this process publishes, where another may take over. */
  readonly holds?: () => boolean;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

interface Follower {
  readonly tenant: Tenant;
  readonly read: EventReader;
  position: LogPosition;
  /** Ends the subscription to new events. */
  readonly stop: () => void;
}

/**
 * Follows the log of all companies and publishes it as `events.<company>.<mode>.<type>`. The position is stored after the published events
 * are: after a crash some events are published again, under the same ids. An event is published when the one before it of the same order
 * key is stored.
 */
export class EventPublisher {
  readonly #followers = new Map<string, Follower>();
  readonly #timer: NodeJS.Timeout;
  #publishing: Promise<void> | null = null;
  #hasMore = false;
  #isClosed = false;
  #isAway = false;

  constructor(private readonly options: EventPublisherOptions) {
    this.#timer = setInterval(() => this.publishNew(), LIMITS.publishTickMs);
    this.#timer.unref();
    this.publishNew();
  }

  /** Publishes the new events, unless that is under way. */
  publishNew(): void {
    this.#hasMore = true;
    if (this.#isClosed || !this.#holds) return;
    this.#publishing ??= this.#publish().finally(() => (this.#publishing = null));
  }

  get #holds(): boolean {
    return this.options.holds?.() ?? true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { stop } of this.#followers.values()) stop();
    await this.options.target.close(); // ends the calls that wait for an answer
    await this.#publishing;
  }

  /** Publishes until there is nothing new. After a failure the next tick goes on. */
  async #publish(): Promise<void> {
    try {
      while (this.#hasMore && !this.#isClosed) {
        this.#hasMore = false;
        for (const tenant of this.options.tenants()) if (await this.#publishBatch(await this.#followerOf(tenant))) this.#hasMore = true;
      }
      this.#reportAway(false, null);
    } catch (cause) {
      this.#reportAway(true, cause);
    }
  }

  /** True when there may be more. */
  async #publishBatch(follower: Follower): Promise<boolean> {
    const { events, position } = await follower.read(follower.position, LIMITS.publishBatch);
    if (events.length > 0) {
      const { tenant } = follower;
      const storedThrough = this.options.source.stampThrough(follower.position);
      const chains = await Promise.allSettled(
        [...byOrderKey(events).values()].map((chain) => this.#publishChain(tenant, chain, storedThrough)),
      );
      const failed = chains.find((chain) => chain.status === 'rejected');
      if (failed) throw failed.reason;
      await this.options.store().write([[keyOf(tenant), Buffer.from(String(position))]]);
    }
    follower.position = position;
    return events.length === LIMITS.publishBatch;
  }

  async #publishChain(tenant: Tenant, chain: readonly StreamedEvent[], storedThrough: number): Promise<void> {
    for (const { id, eventType, text } of chain) {
      if (this.#isClosed || !this.#holds) throw new Error('events are published by another process');
      await this.options.target.publish({ subject: `${subjectPrefixOf(tenant)}.${eventType}`, id, text, storedThrough });
    }
  }

  /** Starts at the stored position; without one, after the events that the server has without a gap. */
  async #followerOf(tenant: Tenant): Promise<Follower> {
    const key = keyOf(tenant);
    const known = this.#followers.get(key);
    if (known) return known;
    const { store, target, source } = this.options;
    const noted = store().get(key);
    const position = noted
      ? Number(Buffer.from(noted).toString())
      : source.positionAfter((await target.storedThrough(`${subjectPrefixOf(tenant)}.>`)) ?? 0);
    const follower = { tenant, read: await source.reader(tenant, {}), position, stop: source.onAdvance(() => this.publishNew(), tenant) };
    if (this.#isClosed) follower.stop();
    this.#followers.set(key, follower);
    return follower;
  }

  /** Reports once that the server is lost, and once that it is back. */
  #reportAway(isAway: boolean, cause: unknown): void {
    if (isAway === this.#isAway || this.#isClosed) return;
    this.#isAway = isAway;
    this.options.report(
      isAway ? 'Events wait for the message server.' : 'Events are published again.',
      isAway ? { cause: String(cause) } : {},
    );
  }
}

/** The subjects of the events of a tenant begin with it. */
const subjectPrefixOf = ({ company, mode }: Tenant): string => `events.${company}.${mode}`;
const keyOf = ({ company, mode }: Tenant): string => `n/${company}/${mode}`;

function byOrderKey(events: readonly StreamedEvent[]): Map<string, StreamedEvent[]> {
  const chains = new Map<string, StreamedEvent[]>();
  for (const event of events) {
    const chain = chains.get(event.orderKey);
    if (chain) chain.push(event);
    else chains.set(event.orderKey, [event]);
  }
  return chains;
}
