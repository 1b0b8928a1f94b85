import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyValue, Snapshots } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { LmdbStore } from './lmdb-store.js';
import { inspectEnvironment } from './meta-page.js';

const ENVIRONMENTS = ['actors', 'events', 'replies'] as const;
type EnvironmentName = (typeof ENVIRONMENTS)[number];

export interface SetAside {
  readonly environment: string;
  readonly reason: string;
  readonly movedTo: string;
}

export interface OpenedSnapshots extends Snapshots {
  readonly setAside: readonly SetAside[];
}

/**
 * Opens the environments below a folder. One that is damaged is renamed to `<name>.damaged-<n>` and comes back
 * empty: everything in it can be computed from the journal. With
 * `checkRecords` every record is read once; otherwise damage inside shows when a record is touched, and
 * `rebuild` sets the environment aside then.
 */
export function openSnapshots(options: { readonly folder: string; readonly checkRecords?: boolean }): OpenedSnapshots {
  mkdirSync(options.folder, { recursive: true });
  const setAside: SetAside[] = [];
  const { folder, checkRecords = false } = options;
  const opened = new Map<EnvironmentName, LmdbStore>();
  for (const name of ENVIRONMENTS) opened.set(name, openOne(name, folder, checkRecords, setAside));
  const store = (name: EnvironmentName): KeyValue => must(opened.get(name), `no environment ${name}`);
  return {
    get actors() { return store('actors'); },
    get events() { return store('events'); },
    get replies() { return store('replies'); },
    setAside,
    get rebuilt() { return setAside.map(({ environment }) => environment); },
    async rebuild(environment: string): Promise<void> {
      const name = must(ENVIRONMENTS.find((each) => each === environment), `no environment ${environment}`);
      await opened.get(name)?.close();
      setAside.push(moveAside(name, pathOf(folder, name), 'a record is damaged'));
      opened.set(name, new LmdbStore(name, pathOf(folder, name)));
    },
    async close(): Promise<void> {
      for (const each of opened.values()) await each.close();
    },
  };
}

const pathOf = (folder: string, name: EnvironmentName): string => join(folder, `${name}.lmdb`);

function openOne(name: EnvironmentName, folder: string, checkRecords: boolean, setAside: SetAside[]): LmdbStore {
  const path = pathOf(folder, name);
  const fault = inspectEnvironment(path);
  if (fault !== null) setAside.push(moveAside(name, path, fault));
  const store = openOrNull(name, path);
  const damage = store === null ? 'LMDB cannot open it' : checkRecords ? firstDamage(store) : null;
  if (store && damage === null) return store;
  if (store) void store.close();
  setAside.push(moveAside(name, path, damage ?? 'unknown'));
  return new LmdbStore(name, path);
}

/** Null when LMDB refuses the file, whatever it finds wrong with it. */
function openOrNull(name: EnvironmentName, path: string): LmdbStore | null {
  try {
    return new LmdbStore(name, path);
  } catch (cause) {
    if (existsSync(path)) return null;
    throw cause;
  }
}

/** Touches every record; tells of the first whose checksum is wrong. */
function firstDamage(store: KeyValue): string | null {
  try {
    for (const record of store.range({ start: '', end: '\uffff' })) void record;
    return null;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function moveAside(environment: string, path: string, reason: string): SetAside {
  let number = 1;
  while (existsSync(`${path}.damaged-${number}`)) number += 1;
  const movedTo = `${path}.damaged-${number}`;
  renameSync(path, movedTo);
  rmSync(`${path}-lock`, { force: true });
  return { environment, reason, movedTo };
}
