import type { SharedKeyValue } from '../ports.js';
import type { LeaseTimes, MonotonicClock } from './lease-options.js';
import { isUnavailable } from './records.js';

/**
 * For how long this process has been able to receive beats of others. A thread that was busy or stopped for seconds has received none
 * meanwhile, however late its clock is when it goes on. The silence of other workers is measured by this time.
 */
export class Listening {
  #missedMs = 0;
  /** When `tick` is due next. */
  #dueAt = Infinity;

  /** Ticks may be late by `lateMs` and still count as on time. */
  constructor(
    private readonly clock: MonotonicClock,
    private readonly lateMs: number,
  ) {}

  /** Milliseconds since some moment, without the time in which nothing could be received. */
  now(): number {
    return this.clock.now() - this.#missedMs - this.#missing();
  }

  /** Called regularly by this process; the next call is due in `periodMs`. */
  tick(periodMs: number): void {
    this.#missedMs += this.#missing();
    this.#dueAt = this.clock.now() + periodMs;
  }

  #missing(): number {
    return Math.max(0, this.clock.now() - this.#dueAt - this.lateMs);
  }
}

/** The newest beat of this worker that was acknowledged, and how many were not. */
interface Acknowledged {
  readonly sentAt: number;
  readonly missed: number;
}

/** How long others have been silent, as far as it counts: not while this worker could not receive beats, nor shortly after an outage. */
export class Silence {
  /** By the time of `listening`; later than now after an outage. */
  #countsFrom: number;
  /** The newest acknowledged beat of this worker, and how many beats were not acknowledged by then. */
  #lastBeat = { sentAt: -Infinity, missed: 0 };

  constructor(
    private readonly listening: Listening,
    private readonly times: Pick<LeaseTimes, 'ttlMs' | 'holdMs' | 'graceMs'>,
  ) {
    this.#countsFrom = listening.now();
  }

  /** Milliseconds until a worker counts as dead whose last beat was seen at `seenAt`; 0 and below: it is dead. */
  leftMs(seenAt: number): number {
    return Math.max(seenAt, this.#countsFrom) + this.times.ttlMs - this.listening.now();
  }

  /** The worker has just joined: its first beat is no outage. */
  begins({ sentAt, missed }: Acknowledged): void {
    this.#lastBeat = { sentAt, missed };
  }

  /**
   * If two acknowledged beats are further apart than a lease lasts, this worker could not receive beats of others either. Beats come from a
   * thread of their own, so that each call compares with the one before. Beats that were sent and not acknowledged mean that the store was
   * away for all workers, and not all of them are back at the same moment.
   */
  noticeOutage({ sentAt, missed }: Acknowledged): void {
    const before = this.#lastBeat;
    if (sentAt === before.sentAt) return;
    if (sentAt - before.sentAt > this.times.holdMs)
      this.#countsFrom = this.listening.now() + (missed > before.missed ? this.times.graceMs : 0);
    this.#lastBeat = { sentAt, missed };
  }
}

/**
 * Writes the record of one worker again and again; its revision shows that the worker is alive. Beats are counted by the clock of the
 * worker: milliseconds since some moment, never set back.
 */
export interface Heartbeat {
  /** When the newest acknowledged beat was sent; -Infinity before the first. */
  readonly sentAt: number;
  /** The newest revision of the record that is known. */
  readonly revision: number;
  /** Beats that were not acknowledged, since the start. */
  readonly missed: number;
  /**
   * Writes the record once. Also resolves when the store does not answer: that is counted. Throws the store's conflict when the record is
   * not what was written last, and then beats no more until `resume` is called.
   */
  beat(record: Uint8Array): Promise<void>;
  /** Continues from a known revision, written at `sentAt` if this worker wrote it. */
  resume(revision: number, sentAt?: number): void;
  /** Stops. Resolves when no beat is being written. */
  stop(): Promise<void>;
}

export interface HeartbeatOptions {
  readonly records: Pick<SharedKeyValue, 'update'>;
  /** The key of the worker's record. */
  readonly key: string;
  readonly now: () => number;
}

/** Beats only when `beat` is called. */
export class AskedHeartbeat implements Heartbeat {
  #sentAt = -Infinity;
  #revision = 0;
  #missed = 0;

  constructor(private readonly options: HeartbeatOptions) {}

  get sentAt(): number {
    return this.#sentAt;
  }

  get revision(): number {
    return this.#revision;
  }

  get missed(): number {
    return this.#missed;
  }

  resume(revision: number, sentAt = this.#sentAt): void {
    this.#revision = revision;
    this.#sentAt = sentAt;
  }

  async beat(record: Uint8Array): Promise<void> {
    const { records, key, now } = this.options;
    const sentAt = now();
    try {
      this.resume(await records.update(key, record, this.#revision), sentAt);
    } catch (cause) {
      if (!isUnavailable(cause)) throw cause;
      this.#missed += 1;
    }
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
