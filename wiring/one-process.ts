import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { companyZone } from '../actors/company/index.js';
import {
  type ActorModule,
  actorModules,
  type Blobs,
  Engine,
  type EngineParts,
  type Journal,
  processStatus,
  recompute,
  recordsStored,
  reportOfProcess,
  SHARED_SHARD,
  Scheduler,
  type UnitStatus,
  watchingMoves,
} from '../actors/index.js';
import { reportReturns } from '../actors/loan/index.js';
import { must } from '../engine/index.js';
import { blobsOf, documentsFolder, type Service, reportRecovery, type Settings, walkFolder, type OfflineStore } from '../bench/index.js';
import { type Deliveries, engineEventSource, ProcessMetrics } from '../gateway/index.js';
import {
  assertHoldsData,
  eraseKeptViews,
  folderBytes,
  freeBytes,
  KEPT_VIEWS,
  keyFaultsOf,
  loadMasterKey,
  lockFolder,
  openFolderIdentity,
  openJournal,
  type OpenedKeyStore,
  openSnapshots,
  readMasterKey,
  systemClock,
} from '../persistence/index.js';
import { deliveriesOf } from './deliveries.js';
import { arrangeCollection } from './garbage-collection.js';
import { serve } from './serve.js';
import { logOf } from './settings.js';
import { settlement } from './settlement.js';

/** The service in one process, on a data folder of its own. */
export async function openService(settings: Settings): Promise<Service> {
  arrangeCollection();
  const { parts, deliveries, metrics, log, adoptKeys, release } = await openParts(settings, 'quickly');
  const engine = await Engine.open(parts).catch(async (cause: unknown) => {
    await parts.stores.close();
    await parts.keys.close();
    await release();
    throw cause;
  });
  await adoptKeys();
  settlement.connect?.(reportReturns(engine));
  const units = (): readonly UnitStatus[] => [{ unit: 'all', ...engine.status }];
  metrics.readUnits(units);
  const blobs = async (): Promise<Blobs> => blobsOf(settings, () => documentsFolder(settings));
  return {
    settings,
    engine,
    blobs,
    async serve() {
      const events = engineEventSource(engine);
      const contents = await blobs();
      return serve(
        settings,
        {
          engine,
          blobs: contents,
          events,
          here: engine,
          caughtUp: null,
          deliveries: deliveries.start({ engine, source: events, blobs: contents }),
          metrics,
          shards: () => Promise.resolve(reportOfProcess(processStatus('this process', units(), null))),
        },
        log,
      );
    },
    async close() {
      await engine.close();
      await release();
    },
  };
}

/** The data folder without an engine. */
export async function openOfflineStore(settings: Settings, how: 'quickly' | 'checkingRecords'): Promise<OfflineStore> {
  const journalFolder = join(settings.dataFolder, 'journal');
  assertHoldsData(settings.dataFolder);
  const { parts, keys, setAside, masterKeyFile, release } = await openParts(settings, how);
  let journal: Promise<Journal> | null = null;
  return {
    settings,
    async rotateKeys(key) {
      eraseKeptViews(join(settings.dataFolder, KEPT_VIEWS)); // the former master key opens them
      await parts.keys.rotate(key);
    },
    keyFaults: (persons) => Promise.resolve(keyFaultsOf(persons, keys)),
    walkJournal: () => walkFolder(journalFolder),
    servesSnapshots: true,
    masterKeyFile,
    setAside,
    async recompute(from) {
      journal ??= parts.openJournal(new Map());
      return recompute(parts, await journal, from === 'served' ? parts.stores : null);
    },
    async watchMoves(see) {
      journal ??= parts.openJournal(new Map());
      await recompute({ ...parts, modules: watchingMoves(parts.modules, see) }, await journal, null);
    },
    async close() {
      await (await journal?.catch(() => null))?.close(); // `recompute` reported why it did not open
      await parts.stores.close();
      await parts.keys.close();
      await release();
    },
  };
}

interface OpenedParts {
  readonly parts: EngineParts;
  readonly keys: OpenedKeyStore;
  readonly deliveries: Deliveries;
  readonly metrics: ProcessMetrics;
  readonly log: Logger;
  readonly setAside: OfflineStore['setAside'];
  readonly masterKeyFile: string | null;
  /** Called after a start that has found the keys to fit the journal. */
  readonly adoptKeys: () => Promise<void>;
  readonly release: () => Promise<void>;
}

async function openParts(settings: Settings, how: 'quickly' | 'checkingRecords'): Promise<OpenedParts> {
  const { dataFolder } = settings;
  const log = logOf(settings);
  const lock = await lockFolder(dataFolder);
  return openLocked(settings, how, log, () => lock.release()).catch(async (cause: unknown) => {
    await lock.release();
    throw cause;
  });
}

async function openLocked(
  settings: Settings,
  how: 'quickly' | 'checkingRecords',
  log: Logger,
  release: () => Promise<void>,
): Promise<OpenedParts> {
  const { dataFolder } = settings;
  const file = settings.masterKeyFile ?? join(dataFolder, 'master.key');
  // A new master key opens nothing that was wrapped with a former one, so it is made only for an empty folder.
  const isNew = !['journal', 'keys', 'id.key'].some((name) => existsSync(join(dataFolder, name)));
  const masterKey = (isNew ? loadMasterKey : readMasterKey)({ text: settings.masterKey, file });
  const stores = openSnapshots({ folder: join(dataFolder, 'snapshots'), checkRecords: how === 'checkingRecords' });
  const identity = await openFolderIdentity({
    dataFolder,
    masterKey,
    hasSnapshots: recordsStored(stores.actors, [SHARED_SHARD]) > 0,
  }).catch(async (cause: unknown) => {
    await stores.close();
    throw cause;
  });
  const { keys } = identity;
  const metrics = ProcessMetrics.withNode();
  const modules = actorModules({ settlement });
  const isBorrower = borrowersIn(modules);
  const deliveries = deliveriesOf(
    settings,
    {
      stores,
      keys,
      measure: metrics.deliveries(),
      messageMeasure: metrics.messages(),
      lateWorkMeasure: metrics.lateWork(),
      campaignMeasure: metrics.campaigns(),
      keptViews: {
        folder: join(dataFolder, KEPT_VIEWS),
        masterKey,
        onErasure: (listener) => keys.onDestroy((owner) => isBorrower(owner) && listener()),
      },
    },
    dataFolder,
    log,
  );
  const journalFolder = join(dataFolder, 'journal');
  metrics.read({ tenor_journal_bytes: () => folderBytes(journalFolder), tenor_disk_free_bytes: () => freeBytes(dataFolder) });
  const parts: EngineParts = {
    clock: systemClock,
    async openJournal() {
      const journal = await openJournal({ folder: journalFolder });
      reportRecovery(journal.report, log);
      return journal;
    },
    stores,
    keys,
    idKey: identity.idKey,
    keysAreUnmarked: identity.isUnmarked,
    modules,
    services: deliveries.services,
    companyZone,
    cachedActors: () => settings.cachedActors,
    measure: metrics.measure(),
    scheduler: new Scheduler(),
    report: (level, message, details) => log[level](details ?? {}, message),
  };
  const masterKeyFile = settings.masterKey === null ? file : null;
  return {
    parts,
    keys,
    deliveries,
    metrics,
    log,
    setAside: stores.setAside,
    masterKeyFile,
    async adoptKeys() {
      if (!identity.isUnmarked) return;
      await identity.mark();
      log.info('The keys were written by an earlier release. They fit all that is recorded, and are now marked as keys of this journal.');
    },
    release,
  };
}

/** Whether an id is that of a borrower: files have data keys of their own. */
function borrowersIn(modules: readonly ActorModule[]): (id: string) => boolean {
  const borrowers = must(
    modules.find(({ definition }) => definition.kind === 'person'),
    'borrowers have a module',
  );
  return (id) => id.startsWith(`${borrowers.definition.prefix}-`);
}
