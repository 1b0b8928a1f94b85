import { existsSync, readdirSync } from 'node:fs';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { cutBlock, isOfSnapshots, JournalSummary, restoredBlock, type ShardBlock } from '../../actors/index.js';
import { Resealing } from './resealing.js';
import { assert } from '../../engine/index.js';
import {
  atPath,
  type ExportContents,
  ExportDamaged,
  type ExportSource,
  ExportWriter,
  type KeyEntry,
  type OpenedExport,
  type OpenedKeyStore,
  openKeyStore,
  LocationMissing,
  LocationTaken,
  type RestoreTarget,
  unwrapIdKey,
  wrapIdKey,
} from '../../persistence/index.js';

export interface RestoreOptions {
  readonly from: OpenedExport;
  readonly target: RestoreTarget;
  /** Stores of data keys, the newest first: a key that is destroyed in one of them stays destroyed. */
  readonly keys: readonly OpenedKeyStore[];
  /** Milliseconds: what was recorded later is left out; null = all of it. */
  readonly untilMs: number | null;
  /** Whether personal data that an earlier release recorded unencrypted is sealed on the way. */
  readonly isResealing?: boolean;
  /** Records that were checked and written, of twice those of the export. */
  readonly onProgress: (records: number) => void;
}

export interface RestoreSummary {
  readonly records: number;
  /** Those that were recorded after the moment. */
  readonly leftOut: number;
  readonly keys: number;
  readonly destroyed: number;
  /** Records in which personal data was sealed. */
  readonly resealed: number;
}

/** A restore that cannot begin, or has nothing to restore. */
export class RestoreRefused extends Error {}

/** Resealing of blocks, if that is asked for. */
interface Steps extends RestoreOptions {
  readonly resealing: Resealing | null;
}

/** Records that are checked between two pauses for other work. */
const CHECKED_TOGETHER = 4_096;

/** Bytes of records that one append takes. */
const APPENDED_BYTES = 1024 * 1024;

/**
 * Checks the whole export, and then restores it. The target stays as it was when the export is damaged or anything else fails. Throws
 * `ExportDamaged`, `MasterKeyError`, `RestoreRefused`.
 */
export async function restoreJournal(options: RestoreOptions): Promise<RestoreSummary> {
  const {
    from: { contents },
    target,
    isResealing = false,
  } = options;
  let resealing: Resealing | null = null;
  try {
    const idKey = unwrapIdKey(contents.idKey, target.masterKey);
    if (contents.shards !== target.shards)
      throw new RestoreRefused(`The export has ${contents.shards} shards, and this version has ${target.shards}.`);
    assertKeys(options);
    if (isResealing) resealing = await Resealing.begin(options);
    const steps = { ...options, resealing };
    await checkAll(steps);
    await target.begin(idKey);
    const keys = await adoptKeys(options);
    const records = await putBack(steps);
    await markRestored(options);
    const resealed = resealing?.changed ?? 0;
    await resealing?.close();
    await target.finish();
    return { records, leftOut: contents.records - records, ...keys, resealed };
  } catch (cause) {
    await resealing?.close();
    await target.abandon();
    throw cause;
  }
}

/** Key stores only grow: one with fewer keys than the export needs is older than the export. */
function assertKeys({
  from: {
    contents: {
      keys: { keys, destroyed },
    },
  },
  keys: stores,
}: RestoreOptions): void {
  const most = Math.max(0, ...stores.map(({ report }) => report.keys + report.destroyed));
  if (most >= keys + destroyed) return;
  throw new RestoreRefused(
    `The export needs ${keys + destroyed} data keys, destroyed ones among them, and ${most} are given: ` +
      'name the folder that they were exported to with --keys.',
  );
}

/** Checks with pauses, so that the connection to a target can answer its server meanwhile. */
async function checkAll({ from, target, resealing, onProgress }: Steps): Promise<void> {
  let [checked, together, bytes] = [0, 0, 0];
  for (const block of from.blocks()) {
    const { records } = resealing === null ? block : await resealing.block(block);
    bytes += records.reduce((sum, { length }) => sum + length + RECORD_HEAD_BYTES, BLOCK_HEAD_BYTES);
    onProgress((checked += records.length));
    together += records.length;
    if (together < CHECKED_TOGETHER) continue;
    together = 0;
    await othersTurn();
  }
  if (checked !== from.contents.records) throw new ExportDamaged(from.folder, 0, `it holds ${checked} records of ${from.contents.records}`);
  const refusal = resealing?.refusal() ?? null;
  if (refusal !== null) throw new RestoreRefused(refusal);
  const missing = await target.missingBytes(bytes);
  if (missing > 0)
    throw new RestoreRefused(`The disk lacks ${Math.ceil(missing / MEGABYTE)} MB for the restored journal: make room and run it again.`);
}

/** At least the bytes that a block and a record take beside their contents. */
const BLOCK_HEAD_BYTES = 256;
const RECORD_HEAD_BYTES = 4;
const MEGABYTE = 1_000_000;

async function putBack({ from, target, untilMs, resealing, onProgress }: Steps): Promise<number> {
  const throughStamp = untilMs === null ? null : untilMs * 1000 + 999;
  const ended = new Set<number>();
  let waiting: ShardBlock[] = [];
  let waitingBytes = 0;
  let [seen, written] = [from.contents.records, 0];
  const append = async (): Promise<void> => {
    if (waiting.length > 0) await target.append(waiting);
    [waiting, waitingBytes] = [[], 0];
    onProgress(seen);
  };
  for (const block of from.blocks()) {
    seen += block.records.length;
    if (ended.has(block.shard)) continue;
    const kept = throughStamp === null ? block : cutBlock(block, throughStamp);
    if (kept?.records.length !== block.records.length) ended.add(block.shard);
    if (kept === null) continue;
    const restored = resealing === null ? kept : await resealing.block(kept);
    waiting.push(restored);
    waitingBytes += restored.records.reduce((sum, { length }) => sum + length, 0);
    written += restored.records.length;
    if (waitingBytes >= APPENDED_BYTES) await append();
  }
  await append();
  if (written === 0) throw new RestoreRefused('Nothing of the export was recorded by that moment.');
  if (untilMs === null) (resealing === null ? assertSameHeads : assertSameLengths)(from.contents, target);
  return written;
}

/** The chains of resealed records have other hashes. */
function assertSameLengths({ heads }: ExportContents, target: RestoreTarget): void {
  for (const { shard, lastSequence } of heads)
    assert(target.heads().get(shard)?.lastSequence === lastSequence, `shard ${shard} has as many records as in the export`);
}

function assertSameHeads({ heads }: ExportContents, target: RestoreTarget): void {
  for (const { shard, hash } of heads) {
    assert(
      Buffer.compare(target.heads().get(shard)?.hash ?? new Uint8Array(), hash) === 0,
      `the chain of shard ${shard} ends as in the export`,
    );
  }
}

/** Skips ids on every shard, also where nothing was restored: records that were left out may have used some. */
async function markRestored({ from: { contents }, target, untilMs }: RestoreOptions): Promise<void> {
  const stamp = Math.max(contents.newestStamp, Date.now() * 1000) + 1;
  const exported = new Map(contents.heads.map((head) => [head.shard, head]));
  const heads = target.heads();
  await target.append(
    Array.from({ length: contents.shards + 1 }, (_, shard) =>
      restoredBlock({
        shard,
        sequence: (heads.get(shard)?.lastSequence ?? 0) + 1,
        idCounter: exported.get(shard)?.idCounter ?? 0,
        stamp: stamp + shard,
        exportedAt: contents.madeAt,
        until: untilMs === null ? null : new Date(untilMs).toISOString(),
        exportedSequence: exported.get(shard)?.lastSequence ?? 0,
      }),
    ),
  );
}

/** Before the blocks that are sealed with them. Erased persons first, so that none of their keys is ever written. */
async function adoptKeys({ from, target, keys: stores }: RestoreOptions): Promise<{ readonly keys: number; readonly destroyed: number }> {
  for (const owner of from.contents.erased) await target.adopt({ owner, key: null });
  for (const isDestroyed of [true, false])
    for (const store of stores)
      for (const entry of store.entries())
        if ((entry.key === null) === isDestroyed && !isOfSnapshots(entry.owner)) await target.adopt(entry);
  await target.flushKeys();
  return target.keyCounts();
}

interface KeyCounts {
  keys: number;
  destroyed: number;
}

/** Target of the data keys of an export, apart from it: a folder with only a key file; without a folder they are only counted. */
class KeysFolder {
  readonly counts: KeyCounts = { keys: 0, destroyed: 0 };

  /** Throws `LocationTaken`. */
  static async begin(folder: string | null, masterKey: Uint8Array): Promise<KeysFolder> {
    if (folder === null) return new KeysFolder(null);
    if (atPath('the folder of data keys', folder, () => existsSync(folder) && readdirSync(folder).length > 0))
      throw new LocationTaken(`${folder} is not empty: data keys need a folder of their own`);
    return new KeysFolder(await openKeyStore({ folder, masterKey }));
  }

  private constructor(private readonly store: OpenedKeyStore | null) {}

  async add(entry: KeyEntry): Promise<void> {
    this.store?.adopt(entry);
    this.counts[entry.key === null ? 'destroyed' : 'keys'] += 1;
    if ((this.counts.keys + this.counts.destroyed) % FLUSHED_TOGETHER === 0) await this.store?.flush();
  }

  async close(): Promise<void> {
    await this.store?.flush();
    await this.store?.close();
  }
}

const FLUSHED_TOGETHER = 10_000;

/** Opens folders of keys, the newest first. Throws `LocationMissing`, `MasterKeyError`. */
export async function openKeysFolders(folders: readonly string[], masterKey: Uint8Array): Promise<readonly OpenedKeyStore[]> {
  const missing = folders.find((folder) => !existsSync(folder));
  if (missing !== undefined) throw new LocationMissing(`${missing} is missing: it should hold data keys`);
  const opened: OpenedKeyStore[] = [];
  for (const folder of folders) opened.push(await openKeyStore({ folder, masterKey, slotsAhead: 0 })); // stays as it is
  return opened;
}

export interface ExportOptions {
  readonly source: ExportSource;
  /** Folder of the export: empty or missing. */
  readonly folder: string;
  /** Folder of the data keys, apart from the export; null = they are not exported. */
  readonly keysFolder: string | null;
  readonly onProgress: (records: number) => void;
}

/** Writes all that the source has recorded. When that fails, what was written is removed. */
export async function exportJournal({ source, folder, keysFolder, onProgress }: ExportOptions): Promise<ExportContents> {
  const writer = await ExportWriter.begin(folder);
  try {
    const summary = new JournalSummary();
    for await (const block of source.blocks()) {
      await writer.add(block);
      summary.add(block);
      onProgress(writer.records);
    }
    const keys = await exportKeys(source, keysFolder);
    const { newestStamp, erased } = summary;
    return await writer.finish({
      madeAt: new Date().toISOString(),
      madeFrom: source.kind,
      shards: source.shards,
      newestStamp,
      erased,
      keys,
      idKey: wrapIdKey(source.idKey, source.masterKey),
      idCounterOf: (shard) => summary.idCounterOf(shard),
    });
  } catch (cause) {
    await writer.abandon();
    throw cause;
  }
}

/** Behind the blocks: a key is stored before the first fact that needs it, so that none of those is missing. */
async function exportKeys(source: ExportSource, keysFolder: string | null): Promise<KeyCounts> {
  const into = await KeysFolder.begin(keysFolder, source.masterKey);
  try {
    for await (const entry of source.keys()) if (!isOfSnapshots(entry.owner)) await into.add(entry);
  } finally {
    await into.close();
  }
  return into.counts;
}
