import { randomBytes, randomInt } from 'node:crypto';
import { assert } from '../../engine/index.js';
import { limits } from '../limits.js';
import { decrypt, encrypt, KEY_BYTES } from './envelope.js';
import { DataKeyMissing, SealBroken } from './errors.js';

/** A sealed value begins with the id of its data key: a person's key that came after a destroyed one is another. */
const KEY_ID_BYTES = 4;
const KEY_ID_LIMIT = 2 ** 32;

export interface DataKey {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** What a store knows of an owner's key: null where it was destroyed. */
export interface KeyEntry {
  readonly owner: string;
  readonly key: DataKey | null;
}

/** Binds a wrapped key to its owner. */
export const wrapContext = (owner: string, keyId: number): string => `${owner} ${keyId}`;

/** Seals and opens with the data keys of persons, wherever these lie wrapped. */
export class DataKeys {
  readonly #unwrapped = new Map<string, DataKey>();

  /** `unwrapped` finds an owner's key; `destroyed` where it was, undefined where it never was. */
  constructor(private readonly unwrapped: (owner: string) => DataKey | 'destroyed' | undefined) {}

  make(owner: string): DataKey {
    const key = { id: randomInt(KEY_ID_LIMIT), bytes: randomBytes(KEY_BYTES) };
    this.#remember(owner, key);
    return key;
  }

  forget(owner: string): void {
    this.#unwrapped.delete(owner);
  }

  forgetAll(): void {
    this.#unwrapped.clear();
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
    if (Buffer.from(sealed.subarray(0, KEY_ID_BYTES)).readUInt32LE() !== key.id) return undefined;
    const plain = decrypt(key.bytes, sealed.subarray(KEY_ID_BYTES), context);
    if (plain === undefined) throw new SealBroken(owner);
    return plain.toString();
  }

  /** Undefined when the key was destroyed. */
  #keyOf(owner: string): DataKey | undefined {
    const known = this.#unwrapped.get(owner);
    if (known !== undefined) return known;
    const key = this.unwrapped(owner);
    if (key === undefined) throw new DataKeyMissing(owner);
    if (key === 'destroyed') return undefined;
    this.#remember(owner, key);
    return key;
  }

  #remember(owner: string, key: DataKey): void {
    if (this.#unwrapped.size >= limits.unwrappedKeys) {
      const [oldest] = this.#unwrapped.keys();
      if (oldest !== undefined) this.#unwrapped.delete(oldest);
    }
    this.#unwrapped.set(owner, key);
  }
}
