import { LIMITS } from './limits.js';
import type { Resident } from './world.js';

/**
 * The actors that are awake. Above a bound those that were not touched for longest lie down again: what is stored comes
 * back when it is touched. A hand goes round; who was not asked for again since it last came by is let go. It moves between
 * the turns of others alone, as a command may hold what it has found until its end.
 */
export class Residents {
  readonly #awake = new Map<string, Resident>();
  #hand: Iterator<Resident> = [].values();
  #isMoving = false;
  /** Looks in a row at actors that may not rest. */
  #fruitless = 0;

  /** `mayRest` tells whether an actor is stored as it stands. */
  constructor(private readonly mayRest: (resident: Resident) => boolean, private readonly bound: number = LIMITS.residentActors) {}

  get size(): number {
    return this.#awake.size;
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
    this.rest();
  }

  delete(key: string): void {
    this.#awake.delete(key);
  }

  values(): Iterable<Resident> {
    return this.#awake.values();
  }

  /** Lets go of those above the bound, in steps between other work. */
  rest(): void {
    if (this.#isMoving || this.#awake.size <= this.bound) return;
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
    for (let looks = 0; looks < LIMITS.restingStep && this.#awake.size > this.bound; looks++) {
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
      else this.#awake.delete(resident.key);
    }
  }
}
