import { limits } from '../limits.js';

/** How consumers of JetStream ask: so that they are back within seconds of an outage. */
export const CONSUMING = { expires: limits.consumerRequestMs, idle_heartbeat: limits.consumerHeartbeatMs } as const;
