import { LIMITS } from '../limits.js';
import { type Tenant, tenantOf } from '../fact.js';
import { actorKey } from '../snapshots/stored-keys.js';
import type { Resident } from './world.js';

/**
 * The actors that are awake. Above a bound those that were not touched for longest lie down again: what is stored comes
 * back when it is touched. A hand goes round; who was not asked for again since it last came by is let go. It moves between
 * the turns of others alone, as a command may hold what it has found until its end.
 */
export class Residents {
  readonly #awake = new Map<string, Resident>();
  readonly #byId = new Map<string, Resident>();
  #hand: Iterator<Resident> = [].values();
  #isMoving = false;
  /** Looks in a row at actors that may not rest. */
  #fruitless = 0;

  /** `mayRest` tells whether an actor is stored as it stands. */
  constructor(
    private readonly mayRest: (resident: Resident) => boolean,
    private readonly bound: () => number = () => LIMITS.residentActors,
  ) {}

  get size(): number {
    return this.#awake.size;
  }

  /** By the id, which is the actor's alone but for a company, which has the same in both modes. */
  find(tenant: Tenant, kind: string, id: string): Resident | undefined {
    const newest = this.#byId.get(id);
    if (newest === undefined) return undefined;
    const { tenant: its } = newest;
    const isWanted = newest.kind === kind && its.company === tenant.company && its.mode === tenant.mode;
    if (!isWanted) return this.get(actorKey(tenant, kind, id));
    newest.isTouched = true;
    return newest;
  }

  get(key: string): Resident | undefined {
    const resident = this.#awake.get(key);
    if (resident) resident.isTouched = true;
    return resident;
  }

  has(key: string): boolean {
    return this.#awake.has(key);
  }

  set(resident: Resident): void {
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

  values(): Iterable<Resident> {
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
