import { fieldOf } from '../../engine/index.js';
/** The interfaces between the runtime and the outside. `persistence/` implements them; tests put faults behind them. */

/** Machine time in milliseconds since 1970. Only tokens, retries and expiries may depend on it directly. */
export interface Clock {
  now(): number;
  /** Milliseconds since any moment: never set forward or back, unlike the time of day. */
  monotonicMs(): number;
}

/** The records of one shard in one batch: facts, events and replies, already encoded, in order. */
export interface ShardBlock {
  readonly shard: number;
  /** Sequence of the first record; the shard's records are numbered without gaps from 1. */
  readonly firstSequence: number;
  readonly records: readonly Uint8Array[];
}

/** A block as it is stored in the journal. */
export interface StoredBlock extends ShardBlock {
  /** Hash of the shard's previous block (32 zero bytes for the first): the chain that `tenor verify` checks. */
  readonly previousHash: Uint8Array;
  readonly hash: Uint8Array;
}

export interface ShardHead {
  readonly lastSequence: number;
  readonly hash: Uint8Array;
}

/**
 * The only source of truth. One append is one batch, durable when the promise resolves: each block as a whole, and on one disk all of them.
 * At most one append may be running. A failed append is never retried: the journal refuses all later ones until it has been opened again.
 */
export interface Journal {
  append(blocks: readonly ShardBlock[]): Promise<void>;
  /** All blocks whose last sequence is above the given one of their shard, in the order of writing. */
  read(after: ReadonlyMap<number, number>): Iterable<StoredBlock> | AsyncIterable<StoredBlock>;
  /**
   * The blocks that another writer appends to a shard that this one only reads, from where `read` ended; until `close`. In a cluster only.
   */
  follow?(shard: number): AsyncIterable<StoredBlock>;
  heads(): ReadonlyMap<number, ShardHead>;
  /** Whether a next append would find room after so many bytes that wait to be appended; false on a full disk. */
  hasRoom(waitingBytes?: number): boolean;
  close(): Promise<void>;
}

/** Ordered key-value store of data that can be rebuilt from the journal. Keys are compared byte by byte. */
export interface KeyValue {
  get(key: string): Uint8Array | undefined;
  /** What `read` makes of the value, whose bytes it must not keep: the next read overwrites them. Undefined where there is none. */
  look<Made>(key: string, read: (value: Uint8Array) => Made): Made | undefined;
  /** Ascending by key, or descending with `reverse`; `start` is the first key wanted, `end` is excluded. */
  range(options: { start: string; end: string; reverse?: boolean; limit?: number }): Iterable<readonly [string, Uint8Array]>;
  /** Durable as one transaction when the promise resolves. A `null` removes the key. */
  write(entries: Iterable<readonly [string, Uint8Array | null]>): Promise<void>;
  close(): Promise<void>;
}

/** Named environments of `KeyValue`. A damaged one is set aside and replaced by an empty one, with `rebuilt` set. */
export interface Snapshots {
  readonly actors: KeyValue;
  readonly events: KeyValue;
  readonly replies: KeyValue;
  /** Names of the environments that were found damaged and are empty now: the runtime rebuilds them. */
  readonly rebuilt: readonly string[];
  /** Sets an environment with a damaged record aside and opens an empty one in its place. */
  rebuild(environment: string): Promise<void>;
  close(): Promise<void>;
}

/** An entry of a `SharedKeyValue`. */
export interface SharedEntry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Larger than that of every write before it, whatever its key. */
  readonly revision: number;
}

/** A change of a key: its new value, or null when it was deleted. */
export type SharedChange = Omit<SharedEntry, 'value'> & { readonly value: Uint8Array | null };

/**
 * A small ordered store that all processes of a cluster share: live workers, owners of units, and settings agreed once. Keys are words
 * joined by dots (`leases.17`; letters, digits, `-` and `_`), a prefix is their first words without the last dot, and the empty prefix
 * means all.
 *
 * Every call ends within a time limit. It throws errors with a `code`: `keyValueConflict` when the stored revision is not the one that the
 * caller has seen, and `keyValueUnavailable` when no answer came: whether a write arrived is not known then.
 */
export interface SharedKeyValue {
  get(key: string): Promise<SharedEntry | undefined>;
  /** Writes a key that does not exist, and returns its revision. */
  create(key: string, value: Uint8Array): Promise<number>;
  /** Overwrites the revision that the caller has seen, and returns the new one. */
  update(key: string, value: Uint8Array, revision: number): Promise<number>;
  /** Removes the revision that the caller has seen. */
  delete(key: string, revision: number): Promise<void>;
  /** All entries below a prefix, in the order of their revisions. */
  list(prefix: string): Promise<readonly SharedEntry[]>;
  /**
   * The entries below a prefix, then each change in order, until the signal. Of a key that changes quickly only the newest value may be
   * delivered. While the store is away it waits, and continues with the changes made meanwhile.
   */
  watch(prefix: string, signal: AbortSignal): AsyncIterable<SharedChange>;
}

/**
 * Data keys, one a person, stored apart from journal and snapshots. Destroying a key makes everything sealed with it unreadable for good,
 * including backups of the journal.
 */
export interface KeyStore {
  /** Creates a data key in memory; it is durable once `flush` resolves. */
  create(owner: string): void;
  has(owner: string): boolean;
  /** Whether the owner has a key, or had one that was destroyed. */
  knows(owner: string): boolean;
  /** Owners whose key, or its destruction, is durable: never falls. A store with fewer owners than before is an older copy. */
  readonly durableOwners: number;
  /** Whether there is room for new keys; false on a full disk. */
  hasRoom(): boolean;
  /** AES-256-GCM under the owner's data key; `context` is authenticated with it. */
  seal(owner: string, plain: string, context: string): Uint8Array;
  /** Undefined when the owner's key was destroyed. */
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
  flush(): Promise<void>;
  destroy(owner: string): Promise<void>;
  /** Wraps all data keys with a new master key. */
  rotate(masterKey: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Contents of documents, already encrypted by the caller. A name is never used twice, so that nothing is ever overwritten. Every call ends
 * within a time limit.
 */
export interface Blobs {
  /** Durable when it resolves. */
  put(name: string, content: Uint8Array): Promise<void>;
  /** Undefined for an unknown name. */
  get(name: string): Promise<Uint8Array | undefined>;
  /** Also resolves when there is nothing to delete. */
  delete(name: string): Promise<void>;
}

/** Serves an address of a `Bus`. Resolves to `null` when another process answers, or none should. */
export type BusHandler = (request: Uint8Array) => Promise<Uint8Array | null>;

/**
 * Carries requests to the processes that serve an address, and the answers back. An address is a few words of letters and digits with dots
 * between. Several processes may serve one address for a while (an owner that has lost it without knowing): all receive the request, and
 * the first answer counts.
 */
export interface Bus {
  /** Rejects with `Unanswered` within `waitMs`, in milliseconds, and never hangs. */
  ask(address: string, request: Uint8Array, waitMs: number): Promise<Uint8Array>;
  /** Resolves when requests come in; calling its result stops serving, and resolves when no request comes any more. */
  serve(address: string, handler: BusHandler): Promise<() => Promise<void>>;
  /** Rejects the requests that wait for an answer. */
  close(): Promise<void>;
}

/**
 * No answer came. `nobody`: the address is not served now, and the request was not carried out. `late`: it may still be carried out.
 * `lost`: the process that took it serves no more, and may have carried it out. `away`: no other process can be reached, or too many
 * requests wait already; it was not sent.
 */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';

  constructor(
    readonly address: string,
    readonly why: 'nobody' | 'late' | 'lost' | 'away',
  ) {
    super(`${address} did not answer: ${why}`);
  }
}

/** The environment of the snapshots with a damaged record, which has to be rebuilt; null for any other failure. */
export function environmentOf(cause: unknown): string | null {
  const environment = fieldOf(cause, 'environment');
  return typeof environment === 'string' ? environment : null;
}
