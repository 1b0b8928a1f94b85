import { ownJson, RELEASE } from '../../engine/index.js';
import { RULES_VERSION, SCHEMA_VERSION } from '../kernel/fact.js';
import type { KeptGroup, ViewStore } from './ports.js';
import type { GroupMarks, ViewGroup } from './view-group.js';

/** What is found with a group that was kept. */
interface Marks {
  /** Another one may make other rows. */
  readonly release: string;
  /** Whose balances it shows. */
  readonly day: string;
  /** The newest record of each shard: a journal that has fewer is another one, or was put back. */
  readonly positions: readonly number[];
  readonly group: GroupMarks;
}

/** What a question needs of a database; views by their names. */
interface Wanted {
  readonly database: string;
  readonly day: string;
  readonly missing: readonly string[];
  readonly present: readonly string[];
}

interface KeptGroupsParts {
  readonly store: ViewStore;
  readonly positions: () => readonly number[];
}

const THIS_RELEASE = `${RELEASE.version} of ${RELEASE.date}, rules ${RULES_VERSION}, records ${SCHEMA_VERSION}`;

/** Groups of views that take long to fill and are kept for the next start, which goes on with them: docs/decisions/kept-views.md. */
export class KeptGroups {
  /** By database. */
  readonly #known = new Map<string, readonly Marks[]>();
  readonly #keeping = new Set<Promise<void>>();

  /** Call it before anything is recorded: what a journal lacks can then be seen. */
  constructor(private readonly parts: KeptGroupsParts) {
    const now = parts.positions();
    for (const { database, group, marks } of parts.store.allKept()) {
      const read = ownJson<Marks>(marks);
      const isOurs = read.release === THIS_RELEASE && read.positions.every((position, shard) => position <= (now[shard] ?? 0));
      if (isOurs) this.#known.set(database, [...this.#of(database), read]);
      else parts.store.dropKept(database, group);
    }
  }

  /**
   * Adds to a database what is kept of missing views, as far as it is still true and has none that are present. `groupOf` makes the group
   * of marks; null where its views are others now.
   */
  async restored(
    { database, day, missing, present }: Wanted,
    groupOf: (marks: GroupMarks) => ViewGroup | null,
  ): Promise<readonly ViewGroup[]> {
    const there = new Set(present);
    const restored: ViewGroup[] = [];
    for (const marks of this.#of(database)) {
      const { name, views } = marks.group;
      if (!views.some((view) => missing.includes(view)) || views.some((view) => there.has(view))) continue;
      const group = groupOf(marks.group);
      const isTrue = group !== null && (group.outlivesDay || marks.day === day);
      if (!isTrue) this.parts.store.dropKept(database, name);
      if (isTrue && (await this.parts.store.restore(database, name))) {
        restored.push(group);
        for (const view of views) there.add(view);
      } else {
        const others = this.#of(database).filter((each) => each !== marks);
        this.#known.set(database, others);
      }
    }
    return restored;
  }

  /** Keeps a group that has just followed, if that is worth it, beside the questions. */
  keep(database: string, day: string, group: ViewGroup): void {
    const marks = group.isToBeKept ? group.marks : null;
    if (marks === null) return;
    const known: Marks = { release: THIS_RELEASE, day, positions: this.parts.positions(), group: marks };
    const kept: KeptGroup = { database, group: group.name, marks: JSON.stringify(known) };
    const keeping: Promise<void> = group
      .keep((erasures) => this.parts.store.keep(kept, erasures))
      .then((isKept) => {
        this.#keeping.delete(keeping);
        if (isKept) this.#replace(database, known);
      });
    this.#keeping.add(keeping);
  }

  /** Resolves when nothing is being kept. */
  async settled(): Promise<void> {
    await Promise.all(this.#keeping);
  }

  #of(database: string): readonly Marks[] {
    return this.#known.get(database) ?? [];
  }

  /** In place of all that is kept of its views. */
  #replace(database: string, marks: Marks): void {
    const { name, views } = marks.group;
    const before = this.#of(database).filter(({ group }) => group.views.some((view) => views.includes(view)));
    for (const { group } of before) if (group.name !== name) this.parts.store.dropKept(database, group.name);
    this.#known.set(database, [...this.#of(database).filter((each) => !before.includes(each)), marks]);
  }
}
