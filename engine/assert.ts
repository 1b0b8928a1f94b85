/** A broken invariant of the program itself: never the caller's fault, never caught to go on. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** Stays on in production: a shard that meets a broken invariant stops rather than serve other money. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}

/** The value, which the program knows to exist. */
export function must<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new Bug(message);
  return value;
}

/**
 * The release that this is. Its day stands in the place of today where a check must say the same whenever it runs: whether what rules of
 * law were read from is too old, and whether one of them is about to change. Whoever makes a release sets both.
 */
export const RELEASE = { version: '0.1.0', date: '2026-11-23' } as const;
