import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  type JetStreamClient,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { fieldOf, must, ownJson } from '../engine/index.js';
import { describe, KeyValueUnavailable } from './errors.js';
import { streamMade } from './jetstream/make-missing.js';
import { answered } from './key-values.js';
import { limits } from './limits.js';
import { CONSUMER, CONSUMING } from './nats.js';
import type { KeyValue } from './ports.js';

/** Null = removed. */
export type OutboxEntry = readonly [key: string, value: Uint8Array | null];

export interface OutboxStreamOptions {
  readonly connection: NatsConnection;
  /** Made when it is not there. */
  readonly name: string;
  /** What its subjects begin with. */
  readonly subjects: string;
  /** Copies that the servers keep; default one. */
  readonly replicas?: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The end of the stream: which stream it is, and its last message. */
export interface OutboxEnd {
  readonly stream: string;
  readonly sequence: number;
}

const FENCE = '@fence';

/**
 * The entries of an outbox in a stream of JetStream: the newest of each key, for some time. Each write names the message that the stream
 * must end with, so that a fence ends the writing of all earlier owners.
 */
export class OutboxStream {
  static async open({
    connection,
    name,
    subjects,
    replicas = 1,
    timeoutMs = limits.keyValueMs,
  }: OutboxStreamOptions): Promise<OutboxStream> {
    return answered(name, async () => {
      const manager = await jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false });
      await makeStream(manager, { name, subjects, replicas });
      return new OutboxStream(jetstream(connection, { timeout: timeoutMs }), manager, name, subjects, timeoutMs);
    });
  }

  private constructor(
    private readonly client: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly name: string,
    private readonly subjects: string,
    private readonly timeoutMs: number,
  ) {}

  end(): Promise<OutboxEnd> {
    return answered(this.name, async () => {
      const { created, state } = await this.manager.streams.info(this.name);
      return { stream: created, sequence: state.last_seq };
    });
  }

  /** Writes a fence and returns its sequence. Throws `KeyValueConflict` when the stream has grown meanwhile. */
  fence(owner: string, follows: number): Promise<number> {
    return this.#publish([FENCE, Buffer.from(owner)], follows);
  }

  /** Writes the entries in order behind the message. When it rejects, some of the first may be written. Throws `KeyValueConflict`. */
  async append(entries: readonly OutboxEntry[], follows: number): Promise<void> {
    for (let from = 0; from < entries.length; from += limits.outboxInFlight) {
      await Promise.all(entries.slice(from, from + limits.outboxInFlight).map((entry, at) => this.#publish(entry, follows + from + at)));
    }
  }

  /**
   * The entries behind a message up to a fence, in parts and in the order of writing. Throws `KeyValueUnavailable` when no more arrive.
   */
  async *between(after: number, fence: number): AsyncGenerator<readonly OutboxEntry[]> {
    const consumer = await answered(this.name, () =>
      this.client.consumers.get(this.name, { ...CONSUMER, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }),
    );
    const messages = await answered(this.name, () => consumer.consume({ ...CONSUMING, max_messages: limits.outboxInFlight }));
    const silence = setTimeout(() => messages.stop(), this.timeoutMs);
    try {
      let part: OutboxEntry[] = [];
      for await (const { subject, data, seq } of messages) {
        if (subject !== this.#subject(FENCE)) part.push([this.#key(subject), data.length === 0 ? null : data]);
        if (seq < fence && part.length < limits.outboxInFlight) continue;
        yield part;
        if (seq >= fence) return;
        part = [];
        silence.refresh();
      }
    } finally {
      clearTimeout(silence);
      await messages.close();
    }
    throw new KeyValueUnavailable('the entries of the outbox did not arrive completely');
  }

  async #publish([key, value]: OutboxEntry, follows: number): Promise<number> {
    return answered(
      key,
      async () => (await this.client.publish(this.#subject(key), value ?? REMOVED, { expect: { lastSequence: follows } })).seq,
    );
  }

  #subject(key: string): string {
    return `${this.subjects}.${key.replaceAll('/', '.')}`;
  }

  #key(subject: string): string {
    return subject.slice(this.subjects.length + 1).replaceAll('.', '/');
  }
}

const REMOVED = new Uint8Array(0);

async function makeStream(
  manager: JetStreamManager,
  { name, subjects, replicas }: { readonly name: string; readonly subjects: string; readonly replicas: number },
): Promise<void> {
  await streamMade(manager, name, () =>
    manager.streams.add({
      name,
      subjects: [`${subjects}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      num_replicas: replicas,
      max_msgs_per_subject: 1,
      max_age: limits.outboxAgeMs * 1_000_000,
      allow_direct: true,
    }),
  );
}

export interface StreamOutboxOptions {
  openStream(): Promise<Pick<OutboxStream, 'end' | 'fence' | 'append' | 'between'>>;
  /** The copy on this machine, which is read; entries that it lacks are read from the stream. */
  readonly local: { readonly outbox: KeyValue; rebuild(environment: string): Promise<void> };
  /** Whether entries of a key are written to the stream. */
  readonly isShared: (key: string) => boolean;
  /** The entries of the copy for an entry of the stream: the entry itself, and those that are computed from it. */
  readonly entriesOf: (local: KeyValue, entry: OutboxEntry) => readonly OutboxEntry[];
  /** Name of the writer, which its fences show. */
  readonly owner: string;
  /** Whether this process still owns the outbox: asked after the end that a fence follows was read. */
  readonly isHeld: () => boolean;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
  readonly nowMs?: () => number;
}

interface OpenStream {
  readonly server: Awaited<ReturnType<StreamOutboxOptions['openStream']>>;
  /** Its id: the time at which the stream was created. */
  readonly id: string;
}

interface Write {
  readonly entries: readonly OutboxEntry[];
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/** The position of the copy in the stream, and when it was reached. */
interface CopyPosition {
  readonly stream: string;
  readonly sequence: number;
  readonly atMs: number;
}

/** The key of this entry in the copy. */
const POSITION_KEY = '@place';

/**
 * An outbox of a cluster: entries are written to a stream before they are written to the copy on this machine, so that the next owner has
 * all of them. After a failed write the end of the stream is unknown: the outbox is taken over again, and answers nothing meanwhile.
 */
export class StreamOutbox implements KeyValue {
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #stream: OpenStream | null = null;
  #last = 0;
  #waiting: Write[] = [];
  #writing: Promise<void> | null = null;
  #opening: Promise<void> = Promise.resolve();

  constructor(private readonly options: StreamOutboxOptions) {}

  /** Takes the outbox over in the background, until it succeeds or is closed. */
  start(): void {
    this.#opening = this.#open();
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get(key: string): Uint8Array | undefined {
    this.#assertOpen();
    return this.options.local.outbox.get(key);
  }

  look<Made>(key: string, read: (value: Uint8Array) => Made): Made | undefined {
    this.#assertOpen();
    return this.options.local.outbox.look(key, read);
  }

  range(options: { start: string; end: string; reverse?: boolean; limit?: number }): Iterable<readonly [string, Uint8Array]> {
    this.#assertOpen();
    return this.options.local.outbox.range(options);
  }

  async write(entries: Iterable<OutboxEntry>): Promise<void> {
    this.#assertOpen();
    const taken = [...entries];
    const written = new Promise<void>((resolve, reject) => this.#waiting.push({ entries: taken, resolve, reject }));
    this.#writing ??= this.#writeAll();
    await written;
  }

  /** Rebuilds the damaged copy from the stream. */
  async rebuild(environment: string): Promise<void> {
    if (this.#state !== 'open') return; // opening finds the damage by itself
    this.#state = 'opening';
    await this.#writing;
    await this.options.local.rebuild(environment);
    this.#opening = this.#open();
  }

  /** Writes that still wait are refused. */
  async close(): Promise<void> {
    this.#state = 'closed';
    await this.#writing;
    await this.#opening;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const taken = this.#waiting;
      this.#waiting = [];
      try {
        this.#assertOpen();
        await this.#writeTogether(taken.flatMap(({ entries }) => entries));
        for (const { resolve } of taken) resolve();
      } catch (cause) {
        for (const { reject } of taken) reject(cause);
        this.#failed(cause);
      }
    }
    this.#writing = null;
  }

  async #writeTogether(entries: readonly OutboxEntry[]): Promise<void> {
    const { local, isShared } = this.options;
    const { server, id } = must(this.#stream, 'the stream of an open outbox');
    const shared = entries.filter(([key]) => isShared(key));
    await server.append(shared, this.#last);
    this.#last += shared.length;
    await local.outbox.write([...entries, this.#positionEntry(id, this.#last)]);
  }

  #failed(cause: unknown): void {
    if (this.#state !== 'open') return;
    this.#state = 'opening';
    this.options.report('Deliveries wait: it is unknown whether the last entries of the outbox were stored.', { cause: describe(cause) });
    this.#opening = this.#open();
  }

  async #open(): Promise<void> {
    while (this.#state === 'opening') {
      try {
        await this.#takeOver();
        if (this.#state === 'opening') this.#state = 'open';
      } catch (cause) {
        this.options.report('The deliveries of the cluster cannot be taken over yet.', { cause: describe(cause) });
        const environment = fieldOf(cause, 'environment');
        // Where rebuilding fails, the next try reports it.
        if (typeof environment === 'string') await this.options.local.rebuild(environment).catch(() => undefined);
        await pause(limits.outboxRetryMs);
      }
    }
  }

  /** Ownership is checked after the end was read: then no later owner can have fenced the outbox before this end. */
  async #takeOver(): Promise<void> {
    const { local, owner, isHeld, entriesOf } = this.options;
    const server = await this.options.openStream();
    const end = await server.end();
    this.#stream = { server, id: end.stream };
    if (!isHeld()) throw new Error('they belong to another worker');
    const fence = await server.fence(owner, end.sequence);
    const from = this.#continuesFrom(end) ?? (await this.#clear());
    for await (const part of server.between(from, fence)) {
      await local.outbox.write(part.flatMap((entry) => [...entriesOf(local.outbox, entry)]));
    }
    await local.outbox.write([this.#positionEntry(end.stream, fence)]);
    this.#last = fence;
  }

  /**
   * The sequence behind which the copy lacks entries; undefined for a copy of another stream, one ahead of it, or one so old that removed
   * entries may have left the stream.
   */
  #continuesFrom({ stream, sequence }: OutboxEnd): number | undefined {
    const bytes = this.options.local.outbox.get(POSITION_KEY);
    const copy = bytes && ownJson<CopyPosition>(Buffer.from(bytes).toString());
    return copy && copy.stream === stream && copy.sequence <= sequence && copy.atMs > this.#nowMs() - limits.outboxAgeMs / 2
      ? copy.sequence
      : undefined;
  }

  async #clear(): Promise<number> {
    const { outbox } = this.options.local;
    for (;;) {
      const keys = [...outbox.range({ start: POSITION_KEY, end: LAST, limit: limits.outboxInFlight })].map(([key]) => key);
      if (keys.length === 0) return 0;
      await outbox.write(keys.map((key) => [key, null]));
    }
  }

  #positionEntry(stream: string, sequence: number): OutboxEntry {
    const position: CopyPosition = { stream, sequence, atMs: this.#nowMs() };
    return [POSITION_KEY, Buffer.from(JSON.stringify(position))];
  }

  #nowMs(): number {
    return (this.options.nowMs ?? Date.now)();
  }

  #assertOpen(): void {
    if (this.#state !== 'open') throw new KeyValueUnavailable('the deliveries of the cluster are being taken over');
  }
}

/** Sorts behind all keys. */
const LAST = '~';
