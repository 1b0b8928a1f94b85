import { type Day, must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { ActorDefinition, AgendaEntry, DecideEnv, QueryContext, QueryRequest, QuerySpec } from '../actor.js';
import { type Fact, type FactDraft, RULES_VERSION, SCHEMA_VERSION, SYSTEM_AGENT, type Tenant, tenantOf } from '../fact.js';
import type { Operations } from '../jobs/operations.js';
import type { Ticket } from '../journal/committer.js';
import type { KeyStore } from '../ports.js';
import type { Replies } from './replies.js';
import { Scope } from './scope.js';
import type { Work } from './work.js';
import type { CachedActor, World } from './world.js';

/** What a command or query needs of the engine around it. */
export interface Runtime {
  readonly world: World;
  readonly keys: KeyStore;
  readonly replies: Replies;
  readonly operations: Operations;
  readonly machineMs: () => number;
  /** The time by which stored replies expire; see `JournalTime`. */
  readonly journalMs: () => number;
  /** Service id of an AnyId of a kind; throws `notFound`. */
  readonly locate: (tenant: Tenant, kind: string, target: string) => string;
  recordShared(tenant: Tenant, type: string, body: unknown): void;
  /** Opens the calendar of a zone that the tenant has not used yet. */
  readonly openZone: (tenant: Tenant, zone: string, lastClosed: Day) => void;
  /** Adds the records of a piece of work to the gathering batch. */
  commit(shard: number, work: Work): Ticket;
  /** The batch that a read over many actors waits for; null when everything is durable. */
  newestTicket(): Ticket | null;
  commitRecords(shard: number, firstSequence: number, records: readonly Uint8Array[]): Ticket;
}

/** No fact yet: the agenda is not computed. */
export const NOT_ASKED = -1;

/** What an actor has to do next. Needed before and after each piece of work, and computed once for each fact. */
export function agendaOf(actor: CachedActor): AgendaEntry | null {
  if (actor.agendaSequence !== actor.lastSequence) {
    actor.agenda = actor.definition.agenda?.(actor.state) ?? null;
    actor.agendaSequence = actor.lastSequence;
  }
  return actor.agenda;
}

/** Today, if closed days or changes of others require something of an actor with that agenda; null if nothing is pending. */
export function pendingThrough<State>(
  { behind, catchUp }: ActorDefinition<State>,
  state: State,
  agenda: AgendaEntry | null,
  env: DecideEnv,
): Day | null {
  const entry = behind?.(state, env) ?? agenda;
  if (entry === null || catchUp === undefined) return null;
  const today = env.today(entry.zone);
  return entry.nextDay > today ? null : today;
}

/** The pending facts of an actor in this state, to be applied one by one; null when there are none. */
export function pendingDrafts<State>(
  definition: ActorDefinition<State>,
  state: State,
  agenda: AgendaEntry | null,
  env: DecideEnv,
): Iterable<FactDraft> | null {
  const today = pendingThrough(definition, state, agenda, env);
  return today === null ? null : (definition.catchUp?.(state, today, env) ?? null);
}

export interface ReadResult {
  readonly data: unknown;
  /** The batch that carries the newest fact that was read. */
  readonly ticket: Ticket | null;
}

/** Answers of the runtime itself wait for their data themselves. */
export async function systemRead(data: unknown): Promise<ReadResult> {
  return { data: await data, ticket: null };
}

/** Answers a query. What closed days have left pending is computed on a copy; a read writes nothing. */
export function runQuery(runtime: Runtime, spec: QuerySpec<unknown>, request: QueryRequest): ReadResult {
  const tenant = tenantOf(request.company, request.mode);
  const now = runtime.world.calendars.now(tenant, runtime.machineMs());
  if (spec.on !== 'target') {
    const scope = scopeOf(runtime, tenant, 0, now).asking().ofMany();
    scope.seenBy(request.investorIds);
    return { data: spec.read({ query: request.query, request, env: scope }), ticket: runtime.newestTicket() };
  }
  const id = runtime.locate(tenant, spec.kind, must(request.target, `${request.type} needs a target`));
  const actor = must(runtime.world.find(tenant, spec.kind, id), `${id} is listed but has no state`);
  const scope = scopeOf(runtime, tenant, actor.shard, now).asking();
  const state = upToDate(runtime, actor, scope, now);
  scope.seenBy(request.investorIds);
  if (actor.definition.isShared !== true && !scope.sees(spec.kind, id))
    throw new Refusal('notFound', `There is no ${spec.kind} ${request.target ?? ''}.`);
  const context: QueryContext<unknown> = { id, state, query: request.query, request, env: scope };
  return { data: spec.read(context), ticket: spec.showsNoFacts === true ? null : actor.ticket };
}

function scopeOf(runtime: Runtime, tenant: Tenant, shard: number, now: number): Scope {
  return new Scope(runtime.world, runtime.keys, tenant, shard, now);
}

/** The state with the pending facts applied: a copy if there are any. */
export function upToDate(runtime: Runtime, actor: CachedActor, scope: Scope, now: number): unknown {
  const { definition } = actor;
  const today = pendingThrough(definition, actor.state, agendaOf(actor), scope);
  if (today === null) return actor.state;
  const copy = definition.clone(actor.state);
  for (const draft of definition.catchUp?.(copy, today, scope) ?? []) {
    if (!draft.target) definition.evolve(copy, pendingFact(runtime, actor, draft, now), null, scope);
  }
  return copy;
}

function pendingFact(runtime: Runtime, actor: CachedActor, draft: FactDraft, now: number): Fact {
  return {
    sequence: runtime.world.position(actor.shard).sequence + 1,
    tenant: actor.tenant,
    kind: actor.kind,
    id: actor.id,
    type: draft.type,
    body: draft.body,
    stamp: runtime.machineMs() * 1000,
    businessAt: now,
    effective: draft.effective ?? null,
    by: SYSTEM_AGENT,
    address: null,
    caseId: null,
    requestId: 'pending',
    commandId: 'pending',
    schemaVersion: SCHEMA_VERSION,
    rulesVersion: RULES_VERSION,
  };
}
