import { assert, must } from '../../../engine/index.js';
import { stateAs } from '../erased.js';
import type { CommandRequest, CommandSpec, Outcome } from '../actor.js';
import { tenantOf, type Tenant } from '../fact.js';
import { applyToCopy, rootShardOf } from './execution.js';
import type { Runtime } from './runtime.js';
import { Scope } from './scope.js';
import type { CachedActor } from './world.js';

export interface TrialParts {
  runtime(): Runtime;
  command(type: string): CommandSpec<unknown>;
}

/**
 * Simulated commands that build on each other and change nothing: a borrower, a loan of that borrower, its activation. It refuses what the
 * real commands would refuse, before the first of them is recorded. It knows only what it made itself and what is recorded: a command on a
 * recorded actor is not simulated, one beside it is.
 */
export class Trial {
  readonly #actors = new Map<string, CachedActor>();
  /** Values sealed with data keys that exist in this trial alone, by the number that stands for each. */
  readonly #sealed: { readonly owner: string; readonly context: string; readonly plain: string }[] = [];
  readonly #owners = new Set<string>();
  #ids = TRIAL_IDS;

  constructor(private readonly parts: TrialParts) {}

  /** Answers as the command would. Throws `Refusal` as it would. */
  decide(request: CommandRequest): Outcome {
    const runtime = this.parts.runtime();
    assert(runtime.world.isWhole, 'a trial knows all parts of the world');
    const spec = this.parts.command(request.type);
    const tenant = tenantOf(request.company, request.mode);
    const { actor, besideId, shard } = this.#locationOf(runtime, spec, request, tenant);
    const now = runtime.world.calendars.now(tenant, runtime.machineMs());
    const scope = new TrialScope(runtime, tenant, { shard, now }, this);
    const tried = actor ?? runtime.world.initial(tenant, spec.kind, scope.newId(runtime.world.definition(spec.kind).prefix));
    const { facts, reply } = spec.decide({ id: tried.id, state: tried.state, body: request.body, command: request, env: scope, besideId });
    tried.state = applyToCopy(runtime, tried, facts, { request, scope });
    this.#actors.set(tried.id, tried);
    const { data } = reply(tried.state);
    return { data, replayed: false };
  }

  stateOf(id: string): unknown {
    return this.#actors.get(id)?.state;
  }

  /** The first of numbers for ids that no object ever gets. */
  reserve(count: number): number {
    const first = this.#ids;
    this.#ids += count;
    return first;
  }

  createKey(owner: string): void {
    this.#owners.add(owner);
  }

  /** Null for an owner with a real key. */
  seal(owner: string, plain: string, context: string): Uint8Array | null {
    if (!this.#owners.has(owner)) return null;
    return Uint8Array.from(Buffer.from(String(this.#sealed.push({ owner, context, plain }) - 1)));
  }

  /** Null for an owner with a real key. */
  open(owner: string, sealed: Uint8Array, context: string): string | null {
    if (!this.#owners.has(owner)) return null;
    const found = this.#sealed[Number(Buffer.from(sealed).toString('latin1'))];
    assert(found !== undefined && found.owner === owner && found.context === context, 'what was sealed in a trial is opened in it');
    return found.plain;
  }

  #locationOf(
    { world, locate }: Runtime,
    { place, kind, type }: CommandSpec<unknown>,
    { target, commandId }: CommandRequest,
    tenant: Tenant,
  ): { readonly actor: CachedActor | null; readonly besideId: string | null; readonly shard: number } {
    if (place.on === 'root') return { actor: null, besideId: null, shard: rootShardOf(commandId) };
    const named = must(target, `${type} needs a target`);
    const supposed = this.#actors.get(named);
    if (place.on === 'target') {
      const actor = must(supposed, `${kind} ${named} is one of this trial`);
      return { actor, besideId: null, shard: actor.shard };
    }
    const beside =
      supposed ?? must(world.find(tenant, place.kind, locate(tenant, place.kind, named)), `${named} is listed but has no state`);
    return { actor: null, besideId: beside.id, shard: beside.shard };
  }
}

/** Numbers of ids that no shard reaches: the last 16 million of its 2^35. */
const TRIAL_IDS = 2 ** 35 - 2 ** 24;

/** A world that includes what a trial has made. */
class TrialScope extends Scope {
  constructor(
    private readonly runtime: Runtime,
    tenant: Tenant,
    private readonly at: { readonly shard: number; readonly now: number },
    private readonly trial: Trial,
  ) {
    super({ world: runtime.world, keys: runtime.keys, tenant, ...at });
  }

  override read<State>(kind: string, id: string): State | undefined {
    return stateAs<State>(this.trial.stateOf(id)) ?? super.read(kind, id);
  }

  override newId(prefix: string): string {
    return this.runtime.world.ids.encode(prefix, this.at.shard, this.trial.reserve(1));
  }

  override reserveIds(count: number): number {
    return this.trial.reserve(count);
  }

  override createKey(owner: string): void {
    this.trial.createKey(owner);
  }

  override seal(owner: string, plain: string, context: string): Uint8Array {
    return this.trial.seal(owner, plain, context) ?? super.seal(owner, plain, context);
  }

  override open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    return this.trial.open(owner, sealed, context) ?? super.open(owner, sealed, context);
  }
}
