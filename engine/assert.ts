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
 * Version and date of this release; set both when you make one. Checks that must give the same result on every day use the date as today:
 * whether the sources of legal rules are too old, and whether a rule is about to change.
 */
export const RELEASE = { version: '0.1.0', date: '2026-11-27' } as const;
