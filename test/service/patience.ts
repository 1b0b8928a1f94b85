import { randomUUID } from 'node:crypto';
import type { Answer } from './service.js';
import type { Ask } from './spread-loans.js';

/** For how long a request is sent again, in milliseconds. */
const PATIENCE_MS = 120_000;
/** Between two tries. */
const REST_MS = 100;

/**
 * Sends a request again while it is refused for now or its connection breaks. Each write has its own idempotency key, since a refused
 * write may have been carried out. For tests of a cluster on a busy machine, where leases may expire for a moment: such a test checks the
 * answer, not how soon it comes.
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
