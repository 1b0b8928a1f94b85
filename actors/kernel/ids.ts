import { createHash } from 'node:crypto';
import { assert } from '../../engine/index.js';
import type { EvolveEnv, QueryEnv } from './actor.js';

/**
 * Ids of the form `XX-YYYY-YYYY`: a keyed permutation of (shard, counter). So they are unique by construction and look random, and the key
 * gives their shard.
 *
 *   number = shard * 2^COUNTER_BITS + counter          0 <= number < 35^8
 *   text   = Feistel network over pairs (left, right), 0 <= left, right < 35^4, one key a prefix
 */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789';
const HALF = 35 ** 4;
const ROUNDS = 6;
/** 65 shards of 2^35 numbers stay below 35^8 = 2.25e12. */
const COUNTERS = 2 ** 35;

/** `XX-YYYY-YYYY` in characters. */
const LENGTH = 12;
const DASH = 45;
const NO_LETTER = 255;
/** The index of each character code in the alphabet. */
const VALUES = new Uint8Array(128).fill(NO_LETTER);
for (let index = 0; index < ALPHABET.length; index++) VALUES[ALPHABET.charCodeAt(index)] = index;
const LETTERS = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));

export interface IdParts {
  readonly prefix: string;
  readonly shard: number;
  readonly counter: number;
}

export class Ids {
  /** Round keys by the two character codes of their prefix. */
  readonly #roundKeys: (Uint32Array | undefined)[] = [];

  /** `key` is the installation's permutation key; it is part of every export. */
  constructor(private readonly key: Uint8Array) {}

  encode(prefix: string, shard: number, counter: number): string {
    assert(counter >= 0 && counter < COUNTERS, 'the id space of a shard is exhausted');
    const number = shard * COUNTERS + counter;
    const keys = this.#keysOf(prefix);
    let left = Math.floor(number / HALF);
    let right = number - left * HALF;
    for (let round = 0; round < ROUNDS; round++) {
      const next = (left + mix(right, keys[round] ?? 0)) % HALF;
      left = right;
      right = next;
    }
    return textOf(prefix, left, right);
  }

  /** Undefined for text that is not an id of this installation. */
  decode(id: string): IdParts | undefined {
    const number = this.#numberOf(id);
    if (number < 0) return undefined;
    return { prefix: id.slice(0, 2), shard: Math.floor(number / COUNTERS), counter: number % COUNTERS };
  }

  /** The shard of an id; undefined for text that is not an id of this installation. */
  shardOf(id: string): number | undefined {
    const number = this.#numberOf(id);
    return number < 0 ? undefined : Math.floor(number / COUNTERS);
  }

  /** The number behind an id; -1 for text that is not an id. */
  #numberOf(id: string): number {
    if (id.length !== LENGTH || !isPrefix(id) || id.charCodeAt(2) !== DASH || id.charCodeAt(7) !== DASH) return -1;
    let left = value(id, 3);
    let right = value(id, 8);
    if (left < 0 || right < 0) return -1;
    const keys = this.#keysOf(id);
    for (let round = ROUNDS - 1; round >= 0; round--) {
      const before = (right - mix(left, keys[round] ?? 0) + HALF) % HALF;
      right = left;
      left = before;
    }
    return left * HALF + right;
  }

  #keysOf(prefix: string): Uint32Array {
    const index = (prefix.charCodeAt(0) << 7) | prefix.charCodeAt(1);
    return (this.#roundKeys[index] ??= this.#newKeys(prefix.slice(0, 2)));
  }

  #newKeys(prefix: string): Uint32Array {
    const bytes = createHash('sha256').update(this.key).update(prefix).digest();
    return Uint32Array.from({ length: ROUNDS }, (_, round) => bytes.readUInt32LE(round * 4));
  }
}

/** A keyed integer hash onto 0..HALF-1. */
function mix(input: number, key: number): number {
  let hash = (input ^ key) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ key, 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % HALF;
}

/** A capital letter, then a capital letter or any digit. */
function isPrefix(id: string): boolean {
  const second = id.charCodeAt(1);
  return isCapital(id.charCodeAt(0)) && (isCapital(second) || (second >= 48 && second <= 57));
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90;

/** Builds the text in one piece: ids live long, and a text joined from parts takes three times the memory. */
function textOf(prefix: string, left: number, right: number): string {
  return String.fromCharCode(
    prefix.charCodeAt(0),
    prefix.charCodeAt(1),
    DASH,
    letter(left / 42_875),
    letter(left / 1_225),
    letter(left / 35),
    letter(left),
    DASH,
    letter(right / 42_875),
    letter(right / 1_225),
    letter(right / 35),
    letter(right),
  );
}

/** The character code of the last digit. */
const letter = (number: number): number => LETTERS[Math.floor(number) % 35] ?? 0;

/** The number of four letters; -1 when a character is not one of the alphabet. */
function value(id: string, at: number): number {
  let total = 0;
  for (let index = at; index < at + 4; index++) {
    const digit = VALUES[id.charCodeAt(index)] ?? NO_LETTER;
    if (digit === NO_LETTER) return -1;
    total = total * 35 + digit;
  }
  return total;
}

/** Test data and live data never meet: the mode is part of every key, index, subject and cursor. */
export type Mode = 'test' | 'live';

/** The mode that a stored key names. */
export function modeOf(text: string): Mode {
  if (text === 'live' || text === 'test') return text;
  assert(false, `${text} is no mode`);
}

/** The owner of data: a company in one mode. Everything that is stored, listed or streamed lies under one. */
export interface Tenant {
  readonly company: string;
  readonly mode: Mode;
}

/** The texts under which a tenant's data is looked up, many times a command: each is built once. */
interface Keys {
  readonly own: string;
  readonly below: Map<string, string>;
}

const KEYS = Symbol('keys');
interface Keyed extends Tenant {
  readonly [KEYS]?: Keys;
}

/** The shared object of a tenant. A plain object works as well, but builds its keys at each call. */
export function tenantOf(company: string, mode: Mode): Tenant {
  const known = knownTenants[mode].get(company);
  if (known !== undefined) return known;
  const tenants = knownTenants[mode];
  if (tenants.size >= MAX_KNOWN) tenants.clear();
  const tenant: Tenant = { company, mode };
  const keys: Keys = { own: keyText(tenant), below: new Map() };
  Object.defineProperty(tenant, KEYS, { value: keys }); // not enumerable: it is not part of the tenant
  tenants.set(company, tenant);
  return tenant;
}

/** Companies whose keys are kept ready, in each mode. */
const MAX_KNOWN = 10_000;
const knownTenants: Readonly<Record<Mode, Map<string, Tenant>>> = { test: new Map(), live: new Map() };

export const tenantKey = (tenant: Tenant): string => (tenant as Keyed)[KEYS]?.own ?? keyText(tenant);

/** The key of a kind or a zone of a tenant: names of a small, fixed number. */
export function keyBelow(tenant: Tenant, name: string): string {
  const keys = (tenant as Keyed)[KEYS];
  if (keys === undefined) return `${keyText(tenant)}/${name}`;
  const known = keys.below.get(name);
  if (known !== undefined) return known;
  const key = `${keys.own}/${name}`;
  keys.below.set(name, key);
  return key;
}

const keyText = (tenant: Tenant): string => `${tenant.company}/${tenant.mode}`;

/** The service id that an AnyId of a path or body names (`ext-` leads an external id); undefined when no object has it. */
export const resolveId = (env: EvolveEnv, tenant: Tenant, kind: string, anyId: string): string | undefined =>
  anyId.startsWith('ext-') ? env.findExternal(tenant, kind, anyId.slice(4)) : anyId;

/** The id of an object of this engine, or one that only another unit of the cluster may know. */
export function knownId(env: QueryEnv, kind: string, anyId: string): string | undefined {
  const id = resolveId(env, env.tenant, kind, anyId);
  return id !== undefined && env.isHere(id) && env.read(kind, id) === undefined ? undefined : id;
}
