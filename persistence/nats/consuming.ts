import { limits } from '../limits.js';

/**
 * What a consumer of JetStream begins with: the server forgets one that nobody asks any more. A reader that follows asks all the time;
 * after a longer outage a new one goes on.
 */
export const CONSUMER = { inactive_threshold: limits.consumerIdleMs } as const;

/** How consumers of JetStream ask: so that they are back within seconds of an outage. */
export const CONSUMING = { expires: limits.consumerRequestMs, idle_heartbeat: limits.consumerHeartbeatMs } as const;
