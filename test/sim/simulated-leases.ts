import type { Network } from './network.js';
import type { SimProcess, VirtualTime } from './virtual-time.js';

/** What others wait after a renewal has arrived before they take over, in milliseconds. */
const TTL_MS = 2_000;
/** For how long a holder believes in its lease after it has sent a renewal: less. */
const HOLD_MS = 1_500;
const PATIENCE_MS = 700;

/** Who owns what: records on a server that never forgets, reached over a network that does. */
export class SimulatedLeases {
  readonly #leases = new Map<string, { readonly owner: string; readonly until: number }>();

  constructor(readonly time: VirtualTime, readonly network: Network) {}

  /** Takes or renews it, if nobody else has it. */
  take(unit: string, owner: string): boolean {
    const lease = this.#leases.get(unit);
    if (lease !== undefined && lease.owner !== owner && lease.until > this.time.now) return false;
    this.#leases.set(unit, { owner, until: this.time.now + TTL_MS });
    return true;
  }
}

/** What one process knows of its leases, by its own monotonic clock. */
export class LeaseHolder {
  readonly #deadlines = new Map<string, number>();

  constructor(private readonly leases: SimulatedLeases, private readonly process: SimProcess) {}

  holds(unit: string): boolean {
    return this.leases.time.now < (this.#deadlines.get(unit) ?? 0);
  }

  /** Whether it is this process's now; null when no answer came. */
  take(unit: string): Promise<boolean | null> {
    const { time, network } = this.leases;
    const deadline = time.now + HOLD_MS;
    return new Promise((resolve) => {
      time.after(PATIENCE_MS, () => resolve(null), this.process);
      network.send(null, () => {
        const isTaken = this.leases.take(unit, this.process.name);
        network.send(this.process, () => {
          if (isTaken) this.#deadlines.set(unit, Math.max(deadline, this.#deadlines.get(unit) ?? 0));
          resolve(isTaken);
        });
      });
    });
  }
}
