import { randomBytes } from 'node:crypto';
import { assert, ownJson } from '../../engine/index.js';
import { KeyValueConflict, PersistenceError } from '../errors.js';
import { limits } from '../limits.js';
import type { SharedEntry, SharedKeyValue } from '../ports.js';
import { decrypt, encrypt, KEY_BYTES, wrappingKey } from './data-keys.js';
import { MasterKeyError } from './errors.js';
import { SALT_BYTES } from './key-slots.js';

/** A key that wraps data keys, itself wrapped with the master key. */
export interface WrappedRingKey {
  readonly generation: number;
  readonly wrapped: Uint8Array;
}

const contextOf = (generation: number): string => `tenor wrapping key ${generation}`;

/**
 * The keys that wrap the data keys of a cluster: the newest wraps, all unwrap. A new master key wraps these few keys again, and adds a new
 * one for later data keys. So no data key changes, and no process has to stop.
 */
export class KeyRing {
  private constructor(private readonly keys: ReadonlyMap<number, Uint8Array>) {}

  static create(): KeyRing {
    return new KeyRing(new Map([[1, randomBytes(KEY_BYTES)]]));
  }

  /** Undefined when they were wrapped with another key. */
  static unwrap(wrapped: readonly WrappedRingKey[], masterKey: Uint8Array): KeyRing | undefined {
    const keys = new Map<number, Uint8Array>();
    for (const { generation, wrapped: sealed } of wrapped) {
      const key = decrypt(masterKey, sealed, contextOf(generation));
      if (key === undefined) return undefined;
      keys.set(generation, key);
    }
    return new KeyRing(keys);
  }

  get newest(): number {
    return Math.max(...this.keys.keys());
  }

  /** Undefined for a key that was added after this ring was read. */
  key(generation: number): Uint8Array | undefined {
    return this.keys.get(generation);
  }

  /** With one more key, which wraps from now on. */
  grown(): KeyRing {
    return new KeyRing(new Map([...this.keys, [this.newest + 1, randomBytes(KEY_BYTES)]]));
  }

  wrap(masterKey: Uint8Array): readonly WrappedRingKey[] {
    return [...this.keys].map(([generation, key]) => ({ generation, wrapped: encrypt(masterKey, key, contextOf(generation)) }));
  }
}

/** Key of the record in the store that the cluster shares. */
const IDENTITY = 'identity';
/** Number of shards in the record of a cluster whose restore is not complete. */
const BEING_RESTORED = 0;
const ID_KEY_CONTEXT = 'tenor id key';

/** The cluster was made with another number of shards: its ids would name other shards. */
export class ClusterMismatch extends PersistenceError {
  readonly code = 'clusterMismatch';
  readonly helps = 'operator';
}

export interface ClusterIdentityOptions {
  readonly records: SharedKeyValue;
  readonly masterKey: Uint8Array;
  /** How many shards this version has. */
  readonly shards: number;
  /** It is not created where it is missing. */
  readonly mustBeThere?: true;
}

/** The record: secrets are wrapped with a key of the master key and the salt. */
export interface IdentityRecord {
  readonly shards: number;
  readonly epoch: number;
  readonly salt: Uint8Array;
  readonly idKey: Uint8Array;
  readonly ring: readonly WrappedRingKey[];
}

/**
 * What all processes of a cluster share, created once by the first of them: the key of the permutation of ids, the number of shards, the
 * number of restores from a backup, and the keys that wrap data keys. It is as precious as the journal: without it no id can be read and no
 * person's data can be opened.
 */
export class ClusterIdentity {
  /** Throws `MasterKeyError`, `ClusterMismatch`, and what the store throws. */
  static async open({ records, masterKey, shards, mustBeThere }: ClusterIdentityOptions): Promise<ClusterIdentity> {
    assert(masterKey.length === KEY_BYTES, `a master key has ${KEY_BYTES} bytes`);
    const found = await records.get(IDENTITY);
    if (found === undefined && mustBeThere) throw new ClusterMismatch('this cluster has no identity yet: no worker has ever started');
    const record = parse((found ?? (await create(records, masterKey, shards))).value);
    if (record.shards === BEING_RESTORED)
      throw new ClusterMismatch('this cluster is being restored, or its restore has not come to its end: start when it has');
    if (record.shards !== shards)
      throw new ClusterMismatch(`this cluster was made with ${record.shards} shards, and this version has ${shards}`);
    return new ClusterIdentity(records, record, unwrap(record, masterKey));
  }

  private constructor(
    private readonly records: SharedKeyValue,
    private readonly record: IdentityRecord,
    private secrets: Secrets,
  ) {}

  /** The key of the permutation of ids. */
  get idKey(): Uint8Array {
    return this.secrets.idKey;
  }

  get shards(): number {
    return this.record.shards;
  }

  /** Grows with each restore from a backup, to distinguish what came before it from what comes after it. */
  get epoch(): number {
    return this.record.epoch;
  }

  /** What wraps the data keys of this cluster. */
  get ring(): KeyRing {
    return this.secrets.ring;
  }

  /**
   * Wraps everything with another master key, in one write. Running processes continue with the keys that they have unwrapped, and need the
   * new master key when they start again.
   */
  async rotate(masterKey: Uint8Array): Promise<void> {
    assert(masterKey.length === KEY_BYTES, `a master key has ${KEY_BYTES} bytes`);
    const secrets = { idKey: this.idKey, ring: this.ring.grown() };
    await change(this.records, (record) => {
      if (record.ring.length !== this.ring.newest) throw new MasterKeyError('the master key was rotated by another process meanwhile');
      return { ...record, ...wrapSecrets(secrets, masterKey) };
    });
    this.secrets = secrets;
  }
}

/** Records that the cluster was restored from a backup: run once, before its workers start. Returns the new epoch. */
export async function noteRestore(records: SharedKeyValue): Promise<number> {
  return (await change(records, (record) => ({ ...record, epoch: record.epoch + 1 }))).epoch;
}

export interface Secrets {
  readonly idKey: Uint8Array;
  readonly ring: KeyRing;
}

function wrapSecrets({ idKey, ring }: Secrets, masterKey: Uint8Array): Pick<IdentityRecord, 'salt' | 'idKey' | 'ring'> {
  const salt = randomBytes(SALT_BYTES);
  const key = wrappingKey(masterKey, salt);
  return { salt, idKey: encrypt(key, idKey, ID_KEY_CONTEXT), ring: ring.wrap(key) };
}

function unwrap(record: IdentityRecord, masterKey: Uint8Array): Secrets {
  const key = wrappingKey(masterKey, record.salt);
  const idKey = decrypt(key, record.idKey, ID_KEY_CONTEXT);
  const ring = KeyRing.unwrap(record.ring, key);
  if (idKey === undefined || ring === undefined)
    throw new MasterKeyError('the keys of this cluster were wrapped with another master key than the one that is set');
  return { idKey, ring };
}

/** Where two processes come first at the same moment, one of them creates it for both. */
async function create(records: SharedKeyValue, masterKey: Uint8Array, shards: number): Promise<Pick<SharedEntry, 'value'>> {
  const value = encodeIdentity({ shards, epoch: 0, ...wrapSecrets({ idKey: randomBytes(KEY_BYTES), ring: KeyRing.create() }, masterKey) });
  try {
    await records.create(IDENTITY, value);
    return { value };
  } catch (cause) {
    const made = cause instanceof KeyValueConflict ? await records.get(IDENTITY) : undefined;
    if (made === undefined) throw cause;
    return made;
  }
}

async function change(records: SharedKeyValue, make: (record: IdentityRecord) => IdentityRecord): Promise<IdentityRecord> {
  for (let tried = 1; ; tried += 1) {
    const entry = await records.get(IDENTITY);
    if (entry === undefined) throw new ClusterMismatch('this cluster has no identity yet: start a worker first');
    const changed = make(parse(entry.value));
    try {
      await records.update(IDENTITY, encodeIdentity(changed), entry.revision);
      return changed;
    } catch (cause) {
      if (!(cause instanceof KeyValueConflict) || tried >= limits.identityTries) throw cause;
    }
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');

function encodeIdentity({ shards, epoch, salt, idKey, ring }: IdentityRecord): Uint8Array {
  const rings = ring.map(({ generation, wrapped }) => ({ generation, wrapped: base64(wrapped) }));
  return Buffer.from(JSON.stringify({ shards, epoch, salt: base64(salt), idKey: base64(idKey), ring: rings }));
}

function parse(value: Uint8Array): IdentityRecord {
  const { shards, epoch, salt, idKey, ring } = ownJson<Encoded>(Buffer.from(value).toString());
  return {
    shards,
    epoch,
    salt: bytesOf(salt),
    idKey: bytesOf(idKey),
    ring: ring.map(({ generation, wrapped }) => ({ generation, wrapped: bytesOf(wrapped) })),
  };
}

interface Encoded {
  readonly shards: number;
  readonly epoch: number;
  readonly salt: string;
  readonly idKey: string;
  readonly ring: readonly { readonly generation: number; readonly wrapped: string }[];
}

export interface IdentityToBeOptions {
  readonly records: SharedKeyValue;
  readonly masterKey: Uint8Array;
  readonly shards: number;
}

/** The identity of a cluster that is being restored: no process joins it before `finish`. */
export class IdentityToBe {
  /** What wraps its data keys. */
  readonly ring = KeyRing.create();

  /** Throws `KeyValueConflict` where one is there. */
  static async begin(options: IdentityToBeOptions): Promise<IdentityToBe> {
    const identity = new IdentityToBe(options);
    identity.#revision = await options.records.create(IDENTITY, identity.#encoded(BEING_RESTORED, new Uint8Array(KEY_BYTES)));
    return identity;
  }

  #revision = 0;

  private constructor(private readonly options: IdentityToBeOptions) {}

  /** Completes the identity with the key of ids of its journal. */
  async finish(idKey: Uint8Array): Promise<void> {
    await this.options.records.update(IDENTITY, this.#encoded(this.options.shards, idKey), this.#revision);
  }

  async rotate(): Promise<void> {
    throw new Error('what is being restored has no other master key yet');
  }

  #encoded(shards: number, idKey: Uint8Array): Uint8Array {
    return encodeIdentity({ shards, epoch: 1, ...wrapSecrets({ idKey, ring: this.ring }, this.options.masterKey) });
  }
}
