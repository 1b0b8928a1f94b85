import { setFlagsFromString } from 'node:v8';
import { setImmediate as nextRound } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects garbage. What only weak references hold is then gone, unless it was used in this round of the event loop. */
export async function collectGarbage(): Promise<void> {
  await nextRound();
  collect();
  await nextRound();
}
