import {
  DiscardPolicy,
  type JetStreamClient,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { limits } from '../limits.js';
import { connectNats } from './connect.js';

/** An event as it is published. */
export interface PublishedEvent {
  readonly subject: string;
  /** Under which the server knows it when it is published again. */
  readonly id: string;
  readonly text: string;
  /** All events up to this stamp were stored before it was published. */
  readonly storedThrough: number;
}

/** The stream of a server to which events are published; it is made where it is missing, and left as it is where it is there. */
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

  /** Resolves when the server has stored it; rejects when that is not known, and it is to be published again. */
  async publish({ subject, id, text, storedThrough }: PublishedEvent): Promise<void> {
    const { client } = await this.#connect();
    const about = headers();
    about.set(STORED_THROUGH, String(storedThrough));
    await client.publish(subject, text, { msgID: id, headers: about, timeout: limits.eventAckMs });
  }

  /** What the newest event under the subjects says of those before it; null = there is none. */
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
  try {
    await manager.streams.info(EVENT_STREAM.name);
  } catch (cause) {
    if (!(cause instanceof JetStreamApiError) || cause.code !== JetStreamApiCodes.StreamNotFound) throw cause;
    await addStream(manager, limits.eventStreamBytes);
  }
}

/** A server keeps room for all that a stream may take: one with less gets a smaller stream, down to a bound. */
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
