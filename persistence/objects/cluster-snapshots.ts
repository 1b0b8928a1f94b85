import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NatsBus } from '../bus/nats-bus.js';
import { describe, ObjectDamaged } from '../errors.js';
import { connectNats } from '../nats.js';
import { damageSeenFromOutside } from '../snapshots/whole-check.js';
import { inspectEnvironment } from '../snapshots/meta-page.js';
import { askForSnapshot, snapshotsBucketOf } from './arrive-with-snapshots.js';
import { UnitObjects } from './unit-objects.js';
import { STORED_ENVIRONMENTS, UnitSnapshots } from './unit-snapshots.js';

/** The stored snapshots of one unit. */
export interface StoredUnit {
  readonly unit: string;
  readonly storedAt: string;
  readonly takenBy: string;
  /** Records of its shards that the snapshots hold. */
  readonly records: number;
  readonly bytes: number;
}

export interface SnapshotFinding {
  readonly unit: string;
  readonly environment: string;
  readonly message: string;
}

/** The snapshots of a cluster in its object store. */
export class ClusterSnapshots {
  static async open(nats: string, cluster: string): Promise<ClusterSnapshots> {
    return new ClusterSnapshots(await connectNats(nats, `${cluster} snapshots`), cluster);
  }

  private constructor(
    private readonly connection: Awaited<ReturnType<typeof connectNats>>,
    private readonly cluster: string,
  ) {}

  /** Null where none is stored. */
  async describe(unit: string): Promise<StoredUnit | null> {
    const stored = await (await this.#snapshots(unit)).describe();
    if (stored === undefined) return null;
    const heads = [...(stored.description?.heads.values() ?? [])];
    return {
      unit,
      storedAt: stored.storedAt,
      takenBy: stored.description?.takenBy ?? '',
      records: heads.reduce((sum, { lastSequence }) => sum + lastSequence, 0),
      bytes: stored.bytes,
    };
  }

  /** Has the owner of the unit store one now. Throws `Unanswered`. */
  async make(unit: string): Promise<void> {
    const bus = new NatsBus(this.connection, this.cluster);
    try {
      await askForSnapshot(bus, unit);
    } finally {
      await bus.close();
    }
  }

  /** Fetches all of it and reads every record. */
  async verify(unit: string): Promise<readonly SnapshotFinding[]> {
    const objects = await this.#objects(unit);
    const folder = mkdtempSync(join(tmpdir(), 'tenor-snapshots-'));
    const findings: SnapshotFinding[] = [];
    try {
      for (const environment of STORED_ENVIRONMENTS) {
        if ((await objects.describe(environment)) === null) continue;
        const path = join(folder, environment);
        const message = await objects
          .fetch(environment, path)
          .then(() => inspectEnvironment(path) ?? damageSeenFromOutside([path]).get(path) ?? null, asFinding);
        if (message !== null) findings.push({ unit, environment, message });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return findings;
  }

  async drop(unit: string): Promise<void> {
    await (await this.#snapshots(unit)).drop();
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  #objects(unit: string): Promise<UnitObjects> {
    return UnitObjects.open({ connection: this.connection, bucket: snapshotsBucketOf(this.cluster, unit) });
  }

  async #snapshots(unit: string): Promise<UnitSnapshots> {
    return new UnitSnapshots(await this.#objects(unit));
  }
}

function asFinding(cause: unknown): string {
  if (!(cause instanceof ObjectDamaged)) throw cause;
  return describe(cause);
}
