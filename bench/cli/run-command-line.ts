import { textIn, must } from '../../engine/index.js';
import { Command, CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { type Blobs, Refusal } from '../../actors/index.js';
import {
  BucketBlobs,
  bucketLocation,
  FolderBlobs,
  isSystemError,
  type OpenReport,
  PathUnusable,
  LocationMissing,
  troubleWithoutPath,
} from '../../persistence/index.js';
import type { Access } from '../access.js';
import { connectionFault } from './connection-faults.js';
import { EXIT } from './exit-codes.js';
import { addCommands } from './commands/add-commands.js';
import { UsageError } from './lookups.js';
import type { Settings } from './settings.js';

/** Runs a command line and returns its exit code. Faults are printed on standard error. */
export async function runCommandLine(access: Access, parameters: readonly string[]): Promise<number> {
  const program = new Command('tenor').description('Loan servicing engine').version(version()).showHelpAfterError().exitOverride();
  addCommands(program, access);
  process.exitCode = EXIT.done;
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return process.exitCode;
  } catch (cause) {
    // The parser has printed the fault or the help.
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? EXIT.done : EXIT.usage;
    const shown = readable(cause);
    process.stderr.write(`${shown instanceof Error ? shown.message : String(shown)}\n`);
    return isWrongUsage(shown) ? EXIT.usage : EXIT.finding;
  }
}

/** An error of the system, which has codes for programs, as a sentence for the user. */
function readable(cause: unknown): unknown {
  if (!isSystemError(cause)) return cause;
  if (cause.path !== undefined) return new PathUnusable('a file that the command needs', cause.path, cause);
  const code = cause.code ?? '';
  const fault = connectionFault(cause);
  const sentence = troubleWithoutPath(code) ?? (fault === null ? null : `The connection cannot be used: ${fault}. Check the address.`);
  return sentence === null ? cause : new Error(sentence, { cause });
}

/** What the command line names is missing or unusable, or the request is refused. */
const isWrongUsage = (cause: unknown): boolean =>
  [UsageError, PathUnusable, LocationMissing].some((kind) => cause instanceof kind) || (cause instanceof Refusal && cause.statusCode < 500);

/** The version of this release, from the package beside the compiled sources. */
function version(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  return must(textIn(JSON.parse(text), 'version'), 'a package has a version');
}

/** Where contents of documents are stored: the bucket or folder of the settings, else the process's own store. */
export function blobsOf({ documents, s3KeyId, s3Secret }: Settings, own: () => Blobs | Promise<Blobs>): Blobs | Promise<Blobs> {
  if (documents === null) return own();
  if (!documents.startsWith('s3:')) return new FolderBlobs(resolve(documents));
  if (s3KeyId === null || s3Secret === null)
    throw new UsageError('s3KeyId (TENOR_S3_KEY_ID), s3Secret (TENOR_S3_SECRET): a bucket needs both');
  const location = bucketLocation(documents, { id: s3KeyId, secret: s3Secret });
  if (!location) throw new UsageError('documents (TENOR_DOCUMENTS): is no address of a bucket');
  return new BucketBlobs(location);
}

/** In the data folder of one process. */
export const documentsFolder = ({ dataFolder }: Settings): Blobs => new FolderBlobs(join(dataFolder, 'documents'));

/** Logs what opening the journal has cut, repaired or left alone. */
export function reportRecovery({ notes, cut }: OpenReport, log: Logger): void {
  for (const {
    file,
    offset,
    case: { letter, name, verdict, meaning },
  } of notes) {
    const details = { file, offset, case: letter, name, ...(verdict === 'cut' && cut ? { cutBytes: cut.bytes } : {}) };
    log[verdict === 'take' ? 'info' : 'warn'](details, `Opening the journal: ${meaning}.`);
  }
}
