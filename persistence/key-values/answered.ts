import { KeyValueConflict, KeyValueUnavailable } from '../errors.js';
import { isOvertaken } from '../jetstream/overtaken.js';

/** What the server says about a key, in the errors of the port. */
export async function answered<T>(key: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw isOvertaken(cause) ? new KeyValueConflict(key, { cause }) : new KeyValueUnavailable(cause);
  }
}
