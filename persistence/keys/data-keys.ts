import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomFillSync, randomInt } from 'node:crypto';
import { assert } from '../../engine/basics/index.js';
import { limits } from '../limits.js';
import type { KeyStore } from '../ports.js';
import { DataKeyMissing, SealBroken } from './errors.js';

/** AES-256-GCM: nonce 12 | tag 16 | text. The context is authenticated, so a value cannot be moved to another field or object. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const KEY_BYTES = 32;
/** A sealed key: nonce, tag and the key. */
export const SEALED_KEY_BYTES = NONCE_BYTES + TAG_BYTES + KEY_BYTES;

export function encrypt(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Random bytes for so many nonces are requested at once: a call of the operating system costs more than sealing a field. */
const NONCES = 512;
const nonces = Buffer.alloc(NONCES * NONCE_BYTES);
let used = nonces.length;

/** Each nonce is returned once, as a copy, since later requests overwrite the buffer. */
function nextNonce(): Buffer {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  used += NONCE_BYTES;
  return Buffer.from(nonces.subarray(used - NONCE_BYTES, used));
}

/** Undefined when key, context and bytes do not belong together. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, viewOf(sealed, 0, NONCE_BYTES)).setAAD(Buffer.from(context));
  decipher.setAuthTag(viewOf(sealed, NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = decipher.update(viewOf(sealed, NONCE_BYTES + TAG_BYTES, sealed.length));
  try {
    decipher.final(); // checks the tag: this mode keeps nothing back
    return plain;
  } catch (cause) {
    if (cause instanceof Error && cause.message.includes('unable to authenticate')) return undefined;
    throw cause;
  }
}

/** `subarray` of a `Buffer` makes another one, which costs ten times as much. */
const viewOf = ({ buffer, byteOffset }: Uint8Array, from: number, end: number): Uint8Array =>
  new Uint8Array(buffer, byteOffset + from, end - from);

/** The key that wraps data keys, derived from the master key and the file's salt, so that no two files share one. */
export function wrappingKey(masterKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, salt, 'tenor data keys', KEY_BYTES));
}

/** A sealed value begins with the id of its data key, since a person can get a new key after one was destroyed. */
const KEY_ID_BYTES = 4;
const KEY_ID_LIMIT = 2 ** 32;

export interface DataKey {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** An owner's key in a store; null where it was destroyed. */
export interface KeyEntry {
  readonly owner: string;
  readonly key: DataKey | null;
}

/** Binds a wrapped key to its owner. */
export const wrapContext = (owner: string, keyId: number): string => `${owner} ${keyId}`;

/** At most `limits.unwrappedKeys / 2` keys, side by side: a buffer for each would keep the garbage collector busy. */
class UnwrappedKeys {
  readonly #indexes = new Map<string, number>();
  readonly #ids = new Uint32Array(limits.unwrappedKeys / 2);
  readonly #bytes = new Uint8Array(this.#ids.length * KEY_BYTES);
  #used = 0;

  get isFull(): boolean {
    return this.#used === this.#ids.length;
  }

  /** Valid until this half is emptied. */
  get(owner: string): DataKey | undefined {
    const index = this.#indexes.get(owner);
    return index === undefined ? undefined : { id: this.#ids[index] ?? 0, bytes: this.#bytesAt(index) };
  }

  /** A new owner's, while it is not full. */
  set(owner: string, { id, bytes }: DataKey): void {
    const index = this.#used++;
    this.#ids[index] = id;
    this.#bytesAt(index).set(bytes);
    this.#indexes.set(owner, index);
  }

  delete(owner: string): void {
    const index = this.#indexes.get(owner);
    if (index === undefined) return;
    this.#indexes.delete(owner);
    this.#bytesAt(index).fill(0);
  }

  clear(): void {
    this.#indexes.clear();
    this.#bytes.fill(0);
    this.#used = 0;
  }

  #bytesAt(index: number): Uint8Array {
    return this.#bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
  }
}

/**
 * Seals and opens with the data keys of persons, from any store of wrapped keys. Unwrapped keys are in two halves: when the recent one is
 * full, it becomes the earlier one, which is emptied. Deleting the oldest of a map instead costs a pass over all that were deleted before.
 */
export class DataKeys {
  #recent = new UnwrappedKeys();
  #earlier = new UnwrappedKeys();

  /** `unwrapped` finds an owner's key; `destroyed` where it was, undefined where it never was. */
  constructor(private readonly unwrapped: (owner: string) => DataKey | 'destroyed' | undefined) {}

  make(owner: string): DataKey {
    const key = { id: randomInt(KEY_ID_LIMIT), bytes: randomBytes(KEY_BYTES) };
    this.#remember(owner, key);
    return key;
  }

  forget(owner: string): void {
    this.#recent.delete(owner);
    this.#earlier.delete(owner);
  }

  forgetAll(): void {
    this.#recent.clear();
    this.#earlier.clear();
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    const key = this.#keyOf(owner);
    assert(key !== undefined, `${owner} has a data key`);
    const id = Buffer.alloc(KEY_ID_BYTES);
    id.writeUInt32LE(key.id);
    return Buffer.concat([id, encrypt(key.bytes, Buffer.from(plain), context)]);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    const key = this.#keyOf(owner);
    if (key === undefined) return undefined;
    if (sealed.length < KEY_ID_BYTES) throw new SealBroken(owner);
    if (new DataView(sealed.buffer, sealed.byteOffset).getUint32(0, true) !== key.id) return undefined;
    const plain = decrypt(key.bytes, viewOf(sealed, KEY_ID_BYTES, sealed.length), context);
    if (plain === undefined) throw new SealBroken(owner);
    return plain.toString();
  }

  /** Undefined when the key was destroyed. */
  #keyOf(owner: string): DataKey | undefined {
    const known = this.#recent.get(owner);
    if (known !== undefined) return known;
    const earlier = this.#earlier.get(owner);
    // Copied: the half that it is in may be emptied to take it.
    const key = earlier === undefined ? this.unwrapped(owner) : { id: earlier.id, bytes: Uint8Array.from(earlier.bytes) };
    if (key === undefined) throw new DataKeyMissing(owner);
    if (key === 'destroyed') return undefined;
    this.#remember(owner, key);
    return key;
  }

  #remember(owner: string, key: DataKey): void {
    if (this.#recent.isFull) {
      [this.#earlier, this.#recent] = [this.#recent, this.#earlier];
      this.#recent.clear();
    }
    this.#recent.set(owner, key);
  }
}

/** Data keys that were read from another store, for opening only: that store is not changed. */
export class ReadKeys implements KeyStore {
  readonly #entries = new Map<string, KeyEntry['key']>();
  readonly #keys = new DataKeys((owner) => (this.#entries.get(owner) === null ? 'destroyed' : (this.#entries.get(owner) ?? undefined)));

  static async of(entries: AsyncIterable<KeyEntry> | Iterable<KeyEntry>): Promise<ReadKeys> {
    const read = new ReadKeys();
    for await (const { owner, key } of entries) read.#entries.set(owner, key);
    return read;
  }

  private constructor() {}

  has(owner: string): boolean {
    return this.#entries.get(owner) != null;
  }

  knows(owner: string): boolean {
    return this.#entries.has(owner);
  }

  get durableOwners(): number {
    return this.#entries.size;
  }

  hasRoom(): boolean {
    return false;
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    return this.#keys.seal(owner, plain, context);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    return this.#keys.open(owner, sealed, context);
  }

  /** No key is made for data that is only read. */
  create(owner: string): void {
    throw new Error(`no data key is made for ${owner} here`);
  }

  async flush(): Promise<void> {}

  async destroy(owner: string): Promise<void> {
    this.#entries.set(owner, null);
    this.#keys.forget(owner);
  }

  rotate(): Promise<void> {
    return Promise.reject(new Error('keys that are only read have no master key'));
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#keys.forgetAll();
  }
}
