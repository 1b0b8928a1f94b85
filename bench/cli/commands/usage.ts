import { UsageError } from '../usage-error.js';

/** Runs a command; an error of one of these kinds says that it should have been asked in another way. */
export async function usageOf(kinds: readonly (abstract new (...parameters: never[]) => Error)[], run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    if (!(cause instanceof Error) || !kinds.some((kind) => cause instanceof kind)) throw cause;
    throw new UsageError(cause.message, { cause });
  }
}
