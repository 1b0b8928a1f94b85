import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { must } from '../../engine/index.js';
import { PlaceTaken } from '../errors.js';
import { StreamFiller } from '../jetstream/fill.js';
import { IdentityToBe } from '../keys/identity-to-be.js';
import { openStreamKeyValue } from '../key-values/stream.js';
import { connectNats } from '../nats/connect.js';
import { type ClusterPlace, keysBucketOf, membersOf, streamOf } from './cluster-source.js';
import type { RestoreTarget } from './places.js';
import { UnitKeys } from './unit-keys.js';

/**
 * A cluster to be. Until it is whole its identity says that it is being restored, so that no worker starts on it. Throws `PlaceTaken`
 * where any stream or bucket of its name is there.
 */
export async function openClusterTarget({ nats, cluster, masterKey, shards, unitsOf }: ClusterPlace): Promise<RestoreTarget> {
  const connection = await connectNats(nats, `${cluster} restore`);
  const manager = await jetstreamManager(connection);
  const taken = await streamsOf(manager, cluster);
  if (taken.length > 0) {
    await connection.close();
    throw new PlaceTaken(
      `The cluster ${cluster} at ${nats} is not empty (${taken.slice(0, 3).join(', ')}): restore under another name, or remove what is there with: nats stream rm`,
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
    keyCounts: () => keys.counts(),
    async finish() {
      await stream.finish();
      await keys.flush();
      await identity.finish(must(begun, BEGUN).idKey);
      await connection.close();
    },
    async abandon() {
      await stream.finish().catch(() => undefined); // whoever appended is told
      for (const name of await streamsOf(manager, cluster)) await manager.streams.delete(name);
      await connection.close();
    },
  };
}

const BEGUN = 'a restore begins with the key of ids';

/** Streams below buckets and objects of the cluster, its journal, and what it has noted of deliveries. */
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
