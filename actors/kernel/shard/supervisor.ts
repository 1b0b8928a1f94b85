import { traceOf } from '../../errors.js';
import { type Ending, endingOf, isLost } from './ending.js';
import type { CommandRequest } from '../actor.js';
import { unavailable } from '../journal/committer.js';
import { Core, type CoreListener } from './core.js';
import type { EngineParts } from './engine.js';
import type { EngineState } from './engine-status.js';
import { type Executed, MemoryAhead } from './execution.js';
import type { Tenant } from '../fact.js';
import { LIMITS } from '../limits.js';
import { environmentOf } from '../ports.js';
import type { Pace } from '../snapshots/snapshotter.js';

/** What the engine learns of its core. */
export interface SupervisorListener {
  /** Memory has been reloaded: listeners of any part of it have to listen to the new one. */
  reloaded(): void;
  /** Facts of the shared shard have come from its owner. */
  readonly sharedAdvanced: (tenants: readonly Tenant[]) => void;
}

/**
 * Keeps a core that can be trusted. After a bug, a failed flush or a damaged snapshot memory is computed again from the durable records;
 * until then nothing is written, and while memory lacks data that it needs, nothing is read either.
 */
export class Supervisor {
  #state: 'serving' | 'readOnly' | 'over' | 'closed' = 'serving';
  /** Why it serves nothing any more, though it is not closed. */
  #ending: Ending | null = null;
  /** Memory being computed again after a bug or a failed flush. */
  #mending: Promise<void> | null = null;
  /** The snapshots lack data that memory needs: not even reads are answered. */
  #isRebuilding = false;
  /** Types and targets of commands that failed after their first fact; the newest. */
  readonly #failedLate = new Set<string>();
  #core: Core;
  readonly #snapshotTimer: NodeJS.Timeout;

  static async open(parts: EngineParts, listener: SupervisorListener): Promise<Supervisor> {
    let supervisor: Supervisor | null = null;
    const core = await Core.open(
      parts,
      Supervisor.#listenerOf(() => supervisor, listener),
    );
    supervisor = new Supervisor(parts, listener, core);
    core.logRecovery();
    return supervisor;
  }

  static #listenerOf(supervisor: () => Supervisor | null, { sharedAdvanced }: SupervisorListener): CoreListener {
    return {
      flushFailed: (cause) => supervisor()?.flushFailed(cause),
      rebuilding: () => {
        const opened = supervisor();
        if (opened) opened.#isRebuilding = true;
      },
      indexFailed: (cause) => supervisor()?.bug(cause, 'reading the list index'),
      sharedAdvanced,
    };
  }

  private constructor(
    private readonly parts: EngineParts,
    private readonly listener: SupervisorListener,
    core: Core,
  ) {
    this.#core = core;
    this.#snapshotTimer = setInterval(() => void this.#storeSnapshot('inPassing'), LIMITS.snapshotLookMs).unref();
  }

  get core(): Core {
    return this.#core;
  }

  get isWritable(): boolean {
    return this.#state === 'serving';
  }

  get state(): EngineState {
    return this.#isRebuilding ? 'rebuilding' : this.#state;
  }

  /** Why nothing is served any more: a later owner does, or the journal needs the operator. Null while it may recover by itself. */
  get ending(): Ending | null {
    return this.#ending;
  }

  assertReadable(): void {
    if (this.#state === 'closed') throw unavailable('The service is shutting down. Try again in a second.');
    if (this.#ending) throw unavailable(this.#ending.forCallers);
    if (this.#isRebuilding) throw unavailable('A part of the data is being rebuilt. Try again in a few seconds.');
  }

  assertWritable(): void {
    this.assertReadable();
    if (this.#state === 'readOnly') throw unavailable('The journal cannot be written at the moment. Reads go on.');
    this.#core.assertRoom();
  }

  /** Starts a rebuild when a read has met a damaged record of the snapshots. */
  assertWhole(cause: unknown): void {
    if (environmentOf(cause) === null) return;
    if (this.#state === 'serving') this.bug(cause, 'reading the snapshots');
    throw unavailable('A part of the data is being rebuilt. Try again in a few seconds.');
  }

  /**
   * A bug in a command fails only its caller. Memory is computed again only if it has changed: facts were applied that no batch carries.
   * From then on such commands, and all on that actor, are simulated on a copy first: sending the same request again and again cannot stop
   * the service.
   */
  guarded({ type, target }: CommandRequest, run: (isSimulatedFirst: boolean) => Executed): Executed {
    try {
      return run(this.#failedLate.has(type) || (target !== null && this.#failedLate.has(target)));
    } catch (cause) {
      if (!(cause instanceof MemoryAhead)) throw cause;
      for (const name of target === null ? [type] : [type, target]) this.#failedLate.add(name);
      for (const oldest of this.#failedLate) if (this.#failedLate.size > LIMITS.failedLate) this.#failedLate.delete(oldest);
      this.bug(cause.cause, `a command (${type})`);
      throw cause.cause;
    }
  }

  bug(cause: unknown, where: string): void {
    this.parts.report('error', `A bug in ${where}: memory is computed again from the journal.`, { cause: traceOf(cause) });
    if (this.#state === 'serving') this.#mending = this.#reload(cause);
  }

  /** Resolves when the list index is in memory, also after a reload of the core. */
  async listed(): Promise<void> {
    while (!this.#core.index.isFinished && this.#state !== 'closed') {
      const { index } = this.#core;
      await index.finished.catch(() => undefined);
      if (!index.isFinished) await new Promise((resolve) => setTimeout(resolve, LIMITS.roomRetryMs));
    }
  }

  /**
   * Takes nothing more, waits for `finish` to end the running work, stores a last snapshot and closes the journal; only once, however often
   * it is called.
   */
  async close(finish: () => Promise<void>): Promise<void> {
    if (this.#state === 'closed') return;
    const wasServing = this.#state === 'serving';
    this.#state = 'closed';
    clearInterval(this.#snapshotTimer);
    this.#core.index.stop(); // daily work may be waiting for it
    await finish();
    await this.#mending; // a core that is being reloaded is closed like any other
    this.#core.index.stop();
    if (wasServing) await this.#storeSnapshot('atOnce');
    await this.#core.retire();
    await Promise.all([this.#core.journal.close(), this.parts.part?.endPublishing()]);
    await this.parts.stores.close();
    await this.parts.keys.close();
  }

  async #reload(cause: unknown): Promise<void> {
    this.#state = 'readOnly';
    const retired = this.#core.retire();
    try {
      await this.#core.committer.settled();
    } catch (failed) {
      this.parts.report('warn', 'A flush failed meanwhile.', { cause: String(failed) });
      return; // the failed flush opens the journal again
    }
    await retired;
    await Core.rebuild(this.parts.stores, environmentOf(cause), this.#listener());
    await this.#reopen();
  }

  /** After a failed flush: what is not durable is dropped, and the journal is opened again until it can be written. */
  private flushFailed(cause: unknown): void {
    this.#core.replies.endAll();
    if (this.#state === 'closed') return;
    this.#ending = endingOf(cause);
    this.#state = this.#ending ? 'over' : 'readOnly';
    const message = this.#ending?.forOperator ?? 'A flush of the journal failed. What was not durable is dropped; reads go on.';
    this.parts.report('error', message, { cause: String(cause) });
    if (!this.#ending) this.#mending = this.#reopen();
  }

  async #reopen(): Promise<void> {
    while (this.#state === 'readOnly') {
      try {
        await this.#core.retire();
        await this.#core.journal.close();
        this.#core = await Core.open(this.parts, this.#listener(), this.#core.journal.heads());
        this.#isRebuilding = false;
        this.#core.logRecovery();
        if (this.#state === 'readOnly') this.#state = 'serving';
        this.listener.reloaded();
      } catch (cause) {
        if (isLost(cause)) return this.flushFailed(cause);
        this.parts.report('error', 'The journal cannot be opened yet.', { cause: String(cause) });
        await new Promise((resolve) => setTimeout(resolve, LIMITS.reopenEveryMs));
      }
    }
  }

  #listener(): CoreListener {
    return Supervisor.#listenerOf(() => this, this.listener);
  }

  async #storeSnapshot(pace: Pace): Promise<void> {
    if (pace === 'inPassing' && (this.#state !== 'serving' || !this.#core.snapshotter.isDue)) return;
    await this.#core.snapshotter
      .take(pace)
      .catch((cause: unknown) =>
        this.parts.report('error', 'A snapshot could not be stored; the journal holds everything.', { cause: String(cause) }),
      );
  }
}
