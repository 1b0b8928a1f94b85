import { must } from '../../../engine/index.js';
import { PERSON } from '../known-names.js';
import type { KeyStore, KeyValue } from '../ports.js';
import { endOf, readActorKey, ROW_PREFIX } from '../snapshots/stored-keys.js';
import type { World } from './world.js';

/** Rows examined together. */
const ROWS = 1_000;

/**
 * Destroys the data keys of all persons of a test mode that was emptied: those in memory, and those that are stored. A snapshot, which
 * drops the persons, waits for it, so that a start after a crash still finds the remaining ones. Each unit of a cluster does it for its own
 * persons.
 */
export class Wiping {
  /** Tenants that are finished, each with the stamp of its wiping. */
  readonly #done = new Map<string, number>();
  #running: Promise<void> | null = null;

  constructor(
    private readonly world: World,
    private readonly stored: KeyValue,
    private readonly keys: KeyStore,
  ) {}

  /** Resolves when it is done for all tenants that are wiped now. */
  async done(): Promise<void> {
    while (this.#isToDo) {
      this.#running ??= this.#run().finally(() => {
        this.#running = null;
      });
      await this.#running;
    }
  }

  get #isToDo(): boolean {
    const { wiped, wipedPersons } = this.world;
    return wipedPersons.size > 0 || [...wiped].some(([tenant, stamp]) => this.#done.get(tenant) !== stamp);
  }

  async #run(): Promise<void> {
    for (const person of [...this.world.wipedPersons]) {
      await this.keys.destroy(person);
      this.world.wipedPersons.delete(person);
    }
    for (const [tenant, stamp] of [...this.world.wiped]) {
      if (this.#done.get(tenant) === stamp) continue;
      for (const person of this.#storedPersons(tenant, stamp)) await this.keys.destroy(person);
      this.#done.set(tenant, stamp);
    }
  }

  /** Persons created before the wiping: a snapshot interrupted by a crash may hold some that came after. */
  *#storedPersons(tenant: string, stamp: number): Iterable<string> {
    const prefix = `${ROW_PREFIX}${tenant}/${PERSON}/`;
    for (let start = prefix; ; ) {
      const rows = [...this.stored.range({ start, end: endOf(prefix), limit: ROWS })];
      for (const [key, bytes] of rows) {
        const { id } = readActorKey(key.slice(ROW_PREFIX.length));
        if (this.world.rowFormat.unpack(id, bytes).row.createdStamp < stamp) yield id;
      }
      if (rows.length < ROWS) return;
      start = `${must(rows.at(-1), 'a last row')[0]}\0`;
    }
  }
}
