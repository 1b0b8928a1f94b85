import { join } from 'node:path';
import { type ActorModule, type Clock, type Journal, type KeyStore, recompute, watchingMoves } from '../../actors/index.js';
import { type ExportSource, keyFaultsOf, ReadKeys, StreamDamaged, verifyJournal } from '../../persistence/index.js';
import type { Settings } from '../cli/settings.js';
import type { WalkedJournal, OfflineStore } from '../access.js';

export interface ClusterOfflineStoreOptions {
  readonly settings: Settings;
  /** The cluster up to a moment; it may run meanwhile. */
  readonly source: ExportSource;
  readonly clock: Clock;
  readonly modules: readonly ActorModule[];
}

/** Checks a cluster and rotates its keys: its stream is read, while its workers keep their units. */
export function clusterOfflineStore({ settings, source, clock, modules }: ClusterOfflineStoreOptions): OfflineStore {
  let read: Promise<ReadKeys> | null = null;
  return {
    settings,
    masterKeyFile: settings.masterKey === null ? (settings.masterKeyFile ?? join(settings.dataFolder, 'master.key')) : null,
    setAside: [],
    servesSnapshots: false,
    rotateKeys: async (masterKey) => source.rotate?.(masterKey),
    walkJournal: () => walk(source),
    async keyFaults(persons) {
      read ??= ReadKeys.of(source.keys());
      return keyFaultsOf(persons, await read);
    },
    async recompute() {
      read ??= ReadKeys.of(source.keys());
      const keys: KeyStore = await read;
      return recompute({ clock, keys, idKey: source.idKey, modules }, journalOf(source), null);
    },
    async watchMoves(see) {
      read ??= ReadKeys.of(source.keys());
      const keys: KeyStore = await read;
      await recompute({ clock, keys, idKey: source.idKey, modules: watchingMoves(modules, see) }, journalOf(source), null);
    },
    close: () => source.close(),
  };
}

async function walk(source: ExportSource): Promise<WalkedJournal> {
  const shards = new Set<number>();
  let [batches, records] = [0, 0];
  const findings: { where: string; message: string }[] = [];
  try {
    for await (const block of source.blocks()) {
      shards.add(block.shard);
      batches += 1;
      records += block.records.length;
    }
  } catch (cause) {
    if (!(cause instanceof StreamDamaged)) throw cause;
    findings.push({ where: `${cause.stream}, message ${cause.streamSequence}`, message: cause.message });
  }
  return { segments: 0, batches, records, shards: shards.size, findings };
}

/** A journal that can only be read. */
function journalOf(source: ExportSource): Journal {
  return {
    append: () => Promise.reject(new Error('nothing is written here')),
    async *read(after) {
      for await (const block of source.blocks())
        if (block.firstSequence + block.records.length - 1 > (after.get(block.shard) ?? 0)) yield block;
    },
    heads: () => new Map(),
    hasRoom: () => false,
    close: async () => undefined,
  };
}

/** Every block and chain of the segments in a folder. */
export async function walkFolder(folder: string): Promise<WalkedJournal> {
  const { segments, batches, records, heads, findings } = await verifyJournal(folder);
  return {
    segments,
    batches,
    records,
    shards: heads.size,
    findings: findings.map(({ file, offset, case: { name, meaning } }) => ({
      where: `${file} at byte ${offset}`,
      message: `${name}: ${meaning}`,
    })),
  };
}
