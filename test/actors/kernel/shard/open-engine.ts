import { join } from 'node:path';
import type { ActorModule, Clock, ClusterPart, Journal, Scheduler, Snapshots } from '../../../../actors/index.js';
import { Engine } from '../../../../actors/index.js';
import { type FileLayer, nodeFiles, openJournal, openKeyStore, openSnapshots } from '../../../../persistence/index.js';
import { scratchFolder } from '../../../temp-folder.js';
import { tallyModule } from './tally.js';

/** A clock that a test sets. */
export class ManualClock implements Clock {
  #jumpedMs = 0;

  constructor(public at: number) {}

  now(): number {
    return this.at;
  }

  monotonicMs(): number {
    return this.at - this.#jumpedMs;
  }

  /** The wall clock is set ahead, or back. */
  jump(ms: number): void {
    this.at += ms;
    this.#jumpedMs += ms;
  }
}

export interface Opened {
  readonly engine: Engine;
  readonly folder: string;
  readonly clock: ManualClock;
  readonly reports: string[];
}

export interface TestEngineOptions {
  readonly folder?: string;
  readonly clock?: ManualClock;
  readonly modules?: readonly ActorModule[];
  readonly wrap?: (journal: Journal) => Journal;
  readonly wrapStores?: (stores: Snapshots) => Snapshots;
  /** Beneath the journal and the keys. */
  readonly files?: FileLayer;
  readonly segmentBytes?: number;
  readonly lockWaitMs?: number;
  /** Of a process with several engines. */
  readonly scheduler?: Scheduler;
  /** Of an engine that is one of several. */
  readonly part?: ClusterPart;
  readonly openJournal?: () => Promise<Journal>;
}

/** An engine over the real journal, LMDB and key store in a folder; the same folder opens it again. */
export async function openTestEngine(options: TestEngineOptions = {}): Promise<Opened> {
  const folder = options.folder ?? scratchFolder();
  const clock = options.clock ?? new ManualClock(Date.parse('2026-03-02T15:00:00Z'));
  const reports: string[] = [];
  const { files = nodeFiles, segmentBytes = 256 * 1024, wrapStores = (stores) => stores } = options;
  const engine = await Engine.open({
    clock,
    ...(options.part === undefined ? {} : { part: options.part }),
    ...(options.scheduler === undefined ? {} : { scheduler: options.scheduler }),
    ...(options.lockWaitMs === undefined ? {} : { lockWaitMs: options.lockWaitMs }),
    openJournal:
      options.openJournal ??
      (async () => {
        const journal = await openJournal({ folder: join(folder, 'journal'), files, segmentBytes });
        return options.wrap ? options.wrap(journal) : journal;
      }),
    stores: wrapStores(openSnapshots({ folder: join(folder, 'snapshots') })),
    keys: await openKeyStore({ folder: join(folder, 'keys'), files, masterKey: new Uint8Array(32).fill(7) }),
    idKey: new Uint8Array(32).fill(9),
    modules: options.modules ?? [tallyModule],
    companyZone: () => 'America/New_York',
    report: (level, message, details) => reports.push(`${level}: ${message} ${JSON.stringify(details ?? {})}`),
  });
  return { engine, folder, clock, reports };
}
