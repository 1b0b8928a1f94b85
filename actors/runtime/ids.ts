import { createHash } from 'node:crypto';
import { assert } from '../../engine/index.js';

/**
 * Ids of the form `XX-YYYY-YYYY`: a keyed permutation of (shard, counter), so they are unique by construction,
 * random to look at, and tell their shard to whoever has the key.
 *
 *   number = shard * 2^COUNTER_BITS + counter          0 <= number < 35^8
 *   text   = Feistel network over pairs (left, right), 0 <= left, right < 35^4, one key a prefix
 */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789';
const HALF = 35 ** 4;
const ROUNDS = 6;
/** 64 shards of 2^35 numbers stay below 35^8 = 2.25e12 (2^41). */
const COUNTERS = 2 ** 35;

const ID = /^([A-Z][A-Z0-9])-([A-Z1-9]{4})-([A-Z1-9]{4})$/;

export interface IdParts {
  readonly prefix: string;
  readonly shard: number;
  readonly counter: number;
}

export class Ids {
  readonly #roundKeys = new Map<string, Uint32Array>();

  /** `key` is the installation's permutation key; it is part of every export. */
  constructor(private readonly key: Uint8Array) {}

  encode(prefix: string, shard: number, counter: number): string {
    assert(counter >= 0 && counter < COUNTERS, 'the id space of a shard is exhausted');
    const number = shard * COUNTERS + counter;
    const keys = this.#keysOf(prefix);
    let left = Math.floor(number / HALF);
    let right = number % HALF;
    for (let round = 0; round < ROUNDS; round++) {
      const next = (left + mix(right, keys[round] ?? 0)) % HALF;
      left = right;
      right = next;
    }
    return `${prefix}-${letters(left)}-${letters(right)}`;
  }

  /** Undefined for text that is not an id of this installation. */
  decode(id: string): IdParts | undefined {
    const match = ID.exec(id);
    if (!match) return undefined;
    const [, prefix = '', leftText = '', rightText = ''] = match;
    const keys = this.#keysOf(prefix);
    let left = value(leftText);
    let right = value(rightText);
    for (let round = ROUNDS - 1; round >= 0; round--) {
      const before = (right - mix(left, keys[round] ?? 0) + HALF) % HALF;
      right = left;
      left = before;
    }
    const number = left * HALF + right;
    return { prefix, shard: Math.floor(number / COUNTERS), counter: number % COUNTERS };
  }

  #keysOf(prefix: string): Uint32Array {
    const known = this.#roundKeys.get(prefix);
    if (known) return known;
    const bytes = createHash('sha256').update(this.key).update(prefix).digest();
    const keys = new Uint32Array(ROUNDS);
    for (let round = 0; round < ROUNDS; round++) keys[round] = bytes.readUInt32LE(round * 4);
    this.#roundKeys.set(prefix, keys);
    return keys;
  }
}

/** A keyed integer hash onto 0..HALF-1. */
function mix(input: number, key: number): number {
  let hash = (input ^ key) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ key, 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % HALF;
}

function letters(half: number): string {
  let rest = half;
  let text = '';
  for (let place = 0; place < 4; place++) {
    text = ALPHABET.charAt(rest % 35) + text;
    rest = Math.floor(rest / 35);
  }
  return text;
}

function value(text: string): number {
  let total = 0;
  for (const letter of text) total = total * 35 + ALPHABET.indexOf(letter);
  return total;
}
