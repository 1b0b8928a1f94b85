import {
  DiscardPolicy,
  jetstream,
  JetStreamApiError,
  type JetStreamClient,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { connect, errors, headers, type NatsConnection } from '@nats-io/transport-node';
import { describe, NatsAway } from './errors.js';
import { streamMade } from './jetstream/make-missing.js';
import { limits } from './limits.js';

/** A connection that reconnects by itself whenever it is lost. `name` shows in the server's list of connections. Throws `NatsAway`. */
export async function connectNats(url: string, name: string): Promise<NatsConnection> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await connect({
        servers: url,
        name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: limits.natsReconnectMs,
        timeout: limits.natsGreetingMs,
        pingInterval: limits.natsPingMs,
        maxPingOut: 2,
      });
    } catch (cause) {
      // A server on a busy machine answers late; a missing one is reported at once.
      if (!(cause instanceof errors.TimeoutError) || tried >= limits.natsGreetings) throw new NatsAway(url, describe(cause), { cause });
    }
  }
}

/** An event as it is published. */
export interface PublishedEvent {
  readonly subject: string;
  /** Id by which the server recognizes an event that is published again. */
  readonly id: string;
  readonly text: string;
  /** All events up to this stamp were stored before this one was published. */
  readonly storedThrough: number;
}

/** The stream of a server to which events are published; it is created where it is missing, and an existing one is not changed. */
const EVENT_STREAM = { name: 'EVENTS', subjects: 'events.>' } as const;

const STORED_THROUGH = 'Tenor-Stored-Through';

interface Connected {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

/** Publishes events to JetStream. Connects with the first one, and again after each failure. */
export class NatsEventStream {
  #connected: Promise<Connected> | null = null;

  constructor(private readonly url: string) {}

  /** Resolves when the server has stored it; rejects when that is unknown, and the event must be published again. */
  async publish({ subject, id, text, storedThrough }: PublishedEvent): Promise<void> {
    const { client } = await this.#connect();
    const about = headers();
    about.set(STORED_THROUGH, String(storedThrough));
    await client.publish(subject, text, { msgID: id, headers: about, timeout: limits.eventAckMs });
  }

  /** The stamp in the newest event under the subjects; null = there is none. */
  async storedThrough(subjects: string): Promise<number | null> {
    const { manager } = await this.#connect();
    const message = await manager.streams.getMessage(EVENT_STREAM.name, { last_by_subj: subjects });
    const stamp = Number(message?.header.get(STORED_THROUGH) ?? '');
    return stamp > 0 ? stamp : null;
  }

  async close(): Promise<void> {
    const connected = await this.#connected?.catch(() => null);
    await connected?.connection.close();
  }

  #connect(): Promise<Connected> {
    this.#connected ??= this.#open().catch((cause: unknown) => {
      this.#connected = null;
      throw cause;
    });
    return this.#connected;
  }

  async #open(): Promise<Connected> {
    const connection = await connectNats(this.url, 'tenor events');
    try {
      const manager = await jetstreamManager(connection, { timeout: limits.eventAckMs });
      await makeStream(manager);
      return { connection, manager, client: jetstream(connection, { timeout: limits.eventAckMs }) };
    } catch (cause) {
      await connection.close();
      throw cause;
    }
  }
}

async function makeStream(manager: JetStreamManager): Promise<void> {
  await streamMade(manager, EVENT_STREAM.name, () => addStream(manager, limits.eventStreamBytes));
}

/** A server reserves the whole size of a stream: a server with less room gets a smaller stream, down to a bound. */
async function addStream(manager: JetStreamManager, bytes: number): Promise<void> {
  try {
    await manager.streams.add({
      name: EVENT_STREAM.name,
      subjects: [EVENT_STREAM.subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: limits.eventStreamAgeMs * 1_000_000,
      max_bytes: bytes,
      duplicate_window: limits.duplicateWindowMs * 1_000_000,
      allow_direct: true,
    });
  } catch (cause) {
    const hasNoRoom = cause instanceof JetStreamApiError && cause.code === NO_ROOM;
    if (!hasNoRoom || bytes / 2 < limits.smallestEventStreamBytes) throw cause;
    await addStream(manager, bytes / 2);
  }
}

/** "insufficient storage resources available" */
const NO_ROOM = 10047;

/**
 * Options of a consumer of JetStream: the server forgets an idle one. A follower asks all the time; after a longer outage it continues with
 * a new consumer.
 */
export const CONSUMER = { inactive_threshold: limits.consumerIdleMs } as const;

/** Options of requests of consumers, so that they continue within seconds after an outage. */
export const CONSUMING = { expires: limits.consumerRequestMs, idle_heartbeat: limits.consumerHeartbeatMs } as const;
