import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownJson } from '../../engine/index.js';
import { describe, ObjectDamaged } from '../errors.js';
import type { KeyValue, ShardHead } from '../ports.js';
import { LmdbStore } from '../snapshots/lmdb-store.js';
import { inspectEnvironment } from '../snapshots/meta-page.js';
import { environmentPath, type OpenedSnapshots } from '../snapshots/open-snapshots.js';
import { hashOfHex, hexOf } from '../exports/manifest.js';
import type { UnitObjects } from './unit-objects.js';

/** The environments that the next owner needs, so that it need not read the journal from its start. */
export const STORED_ENVIRONMENTS = ['actors', 'events', 'replies'] as const;

/** The description of a stored snapshot. */
export interface SnapshotDescription {
  /** Number of the format of the environments: another version of the program may not know it. */
  readonly format: number;
  /** Heads of the unit's shards: the snapshot holds everything up to them. */
  readonly heads: ReadonlyMap<number, ShardHead>;
  readonly takenBy: string;
}

export interface FetchOptions {
  /** Folder of the unit; its environments are kept where they are as new. */
  readonly folder: string;
  readonly format: number;
  /** Why the heads do not belong to this journal; null where they do. */
  readonly misfit: (heads: SnapshotDescription['heads']) => Promise<string | null>;
  /** Records that an environment holds; 0 for one of another format. */
  readonly recordsIn: (store: KeyValue) => number;
}

/** The result for one environment. */
export interface FetchedEnvironment {
  readonly environment: string;
  readonly outcome: 'fetched' | 'none' | 'hereIsNewer' | 'refused';
  /** Why it was refused. */
  readonly reason?: string;
}

/** The snapshots of one unit in the object store: consistent copies, from which the next owner of the unit starts. */
export class UnitSnapshots {
  constructor(private readonly objects: UnitObjects) {}

  /** Copies the environments and stores the copies. Calls `copied` when the environments themselves are no longer needed. */
  async store(
    stores: Pick<OpenedSnapshots, 'copyTo'>,
    scratch: string,
    description: SnapshotDescription,
    signal: AbortSignal,
    copied: () => void,
  ): Promise<void> {
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    try {
      for (const name of STORED_ENVIRONMENTS) await stores.copyTo(name, join(scratch, name));
      copied();
      for (const name of STORED_ENVIRONMENTS) await this.objects.put(name, join(scratch, name), encode(description), signal);
      await this.objects.sweep(STORED_ENVIRONMENTS);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  /** Replaces each environment of the folder by the stored one where that is sound and newer. The environments must not be open. */
  async fetch(options: FetchOptions): Promise<readonly FetchedEnvironment[]> {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const fetched: FetchedEnvironment[] = [];
    for (const name of STORED_ENVIRONMENTS) fetched.push(await this.#fetchOne(name, options));
    return fetched;
  }

  /** Undefined where none is stored. */
  async describe(): Promise<
    { readonly description: SnapshotDescription | null; readonly bytes: number; readonly storedAt: string } | undefined
  > {
    const found = (await Promise.all(STORED_ENVIRONMENTS.map((name) => this.objects.describe(name)))).flatMap((object) => object ?? []);
    const [actors] = found;
    if (actors === undefined) return undefined;
    return { description: decode(actors.description), bytes: found.reduce((sum, { bytes }) => sum + bytes, 0), storedAt: actors.storedAt };
  }

  async drop(): Promise<void> {
    for (const name of STORED_ENVIRONMENTS) await this.objects.drop(name);
  }

  async #fetchOne(
    environment: (typeof STORED_ENVIRONMENTS)[number],
    { folder, format, misfit, recordsIn }: FetchOptions,
  ): Promise<FetchedEnvironment> {
    const refused = (reason: string): FetchedEnvironment => ({ environment, outcome: 'refused', reason });
    const object = await this.objects.describe(environment);
    if (object === null) return { environment, outcome: 'none' };
    const description = decode(object.description);
    if (description === null) return refused('its description cannot be read');
    if (description.format !== format) return refused(`it is of format ${description.format}, and this version has ${format}`);
    const path = environmentPath(folder, environment);
    if ((await recordsAt(path, environment, recordsIn)) >= recordsOf(description)) return { environment, outcome: 'hereIsNewer' };
    const wrong = await misfit(description.heads);
    if (wrong !== null) return refused(wrong);
    const arriving = `${path}.arriving`;
    try {
      await this.objects.fetch(environment, arriving);
    } catch (cause) {
      rmSync(arriving, { force: true });
      if (!(cause instanceof ObjectDamaged)) throw cause;
      return refused(describe(cause));
    }
    const fault = inspectEnvironment(arriving);
    if (fault !== null) {
      rmSync(arriving);
      return refused(fault);
    }
    rmSync(`${path}-lock`, { force: true });
    renameSync(arriving, path);
    return { environment, outcome: 'fetched' };
  }
}

const recordsOf = ({ heads }: SnapshotDescription): number => [...heads.values()].reduce((sum, { lastSequence }) => sum + lastSequence, 0);

/** Records that the environment at a path holds; none where it is missing or damaged. */
async function recordsAt(path: string, name: string, recordsIn: (store: KeyValue) => number): Promise<number> {
  if (!existsSync(path) || inspectEnvironment(path) !== null) return 0;
  const store = new LmdbStore(name, path);
  try {
    return recordsIn(store);
  } finally {
    await store.close();
  }
}

function encode({ format, heads, takenBy }: SnapshotDescription): string {
  return JSON.stringify({
    format,
    takenBy,
    heads: [...heads].map(([shard, { lastSequence, hash }]) => [shard, lastSequence, hexOf(hash)]),
  });
}

/** As `encode` writes it: of a shard its number, its last sequence and its hash. */
interface EncodedDescription extends Omit<SnapshotDescription, 'heads'> {
  readonly heads: readonly (readonly [number, number, string])[];
}

function decode(text: string): SnapshotDescription | null {
  try {
    const { format, takenBy, heads } = ownJson<EncodedDescription>(text);
    return {
      format,
      takenBy,
      heads: new Map(heads.map(([shard, lastSequence, hash]) => [shard, { lastSequence, hash: hashOfHex(hash) ?? new Uint8Array() }])),
    };
  } catch {
    return null; // the callers report it
  }
}
