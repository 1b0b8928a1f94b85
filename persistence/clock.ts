import type { Clock } from './ports.js';

/** The machine's clock. Business time never comes from it: that is data (`DayClosed`). */
export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
