import { isOfSnapshots, JournalSummary } from '../../actors/index.js';
import { type ExportContents, type ExportSource, ExportWriter, wrapIdKey } from '../../persistence/index.js';
import { type KeyCounts, KeysFolder } from './keys-folder.js';

export interface ExportOptions {
  readonly source: ExportSource;
  /** Empty, or not there. */
  readonly folder: string;
  /** Where the data keys go, apart; null = nowhere. */
  readonly keysFolder: string | null;
  onProgress(records: number): void;
}

/** Writes all that the source has recorded. What was written is taken away again when it cannot be finished. */
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
