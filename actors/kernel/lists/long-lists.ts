import type { ListResult } from '../../wire.js';
import type { QueryEnv } from '../actor.js';
import { tenantKey } from '../fact.js';
import { unavailable } from '../journal/committer.js';
import { LIMITS } from '../limits.js';
import { takesLong } from './sliced-page.js';

/** The lists of a tenant that hold all their rows while they are read: how many are read, and what the others wait for. */
interface Reading {
  count: number;
  readonly waiting: (() => void)[];
}

const readings = new Map<string, Reading>();

/**
 * Reads a list that may open all actors of a kind. Of such lists of a tenant with many of them few are read at a time, since each holds the
 * rows that it has to look at; the next ones wait, and beyond a limit they are refused with 503.
 */
export async function longList(env: QueryEnv, kind: string, read: () => Promise<ListResult>): Promise<ListResult> {
  if (!takesLong(env.listAll(kind, { limit: 1 }).total)) return read();
  const key = tenantKey(env.tenant);
  const reading = readings.get(key) ?? { count: 0, waiting: [] };
  readings.set(key, reading);
  if (reading.count < LIMITS.longLists) reading.count += 1;
  else {
    if (reading.waiting.length >= LIMITS.waitingLists) throw unavailable('Too many long lists are being read. Try again in a second.');
    await new Promise<void>((resolve) => reading.waiting.push(resolve));
  }
  try {
    return await read();
  } finally {
    const next = reading.waiting.shift();
    if (next) next();
    else if ((reading.count -= 1) === 0) readings.delete(key);
  }
}
