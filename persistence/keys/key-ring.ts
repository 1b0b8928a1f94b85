import { randomBytes } from 'node:crypto';
import { decrypt, encrypt, KEY_BYTES } from './envelope.js';

/** A key that wraps data keys, itself wrapped with the master key. */
export interface WrappedRingKey {
  readonly generation: number;
  readonly wrapped: Uint8Array;
}

const contextOf = (generation: number): string => `tenor wrapping key ${generation}`;

/**
 * The keys that wrap the data keys of a cluster: the newest wraps, all unwrap. Another master key wraps these few anew, and
 * brings a new one for the data keys to come, so that no data key has to be touched and nobody has to stand still.
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

  /** Undefined when it came to be after this ring was read. */
  key(generation: number): Uint8Array | undefined {
    return this.keys.get(generation);
  }

  /** With one more, which wraps from now on. */
  grown(): KeyRing {
    return new KeyRing(new Map([...this.keys, [this.newest + 1, randomBytes(KEY_BYTES)]]));
  }

  wrap(masterKey: Uint8Array): readonly WrappedRingKey[] {
    return [...this.keys].map(([generation, key]) => ({ generation, wrapped: encrypt(masterKey, key, contextOf(generation)) }));
  }
}
