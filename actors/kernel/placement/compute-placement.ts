/** Who should own each unit, by its name. */
export type Placement = ReadonlyMap<string, string>;

export interface Placing {
  readonly units: readonly string[];
  /** Workers that are alive and stay. */
  readonly workers: readonly string[];
  /** Who owns a unit now; a unit without an owner, or with one that does not stay, gets a new owner. */
  readonly owners: Placement;
}

/**
 * Balances the units: no worker has more than one unit more than another, and as few as possible move. All workers compute the same result
 * from the same records, also while it is being carried out: so no election is needed. With a worker left out it shows which workers would
 * take over its units.
 */
export function computePlacement({ units, workers, owners }: Placing): Placement {
  const order = [...new Set(workers)].sort();
  const owned = new Map(order.map((worker) => [worker, units.filter((unit) => owners.get(unit) === worker).sort(descending)]));
  const room = roomOf(owned, units.length);
  const placed = new Map<string, string>();
  for (const [worker, has] of owned) for (const unit of has.slice(0, room.get(worker))) placed.set(unit, worker);

  const homeless = units
    .filter((unit) => !placed.has(unit))
    .sort(descending)
    .values();
  for (const [worker, has] of owned) {
    for (let free = (room.get(worker) ?? 0) - has.length; free > 0; free -= 1) {
      const { value: unit } = homeless.next();
      if (unit !== undefined) placed.set(unit, worker);
    }
  }
  return placed;
}

/** How many units each worker should have. Workers that already own one more than others keep it, then the first by name get one. */
function roomOf(owned: ReadonlyMap<string, readonly string[]>, units: number): ReadonlyMap<string, number> {
  const each = Math.floor(units / Math.max(1, owned.size));
  const favored = [...owned].filter(([, has]) => has.length > each);
  const others = [...owned].filter(([, has]) => has.length <= each);
  const withOneMore = new Set([...favored, ...others].slice(0, units - each * owned.size).map(([worker]) => worker));
  return new Map([...owned].map(([worker]) => [worker, withOneMore.has(worker) ? each + 1 : each]));
}

const descending = (one: string, other: string): number => (one < other ? 1 : -1);
