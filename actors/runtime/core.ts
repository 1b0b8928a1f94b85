import type { ActorDefinition } from './actor.js';
import { Committer } from './committer.js';
import type { EngineParts } from './engine.js';
import { EventLog } from './event-log.js';
import type { Tenant } from './fact.js';
import { Ids } from './ids.js';
import { locate } from './locate.js';
import type { Operations } from './operations.js';
import type { Journal } from './ports.js';
import { recover, type RecoveryReport } from './recovery.js';
import { Replies } from './replies.js';
import type { Runtime } from './runtime.js';
import { Scope } from './scope.js';
import { recordShared } from './shared-facts.js';
import { Snapshotter } from './snapshotter.js';
import type { Work } from './work.js';
import { World } from './world.js';

/**
 * All that is computed from the journal, and the journal itself: made at start, and made anew when what is in
 * memory can no longer be trusted.
 */
export class Core {
  readonly world: World;
  readonly events: EventLog;
  readonly replies: Replies;
  readonly committer: Committer;
  readonly snapshotter: Snapshotter;
  readonly recovery: RecoveryReport;

  static async open(parts: EngineParts, onFailure: (cause: unknown) => void): Promise<Core> {
    const core = new Core(parts, await parts.openJournal(), onFailure);
    for (const person of core.recovery.erased) await parts.keys.destroy(person);
    return core;
  }

  private constructor(private readonly parts: EngineParts, readonly journal: Journal, onFailure: (cause: unknown) => void) {
    const { stores, keys, clock, modules } = parts;
    const definitions = new Map<string, ActorDefinition<unknown>>(modules.map(({ definition }) => [definition.kind, definition as never]));
    this.world = new World(definitions, stores.actors, new Ids(parts.idKey));
    this.events = new EventLog(stores.events, this.world.ids);
    this.replies = new Replies(stores.replies);
    this.committer = new Committer(journal, keys, onFailure);
    this.snapshotter = new Snapshotter(this.world, stores, this.events, this.replies, () => this.committer.settled(), () => clock.now());
    this.recovery = recover(this.world, journal, stores, this.events, this.replies, (tenant, shard) => this.scope(tenant, shard));
  }

  /** The time of a tenant in milliseconds. */
  now(tenant: Tenant): number {
    return this.world.calendars.now(tenant, this.parts.clock.now());
  }

  scope(tenant: Tenant, shard: number): Scope {
    return new Scope(this.world, this.parts.keys, tenant, shard, this.now(tenant), () => undefined);
  }

  /** What running commands and queries need of the engine. */
  runtime(operations: Operations): Runtime {
    const runtime: Runtime = {
      world: this.world,
      keys: this.parts.keys,
      machineMs: () => this.parts.clock.now(),
      replies: this.replies,
      operations,
      locate: (tenant, kind, target) => locate(this.world, tenant, kind, target),
      recordShared: (tenant, type, body) => recordShared(runtime, tenant, type, body),
      commit: (shard, work) => this.committer.add(shard, work.firstSequence, work.records, () => this.#whenDurable(work)),
      newestTicket: () => this.committer.newest(),
      commitRecords: (shard, firstSequence, records) => this.committer.add(shard, firstSequence, records),
    };
    return runtime;
  }

  get hasUnstored(): boolean {
    return this.world.dirty.size > 0 || this.events.unwritten > 0 || this.replies.unwritten > 0;
  }

  #whenDurable(work: Work): void {
    this.events.publish(work.events);
    if (work.reply) this.replies.keep(work.reply);
  }
}
