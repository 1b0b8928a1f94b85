import { assert } from '../../../engine/index.js';
import { Decimal } from '../../wire/values.js';
import type { RecordShape } from './record-shapes.js';
import { DECIMAL_TYPE, SHAPE_HEAD } from './packer.js';
import { keyAt } from './batch-writer.js';

/** The shapes of a store, by their numbers. */
interface KnownShapes {
  at(number: number): RecordShape;
}

/**
 * The value that a `Packer` has written with the same shapes, in the type in which it was written, which is not checked again. Bytes in it
 * are views of the input.
 */
export function readPacked<Packed = unknown>(packed: Uint8Array, shapes: KnownShapes | null = null): Packed {
  reading.begin(packed, shapes);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was packed is read
  return reading.value() as Packed;
}

/** A value that was read. */
export interface StoredValue<Packed = unknown> {
  readonly value: Packed;
  /** Whether there are bytes in it, as all that is sealed is. */
  readonly holdsBytes: boolean;
}

/** How long what was read is used: bytes that are used in passing may share their memory with others. */
export type Use = 'kept' | 'passing';

/** The same with what a reader of sealed values asks first, and with a copy of bytes: the input may be overwritten. */
export function readStored<Packed>(packed: Uint8Array, shapes: KnownShapes, use: Use): StoredValue<Packed> {
  reading.begin(packed, shapes, use);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was packed is read
  const value = reading.value() as Packed;
  return { value, holdsBytes: reading.holdsBytes };
}

/** The first elements of a short array that a `Packer` has written, as many as `Start` has; the rest is not read. */
export function readPackedStart<Start extends readonly unknown[]>(packed: Uint8Array, count: Start['length']): Start {
  reading.begin(packed, null);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was packed is read
  return reading.start(count) as Start;
}

class Reading {
  /** Whether bytes were read since `begin`. */
  holdsBytes = false;
  #bytes = Buffer.alloc(0);
  #at = 0;
  #shapes: KnownShapes | null = null;
  /** Null: bytes are views of the input. */
  #copiesFor: Use | null = null;
  /** Of the whole input, for all bytes in it: one copy costs less than one for each. */
  #copy: Buffer | null = null;

  begin(packed: Uint8Array, shapes: KnownShapes | null, copiesFor: Use | null = null): void {
    this.#copiesFor = copiesFor;
    this.#copy = null;
    this.#bytes = packed instanceof Buffer ? packed : Buffer.from(packed.buffer, packed.byteOffset, packed.length);
    this.#at = 0;
    this.#shapes = shapes;
    this.holdsBytes = false;
  }

  start(count: number): readonly unknown[] {
    const head = this.#byte();
    assert(head >= 0x90 && head < 0x90 + 16 && (head & 0x0f) >= count, 'a record is a short array');
    return this.#array(count);
  }

  value(): unknown {
    const head = this.#byte();
    if (head < 0x80) return head;
    if (head < 0x90) return this.#object(head & 0x0f);
    if (head < 0xa0) return this.#array(head & 0x0f);
    if (head < 0xc0) return this.#text(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    switch (head) {
      case 0xc0:
        return null;
      case SHAPE_HEAD:
        return this.#formed();
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        return this.#binary(this.#byte());
      case 0xc5:
        return this.#binary(this.#unsigned(2));
      case 0xc6:
        return this.#binary(this.#unsigned(4));
      case 0xc7:
        return this.#decimal(this.#byte());
      case 0xcb:
        return this.#double();
      case 0xcc:
        return this.#byte();
      case 0xcd:
        return this.#unsigned(2);
      case 0xce:
        return this.#unsigned(4);
      case 0xd2:
        return this.#unsigned(4) | 0;
      case 0xd4:
        return this.#undefined();
      case 0xd9:
        return this.#text(this.#byte());
      case 0xda:
        return this.#text(this.#unsigned(2));
      case 0xdb:
        return this.#text(this.#unsigned(4));
      case 0xdc:
        return this.#array(this.#unsigned(2));
      case 0xdd:
        return this.#array(this.#unsigned(4));
      case 0xde:
        return this.#object(this.#unsigned(2));
      default:
        assert(false, `a record has the unknown head ${head}`);
    }
  }

  #object(size: number): Readonly<Record<string, unknown>> {
    const object: Record<string, unknown> = {};
    for (let count = 0; count < size; count++) {
      const name = this.#name();
      // Assigning this name would change the prototype of the object.
      if (name === '__proto__')
        Object.defineProperty(object, name, { value: this.value(), enumerable: true, configurable: true, writable: true });
      else object[name] = this.value();
    }
    return object;
  }

  #formed(): Readonly<Record<string, unknown>> {
    const number = this.value();
    assert(this.#shapes !== null && typeof number === 'number', 'a record with shapes is read with them');
    return this.#shapes.at(number).read(this);
  }

  #name(): string {
    const name = this.value();
    if (typeof name === 'string') return name;
    const key = typeof name === 'number' ? keyAt(name) : undefined;
    assert(key !== undefined, `a record has an unknown key ${String(name)}`);
    return key;
  }

  #array(length: number): readonly unknown[] {
    assert(length <= this.#bytes.length - this.#at, 'a record ends too early');
    const array = new Array<unknown>(length);
    for (let index = 0; index < length; index++) array[index] = this.value();
    return array;
  }

  /** Short texts recur: a text that was read recently is returned as the same object, which costs less than making it. */
  #text(bytes: number): string {
    if (bytes > LONGEST_KEPT) return this.#bytes.toString('utf8', this.#at, this.#move(bytes));
    const from = this.#at;
    const end = this.#move(bytes);
    let hash = bytes;
    for (let at = from; at < end; at++) hash = Math.imul(hash ^ (this.#bytes[at] ?? 0), 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (KEPT_TEXTS - 1);
    const known = keptTexts[slot];
    if (known !== undefined && this.#lies(known, from, end)) return known;
    return (keptTexts[slot] = this.#bytes.toString('utf8', from, end));
  }

  #lies(text: string, from: number, end: number): boolean {
    if (text.length !== end - from) return false;
    for (let at = from; at < end; at++) if (text.charCodeAt(at - from) !== this.#bytes[at]) return false;
    return true;
  }

  #binary(bytes: number): Uint8Array {
    this.holdsBytes = true;
    const from = this.#at;
    const end = this.#move(bytes);
    const source = this.#copiesFor === null ? this.#bytes : (this.#copy ??= copied(this.#bytes, this.#copiesFor));
    return source.subarray(from, end);
  }

  #decimal(length: number): Decimal {
    assert(this.#byte() === DECIMAL_TYPE, 'the extension of a record is a decimal');
    return new Decimal(this.#bytes.toString('latin1', this.#at, this.#move(length)));
  }

  #double(): number {
    const value = this.#bytes.readDoubleBE(this.#at);
    this.#move(8);
    return value;
  }

  /** The only extension without a length of its own. */
  #undefined(): undefined {
    this.#move(2);
    return undefined;
  }

  #unsigned(bytes: 2 | 4): number {
    const from = this.#at;
    this.#move(bytes);
    return bytes === 2 ? this.#bytes.readUInt16BE(from) : this.#bytes.readUInt32BE(from);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    assert(byte !== undefined, 'a record ends too early');
    return byte;
  }

  /** The position of the next part. */
  #move(bytes: number): number {
    this.#at += bytes;
    assert(this.#at <= this.#bytes.length, 'a record ends too early');
    return this.#at;
  }
}

/** What is kept has memory of its own, which nothing else keeps. */
function copied(bytes: Buffer, use: Use): Buffer {
  const copy = use === 'kept' ? Buffer.allocUnsafeSlow(bytes.length) : Buffer.allocUnsafe(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Texts that are kept for reuse; a power of two. */
const KEPT_TEXTS = 4_096;
const LONGEST_KEPT = 24;
const keptTexts: (string | undefined)[] = Array.from({ length: KEPT_TEXTS });

const reading = new Reading();
