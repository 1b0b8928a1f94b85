import type { Refusal } from '../../errors.js';
import { LIMITS } from '../limits.js';

/** A read that waits longer than the limit is answered with `late`, a 503. */
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
