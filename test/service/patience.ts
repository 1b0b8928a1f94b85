import { randomUUID } from 'node:crypto';
import type { Answer } from './service.js';
import type { Ask } from './spread-loans.js';

/** For how long a request is sent again, in milliseconds. */
const PATIENCE_MS = 120_000;
/** Between two tries. */
const REST_MS = 100;

/**
 * Asks again what is refused for now, or whose connection breaks; writes go under a key of their own, since what was refused may have been
 * carried out all the same. So a test asks a cluster on a busy machine, which loses sight of its leases for a moment now and then: what
 * the answer is counts there, not that it comes at once.
 */
export const patient =
  (ask: Ask): Ask =>
  async (method, path, body, headers = {}) => {
    const keyed = method === 'GET' || hasKey(headers) ? headers : { ...headers, 'idempotency-key': randomUUID() };
    for (const untilMs = performance.now() + PATIENCE_MS; ; ) {
      const answer = await ask(method, path, body, keyed).catch(unlessBroken);
      if (answer !== null && !isForNow(answer)) return answer;
      if (performance.now() > untilMs)
        throw new Error(`${method} ${path} was refused for ${PATIENCE_MS} ms: ${JSON.stringify(answer?.json ?? 'no connection')}`);
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }
  };

/** Of `fetch`. */
export function unlessBroken(cause: unknown): null {
  if (!(cause instanceof TypeError)) throw cause;
  return null;
}

const hasKey = (headers: Readonly<Record<string, string>>): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');

const isForNow = ({ status, json }: Answer): boolean => status === 503 || (status === 409 && json['errorType'] === 'idempotencyInProgress');
