import type { LeaseTimes } from './lease-options.js';
import type { Listening } from './listening.js';

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
