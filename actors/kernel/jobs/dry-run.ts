import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { Figure } from '../actor.js';
import { factOf } from '../fact.js';
import { environmentOf } from '../ports.js';
import { applyToCopy } from '../shard/execution.js';
import { upToDate } from '../shard/reading.js';
import { Scope, type Supposed } from '../shard/scope.js';
import type { CachedActor } from '../shard/world.js';
import type { Compared } from './difference-report.js';
import { type MassBatchHost, requestOf } from './mass-batch.js';
import type { MassWork } from './mass-works.js';

/**
 * Computes what mass work would change, without side effects: it applies the same facts to copies, as if the ordered change were recorded.
 * Created for one time slice, as memory may have been reloaded before the next one.
 */
export class DryRun {
  readonly #supposed: Supposed | null;

  constructor(
    private readonly host: MassBatchHost,
    private readonly mass: MassWork,
  ) {
    this.#supposed = supposedOwner(host, mass);
  }

  /** Null for an actor that has no figures. */
  compare(actor: CachedActor): Compared | null {
    const { figures } = actor.definition;
    if (!figures) return null;
    const { id } = actor;
    const scope = this.host.scope(this.mass.tenant, actor.shard);
    let before: readonly Figure[] = [];
    try {
      const state = upToDate(this.host.runtime(), actor, scope, scope.now);
      before = figures(state, scope);
      return { id, before, after: this.#after(actor, state, scope), fault: null };
    } catch (cause) {
      if (environmentOf(cause) !== null) throw cause;
      if (!(cause instanceof Refusal)) this.host.quarantine(actor, cause);
      return { id, before, after: null, fault: cause instanceof Refusal ? cause.message : 'It could not be computed: see the log.' };
    }
  }

  #after(actor: CachedActor, before: unknown, scope: Scope): readonly Figure[] {
    const { definition } = actor;
    const { task } = this.mass;
    const figures = must(definition.figures, `${actor.kind} has figures`);
    if (task.type === 'command') {
      const request = requestOf(this.mass, task, actor);
      const copy = definition.clone(before);
      const { facts } = this.host
        .command(task.command)
        .decide({ id: actor.id, state: copy, body: task.body, command: request, env: scope, besideId: null });
      return figures(applyToCopy(this.host.runtime(), actor, facts, { request, scope, copy }), scope);
    }
    const { world, keys } = this.host.runtime();
    const { tenant, now } = scope;
    const other = new Scope({ world, keys, tenant, shard: actor.shard, now, supposed: this.#supposed });
    return figures(upToDate(this.host.runtime(), actor, other, scope.now), other);
  }
}

/** The shared actor that ordered the work, as it would be if the requested change were recorded. */
function supposedOwner(host: MassBatchHost, { owner, tenant, supposing, by, operationId }: MassWork): Supposed | null {
  if (owner === null || supposing.length === 0) return null;
  const runtime = host.runtime();
  const actor = must(runtime.world.find(tenant, owner.kind, owner.id), `${owner.id} has ordered mass work`);
  const scope = host.scope(tenant, actor.shard);
  const state = actor.definition.clone(actor.state);
  const sequence = actor.lastSequence + 1;
  const envelope = { sequence, stamp: Number.MAX_SAFE_INTEGER, businessAt: scope.now, by, requestId: operationId, commandId: operationId };
  for (const draft of supposing) actor.definition.evolve(state, factOf(draft, actor, envelope), null, scope);
  return { id: owner.id, state };
}
