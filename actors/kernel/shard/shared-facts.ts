import { randomUUID } from 'node:crypto';
import type { EvolveEnv } from '../actor.js';
import { SharedFactMissing } from './cluster-part.js';
import { Answers } from '../question.js';
import { type Fact, RULES_VERSION, SCHEMA_VERSION, SYSTEM_AGENT, type Tenant } from '../fact.js';
import { SHARED_SHARD } from '../limits.js';
import { packFact } from '../journal/records.js';
import type { Runtime } from './runtime.js';

/**
 * Records a fact of a tenant's calendar, which all shards live by, and applies it. Throws `SharedFactMissing` where that is another
 * worker's to do.
 */
export function recordShared(runtime: Runtime, tenant: Tenant, type: string, body: unknown): void {
  const { world } = runtime;
  if (!world.owns(SHARED_SHARD)) throw new SharedFactMissing(tenant, type, body);
  const commandId = `calendar-${randomUUID()}`;
  const machineMs = runtime.machineMs();
  const position = world.position(SHARED_SHARD);
  position.sequence += 1;
  const fact: Fact = {
    sequence: position.sequence,
    tenant,
    kind: 'calendar',
    id: tenant.company,
    type,
    body,
    stamp: world.nextStamp(machineMs),
    businessAt: world.calendars.now(tenant, machineMs),
    effective: null,
    by: SYSTEM_AGENT,
    address: null,
    caseId: null,
    requestId: commandId,
    commandId,
    schemaVersion: SCHEMA_VERSION,
    rulesVersion: RULES_VERSION,
  };
  world.apply(fact, null, NO_ENV);
  runtime.commitRecords(SHARED_SHARD, fact.sequence, [packFact(fact, position.idCounter)]);
}

/** Calendar facts change the calendars alone and ask for nothing. */
const NO_ENV: EvolveEnv = {
  answerTo: (asked) => new Answers([]).answerTo(asked),
  read: () => undefined,
  derivedId: () => '',
  open: () => undefined,
  findExternal: () => undefined,
};
