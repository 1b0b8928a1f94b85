import type { EventLog } from './event-log.js';
import { LIMITS } from './limits.js';
import type { Snapshots } from './ports.js';
import { pack } from './records.js';
import type { Replies } from './replies.js';
import { ACTOR_PREFIX, ROW_PREFIX, type World } from './world.js';

type Entry = readonly [string, Uint8Array | null];

/** Where a store stands: last sequence and id counter of each shard whose records it holds in full. */
export const MARK_KEY = 'm/shards';
export const CALENDAR_KEY = 'm/calendars';

/**
 * Stores what changed while the service goes on. An actor is packed as it is, with facts that may not be durable
 * yet, so nothing is written before everything packed is durable; if that fails the snapshot is dropped.
 */
export class Snapshotter {
  #running: Promise<void> | null = null;

  constructor(
    private readonly world: World,
    private readonly stores: Snapshots,
    private readonly events: EventLog,
    private readonly replies: Replies,
    private readonly settled: () => Promise<void>,
    private readonly machineMs: () => number,
  ) {}

  /** One snapshot at a time; a call during one waits for it and then takes its own. */
  async take(): Promise<void> {
    while (this.#running) await this.#running;
    this.#running = this.#take();
    try {
      await this.#running;
    } finally {
      this.#running = null;
    }
  }

  async #take(): Promise<void> {
    const { world } = this;
    const { dirty, wiped } = world;
    world.dirty = new Set();
    world.wiped = new Set();
    try {
      await this.#store(dirty, wiped);
    } catch (cause) {
      for (const key of dirty) world.dirty.add(key);
      for (const prefix of wiped) world.wiped.add(prefix);
      throw cause;
    }
    this.#evict();
  }

  async #store(dirty: ReadonlySet<string>, wiped: ReadonlySet<string>): Promise<void> {
    const mark = markOf(this.world);
    const calendars = pack(this.world.calendars.pack());
    const actors = await this.#packActors(dirty);
    await this.settled();
    await this.stores.actors.write([...this.#removals(wiped), ...actors, [CALENDAR_KEY, calendars], [MARK_KEY, mark]]);
    await this.#storeEvents(mark);
    await this.#storeReplies(mark);
  }

  /** Like events. Once at least, so that old replies go even if no new ones come. */
  async #storeReplies(mark: Uint8Array): Promise<void> {
    let left = this.replies.unwritten;
    do {
      const count = Math.min(left, LIMITS.replySlice);
      await this.stores.replies.write(this.replies.entries(this.machineMs(), count));
      this.replies.stored(count);
      left -= count;
    } while (left > 0);
    await this.stores.replies.write([[MARK_KEY, mark]]);
  }

  /** In slices, since other work waits while one is packed; the mark comes last, when all that it stands for is there. */
  async #storeEvents(mark: Uint8Array): Promise<void> {
    for (let left = this.events.unwritten; left > 0; ) {
      const count = Math.min(left, LIMITS.eventSlice);
      await this.stores.events.write(this.events.entries(count));
      this.events.stored(count);
      left -= count;
    }
    await this.stores.events.write([[MARK_KEY, mark]]);
  }

  async #packActors(keys: ReadonlySet<string>): Promise<Entry[]> {
    const entries: Entry[] = [];
    let sliced = 0;
    for (const key of keys) {
      const resident = this.world.residents.get(key);
      if (!resident) continue;
      const { definition, state } = resident;
      entries.push([ACTOR_PREFIX + key, pack([resident.lastSequence, resident.eventSequence, definition.pack(state)])]);
      const row = definition.row(state);
      entries.push([ROW_PREFIX + key, row ? pack([row, definition.agenda?.(state) ?? null]) : null]);
      if (++sliced % LIMITS.snapshotSlice === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return entries;
  }

  #removals(prefixes: ReadonlySet<string>): Entry[] {
    const removals: Entry[] = [];
    for (const prefix of prefixes) {
      for (const kind of [ACTOR_PREFIX, ROW_PREFIX]) {
        for (const [key] of this.stores.actors.range({ start: kind + prefix, end: `${kind}${prefix}~` })) {
          if (!key.startsWith(`${kind}${prefix}company/`)) removals.push([key, null]);
        }
      }
    }
    return removals;
  }

  /** Lets go of resting actors above the bound; they are loaded again when touched. */
  #evict(): void {
    const { residents, dirty } = this.world;
    let surplus = residents.size - LIMITS.residentActors;
    for (const [key, resident] of residents) {
      if (surplus <= 0) return;
      if (dirty.has(key) || resident.kind === 'company') continue;
      residents.delete(key);
      surplus -= 1;
    }
  }
}

function markOf(world: World): Uint8Array {
  return pack(world.shards.map((shard) => [shard.sequence, shard.idCounter]));
}
