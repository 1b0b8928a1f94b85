import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../limits.js';

/**
 * Makes what is missing on the server of streams. Members of a cluster that start together all do so at once: the server refuses those that
 * come while it is being made ("subjects overlap with an existing stream"). A refused one looks again, a bounded number of times.
 */
export async function makeMissing<Made>(make: () => Promise<Made>): Promise<Made> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await make();
    } catch (cause) {
      if (!(cause instanceof JetStreamApiError) || tried >= limits.makingTries) throw cause;
    }
    await pause(limits.makingAgainMs);
  }
}

/** The settings of a stream, which is made where it is missing. `add` is called where the server knows no stream of the name. */
export async function streamMade(manager: JetStreamManager, name: string, add: () => Promise<unknown>): Promise<StreamConfig> {
  return makeMissing(async () => {
    const known = await configOf(manager, name);
    if (known) return known;
    await add();
    return (await manager.streams.info(name)).config;
  });
}

async function configOf(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (cause) {
    if (cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw cause;
  }
}
