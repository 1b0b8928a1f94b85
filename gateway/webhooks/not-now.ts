import { Refusal } from '../../actors/index.js';

/** What has to be asked for cannot be answered at the moment: nothing was done, and the same is tried again soon. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
}

/** Asks the service. Throws `NotNow` in place of its refusal to answer now. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw cause instanceof Refusal && cause.errorType === 'unavailable' ? new NotNow(cause.message, { cause }) : cause;
  }
}
