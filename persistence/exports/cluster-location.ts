import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '../../engine/index.js';
import { LocationMissing, LocationTaken, StreamDamaged } from '../errors.js';
import { type JournalStream, openNatsStream } from '../jetstream/nats-stream.js';
import { endOf, readWhole, StreamFiller } from '../jetstream/read.js';
import { openStreamKeyValue } from '../key-values.js';
import { ClusterIdentity, IdentityToBe } from '../keys/cluster-identity.js';
import type { KeyEntry } from '../keys/data-keys.js';
import { openStreamKeyStore, readStreamKeys, type StreamKeyStore } from '../keys/stream-key-store.js';
import { limits } from '../limits.js';
import { connectNats } from '../nats.js';
import type { ExportSource, RestoreTarget } from './folder-location.js';

/** The address of a cluster, and its parts. */
export interface ClusterLocation {
  readonly nats: string;
  /** Its name. */
  readonly cluster: string;
  readonly masterKey: Uint8Array;
  readonly shards: number;
  /** The units, each with a bucket of data keys. */
  readonly units: readonly string[];
  /** Which unit an owner of data keys belongs to. */
  readonly unitsOf: (idKey: Uint8Array) => (owner: string) => string;
}

const streamOf = (cluster: string): JournalStream => ({ name: `${cluster}-journal`, subjects: `${cluster}.journal` });
const membersOf = (cluster: string): string => `${cluster}-members`;
const keysBucketOf = (cluster: string, unit: string): string => `${cluster}-keys-${unit}`;

/**
 * A cluster, which may run meanwhile: all messages up to the newest one of this moment. A decision that rests on durable messages comes
 * behind them in the stream, so nothing up to there refers to a later message.
 */
export async function openClusterSource({ nats, cluster, masterKey, shards, units }: ClusterLocation): Promise<ExportSource> {
  const connection = await connectNats(nats, `${cluster} export`);
  try {
    const records = await openStreamKeyValue({ connection, bucket: membersOf(cluster), mustBeThere: true });
    const identity = await ClusterIdentity.open({ records, masterKey, shards, mustBeThere: true });
    const { idKey } = identity;
    const stream = streamOf(cluster);
    const { state } = await (await jetstreamManager(connection)).streams.info(stream.name);
    if (state.messages !== state.last_seq)
      throw new StreamDamaged(
        stream.name,
        0,
        state.first_seq,
        `${state.last_seq - state.messages} of its ${state.last_seq} messages are gone`,
      );
    const server = await openNatsStream({ connection, stream, replicas: 1, ackMs: limits.journalAckMs });
    const ends = await Promise.all(Array.from({ length: shards + 1 }, (_, shard) => endOf(server, stream, shard)));
    return {
      kind: 'cluster',
      shards,
      idKey,
      masterKey,
      records: ends.reduce((sum, { head }) => sum + head.lastSequence, 0),
      blocks: () => readWhole(server, stream, state.last_seq),
      async *keys() {
        for (const unit of units) yield* readStreamKeys({ connection, bucket: keysBucketOf(cluster, unit) }, identity.ring);
      },
      rotate: (nextKey) => identity.rotate(nextKey),
      close: () => connection.close(),
    };
  } catch (cause) {
    await connection.close();
    throw isUnknown(cause) ? new LocationMissing(`There is no cluster ${cluster} at ${nats}.`, { cause }) : cause;
  }
}

/** The server has no such bucket or stream. */
const isUnknown = (cause: unknown): boolean => cause instanceof Error && /not found/.test(`${cause.message} ${String(cause.cause)}`);

/** The buckets of data keys of a new cluster. */
class UnitKeys {
  readonly #stores = new Map<string, StreamKeyStore>();
  #waiting = 0;

  constructor(
    private readonly connection: NatsConnection,
    private readonly cluster: string,
    private readonly identity: IdentityToBe,
  ) {}

  async adopt(unit: string, entry: KeyEntry): Promise<void> {
    const store =
      this.#stores.get(unit) ??
      (await openStreamKeyStore({ connection: this.connection, bucket: keysBucketOf(this.cluster, unit), identity: this.identity }));
    this.#stores.set(unit, store);
    store.adopt(entry);
    this.#waiting += 1;
    if (this.#waiting >= limits.adoptedKeys) await this.flush();
  }

  async flush(): Promise<void> {
    this.#waiting = 0;
    for (const store of this.#stores.values()) await store.flush();
  }

  counts(): { readonly keys: number; readonly destroyed: number } {
    const all = [...this.#stores.values()].map(({ report }) => report);
    return { keys: all.reduce((sum, { keys }) => sum + keys, 0), destroyed: all.reduce((sum, { destroyed }) => sum + destroyed, 0) };
  }
}

/**
 * A new cluster. Until the restore is complete its identity says that it is being restored, so that no worker starts on it. Throws
 * `LocationTaken` where a stream or bucket of its name exists.
 */
export async function openClusterTarget({ nats, cluster, masterKey, shards, unitsOf }: ClusterLocation): Promise<RestoreTarget> {
  const connection = await connectNats(nats, `${cluster} restore`);
  const manager = await jetstreamManager(connection);
  const taken = await streamsOf(manager, cluster);
  if (taken.length > 0) {
    await connection.close();
    throw new LocationTaken(
      `The cluster ${cluster} at ${nats} is not empty (${taken.slice(0, 3).join(', ')}): ` +
        'restore under another name, or remove its streams with: nats stream rm',
    );
  }
  const identity = await IdentityToBe.begin({
    records: await openStreamKeyValue({ connection, bucket: membersOf(cluster) }),
    masterKey,
    shards,
  });
  const stream = await StreamFiller.begin(connection, streamOf(cluster));
  const keys = new UnitKeys(connection, cluster, identity);
  let begun: { readonly idKey: Uint8Array; readonly unitOf: (owner: string) => string } | null = null;
  return {
    kind: 'cluster',
    shards,
    masterKey,
    async begin(idKey) {
      begun = { idKey, unitOf: unitsOf(idKey) };
    },
    append: (blocks) => stream.append(blocks),
    heads: () => stream.heads(),
    async adopt(entry) {
      await keys.adopt(must(begun, BEGUN).unitOf(entry.owner), entry);
    },
    flushKeys: () => keys.flush(),
    missingBytes: () => Promise.resolve(0),
    scratchFolder: join(tmpdir(), `tenor-restore-${cluster}-${process.pid}`),
    keyCounts: () => keys.counts(),
    async finish() {
      await stream.finish();
      await keys.flush();
      await identity.finish(must(begun, BEGUN).idKey);
      await connection.close();
    },
    async abandon() {
      await stream.finish().catch(() => undefined); // `append` has reported the failure
      for (const name of await streamsOf(manager, cluster)) await manager.streams.delete(name);
      await connection.close();
    },
  };
}

const BEGUN = 'a restore begins with the key of ids';

/** The streams of the cluster: its journal, its deliveries, and those of its buckets and objects. */
async function streamsOf(manager: JetStreamManager, cluster: string): Promise<readonly string[]> {
  const own = [
    streamOf(cluster).name,
    `${cluster}-deliveries`,
    `KV_${membersOf(cluster)}`,
    `KV_${keysBucketOf(cluster, '')}`,
    `KV_${cluster}-keyimages-`,
    `OBJ_${cluster}-snapshots-`,
  ];
  const found: string[] = [];
  for await (const name of manager.streams.names())
    if (own.some((begin) => (begin.endsWith('-') ? name.startsWith(begin) : name === begin))) found.push(name);
  return found;
}
