import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Looks at an LMDB file before it is opened. LMDB maps the whole file and trusts its meta pages: a file that is
 * shorter than they say ends the process with SIGBUS at the first read behind its end.
 *
 *   meta page (two of them, one a page)   magic 4 at 24 | version 4 | ... | page size 4 at 48 | ...
 *                                         last page 8 at 144 | transaction 8 at 152
 */
const MAGIC = 0xbeefc0de;
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;
/** Page sizes that LMDB can have. */
const PAGE_SIZES = new Set([4096, 8192, 16384, 32768, 65536]);

/** What is wrong with the file, or null when it may be opened. An absent file may. */
export function inspectEnvironment(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cause;
  }
  try {
    return inspect(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function inspect(file: number, size: number): string | null {
  if (size === 0) return 'the file is empty';
  const first = readMeta(file, 0);
  if (!first) return 'the first meta page is damaged';
  const second = readMeta(file, first.pageSize);
  if (!second) return 'the second meta page is damaged';
  if (second.pageSize !== first.pageSize) return 'the meta pages disagree on the page size';
  const newest = second.transaction > first.transaction ? second : first;
  const needed = (newest.lastPage + 1n) * BigInt(newest.pageSize);
  return BigInt(size) < needed ? `the file has ${size} bytes and its meta page counts on ${needed}` : null;
}

interface Meta {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

function readMeta(file: number, position: number): Meta | null {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(file, bytes, 0, META_BYTES, position) < META_BYTES) return null;
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (bytes.readUInt32LE(MAGIC_AT) !== MAGIC) return null;
  // The second meta page is written without a page size until its first commit.
  if (!PAGE_SIZES.has(pageSize)) return null;
  return { pageSize, lastPage: bytes.readBigUInt64LE(LAST_PAGE_AT), transaction: bytes.readBigUInt64LE(TRANSACTION_AT) };
}
