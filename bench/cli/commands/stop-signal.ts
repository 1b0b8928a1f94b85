/** What commands say that serve until they are stopped. */
export const SERVING_EXITS = 'Exit codes: 0 it was asked to end and has ended in order, 1 it could not start or go on, 2 wrong usage.';

/** Resolves when the operator, or whatever supervises the process, asks it to end. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
