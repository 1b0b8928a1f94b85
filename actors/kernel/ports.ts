/** What the runtime asks of the outside. `persistence/` implements these; tests put faults behind them. */

/** Machine time in milliseconds since 1970. Only tokens, retries and expiries may depend on it directly. */
export interface Clock {
  now(): number;
  /** Milliseconds that have passed since any moment: never put forward or back, as the time of day may be. */
  monotonicMs(): number;
}

/** What one shard has to say in one batch: facts, events and replies, already encoded, in order. */
export interface ShardBlock {
  readonly shard: number;
  /** Sequence of the first record; the shard's records are numbered without gaps from 1. */
  readonly firstSequence: number;
  readonly records: readonly Uint8Array[];
}

/** A block as it lies in the journal. */
export interface StoredBlock extends ShardBlock {
  /** Hash of the shard's block before (32 zero bytes for the first): the chain that `tenor verify` walks. */
  readonly previousHash: Uint8Array;
  readonly hash: Uint8Array;
}

export interface ShardHead {
  readonly lastSequence: number;
  readonly hash: Uint8Array;
}

/**
 * The only place where anything becomes true. One append is one batch, durable when the promise resolves: each block
 * as a whole, and on one disk all of them. At most one append may be in flight. A failed append is never retried: the
 * journal refuses all later ones until it has been opened again.
 */
export interface Journal {
  append(blocks: readonly ShardBlock[]): Promise<void>;
  /** All blocks whose last sequence lies above the given one of their shard, in the order of writing. */
  read(after: ReadonlyMap<number, number>): Iterable<StoredBlock> | AsyncIterable<StoredBlock>;
  /** What another writer appends to a shard that this one only reads, from where `read` ended; until `close`. In a cluster only. */
  follow?(shard: number): AsyncIterable<StoredBlock>;
  heads(): ReadonlyMap<number, ShardHead>;
  /** Whether a next append would find room behind so many bytes that wait to be appended; false on a full disk. */
  hasRoom(waitingBytes?: number): boolean;
  close(): Promise<void>;
}

/** Ordered key-value store of what the journal could rebuild. Keys are compared byte by byte. */
export interface KeyValue {
  get(key: string): Uint8Array | undefined;
  /** Ascending by key, or descending with `reverse`; `start` is the first key wanted, `end` is excluded. */
  range(options: { start: string; end: string; reverse?: boolean; limit?: number }): Iterable<readonly [string, Uint8Array]>;
  /** Durable as one transaction when the promise resolves. A `null` removes. */
  write(entries: Iterable<readonly [string, Uint8Array | null]>): Promise<void>;
  close(): Promise<void>;
}

/** Named environments of `KeyValue`. A damaged one is set aside and comes back empty, with `rebuilt` set. */
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

/** What became of a key: its new value, or null when it was deleted. */
export type SharedChange = Omit<SharedEntry, 'value'> & { readonly value: Uint8Array | null };

/**
 * A small ordered store that all processes of a cluster share: who lives, who owns what, what all agreed on once. Keys are
 * words joined by dots (`leases.17`; letters, digits, `-` and `_`), a prefix is their first words without the last dot, and
 * the empty prefix means all.
 *
 * Every call ends within a bound. It throws errors with a `code`: `keyValueConflict` when what stands there is not what the
 * caller has seen, and `keyValueUnavailable` when no answer came: whether a write arrived is not known then.
 */
export interface SharedKeyValue {
  get(key: string): Promise<SharedEntry | undefined>;
  /** Writes a key that is not there, and answers its revision. */
  create(key: string, value: Uint8Array): Promise<number>;
  /** Writes over the revision that the caller has seen, and answers the new one. */
  update(key: string, value: Uint8Array, revision: number): Promise<number>;
  /** Removes the revision that the caller has seen. */
  delete(key: string, revision: number): Promise<void>;
  /** All entries below a prefix, in the order of their revisions. */
  list(prefix: string): Promise<readonly SharedEntry[]>;
  /**
   * What is there below a prefix, then each change in order, until the signal. A key that changes quickly may be told with
   * its newest value alone. While the store is away it waits, and goes on with what has changed meanwhile.
   */
  watch(prefix: string, signal: AbortSignal): AsyncIterable<SharedChange>;
}

/**
 * Data keys, one a person, apart from journal and snapshots. A destroyed key makes everything sealed with it
 * unreadable for good, backups of the journal included.
 */
export interface KeyStore {
  /** Makes a data key in memory; it is durable once `flush` resolves. */
  create(owner: string): void;
  has(owner: string): boolean;
  /** Whether the owner has a key, or had one that was destroyed. */
  knows(owner: string): boolean;
  /** Owners whose key, or that it was destroyed, is durable: never falls. A store that has fewer than it had is an older copy. */
  readonly durableOwners: number;
  /** Whether keys that are made next will find room; false on a full disk. */
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
 * Contents of documents, encrypted by whoever stores them. A name is never given twice, so that nothing is ever written over. Every
 * call ends within a bound.
 */
export interface Blobs {
  /** Durable when it resolves. */
  put(name: string, content: Uint8Array): Promise<void>;
  /** Undefined for a name that is not there. */
  get(name: string): Promise<Uint8Array | undefined>;
  /** Also where nothing is there. */
  delete(name: string): Promise<void>;
}

/** What serves an address of a `Bus`. Resolves to `null` where another answers, or nobody shall. */
export type BusHandler = (request: Uint8Array) => Promise<Uint8Array | null>;

/**
 * Carries requests to whoever serves an address, and the answers back. An address is some words of letters and digits with
 * dots between. Several may serve one address for a while (an owner that has lost it without knowing): all are asked, and
 * the first answer counts.
 */
export interface Bus {
  /** Rejects with `Unanswered` within `waitMs`, in milliseconds, and never hangs. */
  ask(address: string, request: Uint8Array, waitMs: number): Promise<Uint8Array>;
  /** Resolves when requests come in; what it gives ends that again, and resolves when none come any more. */
  serve(address: string, handler: BusHandler): Promise<() => Promise<void>>;
  /** Ends what waits for an answer. */
  close(): Promise<void>;
}

/**
 * No answer came. `nobody`: the address is not served now, and the request was not carried out. `late`: it may be carried out
 * still. `lost`: whoever took it serves no more, and may have carried it out. `away`: there is no way to anybody, or too many wait
 * already; it was not sent.
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
