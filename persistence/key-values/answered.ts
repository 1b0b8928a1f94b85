import { KeyValueConflict, KeyValueUnavailable } from '../errors.js';
import { limits } from '../limits.js';
import { isOvertaken } from '../jetstream/overtaken.js';

/** What the server says about a key, in the errors of the port. */
export async function answered<T>(key: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw isOvertaken(cause) ? new KeyValueConflict(key, { cause }) : new KeyValueUnavailable(cause);
  }
}

/**
 * For a start, which beside others on a busy machine meets a server that answers late: asks again some times. What is asked does no harm
 * twice.
 */
export async function insistently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (cause) {
      if (!(cause instanceof KeyValueUnavailable) || tried >= limits.startTries) throw cause;
    }
  }
}
