import { Refusal } from '../../errors.js';
import { type Tenant, tenantKey, tenantOf } from '../fact.js';
import type { Selection } from '../jobs/mass-works.js';
import { LIMITS } from '../limits.js';
import { actorKey } from '../snapshots/stored-keys.js';
import type { CachedActor } from './world.js';

/**
 * The actors that are awake. Above a bound those that were not touched for longest lie down again: what is stored comes
 * back when it is touched. A hand goes round; who was not asked for again since it last came by is let go. It moves between
 * the turns of others alone, as a command may hold what it has found until its end.
 */
export class ActorCache {
  readonly #awake = new Map<string, CachedActor>();
  readonly #byId = new Map<string, CachedActor>();
  #hand: Iterator<CachedActor> = [].values();
  #isMoving = false;
  /** Looks in a row at actors that may not rest. */
  #fruitless = 0;

  /** `mayRest` tells whether an actor is stored as it stands. */
  constructor(
    private readonly mayRest: (resident: CachedActor) => boolean,
    private readonly bound: () => number = () => LIMITS.cachedActors,
  ) {}

  get size(): number {
    return this.#awake.size;
  }

  /** By the id, which is the actor's alone but for a company, which has the same in both modes. */
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
    const resident = this.#awake.get(key);
    if (resident) resident.isTouched = true;
    return resident;
  }

  has(key: string): boolean {
    return this.#awake.has(key);
  }

  set(resident: CachedActor): void {
    this.#awake.set(resident.key, resident);
    this.#byId.set(resident.id, resident);
    this.rest();
  }

  delete(key: string): void {
    const resident = this.#awake.get(key);
    if (resident === undefined) return;
    this.#awake.delete(key);
    if (this.#byId.get(resident.id) !== resident) return;
    this.#byId.delete(resident.id);
    const other = this.#awake.get(actorKey(otherMode(resident.tenant), resident.kind, resident.id));
    if (other !== undefined) this.#byId.set(other.id, other);
  }

  values(): Iterable<CachedActor> {
    return this.#awake.values();
  }

  /** Lets go of those above the bound, in steps between other work. */
  rest(): void {
    if (this.#isMoving || this.#awake.size <= this.bound()) return;
    this.#isMoving = true;
    setImmediate(() => {
      this.#isMoving = false;
      this.#step();
      // Once round without finding anybody who may rest: the next snapshot or the next waking tries again.
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
      const resident = next.value;
      if (!this.mayRest(resident)) {
        this.#fruitless += 1;
        continue;
      }
      this.#fruitless = 0;
      if (resident.isTouched) resident.isTouched = false;
      else this.delete(resident.key);
    }
  }
}

const otherMode = ({ company, mode }: Tenant): Tenant => tenantOf(company, mode === 'test' ? 'live' : 'test');

/** What a decision or a reading needs to know of another part of the cluster. */
export type Need =
  | { readonly type: 'actor'; readonly tenant: Tenant; readonly kind: string; readonly id: string }
  /** Who has an external id. Whoever is about to give it to an object claims it by asking. */
  | { readonly type: 'external'; readonly tenant: Tenant; readonly kind: string; readonly externalId: string }
  /** How many actors a selection is about. */
  | { readonly type: 'count'; readonly tenant: Tenant; readonly selection: Selection };

/** Something of another part of the cluster has to be asked for first. Nothing was changed. */
export class Elsewhere extends Refusal {
  constructor(readonly need: Need) {
    super('unavailable', 'Another part of the cluster has to be read first. Try again in a second.', { retryAfterSeconds: 1 });
  }
}

interface RemoteEntry {
  readonly known: unknown;
  /** Until when it counts for a decision; in milliseconds of `performance.now`. */
  readonly untilMs: number;
}

/**
 * What is known here of other parts of the cluster: borrowers of theirs that loans here name, and who has an external id. A
 * decision sees what was asked for just now; what only has to be shown may be a little older.
 */
export class RemoteCache {
  readonly #guests = new Map<string, RemoteEntry>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The answer to a need, as long as it counts for a decision. */
  fresh(need: Need): { readonly known: unknown } | undefined {
    const guest = this.#guests.get(keyOf(need));
    return guest && guest.untilMs > this.nowMs() ? guest : undefined;
  }

  /** The newest answer there is. */
  any(need: Need): { readonly known: unknown } | undefined {
    return this.#guests.get(keyOf(need));
  }

  /** What may be otherwise for the next command. */
  forget(need: Need): void {
    this.#guests.delete(keyOf(need));
  }

  /** `forMs`: how long it counts for decisions, from now. */
  put(need: Need, known: unknown, forMs: number): void {
    const key = keyOf(need);
    this.#guests.delete(key);
    this.#guests.set(key, { known, untilMs: this.nowMs() + forMs });
    if (this.#guests.size <= LIMITS.guests) return;
    for (const oldest of this.#guests.keys()) {
      this.#guests.delete(oldest);
      break;
    }
  }
}

function keyOf(need: Need): string {
  switch (need.type) {
    case 'actor':
      return `${tenantKey(need.tenant)}/${need.kind}/${need.id}`;
    case 'external':
      return `${tenantKey(need.tenant)}/${need.kind}/ext-${need.externalId}`;
    case 'count':
      return `${tenantKey(need.tenant)}/count/${JSON.stringify(need.selection)}`;
  }
}
