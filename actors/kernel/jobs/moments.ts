import type { Tenant } from '../fact.js';
import type { SharedEngine } from './service-calls.js';

/** On the machine's clock and on the company's, in milliseconds. A test clock stands still, and then moves by days at once. */
export interface Moment {
  readonly machineMs: number;
  readonly companyMs: number;
}

export const momentOf = (engine: Pick<SharedEngine, 'machineMs' | 'now'>, tenant: Tenant): Moment => ({
  machineMs: engine.machineMs(),
  companyMs: engine.now(tenant),
});

/** Whether so many milliseconds lie between two moments on one of the clocks: in live mode they are the same. */
export const isApart = (earlier: Moment, later: Moment, milliseconds: number): boolean =>
  later.machineMs - earlier.machineMs >= milliseconds || later.companyMs - earlier.companyMs >= milliseconds;
