import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { QueryContext, QueryRequest, QuerySpec } from '../actor.js';
import { type Fact, type FactDraft, factOf, SYSTEM_AGENT, type Tenant, tenantOf } from '../fact.js';
import { type Ticket, unavailable } from '../journal/committer.js';
import { agendaOf, pendingThrough } from './pending.js';
import type { Runtime } from './runtime.js';
import { Scope } from './scope.js';
import type { CachedActor } from './world.js';

/**
 * Answers a query. What closed days have left pending is computed on a copy; a read writes nothing. Memory that was reloaded while a query
 * read in time slices may have had what was never recorded: `isPresent` says whether it is still that of the engine.
 */
export function runQuery(
  runtime: Runtime,
  spec: QuerySpec<unknown>,
  request: QueryRequest,
  isPresent: () => boolean,
): ReadResult | Promise<ReadResult> {
  const tenant = tenantOf(request.company, request.mode);
  const now = runtime.world.calendars.now(tenant, runtime.machineMs());
  if (spec.on !== 'target') {
    const scope = scopeOf(runtime, tenant, 0, now).asking().ofMany();
    scope.seenBy(request.investorIds);
    const data = spec.read({ query: request.query, request, env: scope });
    const read = (shown: unknown): ReadResult => ({ data: shown, ticket: runtime.committer.newest() });
    if (!(data instanceof Promise)) return read(data);
    return data.then((shown) => {
      if (!isPresent()) throw unavailable('Memory was reloaded while the list was read. Try again in a second.');
      return read(shown);
    });
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

export interface ReadResult {
  readonly data: unknown;
  /** The batch that carries the newest fact that was read. */
  readonly ticket: Ticket | null;
}

/** Answers of the runtime itself wait for their data themselves. */
export async function systemRead(data: unknown): Promise<ReadResult> {
  return { data: await data, ticket: null };
}

const scopeOf = ({ world, keys }: Runtime, tenant: Tenant, shard: number, now: number): Scope =>
  new Scope({ world, keys, tenant, shard, now });

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
  const sequence = runtime.world.position(actor.shard).sequence + 1;
  const stamp = runtime.machineMs() * 1000;
  return factOf(draft, actor, { sequence, stamp, businessAt: now, by: SYSTEM_AGENT, requestId: 'pending', commandId: 'pending' });
}
