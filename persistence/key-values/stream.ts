import { jetstream, type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { KeyValueUnavailable } from '../errors.js';
import { limits } from '../limits.js';
import type { SharedChange, SharedEntry, SharedKeyValue } from '../ports.js';
import { answered } from './answered.js';
import { assertKey } from './keys.js';

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
    else await buckets.create(bucket, { history: 1, replicas, allow_direct: true });
    // A direct read may be answered by a copy that is behind: good enough for who follows, not for who asks what stands there.
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

  /** Asks for what comes next instead of being sent it: nothing on the server has to outlive its restart or a lost connection. */
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
