import type { SharedKeyValue } from '../ports.js';
import type { LeaseTimes, MonotonicClock } from './lease-options.js';
import { isUnavailable } from './records.js';

/**
 * For how long this process has been able to hear others: a thread that was busy or stopped for seconds has heard nothing meanwhile,
 * however late its clock is when it goes on. Who is silent is counted by this.
 */
export class Listening {
  #missedMs = 0;
  /** When its next turn is due. */
  #dueAt = Infinity;

  /** Turns may be late by `lateMs`, which still counts as listened. */
  constructor(
    private readonly clock: MonotonicClock,
    private readonly lateMs: number,
  ) {}

  /** Milliseconds since some moment, without those in which nothing was heard. */
  now(): number {
    return this.clock.now() - this.#missedMs - this.#missing();
  }

  /** This process has its turn, and the next one in `periodMs`. */
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

/** For how long others have been silent, as far as it counts: not while this worker could not hear them, nor shortly after an outage. */
export class Silence {
  /** As this worker has listened: ahead of its clock after an outage. */
  #countsFrom: number;
  /** The newest beat of its own that it knows to be acknowledged, and how many were not by then. */
  #lastBeat = { sentAt: -Infinity, missed: 0 };

  constructor(
    private readonly listening: Listening,
    private readonly times: Pick<LeaseTimes, 'ttlMs' | 'holdMs' | 'graceMs'>,
  ) {
    this.#countsFrom = listening.now();
  }

  /** Milliseconds until a worker is dead of which a beat was seen last at a moment of `listening`; 0 and below: it is. */
  leftMs(seenAt: number): number {
    return Math.max(seenAt, this.#countsFrom) + this.times.ttlMs - this.listening.now();
  }

  /** The worker has just joined: its first beat is no outage. */
  begins({ sentAt, missed }: Acknowledged): void {
    this.#lastBeat = { sentAt, missed };
  }

  /**
   * Where two acknowledged beats are further apart than a lease lasts, this worker has heard nobody either. Beats come from a thread of
   * their own, so that each look compares with the last one. Beats that were sent and not acknowledged say that the store was away: for
   * all, and not all are back at the same moment.
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
 * Writes the record of one worker anew, so that its revision says that the worker lives. Its beats are counted by the clock of the worker:
 * milliseconds since some moment, never set back.
 */
export interface Heartbeat {
  /** When the newest beat that was acknowledged was sent; -Infinity before the first. */
  readonly sentAt: number;
  /** The newest revision that is known to stand there. */
  readonly revision: number;
  /** Beats that were not acknowledged, since the start. */
  readonly missed: number;
  /**
   * The worker itself says that it lives, with this record. Resolves also when no answer of the store has come: that is counted. Throws the
   * store's conflict when the record is not what was written last, and beats no more until it is told from where to go on.
   */
  beat(record: Uint8Array): Promise<void>;
  /** Goes on from a revision that stands there, written at `sentAt` when this worker wrote it. */
  resume(revision: number, sentAt?: number): void;
  /** Beats no more. Resolves when none is under way. */
  stop(): Promise<void>;
}

export interface HeartbeatOptions {
  readonly records: Pick<SharedKeyValue, 'update'>;
  /** Of the worker's record. */
  readonly key: string;
  readonly now: () => number;
}

/** Beats when it is asked to, and never else. */
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
