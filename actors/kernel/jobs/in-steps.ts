import { setImmediate as othersTurn } from 'node:timers/promises';

/** Milliseconds of one turn. */
const TURN_MS = 5;

/** Takes the steps of a long computation in short turns, between which other work runs. */
export async function inSteps<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  let until = performance.now() + TURN_MS;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await othersTurn();
    until = performance.now() + TURN_MS;
  }
}
