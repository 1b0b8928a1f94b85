import { StatementFaults } from './statement.js';

export type StatementEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const MARKS: readonly { readonly encoding: StatementEncoding; readonly mark: readonly number[] }[] = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
];

/** Bytes in which XML declares its encoding. */
const HEAD = 200;

/** By the byte order mark, else as asked or declared, else UTF-8, else the Western European one that older systems of banks write. */
export function statementTextOf(bytes: Uint8Array, asked: StatementEncoding | null, faults: StatementFaults): string {
  const marked = MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))?.encoding ?? null;
  const wanted = marked ?? asked ?? declared(bytes);
  try {
    return new TextDecoder(wanted ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    if (wanted !== null) {
      faults.add('not-text');
      return '';
    }
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function declared(bytes: Uint8Array): string | null {
  const head = Array.from(bytes.subarray(0, HEAD), (byte) => String.fromCharCode(byte)).join('');
  const name = /^<\?xml[^>]*encoding=["']([A-Za-z0-9._-]{1,40})["']/.exec(head)?.[1]?.toLowerCase() ?? null;
  return name !== null && KNOWN.has(name) ? name : null;
}

const KNOWN: ReadonlySet<string> = new Set(['utf-8', 'utf-16', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252']);
