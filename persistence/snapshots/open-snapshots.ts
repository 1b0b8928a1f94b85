import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../../engine/index.js';
import { atPath } from '../files/path-unusable.js';
import { limits, systemClock } from '../limits.js';
import type { Clock, KeyValue, Snapshots } from '../ports.js';
import { LmdbStore } from './lmdb-store.js';
import { inspectEnvironment } from './meta-page.js';
import { StartLog, type Suspicion } from './start-log.js';
import { damageSeenBeside, damageSeenFromOutside } from './whole-check.js';

/**
 * Lets another process read all records of environments while this one serves from them. A damaged environment is condemned: its next read
 * makes the kernel rebuild it. A process with the environments of several units runs one such check at a time.
 */
class ReadingBeside {
  static #last: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  #reading: Promise<void> = Promise.resolve();

  /** The environments by their paths. */
  constructor(
    private readonly stores: ReadonlyMap<string, Pick<LmdbStore, 'condemn'>>,
    private readonly starts: Pick<StartLog, 'noteSound'>,
  ) {}

  begin(): void {
    ReadingBeside.#last = ReadingBeside.#last.then(() => (this.#reading = this.#read()));
  }

  /** Resolves when no check is running. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const damaged = await damageSeenBeside([...this.stores.keys()], this.#ending.signal);
      if (damaged.size === 0) this.starts.noteSound();
      for (const [path, damage] of damaged) this.stores.get(path)?.condemn(damage);
    } catch {
      // The check was ended, or no process can be started: the lives stay recorded, so that the next start checks everything.
    }
  }
}

const ENVIRONMENTS = ['actors', 'events', 'replies', 'outbox'] as const;
type EnvironmentName = (typeof ENVIRONMENTS)[number];

interface SetAside {
  readonly environment: string;
  readonly reason: string;
  readonly movedTo: string;
}

export interface OpenedSnapshots extends Snapshots {
  /** How far events were delivered and published: without it both begin again at an earlier position, which the journal holds. */
  readonly outbox: KeyValue;
  readonly setAside: readonly SetAside[];
  /** A consistent copy of an environment as it stands. */
  copyTo(environment: string, path: string): Promise<void>;
}

export interface SnapshotsOptions {
  readonly folder: string;
  /** Reads every record once before opening. Otherwise damage inside shows when a record is read. */
  readonly checkRecords?: boolean;
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Opens the environments below a folder. A damaged one is renamed to `<name>.lmdb.damaged-<n>` and opened empty: everything in it can be
 * computed from the journal. A damaged record that is read later throws `DamagedRecord`; then `rebuild` sets its environment aside. The
 * caller holds the data folder's lock.
 */
export const openSnapshots = (options: SnapshotsOptions): OpenedSnapshots =>
  atPath('the snapshots', options.folder, () => {
    const start = begin(options);
    return opened(options.folder, start, damageSeenFromOutside(start.readFirst));
  });

/** The same for a process that serves other units: it continues to serve while records are read, which may take minutes. */
export const openSnapshotsBeside = (options: SnapshotsOptions): Promise<OpenedSnapshots> =>
  atPath('the snapshots', options.folder, async () => {
    const start = begin(options);
    const { readFirst } = start;
    return opened(options.folder, start, readFirst.length === 0 ? NONE : await oneByOne(() => damageSeenBeside(readFirst)));
  });

const NONE: ReadonlyMap<string, string> = new Map();

let lastReading: Promise<unknown> = Promise.resolve();

/** Checks one after the other, since a worker that takes over several units at once would start a process for each. */
function oneByOne<T>(read: () => Promise<T>): Promise<T> {
  const reading = lastReading.then(read);
  lastReading = reading.catch(() => undefined); // the opening that waits for it reports the failure
  return reading;
}

interface Start {
  readonly starts: StartLog;
  readonly suspicion: Suspicion;
  /** Damage of environments that shows without opening them, by path. */
  readonly faults: ReadonlyMap<string, string>;
  /** Paths of environments that another process must read before they are opened. */
  readonly readFirst: readonly string[];
}

function begin({ folder, checkRecords = false, clock = systemClock }: SnapshotsOptions): Start {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const starts = new StartLog(folder);
  const suspicion = starts.noteStart(clock.now());
  const paths = ENVIRONMENTS.map((name) => environmentPath(folder, name));
  const faults = new Map(
    paths.flatMap((path) => {
      const fault = inspectEnvironment(path);
      return fault === null ? [] : [[path, fault] as const];
    }),
  );
  const isReadFirst = checkRecords || suspicion === 'readFirst';
  return { starts, suspicion, faults, readFirst: isReadFirst ? paths.filter((path) => existsSync(path) && !faults.has(path)) : [] };
}

function opened(folder: string, { starts, suspicion, faults, readFirst }: Start, damaged: ReadonlyMap<string, string>): OpenedSnapshots {
  const setAside: SetAside[] = [];
  const stores = new Map<EnvironmentName, LmdbStore>();
  for (const name of ENVIRONMENTS) {
    const path = environmentPath(folder, name);
    const fault = faults.get(path) ?? damaged.get(path);
    if (fault !== undefined) setAside.push(moveAside(folder, name, fault));
    stores.set(name, new LmdbStore(name, path));
  }
  if (readFirst.length > 0 && damaged.size === 0) starts.noteSound();
  const beside = new ReadingBeside(new Map([...stores].map(([name, store]) => [environmentPath(folder, name), store])), starts);
  const served = setTimeout(() => {
    starts.noteServed();
    if (suspicion === 'readBeside' && readFirst.length === 0) beside.begin();
  }, limits.shortLifeMs);
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
      await beside.end();
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

function moveAside(folder: string, environment: EnvironmentName, reason: string): SetAside {
  const path = environmentPath(folder, environment);
  const numbers = numbersSetAside(folder, environment);
  const movedTo = damagedPath(path, (numbers.at(-1) ?? 0) + 1);
  renameSync(path, movedTo);
  rmSync(`${path}-lock`, { force: true });
  // Copies are kept for an investigation, but a bad disk must not fill up with them.
  for (const number of numbers.slice(0, Math.max(0, numbers.length + 1 - limits.damagedKept)))
    rmSync(damagedPath(path, number), { recursive: true });
  return { environment, reason, movedTo };
}

function damagedPath(path: string, number: number): string {
  return `${path}.damaged-${number}`;
}

/** Removes the environments that were set aside: they still hold data that was erased later. */
export function removeSetAside(folder: string): void {
  for (const name of ENVIRONMENTS)
    for (const number of numbersSetAside(folder, name)) rmSync(damagedPath(environmentPath(folder, name), number), { recursive: true });
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
