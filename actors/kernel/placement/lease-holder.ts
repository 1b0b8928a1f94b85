import { setTimeout as pause } from 'node:timers/promises';
import { ClusterView } from './cluster-view.js';
import { LEASE_TIMES, type LeaseHolderOptions, type LeaseTimes, type MonotonicClock } from './lease-options.js';
import { AskedHeartbeat, Listening, type Heartbeat, Silence } from './heartbeat.js';
import { computePlacement, type Placement } from './compute-placement.js';
import { encodeRecord, isConflict, isUnavailable, type Lease, leaseKey, type Unowned, workerKey } from './records.js';

/** Beats for which a leaving worker tries to give everything back, before it leaves that to the others. */
const LEAVE_TRIES = 10;
/** Shortest pause between two updates of the placement, so that a record that cannot be removed is not requested endlessly. */
const SOONEST_PLACEMENT_MS = 50;

/**
 * The units that one worker of a cluster owns, from its joining to its end. The worker stays alive by the beats of its own record, and
 * everything that it owns depends on that record:
 *
 *   its own clock     a beat is sent, and acknowledged later; `holdMs` after sending it the worker owns nothing, until the next one is
 *   clocks of others  a beat is seen, later than it was sent; `ttlMs` after that they remove the record, at the revision that
 *                     they have seen, and then take its units; time in which they could not receive beats does not count,
 *                     and after an outage of the store `graceMs` more
 *
 * So a lease has ended for its holder before another worker can take it, whatever the wall clocks say. A beat that was
 * delayed either comes before the removal, which then fails, or finds the record removed: a worker that was removed never
 * comes back. There is no election: each worker computes the same placement and does its own part of it.
 */
export class LeaseHolder {
  readonly #view = new ClusterView();
  readonly #times: LeaseTimes;
  readonly #clock: MonotonicClock;
  readonly #held = new Map<string, Lease>();
  /** Units that their owner is giving up. */
  readonly #giving = new Set<string>();
  /** Units that are given up, and not known to be given back. */
  readonly #givenUp = new Set<string>();
  /** Workers that are known to be gone for good. */
  readonly #gone = new Set<string>();
  readonly #ending = new AbortController();
  /** Resolves when it is over. */
  readonly ended = new Promise<void>((resolve) => this.#ending.signal.addEventListener('abort', () => resolve(), { once: true }));
  readonly #heartbeat: Heartbeat;
  readonly #listening: Listening;
  readonly #silence: Silence;
  #settledAt: number;
  #isLeaving = false;
  readonly #beats = new SerialQueue();
  readonly #moves = new SerialQueue();
  #givingUp: Promise<void> = Promise.resolve();

  /** Joins the cluster, without owning anything yet. Throws errors of the store. */
  static async join(options: LeaseHolderOptions): Promise<LeaseHolder> {
    const holder = new LeaseHolder(options);
    const sentAt = holder.#clock.now();
    holder.#heartbeat.resume(await options.records.create(workerKey(options.worker), holder.#self()), sentAt);
    holder.#silence.begins(holder.#heartbeat);
    await holder.look();
    return holder;
  }

  private constructor(private readonly options: LeaseHolderOptions) {
    this.#times = { ...LEASE_TIMES, ...options.times };
    this.#clock = options.clock ?? performance;
    this.#heartbeat =
      options.heartbeat ?? new AskedHeartbeat({ records: options.records, key: workerKey(options.worker), now: () => this.#clock.now() });
    this.#listening = new Listening(this.#clock, this.#times.beatMs);
    this.#silence = new Silence(this.#listening, this.#times);
    this.#settledAt = this.#clock.now() + this.#times.settleMs;
  }

  /** Beats that were not acknowledged, since the start. */
  get beatsMissed(): number {
    return this.#heartbeat.missed;
  }

  /** Its name in the records. */
  get worker(): string {
    return this.options.worker;
  }

  /** Whether a unit may be answered for and written at this moment: called before each reply and each flush. */
  isHeld(unit: string): boolean {
    return this.#held.has(unit) && this.isAwake;
  }

  /** Milliseconds since the last acknowledged beat was sent. */
  get beatAgeMs(): number {
    return this.#clock.now() - this.#heartbeat.sentAt;
  }

  /** Whether this worker owns anything at this moment: its last beat is fresh. */
  get isAwake(): boolean {
    return !this.isOver && this.#clock.now() < this.#heartbeat.sentAt + this.#times.holdMs;
  }

  /** It was removed by others, or has left: it never owns anything again. */
  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Its units according to the records; `isHeld` says whether it still owns them. */
  get leases(): ReadonlyMap<string, Lease> {
    return this.#held;
  }

  /** Beats, follows the records and does its part of the placement by itself from now on. */
  run(): void {
    const { beatMs } = this.#times;
    this.#guard(
      this.#every(
        () => beatMs,
        () => Promise.resolve(this.#listening.tick(beatMs)),
      ),
    );
    this.#guard(
      this.#every(
        () => beatMs,
        () => this.beat(),
      ),
    );
    this.#guard(
      this.#every(
        () => this.#untilNextPlacement(),
        () => this.place(),
      ),
    );
    this.#guard(this.#follow());
  }

  /** Writes a beat. */
  beat(): Promise<void> {
    return this.#beats.next(() => this.#beat());
  }

  /** Reads all records: once when it joins, and for callers that do not `run` it. */
  look(): Promise<void> {
    return this.#moves.next(() => this.#look());
  }

  /** Does its part of the placement: removes dead workers, gives up units that others should own, takes those that it should own itself. */
  place(): Promise<void> {
    return this.#moves.next(() => this.#place());
  }

  /**
   * Gives all units back, and leaves. Resolves when the others may have them: at once, or after their time if the store does not answer.
   */
  async leave(): Promise<void> {
    if (this.isOver) return;
    this.#isLeaving = true;
    await this.beat();
    for (let tried = 0; tried < LEAVE_TRIES && !this.isOver; tried += 1) {
      await this.place();
      await this.#givingUp;
      if (this.#held.size + this.#givenUp.size === 0) break;
      await this.#pause(this.#times.beatMs);
    }
    await this.#beats.next(async () => {
      await this.#heartbeat.stop();
      // While units are held, the record stays until its time ends: the others would take them after its removal, which this worker
      // learns later.
      if (!this.isOver && this.#held.size === 0)
        await this.options.records.delete(workerKey(this.options.worker), this.#heartbeat.revision).catch(unlessMissed);
    });
    this.stop();
  }

  /** Owns nothing from now on, and does not report it: the others find out after their time. */
  stop(): void {
    this.#held.clear();
    this.#ending.abort();
    void this.#heartbeat.stop();
  }

  async #every(periodMs: () => number, run: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      await run();
      await this.#pause(periodMs());
    }
  }

  /** With each beat, and when the time of the next silent worker is over, since its units wait for that. */
  #untilNextPlacement(): number {
    const others = [...this.#view.workers].filter(([name]) => name !== this.options.worker);
    const leftMs = others.map(([, { seenAt }]) => this.#silence.leftMs(seenAt));
    return Math.max(SOONEST_PLACEMENT_MS, Math.min(this.#times.beatMs, ...leftMs));
  }

  /** Ends early when it is over. */
  #pause(ms: number): Promise<void> {
    return (this.options.pause ?? pauseByTimer)(ms, this.#ending.signal);
  }

  async #follow(): Promise<void> {
    for await (const change of this.options.records.watch('', this.#ending.signal)) {
      const workers = this.#view.workers.size;
      if (!this.#view.see(change, this.#listening.now())) continue;
      if (this.#view.workers.size > workers) this.#settledAt = this.#clock.now() + this.#times.settleMs;
      this.#noticeLoss();
      this.#guard(this.place());
    }
  }

  /** For something that the records do not allow, or a bug: nothing may be served on it. */
  #guard(running: Promise<void>): void {
    running.catch((cause: unknown) => {
      this.options.report('error', 'The leases of this worker cannot be kept.', { cause: String(cause) });
      this.#end();
    });
  }

  async #beat(): Promise<void> {
    if (this.isOver) return;
    try {
      await this.#heartbeat.beat(this.#self());
    } catch (cause) {
      if (!isConflict(cause)) throw cause;
      return this.#findItself();
    }
    this.#silence.noticeOutage(this.#heartbeat);
  }

  /** Either a beat has arrived without its acknowledgement, or this worker was removed. */
  async #findItself(): Promise<void> {
    try {
      const found = await this.options.records.get(workerKey(this.options.worker));
      if (found === undefined) this.#end();
      else this.#heartbeat.resume(found.revision);
    } catch (cause) {
      if (!isUnavailable(cause)) throw cause;
    }
  }

  async #look(): Promise<void> {
    const entries = await this.options.records.list('');
    const known = this.#view.workers.size;
    this.#view.seeAll(entries, this.#listening.now());
    if (this.#view.workers.size > known) this.#settledAt = this.#clock.now() + this.#times.settleMs;
    this.#noticeLoss();
  }

  async #place(): Promise<void> {
    if (this.isOver || !this.isAwake) return;
    this.#silence.noticeOutage(this.#heartbeat);
    await this.#removeDead();
    await Promise.all([...this.#givenUp].map((unit) => this.#giveBack(unit)));
    if (!this.#isLeaving && this.#clock.now() < this.#settledAt) return;
    const plan = this.#plan();
    const isMine = (unit: string): boolean => plan.get(unit) === this.options.worker;
    this.#giveUp([...this.#held.keys()].filter((unit) => !isMine(unit) && !this.#giving.has(unit)));
    for (const { unit, worker } of this.#view.leases.values()) {
      // Taken, and acknowledged too late.
      if (worker === this.options.worker && !isMine(unit) && !this.#held.has(unit)) this.#givenUp.add(unit);
    }
    await this.#takeAll(this.options.units.filter((unit) => isMine(unit) && !this.#held.has(unit) && !this.#givenUp.has(unit)));
  }

  #plan(): Placement {
    const { units, worker } = this.options;
    const workers = [...this.#view.workers].filter(([, { isLeaving }]) => !isLeaving).map(([name]) => name);
    return computePlacement({ units, workers: workers.filter((name) => name !== worker || !this.#isLeaving), owners: this.#view.owners() });
  }

  /** Removes workers that sent no beat during their whole time, all of which this worker could receive. */
  async #removeDead(): Promise<void> {
    const dead = [...this.#view.workers].filter(([name, { seenAt }]) => name !== this.options.worker && this.#silence.leftMs(seenAt) <= 0);
    await Promise.all(
      dead.map(async ([name, { revision }]) => {
        try {
          await this.options.records.delete(workerKey(name), revision);
          this.#view.workers.delete(name);
          this.#gone.add(name);
          this.options.report('warn', 'A worker has died.', { worker: name });
        } catch (cause) {
          unlessMissed(cause); // it has sent a beat, or another worker was faster
        }
      }),
    );
  }

  #giveUp(units: readonly string[]): void {
    if (units.length === 0) return;
    for (const unit of units) this.#giving.add(unit);
    const given = this.options.owner
      .giveUp(units)
      .catch((cause: unknown) => {
        this.options.report('error', 'Units could not be given up in order.', { units, cause: String(cause) });
      })
      .then(async () => {
        for (const unit of units) {
          this.#giving.delete(unit);
          if (this.#held.delete(unit)) this.#givenUp.add(unit);
        }
        await this.place();
      });
    this.#givingUp = Promise.allSettled([this.#givingUp, given]).then(() => undefined);
    this.#guard(given);
  }

  async #giveBack(unit: string): Promise<void> {
    const lease = this.#view.leases.get(unit);
    if (lease?.worker === this.options.worker) await this.#write({ unit, epoch: lease.epoch, worker: null }, lease.revision);
    if (this.#view.leases.get(unit)?.worker !== this.options.worker) this.#givenUp.delete(unit);
  }

  async #takeAll(units: readonly string[]): Promise<void> {
    const taken = (await Promise.all(units.map((unit) => this.#take(unit)))).flatMap((lease) => lease ?? []);
    if (taken.length === 0 || this.isOver) return;
    for (const lease of taken) this.#held.set(lease.unit, lease);
    this.options.owner.taken(taken);
  }

  async #take(unit: string): Promise<Lease | undefined> {
    const { worker, address } = this.options;
    const known = this.#view.leases.get(unit);
    if (known?.worker === worker) return { unit, worker, address, epoch: known.epoch }; // taken, and not acknowledged
    if (known !== undefined && known.worker !== null && !(await this.#isGone(known.worker))) return undefined;
    const lease: Lease = { unit, worker, address, epoch: (known?.epoch ?? 0) + 1 };
    return (await this.#write(lease, known?.revision ?? 0)) ? lease : undefined;
  }

  /** Asks the store itself, as the view may be behind. */
  async #isGone(worker: string): Promise<boolean> {
    if (this.#gone.has(worker)) return true;
    if (this.#view.workers.has(worker)) return false;
    try {
      if ((await this.options.records.get(workerKey(worker))) !== undefined) return false;
    } catch (cause) {
      unlessMissed(cause);
      return false;
    }
    this.#gone.add(worker);
    return true;
  }

  /** False when another worker was faster, or when no answer has come: the records show it later. */
  async #write(lease: Lease | Unowned, seen: number): Promise<boolean> {
    const { records } = this.options;
    const key = leaseKey(lease.unit);
    const value = encodeRecord(lease);
    try {
      const revision = await (seen === 0 ? records.create(key, value) : records.update(key, value, seen));
      this.#view.see({ key, value, revision }, this.#listening.now());
      return true;
    } catch (cause) {
      unlessMissed(cause);
      return false;
    }
  }

  /** Loses held units that the records give to others. */
  #noticeLoss(): void {
    const { worker } = this.options;
    if (this.#heartbeat.revision > 0 && !this.#isLeaving && !this.#view.workers.has(worker)) return this.#end();
    this.#lose([...this.#held.keys()].filter((unit) => this.#view.leases.get(unit)?.worker !== worker));
  }

  #lose(units: readonly string[]): void {
    if (units.length === 0) return;
    for (const unit of units) this.#held.delete(unit);
    this.options.report('error', 'Another worker has taken units of this one.', { units });
    this.options.owner.lost(units);
  }

  #end(): void {
    const units = [...this.#held.keys()];
    this.stop();
    this.#lose(units);
  }

  #self(): Uint8Array {
    return encodeRecord({ address: this.options.address, isLeaving: this.#isLeaving });
  }
}

async function pauseByTimer(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined); // rejects at the signal alone
}

/** Another worker was faster, or no answer has come: the next look shows which. */
function unlessMissed(cause: unknown): void {
  if (!isConflict(cause) && !isUnavailable(cause)) throw cause;
}

/** Runs tasks one after the other, in the order of the calls. */
class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  next(run: () => Promise<void>): Promise<void> {
    const task = this.#last.then(run);
    this.#last = task.catch(() => undefined); // its caller gets the error
    return task;
  }
}
