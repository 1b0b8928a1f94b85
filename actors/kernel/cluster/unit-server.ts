import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../errors.js';
import type { Engine } from '../shard/engine.js';
import { idsBelow } from '../shard/scope.js';
import type { Tenant } from '../fact.js';
import { SHARED_SHARD } from '../limits.js';
import type { Bus } from '../ports.js';
import { Claims } from './claims.js';
import { packFailure, packRefusal, packValue, readAsk } from './codec.js';
import { eventsOfUnit } from './cluster-events.js';
import { holderOf } from './cluster-client.js';
import { CLUSTER_LIMITS } from './published-watermark.js';
import type { Answers, Ask, AskType, PackedActor } from './messages.js';
import { UnitsClient } from './units-client.js';
import { type Unit, unitAddress } from './units.js';

export interface UnitServerOptions {
  readonly bus: Bus;
  readonly unit: Unit;
  readonly engine: Engine;
  /** Called right before each answer is sent: nothing is sent once another worker may own the unit. */
  readonly holds: () => boolean;
  /** Nobody is given an external id before that: claims of the previous owner last no longer. In milliseconds. */
  readonly claimsRestMs: number;
  /** Called for failures of the service itself. */
  readonly onFailure: (cause: unknown, where: string) => void;
}

/** Serves the unit's engine over the bus until the returned function is called. */
export function serveUnit({ bus, unit, engine, holds, claimsRestMs, onFailure }: UnitServerOptions): Promise<() => Promise<void>> {
  const client = new UnitsClient(bus);
  const answers = answersOf(engine, new Claims(({ tenant, kind, externalId }) => holderOf(client, tenant, kind, externalId), claimsRestMs));
  return bus.serve(unitAddress(unit), async (request) => {
    const { ask, seen } = readAsk(request);
    engine.world.saw(seen);
    const answer = await answered(answers, ask, engine, (cause, type) => onFailure(cause, `${type} on ${unit.name}`));
    return holds() || (await holdsAgain(holds)) ? answer : null;
  });
}

/**
 * A lease that has lapsed for a moment, since the server or this process stood still, is renewed by the next beat unless another worker has
 * taken the unit over, which is final. Requests that came meanwhile are answered after the renewal; otherwise the present owner of the unit
 * answers them.
 */
async function holdsAgain(holds: () => boolean): Promise<boolean> {
  for (const untilMs = performance.now() + CLUSTER_LIMITS.heldAgainMs; performance.now() < untilMs; ) {
    await pause(CLUSTER_LIMITS.heldLookMs);
    if (holds()) return true;
  }
  return false;
}

async function answered(
  answers: AnswerTable,
  ask: Ask,
  engine: Engine,
  onFailure: (cause: unknown, type: AskType) => void,
): Promise<Uint8Array> {
  try {
    const value = await answerTo(answers, ask.type, ask);
    return packValue(value, engine.world.lastStamp);
  } catch (cause) {
    if (cause instanceof Refusal) return packRefusal(cause);
    onFailure(cause, ask.type);
    return packFailure();
  }
}

type AskOf = { readonly [Type in AskType]: Extract<Ask, { readonly type: Type }> };

type AnswerTable = { readonly [Type in AskType]: (ask: AskOf[Type]) => Promise<Answers[Type]> };

const answerTo = <Type extends AskType>(answers: AnswerTable, type: Type, ask: AskOf[Type]): Promise<Answers[Type]> => answers[type](ask);

function answersOf(engine: Engine, claims: Claims): AnswerTable {
  return {
    execute: async ({ command }) => {
      const outcome = await engine.execute(command);
      return { outcome, sharedSequence: engine.world.position(SHARED_SHARD).sequence };
    },
    query: ({ request }) => engine.query(request),
    recordShared: async ({ tenant, fact, body }) => {
      engine.recordShared(tenant, fact, body);
      await engine.settled();
      return null;
    },
    sharedSequence: async () => engine.world.position(SHARED_SHARD).sequence,
    newSharedId: async ({ prefix }) => engine.newSharedId(prefix),
    findExternal: async ({ tenant, kind, externalId }) => engine.world.catalog.findExternal(tenant, kind, externalId) ?? null,
    actor: async ({ tenant, kind, id }) => {
      const packed = packedActor(engine, tenant, kind, id);
      await engine.settled(); // show nothing that a crash could undo
      return packed;
    },
    actorsBelow: async ({ tenant, kind, parentId }) => {
      await engine.listed();
      const packed = idsBelow(engine.world, tenant, kind, parentId).flatMap((id) => packedActor(engine, tenant, kind, id) ?? []);
      await engine.settled();
      return packed;
    },
    count: async ({ tenant, selection }) => {
      await engine.listed();
      return engine.mass.count(tenant, selection);
    },
    claim: async ({ claim }) => (await claims.claim(claim)) ?? null,
    locate: async ({ tenant, kind, target }) => engine.locate(tenant, kind, target),
    event: async ({ tenant, id }) => engine.events.find(tenant, id) ?? null,
    events: ({ asked }) => eventsOfUnit(engine, asked),
    awaitShared: async ({ sequence }) => {
      await engine.sharedFacts.known(sequence);
      await engine.wiped();
      return null;
    },
  };
}

function packedActor({ world }: Engine, tenant: Tenant, kind: string, id: string): PackedActor | null {
  const actor = world.find(tenant, kind, id);
  if (!actor) return null;
  const { definition, state } = actor;
  return {
    state: definition.pack(state),
    parts: Object.fromEntries((definition.parts?.(state) ?? []).map(({ name, value }) => [name, value])),
  };
}
