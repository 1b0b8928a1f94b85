import { assert, isRecord } from '../../../engine/index.js';
import { Decimal } from '../../wire/values.js';
import { indexOfKey } from './batch-writer.js';

/** Marks an object whose names `RecordShapes` keeps: not one of the heads of msgpack. */
export const SHAPE_HEAD = 0xc1;

/** The shape of an object; null when it has none. */
export interface ShapesOfObjects {
  of(object: object): { readonly number: number; readonly names: readonly string[] } | null;
}

/** The msgpack extension that holds the digits of a `Decimal`. */
export const DECIMAL_TYPE = 0x44;

/**
 * Writes msgpack, one value after the other, into slabs off the heap: the result is a view of its slab, and nothing is copied. Made for
 * what records consist of: short texts, integers, small plain objects. `readPacked` reads it: property names of the key dictionary are
 * written as numbers, everything else is standard msgpack.
 */
export class Packer {
  #bytes = newSlab(SLAB_BYTES);
  #view = viewOf(this.#bytes);
  /** The beginning of the value being packed, and the position of its next byte. */
  #start = 0;
  #at = 0;

  /** `shapes`: null when objects are written with their names. */
  constructor(private readonly shapes: ShapesOfObjects | null = null) {}

  /** Begins a value that consists of parts. */
  begin(): this {
    this.#start = this.#at;
    return this;
  }

  /** Everything packed since `begin`: a view that does not change. */
  end(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#at);
  }

  /** What was packed since the value had this length. */
  since(length: number): Uint8Array {
    return this.#bytes.subarray(this.#start + length, this.#at);
  }

  /** The length packed since `begin`. */
  get length(): number {
    return this.#at - this.#start;
  }

  /** The head of an array whose elements follow. */
  array(length: number): this {
    this.#reserve(HEAD_BYTES);
    if (length < 16) {
      this.#bytes[this.#at++] = 0x90 | length;
    } else if (length < 0x10000) {
      this.#head16(0xdc, length);
    } else {
      this.#head32(0xdd, length);
    }
    return this;
  }

  null(): this {
    this.#reserve(1);
    this.#bytes[this.#at++] = 0xc0;
    return this;
  }

  boolean(value: boolean): this {
    this.#reserve(1);
    this.#bytes[this.#at++] = value ? 0xc3 : 0xc2;
    return this;
  }

  text(value: string): this {
    const { length } = value;
    this.#reserve(HEAD_BYTES + length * 3);
    if (length >= 32 || !this.#shortText(value, length)) this.#longText(value);
    return this;
  }

  textOrNull(value: string | null | undefined): this {
    return value === null || value === undefined ? this.null() : this.text(value);
  }

  number(value: number): this {
    this.#reserve(HEAD_BYTES + 4);
    const bytes = this.#bytes;
    if (value >>> 0 === value && !Object.is(value, -0)) {
      if (value < 0x80) bytes[this.#at++] = value;
      else if (value < 0x100) this.#head8(0xcc, value);
      else if (value < 0x10000) this.#head16(0xcd, value);
      else this.#head32(0xce, value);
    } else if (value >> 0 === value && value < 0) {
      if (value >= -0x20) bytes[this.#at++] = 0x100 + value;
      else this.#head32(0xd2, value);
    } else {
      bytes[this.#at] = 0xcb;
      this.#view.setFloat64(this.#at + 1, value);
      this.#at += 9;
    }
    return this;
  }

  binary(value: Uint8Array): this {
    this.#reserve(HEAD_BYTES + value.length);
    if (value.length < 0x100) this.#head8(0xc4, value.length);
    else if (value.length < 0x10000) this.#head16(0xc5, value.length);
    else this.#head32(0xc6, value.length);
    return this.raw(value);
  }

  /** Bytes that were packed before. */
  raw(packed: Uint8Array): this {
    this.#reserve(packed.length);
    this.#bytes.set(packed, this.#at);
    this.#at += packed.length;
    return this;
  }

  /** Any plain value: JSON values, bytes, and `undefined`. */
  value(value: unknown): this {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return this.number(value);
      case 'boolean':
        return this.boolean(value);
      case 'undefined':
        return this.#undefined();
      case 'object':
        if (!isRecord(value)) return this.null();
        if (Array.isArray(value)) return this.#elements(value);
        if (value instanceof Uint8Array) return this.binary(value);
        if (value instanceof Decimal) return this.#decimal(value.text);
        return this.#object(value);
      case 'bigint':
      case 'function':
      case 'symbol':
      default:
        assert(false, `a ${typeof value} has no place in a record`);
    }
  }

  /** An extension of few bytes: the digits as they are printed. */
  #decimal(text: string): this {
    assert(text.length < 0x100, 'a number has fewer than 256 digits');
    this.#reserve(3 + text.length);
    this.#bytes[this.#at++] = 0xc7;
    this.#bytes[this.#at++] = text.length;
    this.#bytes[this.#at++] = DECIMAL_TYPE;
    for (let index = 0; index < text.length; index++) this.#bytes[this.#at++] = text.charCodeAt(index);
    return this;
  }

  #elements(values: readonly unknown[]): this {
    this.array(values.length);
    for (const value of values) this.value(value);
    return this;
  }

  #object(object: Readonly<Record<string, unknown>>): this {
    const prototype: unknown = Object.getPrototypeOf(object);
    assert(prototype === Object.prototype || prototype === null, 'a record holds plain objects');
    const shape = this.shapes?.of(object) ?? null;
    if (shape !== null) return this.#values(shape, object);
    // The number of properties is known only after they are written: the head is written last.
    this.#reserve(HEAD_BYTES);
    const head = this.length;
    this.#at += 1;
    let count = 0;
    for (const key in object) {
      this.#name(key).value(object[key]);
      count += 1;
    }
    if (count < 16) this.#bytes[this.#start + head] = 0x80 | count;
    else this.#wideHead(head, count);
    return this;
  }

  #values(
    { number, names }: { readonly number: number; readonly names: readonly string[] },
    object: Readonly<Record<string, unknown>>,
  ): this {
    this.#reserve(1);
    this.#bytes[this.#at++] = SHAPE_HEAD;
    this.number(number);
    for (const name of names) this.value(object[name]);
    return this;
  }

  #name(name: string): this {
    const index = indexOfKey(name);
    return index === undefined ? this.text(name) : this.number(index);
  }

  /** Moves the properties of an object with many of them behind a larger head. */
  #wideHead(head: number, count: number): void {
    assert(count < 0x10000, 'an object of a record has fewer than 65,536 properties');
    this.#reserve(2);
    const at = this.#start + head;
    this.#bytes.copyWithin(at + 3, at + 1, this.#at);
    this.#bytes[at] = 0xde;
    this.#bytes[at + 1] = count >> 8;
    this.#bytes[at + 2] = count & 0xff;
    this.#at += 2;
  }

  #undefined(): this {
    this.#reserve(3);
    this.#bytes[this.#at++] = 0xd4;
    this.#bytes[this.#at++] = 0;
    this.#bytes[this.#at++] = 0;
    return this;
  }

  /** Up to 31 characters below 128, one by one: a call of the encoder costs more. False when it holds others. */
  #shortText(value: string, length: number): boolean {
    const bytes = this.#bytes;
    const from = this.#at + 1;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 127) return false;
      bytes[from + index] = code;
    }
    bytes[this.#at] = 0xa0 | length;
    this.#at = from + length;
    return true;
  }

  #longText(value: string): void {
    // Guess one byte for each character: if that is wrong and the head grows, the text is moved.
    const guessed = textHeadBytes(value.length);
    const written = this.#bytes.write(value, this.#at + guessed, 'utf8');
    const needed = textHeadBytes(written);
    if (needed !== guessed) this.#bytes.copyWithin(this.#at + needed, this.#at + guessed, this.#at + guessed + written);
    if (needed === 2) this.#head8(0xd9, written);
    else if (needed === 3) this.#head16(0xda, written);
    else this.#head32(0xdb, written);
    this.#at += written;
  }

  #head8(tag: number, value: number): void {
    this.#bytes[this.#at] = tag;
    this.#bytes[this.#at + 1] = value;
    this.#at += 2;
  }

  #head16(tag: number, value: number): void {
    this.#bytes[this.#at] = tag;
    this.#bytes[this.#at + 1] = value >> 8;
    this.#bytes[this.#at + 2] = value & 0xff;
    this.#at += 3;
  }

  #head32(tag: number, value: number): void {
    this.#bytes[this.#at] = tag;
    this.#view.setUint32(this.#at + 1, value);
    this.#at += 5;
  }

  /** Makes room for more bytes. A full slab stays with its views; a value that was begun goes on in a new one. */
  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const begun = this.#bytes.subarray(this.#start, this.#at);
    this.#bytes = newSlab(Math.max(SLAB_BYTES, (begun.length + bytes) * 2));
    this.#view = viewOf(this.#bytes);
    this.#bytes.set(begun, 0);
    this.#start = 0;
    this.#at = begun.length;
  }
}

const SLAB_BYTES = 64 * 1024;
/** Bytes of the longest head of a value. */
const HEAD_BYTES = 5;

function textHeadBytes(length: number): number {
  if (length < 0x100) return 2;
  return length < 0x10000 ? 3 : 5;
}

const newSlab = (bytes: number): Buffer => Buffer.allocUnsafeSlow(bytes);
const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
