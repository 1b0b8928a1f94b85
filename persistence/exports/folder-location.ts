import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LocationMissing, LocationTaken } from '../errors.js';
import { nodeFiles } from '../files/node-files.js';
import { atPath, freeBytes } from '../files/path-unusable.js';
import { lockFolder } from '../folder-lock.js';
import { openJournal } from '../journal/journal.js';
import type { KeyEntry } from '../keys/data-keys.js';
import { openFolderIdentity } from '../keys/folder-identity.js';
import { openKeyStore } from '../keys/key-store.js';
import { readMasterKey, writeIdKey } from '../keys/master-key.js';
import { limits } from '../limits.js';
import type { Journal, StoredBlock } from '../ports.js';
import { type ClusterLocation, openClusterSource, openClusterTarget } from './cluster-location.js';

/** Where an export is made from: a data folder, or a cluster. */
export interface ExportSource {
  readonly kind: 'folder' | 'cluster';
  readonly shards: number;
  /** Key of the permutation of ids. */
  readonly idKey: Uint8Array;
  readonly masterKey: Uint8Array;
  /** Records of the journal up to the cut, to show the progress. */
  readonly records: number;
  /** All blocks up to the cut: nothing in them refers to anything behind it. */
  blocks(): AsyncIterable<StoredBlock> | Iterable<StoredBlock>;
  /** All data keys that the blocks need, unwrapped. To be read after the blocks. */
  keys(): AsyncIterable<KeyEntry> | Iterable<KeyEntry>;
  /** Of a cluster: wraps its keys with another master key, while it runs. */
  rotate?(masterKey: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The target of a restore: empty until `finish`, which completes it at once, as far as a folder or a server allows that. */
export interface RestoreTarget {
  readonly kind: 'folder' | 'cluster';
  readonly shards: number;
  readonly masterKey: Uint8Array;
  /** Called first, with the key of ids of the exported journal. */
  begin(idKey: Uint8Array): Promise<void>;
  /** Blocks in their order, several of a shard among them. */
  append: Journal['append'];
  heads: Journal['heads'];
  /** A key that was destroyed once stays destroyed. */
  adopt(entry: KeyEntry): Promise<void>;
  /** Makes the adopted keys durable. */
  flushKeys(): Promise<void>;
  /** Bytes that the disk lacks for a journal of so many bytes; 0 if they fit, and if only a server knows. */
  missingBytes(journalBytes: number): Promise<number>;
  /** A folder for files that are only needed meanwhile: the caller makes and removes it. */
  readonly scratchFolder: string;
  /** Counts of the adopted keys. */
  keyCounts(): { readonly keys: number; readonly destroyed: number };
  finish(): Promise<void>;
  /** Removes what was written. */
  abandon(): Promise<void>;
}

/** The parts of a data folder. */
const FOLDER_PARTS = { journal: 'journal', keys: 'keys', idKey: 'id.key', masterKey: 'master.key' } as const;

/** Throws `LocationMissing` where a folder holds no data, `PathUnusable` where it may not be read: opening it would make a new one. */
export function assertHoldsData(folder: string): void {
  const names = existsSync(folder) ? atPath('the data folder', folder, () => readdirSync(folder)) : null;
  if (names?.includes(FOLDER_PARTS.journal)) return;
  const why =
    names === null ? 'the folder does not exist, or may not be seen by the user that runs this' : `it has no ${FOLDER_PARTS.journal}`;
  throw new LocationMissing(`There is no data in ${folder}: ${why}. Name the data folder with --data.`);
}

/** The data folder of one process, while no process uses it. Throws `FolderLocked`, `LocationMissing`, and the errors of its parts. */
export async function openFolderSource({
  folder,
  masterKey,
  shards,
}: {
  readonly folder: string;
  readonly masterKey: Uint8Array;
  readonly shards: number;
}): Promise<ExportSource> {
  assertHoldsData(folder);
  const journalFolder = join(folder, FOLDER_PARTS.journal);
  const lock = await lockFolder(folder);
  try {
    const { idKey, keys } = await openFolderIdentity({ dataFolder: folder, masterKey, hasSnapshots: false });
    const journal = await openJournal({ folder: journalFolder });
    return {
      kind: 'folder',
      shards,
      idKey,
      masterKey,
      records: [...journal.heads().values()].reduce((sum, { lastSequence }) => sum + lastSequence, 0),
      blocks: () => journal.read(new Map()),
      keys: () => keys.entries(),
      async close() {
        await journal.close();
        await keys.close();
        await lock.release();
      },
    };
  } catch (cause) {
    await lock.release();
    throw cause;
  }
}

/** A batch lies in one segment as a whole, so that the ends of segments stay free: at most so many times the bytes of the blocks. */
const SEGMENT_WASTE = 1.05;

/** Folder of a restore that is not complete. */
const UNFINISHED = 'restoring';
/** What the folder may hold before: the master key, and the lock. */
const ALLOWED: ReadonlySet<string> = new Set([FOLDER_PARTS.masterKey, 'lock']);

/**
 * A new data folder. All files are written to a folder beside first, and are renamed at the end, the key of ids last: without it no service
 * starts on a journal. Throws `LocationTaken`, `FolderLocked`.
 */
export async function openFolderTarget({
  folder,
  masterKey,
  shards,
}: {
  readonly folder: string;
  readonly masterKey: Uint8Array;
  readonly shards: number;
}): Promise<RestoreTarget> {
  const names = await atPath('the data folder', folder, () => (existsSync(folder) ? readdir(folder) : []));
  // A restore that was killed has left nothing else: it begins again.
  const found = names.filter((name) => !ALLOWED.has(name) && name !== UNFINISHED);
  if (found.length > 0)
    throw new LocationTaken(
      `${folder} is not empty (${found.slice(0, 3).join(', ')}): restore into a folder that holds at most ${FOLDER_PARTS.masterKey}`,
    );
  const unfinished = join(folder, UNFINISHED);
  await atPath('the data folder', folder, () => mkdir(unfinished, { recursive: true, mode: 0o700 }));
  const lock = await lockFolder(folder);
  await rm(unfinished, { recursive: true });
  await mkdir(unfinished, { mode: 0o700 });
  const journal = await openJournal({ folder: join(unfinished, FOLDER_PARTS.journal) });
  const keys = await openKeyStore({ folder: join(unfinished, FOLDER_PARTS.keys), masterKey, journalId: journal.id });
  let waiting = 0;
  const close = async (): Promise<void> => {
    await journal.close();
    await keys.close();
  };
  return {
    kind: 'folder',
    shards,
    masterKey,
    begin: (idKey) => writeIdKey(join(unfinished, FOLDER_PARTS.idKey), idKey, journal.id),
    append: (blocks) => journal.append(blocks),
    heads: () => journal.heads(),
    async adopt(entry) {
      keys.adopt(entry);
      waiting += 1;
      if (waiting % limits.adoptedKeys === 0) await keys.flush();
    },
    flushKeys: () => keys.flush(),
    async missingBytes(journalBytes) {
      const segments = Math.ceil((journalBytes * SEGMENT_WASTE) / limits.segmentBytes);
      return Math.max(0, segments * limits.segmentBytes - (await freeBytes(unfinished)));
    },
    scratchFolder: join(unfinished, 'scratch'),
    keyCounts: () => keys.counts(),
    async finish() {
      await keys.flush();
      await close();
      for (const part of [FOLDER_PARTS.keys, FOLDER_PARTS.journal, FOLDER_PARTS.idKey]) {
        await rename(join(unfinished, part), join(folder, part));
        await nodeFiles.syncFolder(folder);
      }
      await rm(unfinished, { recursive: true });
      await lock.release();
    },
    async abandon() {
      await close();
      await rm(unfinished, { recursive: true, force: true });
      await lock.release();
    },
  };
}

/** A data folder, or a cluster where its server is named. */
export interface LocationOptions extends Omit<ClusterLocation, 'nats' | 'masterKey'> {
  readonly dataFolder: string;
  readonly nats: string | null;
  readonly masterKeyText: string | null;
  readonly masterKeyFile: string | null;
}

export async function openSource(options: LocationOptions): Promise<ExportSource> {
  if (options.nats === null) assertHoldsData(options.dataFolder);
  return opened(options, openFolderSource, openClusterSource);
}

export const openTarget = async (options: LocationOptions): Promise<RestoreTarget> => opened(options, openFolderTarget, openClusterTarget);

/** The master key must be there already: a new one would open nothing. */
function opened<Opened>(
  { dataFolder: folder, nats, masterKeyText: text, masterKeyFile, ...cluster }: LocationOptions,
  inFolder: (location: Parameters<typeof openFolderSource>[0]) => Promise<Opened>,
  inCluster: (location: ClusterLocation) => Promise<Opened>,
): Promise<Opened> {
  const masterKey = readMasterKey({ text, file: masterKeyFile ?? join(folder, FOLDER_PARTS.masterKey) });
  return nats === null ? inFolder({ folder, masterKey, shards: cluster.shards }) : inCluster({ ...cluster, nats, masterKey });
}
