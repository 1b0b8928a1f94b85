import { LIMITS } from '../limits.js';
import type { SharedKeyValue } from '../ports.js';
import type { Heartbeat } from './heartbeat.js';
import type { Lease } from './records.js';

/** Milliseconds since some moment, never set back nor ahead: `performance`. Two processes never compare theirs. */
export interface MonotonicClock {
  now(): number;
}

export interface LeaseTimes {
  /** Others may take what a worker owns after they have seen no beat of it for so long. */
  readonly ttlMs: number;
  /** A worker owns nothing once its last acknowledged beat was sent so long ago. Shorter: what remains is for clocks that run apart. */
  readonly holdMs: number;
  readonly beatMs: number;
  /** After an outage of the store the others have so much more time for their first beat. */
  readonly graceMs: number;
  /** How long a worker that has come is waited for to be joined by others, before units move. */
  readonly settleMs: number;
}

/** Who serves the units. Each is taken, then given up or lost; it may be lost also while it is being given up. */
export interface LeaseOwner {
  /** They belong to this worker from now on; what is served of them asks `isHeld`. */
  taken(leases: readonly Lease[]): void;
  /** They belong to others soon. Resolves when nothing more is answered or written of them; until then they are held. */
  giveUp(units: readonly string[]): Promise<void>;
  /** They belong to others already: nothing of them counts any more. */
  lost(units: readonly string[]): void;
}

export interface LeaseHolderOptions {
  readonly records: SharedKeyValue;
  /** Letters, digits and dashes; another one with each start of a process. */
  readonly worker: string;
  /** The subject of the bus under which it is reached. */
  readonly address: string;
  /** The names of all units of the cluster. */
  readonly units: readonly string[];
  readonly owner: LeaseOwner;
  /**
   * Absent: it beats when this worker has its turn. One that beats beside it keeps a worker alive that is busy for longer than its leases
   * last.
   */
  readonly heartbeat?: Heartbeat;
  readonly clock?: MonotonicClock;
  /** Waits for so many milliseconds of the clock, at most until the signal is aborted. Absent: by the timers of the process. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly times?: Partial<LeaseTimes>;
  report(level: 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** What holds where the options say nothing. */
export const LEASE_TIMES: LeaseTimes = {
  ttlMs: LIMITS.leaseTtlMs,
  holdMs: LIMITS.leaseHoldMs,
  beatMs: LIMITS.leaseBeatMs,
  graceMs: LIMITS.leaseGraceMs,
  settleMs: LIMITS.leaseSettleMs,
};
