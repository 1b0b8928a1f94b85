import { jetstream, jetstreamManager, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { once } from 'node:events';
import { assert } from '../engine/basics/index.js';
import { KeyValueConflict, KeyValueUnavailable } from './errors.js';
import { makeMissing } from './jetstream/make-missing.js';
import { isOvertaken } from './jetstream/nats-stream.js';
import { limits } from './limits.js';
import type { SharedChange, SharedEntry, SharedKeyValue } from './ports.js';

const KEY = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

export function assertKey(key: string): void {
  assert(KEY.test(key), `${key} is a key of words joined by dots`);
}

/** Whether a key is below a prefix, which is its first tokens or empty. */
function isBelow(prefix: string, key: string): boolean {
  return prefix === '' || key.startsWith(`${prefix}.`);
}

/** A shared key-value store in the memory of one process. */
export class MemoryKeyValue implements SharedKeyValue {
  /** The last change of each key, in the order of revisions. */
  readonly #changes = new Map<string, SharedChange>();
  #revision = 0;
  readonly #written = new EventTarget();

  async get(key: string): Promise<SharedEntry | undefined> {
    assertKey(key);
    return entryOf(this.#changes.get(key));
  }

  create(key: string, value: Uint8Array): Promise<number> {
    return this.#write(key, value, 0);
  }

  update(key: string, value: Uint8Array, revision: number): Promise<number> {
    return this.#write(key, value, revision);
  }

  async delete(key: string, revision: number): Promise<void> {
    await this.#write(key, null, revision);
  }

  async list(prefix: string): Promise<readonly SharedEntry[]> {
    return [...this.#changes.values()].flatMap((change) => (isBelow(prefix, change.key) ? (entryOf(change) ?? []) : []));
  }

  async *watch(prefix: string, signal: AbortSignal): AsyncGenerator<SharedChange> {
    for (let after = 0; !signal.aborted; ) {
      const news = [...this.#changes.values()].filter(({ key, revision }) => revision > after && isBelow(prefix, key));
      after = this.#revision;
      if (news.length === 0) await once(this.#written, 'written', { signal }).catch(() => undefined); // rejects only at the signal
      yield* news;
    }
  }

  async #write(key: string, value: Uint8Array | null, seen: number): Promise<number> {
    assertKey(key);
    if ((entryOf(this.#changes.get(key))?.revision ?? 0) !== seen) throw new KeyValueConflict(key);
    this.#revision += 1;
    this.#changes.delete(key);
    this.#changes.set(key, { key, value: value === null ? null : Uint8Array.from(value), revision: this.#revision });
    this.#written.dispatchEvent(new Event('written'));
    return this.#revision;
  }
}

function entryOf(change: SharedChange | undefined): SharedEntry | undefined {
  return change === undefined || change.value === null ? undefined : { ...change, value: change.value };
}

/** Turns errors of the server about a key into those of the port. */
export async function answered<T>(key: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw isOvertaken(cause) ? new KeyValueConflict(key, { cause }) : new KeyValueUnavailable(cause);
  }
}

/**
 * Asks again a few times, for a start: beside other starts on a busy machine the server may answer late. The request must be harmless when
 * it is done twice.
 */
export async function insistently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (cause) {
      if (!(cause instanceof KeyValueUnavailable) || tried >= limits.startTries) throw cause;
    }
  }
}

export interface StreamKeyValueOptions {
  readonly connection: NatsConnection;
  /** Made when it is not there, unless it has to be. */
  readonly bucket: string;
  readonly mustBeThere?: true;
  /** Copies that the servers keep; default one. */
  readonly replicas?: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The shared key-value store in a bucket of JetStream. Throws `KeyValueUnavailable`. */
export async function openStreamKeyValue({
  connection,
  bucket,
  mustBeThere,
  replicas = 1,
  timeoutMs = limits.keyValueMs,
}: StreamKeyValueOptions): Promise<SharedKeyValue> {
  return answered('', async () => {
    const buckets = new Kvm(jetstream(connection, { timeout: timeoutMs }));
    const manager = await jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false });
    if (mustBeThere) await manager.streams.info(`KV_${bucket}`);
    else await makeMissing(() => buckets.create(bucket, { history: 1, replicas, allow_direct: true }));
    // A direct read may be answered by a replica that is behind: good enough for a watch, not for reading the current value.
    const entries = await buckets.open(bucket, { allow_direct: false });
    return new StreamKeyValue(connection, manager, entries, bucket);
  });
}

class StreamKeyValue implements SharedKeyValue {
  constructor(
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly entries: KV,
    private readonly bucket: string,
  ) {}

  get(key: string): Promise<SharedEntry | undefined> {
    assertKey(key);
    return answered(key, async () => {
      const entry = await this.entries.get(key);
      return entry === null || entry.operation !== 'PUT' ? undefined : { key, value: entry.value, revision: entry.revision };
    });
  }

  create(key: string, value: Uint8Array): Promise<number> {
    assertKey(key);
    return answered(key, () => this.entries.create(key, value));
  }

  update(key: string, value: Uint8Array, revision: number): Promise<number> {
    assertKey(key);
    return answered(key, () => this.entries.update(key, value, revision));
  }

  delete(key: string, revision: number): Promise<void> {
    assertKey(key);
    return answered(key, () => this.entries.delete(key, { previousSeq: revision }));
  }

  async list(prefix: string): Promise<readonly SharedEntry[]> {
    const found = new Map<string, SharedEntry>();
    for (let change = await this.#next(prefix, 0); change !== undefined; change = await this.#next(prefix, change.revision)) {
      found.delete(change.key);
      if (change.value !== null) found.set(change.key, { ...change, value: change.value });
    }
    return [...found.values()];
  }

  /** Polls for changes: no state on the server has to survive its restart or a lost connection. */
  async *watch(prefix: string, signal: AbortSignal): AsyncGenerator<SharedChange> {
    const bell = new Bell(signal);
    const hearing = this.connection.subscribe(this.#subjects(prefix), { callback: () => bell.ring() });
    try {
      for (let after = 0; !signal.aborted; ) {
        const change = await this.#next(prefix, after).catch(unlessUnavailable);
        if (change === undefined) {
          await bell.pause();
          continue;
        }
        after = change.revision;
        yield change;
      }
    } finally {
      hearing.unsubscribe();
    }
  }

  /** The first change behind a revision. */
  #next(prefix: string, after: number): Promise<SharedChange | undefined> {
    return answered(prefix, async () => {
      const message = await this.manager.direct.getMessage(`KV_${this.bucket}`, { seq: after + 1, next_by_subj: this.#subjects(prefix) });
      return message === null ? undefined : this.#changeOf(message);
    });
  }

  #subjects(prefix: string): string {
    return `$KV.${this.bucket}.${prefix === '' ? '' : `${prefix}.`}>`;
  }

  #changeOf({ subject, seq, data, header }: StoredMsg): SharedChange {
    return { key: subject.slice(`$KV.${this.bucket}.`.length), revision: seq, value: header?.has('KV-Operation') ? null : data };
  }
}

/** Ends the pause of a watch early. */
class Bell {
  #hasRung = false;
  #endPause: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.ring(), { once: true });
  }

  ring(): void {
    this.#hasRung = true;
    this.#endPause();
  }

  async pause(): Promise<void> {
    const pauseMs = this.#hasRung ? limits.watchSoonMs : limits.watchEveryMs;
    this.#hasRung = false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function unlessUnavailable(cause: unknown): undefined {
  if (!(cause instanceof KeyValueUnavailable)) throw cause;
}
