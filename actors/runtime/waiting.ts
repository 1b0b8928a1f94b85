import { Refusal } from '../errors.js';
import { LIMITS } from './limits.js';

/** What was recorded becomes durable, or did not happen. */
export async function durably(durable: Promise<void>): Promise<void> {
  try {
    await durable;
  } catch (cause) {
    throw new Refusal('unavailable', 'The change could not be stored and did not happen.', { retryAfterSeconds: 1, cause });
  }
}

/** A read that waits longer than the bound is answered `late`, a 503, instead. */
export async function withinReadWait(awaited: Promise<void>, late: Refusal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late), LIMITS.readWaitMs);
  });
  try {
    await Promise.race([awaited, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
