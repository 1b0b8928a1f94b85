/** The command line, or what was asked with it, is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
