import { connect, type NatsConnection } from '@nats-io/transport-node';
import { describe, NatsAway } from '../errors.js';
import { limits } from '../limits.js';

/** A connection that comes back by itself as often as it is lost. `name` shows in the server's list. Throws `NatsAway`. */
export async function connectNats(url: string, name: string): Promise<NatsConnection> {
  try {
    return await connect({
      servers: url,
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: limits.natsReconnectMs,
      pingInterval: limits.natsPingMs,
      maxPingOut: 2,
    });
  } catch (cause) {
    throw new NatsAway(url, describe(cause), { cause });
  }
}
