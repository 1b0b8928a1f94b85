import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../../engine/index.js';
import { systemClock } from '../clock.js';
import { atPath } from '../files/path-unusable.js';
import { limits } from '../limits.js';
import type { Clock, KeyValue, Snapshots } from '../ports.js';
import { LmdbStore } from './lmdb-store.js';
import { inspectEnvironment } from './meta-page.js';
import { StartLog } from './start-log.js';
import { damageSeenFromOutside } from './whole-check.js';

const ENVIRONMENTS = ['actors', 'events', 'replies', 'outbox'] as const;
type EnvironmentName = (typeof ENVIRONMENTS)[number];

interface SetAside {
  readonly environment: string;
  readonly reason: string;
  readonly movedTo: string;
}

export interface OpenedSnapshots extends Snapshots {
  /** How far events were delivered and published: without it that begins again at a place that is kept elsewhere. */
  readonly outbox: KeyValue;
  readonly setAside: readonly SetAside[];
  /** A consistent copy of an environment as it stands. */
  copyTo(environment: string, path: string): Promise<void>;
}

export interface SnapshotsOptions {
  readonly folder: string;
  /** Reads every record once before opening. Otherwise damage inside shows when a record is touched. */
  readonly checkRecords?: boolean;
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Opens the environments below a folder. One that is damaged is renamed to `<name>.lmdb.damaged-<n>` and comes back
 * empty: everything in it can be computed from the journal. A damaged record that is touched later throws
 * `DamagedRecord`, and `rebuild` sets its environment aside then. The caller holds the data folder's lock.
 */
export const openSnapshots = (options: SnapshotsOptions): OpenedSnapshots => atPath('the snapshots', options.folder, () => opened(options));

function opened({ folder, checkRecords = false, clock = systemClock }: SnapshotsOptions): OpenedSnapshots {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const starts = new StartLog(folder);
  const isSuspect = starts.noteStart(clock.now());
  const setAside: SetAside[] = [];
  const stores = new Map<EnvironmentName, LmdbStore>();
  const faults = faultsOf(
    ENVIRONMENTS.map((name) => environmentPath(folder, name)),
    checkRecords || isSuspect,
  );
  for (const name of ENVIRONMENTS) {
    const path = environmentPath(folder, name);
    const fault = faults.get(path) ?? null;
    if (fault !== null) setAside.push(moveAside(folder, name, fault));
    stores.set(name, new LmdbStore(name, path));
  }
  const served = setTimeout(() => starts.noteServed(), limits.shortLifeMs);
  served.unref();
  const store = (name: EnvironmentName): KeyValue => must(stores.get(name), `no environment ${name}`);
  return {
    get actors() {
      return store('actors');
    },
    get events() {
      return store('events');
    },
    get replies() {
      return store('replies');
    },
    get outbox() {
      return store('outbox');
    },
    setAside,
    get rebuilt() {
      return setAside.map(({ environment }) => environment);
    },
    copyTo: (environment, path) => must(stores.get(named(environment)), `no environment ${environment}`).copyTo(path),
    async rebuild(environment: string): Promise<void> {
      const name = named(environment);
      await stores.get(name)?.close();
      setAside.push(moveAside(folder, name, 'a record is damaged'));
      stores.set(name, new LmdbStore(name, environmentPath(folder, name)));
    },
    async close(): Promise<void> {
      clearTimeout(served);
      for (const each of stores.values()) await each.close();
      starts.noteEnd();
    },
  };
}

const named = (environment: string): EnvironmentName =>
  must(
    ENVIRONMENTS.find((each) => each === environment),
    `no environment ${environment}`,
  );

/** Where an environment lies below the folder. */
export const environmentPath = (folder: string, name: EnvironmentName): string => join(folder, `${name}.lmdb`);

/** What is wrong with the environments at these paths, by its look or, when asked, by any of its records; the sound ones are not named. */
function faultsOf(paths: readonly string[], everyRecord: boolean): ReadonlyMap<string, string> {
  const atSight = new Map(
    paths.flatMap((path) => {
      const fault = inspectEnvironment(path);
      return fault === null ? [] : [[path, fault] as const];
    }),
  );
  if (!everyRecord) return atSight;
  return new Map([...atSight, ...damageSeenFromOutside(paths.filter((path) => existsSync(path) && !atSight.has(path)))]);
}

function moveAside(folder: string, environment: EnvironmentName, reason: string): SetAside {
  const path = environmentPath(folder, environment);
  const numbers = numbersSetAside(folder, environment);
  const movedTo = damagedPath(path, (numbers.at(-1) ?? 0) + 1);
  renameSync(path, movedTo);
  rmSync(`${path}-lock`, { force: true });
  // Kept for a look at what happened, but a bad disk shall not fill up with them.
  for (const number of numbers.slice(0, Math.max(0, numbers.length + 1 - limits.damagedKept)))
    rmSync(damagedPath(path, number), { recursive: true });
  return { environment, reason, movedTo };
}

function damagedPath(path: string, number: number): string {
  return `${path}.damaged-${number}`;
}

/** Ascending. */
function numbersSetAside(folder: string, environment: EnvironmentName): readonly number[] {
  const prefix = `${environment}.lmdb.damaged-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}
