import { open } from 'node:fs/promises';
import { UsageError } from '../cli/lookups.js';

/** Encodings of files. `windows-1252` has all of Latin-1 but its control characters. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** The encoding of a file, and the bytes of its byte order mark. */
export interface FoundEncoding {
  readonly encoding: Encoding;
  readonly markBytes: number;
}

const MARKS: readonly { readonly encoding: Encoding; readonly mark: Buffer }[] = [
  { encoding: 'utf-8', mark: Buffer.of(0xef, 0xbb, 0xbf) },
  { encoding: 'utf-16le', mark: Buffer.of(0xff, 0xfe) },
  { encoding: 'utf-16be', mark: Buffer.of(0xfe, 0xff) },
];

/** Bytes in which UTF-16 without a mark is looked for: more than any header needs. */
const HEAD_BYTES = 4096;

/**
 * By its byte order mark, else as `asked`, else UTF-8, whose validity is checked row by row.
 * Throws `UsageError` where the mark says another encoding than `asked`, and for UTF-16 that neither of them names.
 */
export async function encodingOf(path: string, asked: Encoding | null): Promise<FoundEncoding> {
  const head = await headOf(path);
  const marked = MARKS.find(({ mark }) => head.subarray(0, mark.length).equals(mark));
  if (marked) {
    if (asked !== null && asked !== marked.encoding) {
      throw new UsageError(`${path} is ${marked.encoding} by its byte order mark, not ${asked}: leave --encoding out.`);
    }
    return { encoding: marked.encoding, markBytes: marked.mark.length };
  }
  if (asked === null && head.includes(0)) {
    const likely = head.indexOf(0) % 2 === 1 ? 'utf-16le' : 'utf-16be';
    throw new UsageError(`${path} holds zero bytes and no byte order mark. If it is UTF-16, say so: --encoding ${likely}.`);
  }
  return { encoding: asked ?? 'utf-8', markBytes: 0 };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Converts chunks of a file to UTF-8. Bytes that its encoding does not have become a byte that is not UTF-8, never another character. */
export interface ToUtf8 {
  chunk(bytes: Buffer): Buffer;
  /** The remaining bytes at the end of the file. */
  end(): Buffer;
}

const NOTHING = Buffer.alloc(0);

export function toUtf8(encoding: Encoding): ToUtf8 {
  if (encoding === 'utf-8') return { chunk: (bytes) => bytes, end: () => NOTHING };
  if (encoding === 'windows-1252') return { chunk: (bytes) => encoded(windowsText(bytes)), end: () => NOTHING };
  return new Utf16ToUtf8(encoding === 'utf-16be');
}

/** Half of a character: marks what could not be decoded in decoded text. */
const UNDECODABLE = '\ud800';

/** A byte that UTF-8 never has: a row that holds it is reported. */
const NO_UTF8 = Buffer.of(0xff);

function encoded(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const parts = text.split(/(\p{Surrogate})/u); // halves of characters are at odd indexes
  return Buffer.concat(parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : NO_UTF8)));
}

/** The characters of windows-1252 from 80 to 9F; a blank means that there is none. */
const WINDOWS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Spelled out since `TextDecoder` reads these 32 as control characters in some releases of Node. */
const windowsText = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (character) => {
    const meant = WINDOWS.charAt(character.charCodeAt(0) - 0x80);
    return meant === ' ' ? UNDECODABLE : meant;
  });

class Utf16ToUtf8 implements ToUtf8 {
  #rest: Buffer = NOTHING;

  constructor(private readonly isBigEndian: boolean) {}

  chunk(bytes: Buffer): Buffer {
    const all = Buffer.concat([this.#rest, bytes]);
    const whole = all.length - (all.length % 2);
    const last = whole === 0 ? 0 : this.isBigEndian ? all.readUInt16BE(whole - 2) : all.readUInt16LE(whole - 2);
    const end = last >= 0xd800 && last <= 0xdbff ? whole - 2 : whole; // its second half is in the next chunk
    this.#rest = all.subarray(end);
    return encoded(this.#textOf(all.subarray(0, end)));
  }

  end(): Buffer {
    const whole = this.#rest.length - (this.#rest.length % 2);
    const text = this.#textOf(this.#rest.subarray(0, whole));
    return encoded(whole === this.#rest.length ? text : text + UNDECODABLE);
  }

  #textOf(bytes: Buffer): string {
    return (this.isBigEndian ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
  }
}
