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
