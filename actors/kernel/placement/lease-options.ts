import { LIMITS } from '../limits.js';
import type { SharedKeyValue } from '../ports.js';
import type { Heartbeat } from './heartbeat.js';
import type { Lease } from './records.js';

/** Milliseconds since some moment, never set forward or back: `performance`. Two processes never compare theirs. */
export interface MonotonicClock {
  now(): number;
}

export interface LeaseTimes {
  /** Others may take what a worker owns after they have seen no beat of it for this long. */
  readonly ttlMs: number;
  /** A worker owns nothing once its last acknowledged beat was sent this long ago. Shorter than `ttlMs`, for clocks that run apart. */
  readonly holdMs: number;
  readonly beatMs: number;
  /** After an outage of the store the others have this much more time for their first beat. */
  readonly graceMs: number;
  /** How long to wait after a worker has come, so that others can join it, before units move. */
  readonly settleMs: number;
}

/** Serves the units. Each unit is taken, then given up or lost; it may also be lost while it is being given up. */
export interface LeaseOwner {
  /** This worker owns them from now on; serving them checks `isHeld`. */
  taken(leases: readonly Lease[]): void;
  /** Others will own them soon. Resolves when nothing more is answered or written of them; until then they are held. */
  giveUp(units: readonly string[]): Promise<void>;
  /** Others own them already: nothing that this worker does with them counts any more. */
  lost(units: readonly string[]): void;
}

export interface LeaseHolderOptions {
  readonly records: SharedKeyValue;
  /** Letters, digits and dashes; a new one with each start of a process. */
  readonly worker: string;
  /** The subject of the bus under which it is reached. */
  readonly address: string;
  /** The names of all units of the cluster. */
  readonly units: readonly string[];
  readonly owner: LeaseOwner;
  /**
   * Absent: beats are written by this thread. A heartbeat of another thread keeps a worker alive that is busy for longer than its leases
   * last.
   */
  readonly heartbeat?: Heartbeat;
  readonly clock?: MonotonicClock;
  /** Waits for so many milliseconds of the clock, or until the signal is aborted. Absent: by the timers of the process. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly times?: Partial<LeaseTimes>;
  report(level: 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** Defaults. */
export const LEASE_TIMES: LeaseTimes = {
  ttlMs: LIMITS.leaseTtlMs,
  holdMs: LIMITS.leaseHoldMs,
  beatMs: LIMITS.leaseBeatMs,
  graceMs: LIMITS.leaseGraceMs,
  settleMs: LIMITS.leaseSettleMs,
};
