import type { Day } from '../../../engine/index.js';
import { SplitMap } from '../lists/split-map.js';

/** The actors that have something to do on one day of one zone. */
interface DayOfZone {
  readonly zoneKey: string;
  readonly day: Day;
  readonly actors: SplitMap<true>;
}

/** Which actors have something to do on which day, so that closing a day costs only what is due on it. */
export class Agenda {
  readonly #days = new Map<string, Map<Day, DayOfZone>>();
  readonly #dayOfActor = new SplitMap<DayOfZone>();
  /** No actor of the zone has something to do before that day: so checking each second costs nothing until it has come. */
  readonly #notBefore = new Map<string, Day>();

  /** `zoneKey` names tenant and zone; null removes the actor from the agenda. */
  set(actorKey: string, entry: { readonly zoneKey: string; readonly day: Day } | null): void {
    const before = this.#dayOfActor.get(actorKey);
    if (before?.zoneKey === entry?.zoneKey && before?.day === entry?.day) return;
    before?.actors.delete(actorKey);
    if (!entry) {
      this.#dayOfActor.delete(actorKey);
      return;
    }
    const day = this.#dayOf(entry.zoneKey, entry.day);
    day.actors.set(actorKey, true);
    this.#dayOfActor.set(actorKey, day);
  }

  /** Up to `limit` actors whose day has come: their day is `today` or earlier. */
  due(zoneKey: string, today: Day, limit: number): string[] {
    const found: string[] = [];
    if ((this.#notBefore.get(zoneKey) ?? -Infinity) > today) return found;
    let earliest: Day | undefined;
    for (const [day, { actors }] of this.#days.get(zoneKey) ?? []) {
      if (actors.size === 0) {
        this.#days.get(zoneKey)?.delete(day);
        continue;
      }
      if (earliest === undefined || day < earliest) earliest = day;
      if (day > today) continue;
      for (const actor of actors.keys()) {
        found.push(actor);
        if (found.length >= limit) return found;
      }
    }
    if (earliest === undefined) this.#notBefore.delete(zoneKey);
    else this.#notBefore.set(zoneKey, earliest);
    return found;
  }

  /** Whether the day of the actor has come. */
  isDue(actorKey: string, today: Day): boolean {
    const entry = this.#dayOfActor.get(actorKey);
    return entry !== undefined && entry.day <= today;
  }

  /** How many actors are due. */
  countDue(zoneKey: string, today: Day): number {
    let count = 0;
    for (const [day, { actors }] of this.#days.get(zoneKey) ?? []) if (day <= today) count += actors.size;
    return count;
  }

  /** Removes all actors of a tenant from the agenda. */
  dropPrefix(prefix: string): void {
    for (const key of [...this.#dayOfActor.keys()]) if (key.startsWith(prefix)) this.set(key, null);
  }

  zoneKeys(): Iterable<string> {
    return this.#days.keys();
  }

  size(): number {
    return this.#dayOfActor.size;
  }

  #dayOf(zoneKey: string, day: Day): DayOfZone {
    let zone = this.#days.get(zoneKey);
    if (!zone) this.#days.set(zoneKey, (zone = new Map()));
    let found = zone.get(day);
    if (!found) zone.set(day, (found = { zoneKey, day, actors: new SplitMap() }));
    if (day < (this.#notBefore.get(zoneKey) ?? -Infinity)) this.#notBefore.set(zoneKey, day);
    return found;
  }
}
