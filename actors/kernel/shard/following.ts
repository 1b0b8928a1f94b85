import { must } from '../../../engine/index.js';
import type { EvolveEnv } from '../actor.js';
import type { Tenant } from '../fact.js';
import { SHARED_SHARD } from '../limits.js';
import type { Journal, StoredBlock } from '../ports.js';
import { readRecord } from '../journal/records.js';
import type { World } from './world.js';

/**
 * Applies what the owner of the shared shard records, as it becomes durable, and tells whose calendar or configuration it
 * was. Its events and replies are the owner's to tell. Ends with the journal.
 */
export async function followShared(
  world: World,
  journal: Journal,
  envOf: (tenant: Tenant) => EvolveEnv,
  onAdvance: (tenants: readonly Tenant[]) => void,
): Promise<void> {
  const follow = must(journal.follow?.bind(journal), 'the journal of a cluster can be followed');
  for await (const block of follow(SHARED_SHARD)) onAdvance([...applyBlock(world, block, envOf)]);
}

function applyBlock(world: World, { firstSequence, records }: StoredBlock, envOf: (tenant: Tenant) => EvolveEnv): Set<Tenant> {
  const position = world.position(SHARED_SHARD);
  const tenants = new Set<Tenant>();
  for (const [at, bytes] of records.entries()) {
    const sequence = firstSequence + at;
    const record = readRecord(bytes, sequence);
    position.sequence = sequence;
    if (record.type !== 'fact') continue;
    const { fact, idCounter } = record;
    position.idCounter = Math.max(position.idCounter, idCounter);
    const resident = world.apply(fact, null, envOf(fact.tenant));
    if (resident) world.index(resident);
    tenants.add(fact.tenant);
  }
  return tenants;
}
