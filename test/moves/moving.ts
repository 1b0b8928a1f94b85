import { exportJournal, openKeysFolders, restoreJournal, type RestoreSummary } from '../../bench/index.js';
import { RUNTIME_LIMITS } from '../../actors/index.js';
import {
  type ExportContents,
  type ExportSource,
  openExport,
  openFolderSource,
  openFolderTarget,
  type RestoreTarget,
} from '../../persistence/index.js';
import { Service } from '../service/service.js';
import type { Ask } from './portfolio.js';

export const MASTER_KEY = 'ab'.repeat(32);
export const ENVIRONMENT = { TENOR_MASTER_KEY: MASTER_KEY };

/** A folder in this process, as `tenor export` and `tenor restore` open it. */
export const locationIn = (folder: string, masterKey = MASTER_KEY): Parameters<typeof openFolderSource>[0] => ({
  folder,
  masterKey: Buffer.from(masterKey, 'hex'),
  shards: RUNTIME_LIMITS.shards,
});

export const exportFolder = async (data: string, folder: string, keysFolder: string): Promise<ExportContents> =>
  exportFrom(await openFolderSource(locationIn(data)), folder, keysFolder);

export async function exportFrom(source: ExportSource, folder: string, keysFolder: string): Promise<ExportContents> {
  try {
    return await exportJournal({ source, folder, keysFolder, onProgress: () => undefined });
  } finally {
    await source.close();
  }
}

export interface Restoring {
  readonly exported: string;
  readonly keys: readonly string[];
  readonly until?: string;
  readonly masterKey?: string;
  readonly isResealing?: boolean;
}

export const restoreFolder = async (data: string, restoring: Restoring): Promise<RestoreSummary> =>
  restoreInto(() => openFolderTarget(locationIn(data, restoring.masterKey)), restoring);

export async function restoreInto(
  openTarget: () => Promise<RestoreTarget>,
  { exported, keys, until, isResealing = false }: Restoring,
): Promise<RestoreSummary> {
  const from = await openExport(exported);
  const target = await openTarget();
  const stores = await openKeysFolders(keys, target.masterKey).catch(async (cause: unknown) => {
    await target.abandon();
    throw cause;
  });
  try {
    return await restoreJournal({
      from,
      target,
      keys: stores,
      untilMs: until === undefined ? null : Date.parse(until),
      isResealing,
      onProgress: () => undefined,
    });
  } finally {
    for (const store of stores) await store.close();
  }
}

/** Runs the service on a data folder; it is closed when this resolves. */
export async function served<T>(data: string, run: (ask: Ask) => Promise<T>): Promise<T> {
  const service = await Service.start(data, ENVIRONMENT);
  try {
    return await run((method, path, body, headers) => service.ask(method, path, body, headers));
  } finally {
    await service.stop();
  }
}
