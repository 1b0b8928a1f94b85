/** What a process meets that was killed or lost its power: nobody is left to see it. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

export function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${path}`), { code });
}

/** Whether an error is, or was caused by, the end of the process. */
export function isProcessEnded(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.some(isProcessEnded);
  return cause instanceof ProcessEnded || (cause instanceof Error && isProcessEnded(cause.cause));
}
