import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { describe, NatsAway } from '../errors.js';
import { limits } from '../limits.js';

/** A connection that comes back by itself as often as it is lost. `name` shows in the server's list. Throws `NatsAway`. */
export async function connectNats(url: string, name: string): Promise<NatsConnection> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await connect({
        servers: url,
        name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: limits.natsReconnectMs,
        timeout: limits.natsGreetingMs,
        pingInterval: limits.natsPingMs,
        maxPingOut: 2,
      });
    } catch (cause) {
      // A server on a busy machine greets late; one that is not there is reported at once.
      if (!(cause instanceof errors.TimeoutError) || tried >= limits.natsGreetings) throw new NatsAway(url, describe(cause), { cause });
    }
  }
}
