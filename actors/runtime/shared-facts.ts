import { randomUUID } from 'node:crypto';
import { type Fact, RULES_VERSION, SCHEMA_VERSION, SYSTEM_AGENT, type Tenant } from './fact.js';
import { packFact } from './records.js';
import type { Runtime } from './runtime.js';

/** Facts about a tenant's time that only its own shard needs; all others go to every shard. */
const OF_ONE_SHARD = new Set(['ClockStarted', 'ClockAdvanceOrdered', 'ClockAdvanced', 'TestModeWiped']);

/** Records a fact of the calendar on each shard and applies it once. */
export function recordShared(runtime: Runtime, tenant: Tenant, type: string, body: unknown): void {
  const { world } = runtime;
  const commandId = `calendar-${randomUUID()}`;
  const machineMs = runtime.machineMs();
  const home = world.shardOf(tenant.company) ?? 0;
  const shards = OF_ONE_SHARD.has(type) ? [home] : world.shards.keys();
  let applied = false;
  for (const shard of shards) {
    const position = world.position(shard);
    position.sequence += 1;
    const fact: Fact = {
      sequence: position.sequence, tenant, kind: 'calendar', id: tenant.company, type, body,
      stamp: world.nextStamp(machineMs), businessAt: world.calendars.now(tenant, machineMs), effective: null,
      by: SYSTEM_AGENT, address: null, caseId: null, requestId: commandId, commandId,
      schemaVersion: SCHEMA_VERSION, rulesVersion: RULES_VERSION,
    };
    if (!applied) world.apply(fact, null, NO_ENV);
    applied = true;
    runtime.commitRecords(shard, fact.sequence, [packFact(fact, position.idCounter)]);
  }
}

/** Calendar facts change the calendars alone and ask for nothing. */
const NO_ENV = {
  read: () => undefined,
  derivedId: () => '',
  open: () => undefined,
  findExternal: () => undefined,
};
