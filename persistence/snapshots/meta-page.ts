import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Inspects an LMDB file before it is opened. LMDB maps the whole file and trusts its meta pages: on a foreign file, or one shorter than
 * they say, it ends the process with a signal.
 *
 *   meta page (two, one a page)   page number 8 | transaction 8 | 2 | flags 2 | 4 | magic 4 | version 4 | address 8 |
 *                                 map size 8 | free pages' tree 48 | main tree 48 | last page 8 | transaction 8
 *   tree                          page size 4 (of the first) | flags 2 | depth 2 | pages 24 | entries 8 | root page 8
 */
const FLAGS_AT = 18;
const MAGIC_AT = 24;
const VERSION_AT = 28;
const PAGE_SIZE_AT = 48;
const ROOTS_AT = [88, 136] as const;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;

const META_FLAG = 0x08;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
/** Root page of a tree without entries. */
const NO_ROOT = 0xffff_ffff_ffff_ffffn;
/** Page sizes that LMDB can have. */
const PAGE_SIZES = new Set([4096, 8192, 16384, 32768, 65536]);

/** What is wrong with the file, or null when it may be opened. An absent file may. */
export function inspectEnvironment(path: string): string | null {
  let file: number;
  try {
    // For writing as well: LMDB cannot report missing rights as an error.
    file = openSync(path, 'r+');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') return null;
    if (code === 'EISDIR') return 'it is a folder';
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
  if (typeof first === 'string') return `the first meta page ${first}`;
  const second = readMeta(file, first.pageSize);
  if (typeof second === 'string') return `the second meta page ${second}`;
  if (second.pageSize !== first.pageSize) return 'the meta pages have different page sizes';
  const newest = second.transaction > first.transaction ? second : first;
  const needed = (newest.lastPage + 1n) * BigInt(newest.pageSize);
  return BigInt(size) < needed ? `the file has ${size} bytes and its meta page counts on ${needed}` : null;
}

interface Meta {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

/** The page, or what is wrong with it. */
function readMeta(file: number, position: number): Meta | string {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(file, bytes, 0, META_BYTES, position) < META_BYTES) return 'is cut';
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  const lastPage = bytes.readBigUInt64LE(LAST_PAGE_AT);
  if (bytes.readUInt32LE(MAGIC_AT) !== MAGIC || (bytes.readUInt16LE(FLAGS_AT) & META_FLAG) === 0) return "is not LMDB's";
  if (bytes.readUInt32LE(VERSION_AT) !== VERSION) return 'is of another version of LMDB';
  if (!PAGE_SIZES.has(pageSize)) return 'has an impossible page size';
  const isRootInside = ROOTS_AT.every((at) => {
    const root = bytes.readBigUInt64LE(at);
    return root === NO_ROOT || root <= lastPage;
  });
  return isRootInside ? { pageSize, lastPage, transaction: bytes.readBigUInt64LE(TRANSACTION_AT) } : 'has a root behind its last page';
}
