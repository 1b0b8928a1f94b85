import { setImmediate as othersTurn } from 'node:timers/promises';
import { cutBlock, isOfSnapshots, restoredBlock, type ShardBlock } from '../../actors/index.js';
import { assert } from '../../engine/index.js';
import {
  ExportDamaged,
  type ExportContents,
  type OpenedExport,
  type OpenedKeyStore,
  type RestoreTarget,
  unwrapIdKey,
} from '../../persistence/index.js';

export interface RestoreOptions {
  readonly from: OpenedExport;
  readonly target: RestoreTarget;
  /** Data keys, the newest first: who is destroyed in one of them is destroyed. */
  readonly keys: readonly OpenedKeyStore[];
  /** Milliseconds: what was recorded later is left out; null = all of it. */
  readonly untilMs: number | null;
  /** Records that were checked and written, of twice those of the export. */
  onProgress(records: number): void;
}

export interface RestoreSummary {
  readonly records: number;
  /** Those that were recorded after the moment. */
  readonly leftOut: number;
  readonly keys: number;
  readonly destroyed: number;
}

/** A restore that cannot begin, or has nothing to restore. */
export class RestoreRefused extends Error {}

/** Records that are checked before others have their turn. */
const CHECKED_TOGETHER = 4_096;

/** Bytes of records that one append takes. */
const APPENDED_BYTES = 1024 * 1024;

/**
 * Checks all of an export, and then puts it back. The target is left as it was when the export is damaged, and when anything
 * else keeps it from its end. Throws `ExportDamaged`, `MasterKeyError`, `RestoreRefused`.
 */
export async function restoreJournal(options: RestoreOptions): Promise<RestoreSummary> {
  const {
    from: { contents },
    target,
  } = options;
  try {
    const idKey = unwrapIdKey(contents.idKey, target.masterKey);
    if (contents.shards !== target.shards)
      throw new RestoreRefused(`The export has ${contents.shards} shards, and this version has ${target.shards}.`);
    assertKeys(options);
    await checkAll(options);
    await target.begin(idKey);
    const records = await putBack(options);
    await markRestored(options);
    const keys = await adoptKeys(options);
    await target.finish();
    return { records, leftOut: contents.records - records, ...keys };
  } catch (cause) {
    await target.abandon();
    throw cause;
  }
}

/** Key stores only grow: one that has fewer keys than there were is older than the export. */
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
    `The export needs ${keys + destroyed} data keys, destroyed ones among them, and ${most} are given: name the folder that they were exported to with --keys.`,
  );
}

/** In pieces, since a connection to a target answers its server all the while. */
async function checkAll({ from, onProgress }: RestoreOptions): Promise<void> {
  let [checked, together] = [0, 0];
  for (const { records } of from.blocks()) {
    onProgress((checked += records.length));
    together += records.length;
    if (together < CHECKED_TOGETHER) continue;
    together = 0;
    await othersTurn();
  }
  if (checked !== from.contents.records) throw new ExportDamaged(from.folder, 0, `it holds ${checked} records of ${from.contents.records}`);
}

async function putBack({ from, target, untilMs, onProgress }: RestoreOptions): Promise<number> {
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
    waiting.push(kept);
    waitingBytes += kept.records.reduce((sum, { length }) => sum + length, 0);
    written += kept.records.length;
    if (waitingBytes >= APPENDED_BYTES) await append();
  }
  await append();
  if (written === 0) throw new RestoreRefused('Nothing of the export was recorded by that moment.');
  if (untilMs === null) assertSameHeads(from.contents, target);
  return written;
}

function assertSameHeads({ heads }: ExportContents, target: RestoreTarget): void {
  for (const { shard, hash } of heads) {
    assert(
      Buffer.compare(target.heads().get(shard)?.hash ?? new Uint8Array(), hash) === 0,
      `the chain of shard ${shard} ends as in the export`,
    );
  }
}

/** Steps over ids on every shard, also where nothing was put back: what came later may have given some. */
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

/** The erased first, so that no key of theirs is ever written. */
async function adoptKeys({ from, target, keys: stores }: RestoreOptions): Promise<{ readonly keys: number; readonly destroyed: number }> {
  for (const owner of from.contents.erased) await target.adopt({ owner, key: null });
  for (const isDestroyed of [true, false])
    for (const store of stores)
      for (const entry of store.entries())
        if ((entry.key === null) === isDestroyed && !isOfSnapshots(entry.owner)) await target.adopt(entry);
  return target.keyCounts();
}
