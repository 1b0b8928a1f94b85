import { setImmediate as otherWork } from 'node:timers/promises';

/** Milliseconds after which other work runs. */
const BUSY_MS = 5;

/** Takes the steps of a long computation in short time slices, between which other work runs. */
export async function inSteps<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  let until = performance.now() + BUSY_MS;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await otherWork();
    until = performance.now() + BUSY_MS;
  }
}
