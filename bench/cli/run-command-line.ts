import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { Refusal } from '../../actors/index.js';
import { isSystemError, PathUnusable, PlaceMissing } from '../../persistence/index.js';
import { type Door, EXIT } from '../house.js';
import { addCommands } from './commands/add-commands.js';
import { UsageError } from './usage-error.js';

/** Carries a command line out, and answers the exit code; what goes wrong is shown on standard error in its own words. */
export async function runCommandLine(door: Door, words: readonly string[]): Promise<number> {
  const program = new Command('tenor').description('Loan servicing engine').version(version()).showHelpAfterError().exitOverride();
  addCommands(program, door);
  process.exitCode = EXIT.done;
  try {
    await program.parseAsync(words, { from: 'user' });
    return process.exitCode;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? EXIT.done : EXIT.usage; // it has said what is wrong, or helped
    const shown =
      isSystemError(cause) && cause.path !== undefined ? new PathUnusable('a file that the command needs', cause.path, cause) : cause;
    process.stderr.write(`${shown instanceof Error ? shown.message : String(shown)}\n`);
    return isWrongUsage(shown) ? EXIT.usage : EXIT.finding;
  }
}

/** What was named is not there, cannot be used, or is no request. */
const isWrongUsage = (cause: unknown): boolean =>
  [UsageError, PathUnusable, PlaceMissing].some((kind) => cause instanceof kind) || (cause instanceof Refusal && cause.statusCode < 500);

/** The release that this is, as the package beside the compiled sources names it. */
function version(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
