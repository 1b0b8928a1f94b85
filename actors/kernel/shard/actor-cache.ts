import { Refusal } from '../../errors.js';
import { type Tenant, tenantKey, tenantOf } from '../fact.js';
import type { Counted } from '../jobs/mass-works.js';
import { LIMITS } from '../limits.js';
import { BoundedMap } from '../lists/bounded-map.js';
import { actorKey } from '../snapshots/stored-keys.js';
import type { CachedActor } from './world.js';

/**
 * The actors in memory. Above a limit those that were not used for longest are evicted; their stored state is loaded again when it is
 * needed. Eviction uses the clock algorithm: an actor that was not used since the hand last passed it is evicted. The hand moves only
 * between other work, as a command may hold the actors that it has found until its end.
 */
export class ActorCache {
  readonly #awake = new Map<string, CachedActor>();
  readonly #byId = new Map<string, CachedActor>();
  #hand: Iterator<CachedActor> = [].values();
  #isMoving = false;
  /** Consecutive examined actors that may not be evicted. */
  #fruitless = 0;

  /** `mayRest` returns whether the present state of an actor is stored. */
  constructor(
    private readonly mayRest: (actor: CachedActor) => boolean,
    private readonly bound: () => number = () => LIMITS.cachedActors,
  ) {}

  get size(): number {
    return this.#awake.size;
  }

  /** By the id, which is the actor's alone except for a company, which has the same in both modes. */
  find(tenant: Tenant, kind: string, id: string): CachedActor | undefined {
    const newest = this.#byId.get(id);
    if (newest === undefined) return undefined;
    const { tenant: its } = newest;
    const isWanted = newest.kind === kind && its.company === tenant.company && its.mode === tenant.mode;
    if (!isWanted) return this.get(actorKey(tenant, kind, id));
    newest.isTouched = true;
    return newest;
  }

  get(key: string): CachedActor | undefined {
    const actor = this.#awake.get(key);
    if (actor) actor.isTouched = true;
    return actor;
  }

  has(key: string): boolean {
    return this.#awake.has(key);
  }

  set(actor: CachedActor): void {
    this.#awake.set(actor.key, actor);
    this.#byId.set(actor.id, actor);
    this.rest();
  }

  delete(key: string): void {
    const actor = this.#awake.get(key);
    if (actor === undefined) return;
    this.#awake.delete(key);
    if (this.#byId.get(actor.id) !== actor) return;
    this.#byId.delete(actor.id);
    const other = this.#awake.get(actorKey(otherMode(actor.tenant), actor.kind, actor.id));
    if (other !== undefined) this.#byId.set(other.id, other);
  }

  values(): Iterable<CachedActor> {
    return this.#awake.values();
  }

  /** Evicts actors above the limit, in steps between other work. */
  rest(): void {
    if (this.#isMoving || this.#awake.size <= this.bound()) return;
    this.#isMoving = true;
    setImmediate(() => {
      this.#isMoving = false;
      this.#step();
      // A full round without an actor to evict: the next snapshot or the next load tries again.
      if (this.#fruitless < this.#awake.size) this.rest();
      else this.#fruitless = 0;
    });
  }

  #step(): void {
    for (let looks = 0; looks < LIMITS.restingStep && this.#awake.size > this.bound(); looks++) {
      const next = this.#hand.next();
      if (next.done === true) {
        this.#hand = this.#awake.values();
        continue;
      }
      const actor = next.value;
      if (!this.mayRest(actor)) {
        this.#fruitless += 1;
        continue;
      }
      this.#fruitless = 0;
      if (actor.isTouched) actor.isTouched = false;
      else this.delete(actor.key);
    }
  }
}

const otherMode = ({ company, mode }: Tenant): Tenant => tenantOf(company, mode === 'test' ? 'live' : 'test');

/** State of another unit of the cluster that a decision or a read needs. */
export type Need =
  | { readonly type: 'actor'; readonly tenant: Tenant; readonly kind: string; readonly id: string }
  /** The actors of a kind below another one. */
  | { readonly type: 'below'; readonly tenant: Tenant; readonly kind: string; readonly parentId: string }
  /** The object that has an external id. A command that is about to give the id to an object claims it by asking. */
  | { readonly type: 'external'; readonly tenant: Tenant; readonly kind: string; readonly externalId: string }
  /** How many actors match a selection. */
  | { readonly type: 'count'; readonly tenant: Tenant; readonly selection: Counted };

/** State of another unit of the cluster has to be fetched first. Nothing was changed. */
export class RemoteStateRequired extends Refusal {
  constructor(readonly needs: readonly Need[]) {
    super('unavailable', 'Another part of the cluster has to be read first. Try again in a second.', { retryAfterSeconds: 1 });
  }
}

interface RemoteEntry {
  readonly known: unknown;
  /** Until when it is valid for a decision; in milliseconds of `performance.now`. */
  readonly untilMs: number;
}

/**
 * Known state of other units of the cluster: borrowers on other shards that loans here name, and holders of external ids. A decision uses
 * only recently fetched entries; a view may use older ones.
 */
export class RemoteCache {
  readonly #entries = new BoundedMap<string, RemoteEntry>(LIMITS.remoteEntries);

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The answer to a need, as long as it is valid for a decision. */
  fresh(need: Need): { readonly known: unknown } | undefined {
    const entry = this.#entries.get(keyOf(need));
    return entry && entry.untilMs > this.nowMs() ? entry : undefined;
  }

  /** The newest known answer. */
  any(need: Need): { readonly known: unknown } | undefined {
    return this.#entries.get(keyOf(need));
  }

  /** Drops an entry that may differ for the next command. */
  forget(need: Need): void {
    this.#entries.delete(keyOf(need));
  }

  /** `forMs`: how long it is valid for decisions, from now. */
  put(need: Need, known: unknown, forMs: number): void {
    this.#entries.set(keyOf(need), { known, untilMs: this.nowMs() + forMs });
  }
}

function keyOf(need: Need): string {
  switch (need.type) {
    case 'actor':
      return `${tenantKey(need.tenant)}/${need.kind}/${need.id}`;
    case 'below':
      return `${tenantKey(need.tenant)}/${need.kind}/below/${need.parentId}`;
    case 'external':
      return `${tenantKey(need.tenant)}/${need.kind}/ext-${need.externalId}`;
    case 'count':
      return `${tenantKey(need.tenant)}/count/${JSON.stringify(need.selection)}`;
  }
}
