import type { Journal, StoredBlock } from '../ports.js';
import type { KeyEntry } from '../keys/data-keys.js';

/** Where an export is made from: a data folder, or a cluster. */
export interface ExportSource {
  readonly kind: 'folder' | 'cluster';
  readonly shards: number;
  /** Key of the permutation of ids. */
  readonly idKey: Uint8Array;
  readonly masterKey: Uint8Array;
  /** Records that the journal has up to the cut, for whoever watches. */
  readonly records: number;
  /** All blocks up to the cut: nothing in them refers to what lies behind it. */
  blocks(): AsyncIterable<StoredBlock> | Iterable<StoredBlock>;
  /** All data keys that the blocks need, unwrapped. Asked for behind them. */
  keys(): AsyncIterable<KeyEntry> | Iterable<KeyEntry>;
  /** Of a cluster: wraps its keys with another master key, while it runs. */
  rotate?(masterKey: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Where an export is put back: empty until `finish`, which makes it whole at once as far as a place allows it. */
export interface RestoreTarget {
  readonly kind: 'folder' | 'cluster';
  readonly shards: number;
  readonly masterKey: Uint8Array;
  /** With the key of ids that the journal was written under, before anything else. */
  begin(idKey: Uint8Array): Promise<void>;
  /** Blocks in their order, several of a shard among them. */
  append: Journal['append'];
  heads: Journal['heads'];
  /** A key that is destroyed once stays so. */
  adopt(entry: KeyEntry): Promise<void>;
  /** What was adopted. */
  keyCounts(): { readonly keys: number; readonly destroyed: number };
  finish(): Promise<void>;
  /** Takes away what was written. */
  abandon(): Promise<void>;
}
