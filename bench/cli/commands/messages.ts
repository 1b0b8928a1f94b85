import { type Command, Option } from 'commander';
import { join } from 'node:path';
import type { InteractionView } from '../../../actors/index.js';
import { type BatchRecord, LetterFolder } from '../../../persistence/index.js';
import { EXIT } from '../exit-codes.js';
import { textTable } from '../loan-views.js';
import { UsageError } from '../lookups.js';
import { readSettings } from '../settings.js';
import { askingService, NotAllowed, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface ListFlags extends ServiceFlags {
  readonly json?: boolean;
  readonly channel?: string;
}

interface RetryFlags extends ListFlags {
  readonly all?: boolean;
}

/** Of one `retry --all`. */
const MOST_RETRIED = 1_000;

const PATH = '/communicator/undelivered';

/** `tenor messages`: what could not be handed over to any provider, of a running service. */
export function addMessages(program: Command): void {
  const messages = program.command('messages').description('Messages of a running service whose tries are used up: list, retry');
  const channel = (): Option => new Option('--channel <channel>', 'only these').choices(['email', 'text', 'mail']);
  askingService(messages.command('list', { isDefault: true }).description('The newest first, without what was said'))
    .addOption(channel())
    .addHelpText('after', withExample('tenor messages list --channel email'))
    .action(list);
  askingService(messages.command('retry [interactionIds...]').description('Send them again, with all their tries'))
    .option('--all', `all that are listed, ${MOST_RETRIED} at most`)
    .addOption(channel())
    .addHelpText('after', withExample('tenor messages retry --all --channel email'))
    .action(retry);
}

const listed = (service: RunningService, channel: string | undefined, most?: number): Promise<readonly InteractionView[]> =>
  service.list<InteractionView>(`${PATH}${channel === undefined ? '' : `?channel=${channel}`}`, most);

async function list({ channel, json, ...flags }: ListFlags): Promise<void> {
  const messages = await listed(RunningService.of(flags), channel);
  const head = ['message', 'channel', 'subject', 'borrower', 'failed', 'details'];
  const rows = messages.map(({ id, channel: way, subject, personId, statusUpdatedAt, statusDetails }) => [
    id,
    way,
    subject ?? '',
    personId ?? '',
    statusUpdatedAt ?? '',
    statusDetails ?? '',
  ]);
  process.stdout.write(
    json
      ? `${JSON.stringify(messages, null, 2)}\n`
      : messages.length === 0
        ? 'There are no messages whose tries are used up.\n'
        : `${textTable(head, rows)}\n`,
  );
}

async function retry(ids: readonly string[], { all, channel, json, ...flags }: RetryFlags): Promise<void> {
  if ((all === true) === ids.length > 0) throw new UsageError('Name the messages, or --all.');
  const service = RunningService.of(flags);
  const wanted = all === true ? (await listed(service, channel, MOST_RETRIED)).map(({ id }) => id).reverse() : ids;
  const messages: InteractionView[] = [];
  const blocked: string[] = [];
  for (const id of wanted) {
    try {
      messages.push(await service.post<InteractionView>(`${PATH}/${encodeURIComponent(id)}/send-again`));
    } catch (cause) {
      if (!(cause instanceof NotAllowed)) throw cause;
      blocked.push(`${id}: ${cause.message}`); // the others go on
    }
  }
  process.stdout.write(json ? `${JSON.stringify(messages, null, 2)}\n` : `${waitingText(messages)}\n`);
  if (blocked.length === 0) return;
  process.stderr.write(`${countText(blocked.length)} blocked and ${blocked.length === 1 ? 'stays' : 'stay'} in the list:\n`);
  for (const line of blocked) process.stderr.write(`  ${line}\n`);
  process.exitCode = EXIT.finding;
}

const countText = (count: number): string => (count === 1 ? '1 message is' : `${count} messages are`);

/** How many wait, and until when those that are not allowed at this hour. */
function waitingText(messages: readonly InteractionView[]): string {
  const all = `${messages.length} ${messages.length === 1 ? 'message waits' : 'messages wait'} again`;
  const moments = messages.flatMap(({ status, sendAt }) => (status === 'scheduled' && sendAt !== null ? [sendAt] : [])).sort();
  const [first] = moments;
  return first === undefined ? `${all}.` : `${all}, ${moments.length} of them for an hour at which they are allowed, from ${first} on.`;
}

interface LetterFlags {
  readonly data?: string;
  readonly folder?: string;
  readonly json?: boolean;
}

/** `tenor letters`: batches of letters, where the service keeps them. */
export function addLetters(program: Command): void {
  const letters = program.command('letters').description('Batches of letters, in the folder where they wait: list, send-again');
  const located = (command: Command): Command =>
    command
      .option('--data <folder>', 'the data folder; else TENOR_DATA')
      .option('--folder <folder>', 'where letters wait; else TENOR_LETTERS_FOLDER, else `letters` in the data folder')
      .option('--json', 'print JSON');
  located(letters.command('list', { isDefault: true }).description('The oldest first'))
    .addHelpText('after', withExample('tenor letters list', 'Exit codes: 0 done, 2 wrong usage.'))
    .action(async (flags: LetterFlags) => batches(await folderOf(flags).batches(), flags));
  located(letters.command('send-again <batch>').description('Ask the service to send a batch again, as it was'))
    .addHelpText(
      'after',
      withExample('tenor letters send-again 20260302T150000Z-CP-7KQ1-ZZ4M-live-1a2b3c4d', 'Exit codes: 0 done, 2 wrong usage.'),
    )
    .action(async (name: string, flags: LetterFlags) => {
      const folder = folderOf(flags);
      if (!(await folder.batches()).some((batch) => batch.name === name)) throw new UsageError(`There is no batch ${name}.`);
      await folder.sendAgain(name);
      process.stdout.write(`The service sends ${name} again within seconds.\n`);
    });
}

function folderOf({ data, folder }: LetterFlags): LetterFolder {
  const { settings } = readSettings({ dataFolder: data, lettersFolder: folder }, process.env);
  return new LetterFolder(settings.lettersFolder ?? join(settings.dataFolder, 'letters'));
}

function batches(records: readonly BatchRecord[], { json }: LetterFlags): void {
  const rows = records.map(({ name, letters, createdAt, sentAt }) => [name, letters.length, createdAt, sentAt ?? 'waits']);
  process.stdout.write(
    json
      ? `${JSON.stringify(records, null, 2)}\n`
      : records.length === 0
        ? 'There are no batches.\n'
        : `${textTable(['batch', 'letters', 'closed', 'sent'], rows)}\n`,
  );
}
