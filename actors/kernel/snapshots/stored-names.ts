import { createHmac, randomBytes } from 'node:crypto';
import type { Tenant } from '../fact.js';
import type { Ids } from '../ids.js';
import { isUnreadable } from '../journal/known-keys.js';
import { pack, unpack } from '../journal/records.js';
import { SHARED_SHARD } from '../limits.js';
import type { KeyStore, KeyValue } from '../ports.js';
import { externalKey, MARK_KEY, NAMES_KEY } from './stored-keys.js';

/** How actors, rows and marks are stored. Data stored in another format is computed from the journal again. */
export const SNAPSHOT_FORMAT = 18;

/** For each shard: the last sequence in a store, and the id counter at that sequence. */
export type Marks = readonly (readonly [sequence: number, idCounter: number])[];

export const packMarks = (marks: Marks): Uint8Array => pack([SNAPSHOT_FORMAT, marks]);

/** Empty for an empty store; null for one of another format. */
export function readMarks(store: KeyValue): Marks | null {
  const bytes = store.get(MARK_KEY);
  if (!bytes) return [];
  const [format, marks] = unpack<readonly [unknown, Marks]>(bytes);
  return format === SNAPSHOT_FORMAT ? marks : null;
}

/** Records of some shards that a store has; none if it is of another format. */
export const recordsStored = (store: KeyValue, shards: readonly number[]): number =>
  shards.reduce((records, shard) => records + (readMarks(store)?.[shard]?.[0] ?? 0), 0);

/** Records between two marks. */
export function recordsBetween(earlier: Marks, later: Marks): number {
  return later.reduce((records, [sequence], shard) => records + sequence - (earlier[shard]?.[0] ?? 0), 0);
}

export const highest = (one: Marks, other: Marks): Marks =>
  other.map(([sequence, idCounter], shard) => [Math.max(sequence, one[shard]?.[0] ?? 0), Math.max(idCounter, one[shard]?.[1] ?? 0)]);

type Keys = Pick<KeyStore, 'create' | 'knows' | 'has' | 'seal' | 'open'>;

/**
 * The keys under which the snapshots find external ids and user names of persons: a digest (HMAC-SHA-256) under a secret that is stored
 * beside them, sealed with a data key of the key store. Without the key store nobody can check a guess of a name.
 */
export class StoredNames {
  #secret: Buffer | null = null;
  /** The sealed secret, until it is stored. */
  #unstored: Uint8Array | null = null;

  constructor(
    private readonly store: KeyValue,
    private readonly keys: Keys,
    private readonly ids: Ids,
    private readonly owns: (shard: number) => boolean,
  ) {}

  /** Throws the name of the environment if its secret cannot be opened: it is then rebuilt with another one. */
  load(): void {
    const stored = this.store.get(NAMES_KEY);
    if (stored === undefined) return;
    this.#secret = Buffer.from(this.#opened(stored), 'base64');
  }

  /** The entry to be written with the first name; null when it is stored. */
  get unstored(): readonly [string, Uint8Array] | null {
    return this.#unstored && [NAMES_KEY, this.#unstored];
  }

  stored(): void {
    this.#unstored = null;
  }

  /** The key of a name that is about to be stored. */
  keyFor(tenant: Tenant, kind: string, name: string): string {
    this.#secret ??= this.#make();
    return this.#keyOf(this.#secret, tenant, kind, name);
  }

  /** The key under which it was stored; undefined while none ever was. */
  keyOf(tenant: Tenant, kind: string, name: string): string | undefined {
    return this.#secret === null ? undefined : this.#keyOf(this.#secret, tenant, kind, name);
  }

  #keyOf(secret: Buffer, tenant: Tenant, kind: string, name: string): string {
    const digest = createHmac('sha256', secret)
      .update(externalKey(tenant, kind, name))
      .digest('base64url');
    return externalKey(tenant, kind, `${DIGEST}${digest}`);
  }

  #make(): Buffer {
    const secret = randomBytes(SECRET_BYTES);
    const { owner } = this;
    if (!this.keys.knows(owner)) this.keys.create(owner);
    this.#unstored = this.keys.seal(owner, secret.toString('base64'), NAMES_KEY);
    return secret;
  }

  /** The owner of the data key that seals the secret: an id of a shard of this process that no object gets. */
  get owner(): string {
    for (let shard = 0; shard < SHARED_SHARD; shard += 1) if (this.owns(shard)) return this.ids.encode(OWNER_PREFIX, shard, 0);
    return this.ids.encode(OWNER_PREFIX, SHARED_SHARD, 0);
  }

  #opened(sealed: Uint8Array): string {
    try {
      const secret = this.keys.open(this.owner, sealed, NAMES_KEY);
      if (secret !== undefined) return secret;
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
    }
    throw new NamesUnreadable();
  }
}

/** The secret was sealed with other keys: the environment is computed again from the journal. */
class NamesUnreadable extends Error {
  override readonly name = 'NamesUnreadable';
  readonly environment = 'actors';

  constructor() {
    super('the secret under which the snapshots find names was sealed with other keys than these');
  }
}

const SECRET_BYTES = 32;
/** The prefix of the owner of the key that seals the secret. */
const OWNER_PREFIX = 'KY';

/** Whether a data key belongs to the snapshots, and to no journal: exports and restores leave it out. */
export const isOfSnapshots = (owner: string): boolean => owner.startsWith(`${OWNER_PREFIX}-`);

/** The first character of a digest: no external id begins with it. */
const DIGEST = '\u0001';
