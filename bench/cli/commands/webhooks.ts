import { type Command, Option } from 'commander';
import type { WebhookView } from '../../../actors/index.js';
import type { MessageView } from '../../../gateway/index.js';
import { EXIT } from '../exit-codes.js';
import { textTable } from '../loan-views.js';
import { UsageError } from '../lookups.js';
import { type EndpointState, endpointStates } from '../endpoint-states.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly json?: boolean;
}

interface LogFlags extends Flags {
  readonly status?: MessageView['status'];
  readonly limit: string;
}

interface RedeliverFlags extends Flags {
  readonly failed?: boolean;
}

const SWITCHES = {
  enable: { enabled: true, description: 'Send what is recorded from now on; what came meanwhile can be replayed' },
  disable: { enabled: false, description: 'Send nothing more; what waits is canceled' },
} as const;

/** Most messages of one `redeliver --failed`. */
const MOST_REDELIVERED = 1_000;

/** `tenor webhooks`: state and deliveries of the webhooks of a running service. */
export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('Webhooks of a running service: list, deliveries, redeliver, enable, disable');
  askingService(webhooks.command('list', { isDefault: true }).description('Each with its state, what waits for it, and its last success'))
    .addHelpText(
      'after',
      withExample(
        'tenor webhooks list',
        'Exit codes: 0 all that are enabled do well, 1 one is failing or was disabled by its failures, ' +
          'or the service does not answer, 2 wrong usage.',
      ),
    )
    .action(async (flags: Flags) => {
      process.exitCode = list(await endpointStates(RunningService.of(flags)), flags);
    });
  askingService(webhooks.command('deliveries <webhookId>').description('Its recent deliveries, newest first'))
    .addOption(new Option('--status <status>', 'only these').choices(['pending', 'delivered', 'failed', 'canceled']))
    .option('--limit <number>', 'how many', '25')
    .addHelpText('after', withExample('tenor webhooks deliveries WH-7KQ1-ZZ4M --status failed'))
    .action(deliveries);
  askingService(webhooks.command('redeliver <webhookId> [messageIds...]').description('Send messages again, under the ids of their events'))
    .option('--failed', `all that have failed, ${MOST_REDELIVERED} at most`)
    .addHelpText('after', withExample('tenor webhooks redeliver WH-7KQ1-ZZ4M --failed'))
    .action(redeliver);
  for (const [name, { enabled, description }] of Object.entries(SWITCHES)) {
    askingService(webhooks.command(`${name} <webhookId>`).description(description))
      .addHelpText('after', withExample(`tenor webhooks ${name} WH-7KQ1-ZZ4M`))
      .action(async (webhookId: string, flags: Flags) => {
        const webhook = await RunningService.of(flags).put<WebhookView>(pathOf(webhookId), { enabled });
        process.stdout.write(
          flags.json ? `${JSON.stringify(webhook, null, 2)}\n` : `${webhook.id} is ${webhook.enabled ? 'enabled' : 'disabled'}.\n`,
        );
      });
  }
}

const pathOf = (webhookId: string): string => `/webhooks/${encodeURIComponent(webhookId)}`;

function list(states: readonly EndpointState[], { json }: Flags): number {
  const head = ['webhook', 'state', 'waiting', 'since', 'last success', 'receiver', 'events'];
  const rows = states.map(({ id, state, waiting, lastSuccessAt, url, eventTypes }) => [
    id,
    state,
    waiting.isMore ? `${waiting.count}+` : waiting.count,
    waiting.since ?? '',
    lastSuccessAt ?? 'none',
    url ?? 'a card processor',
    eventTypes.length,
  ]);
  process.stdout.write(
    json ? `${JSON.stringify(states, null, 2)}\n` : states.length === 0 ? 'There are no webhooks.\n' : `${textTable(head, rows)}\n`,
  );
  return states.some(({ state }) => state === 'failing' || state === 'disabledByFailures') ? EXIT.finding : EXIT.done;
}

async function deliveries(webhookId: string, { status, limit, ...flags }: LogFlags): Promise<void> {
  const messages = await RunningService.of(flags).list<MessageView>(
    `${pathOf(webhookId)}/messages${status === undefined ? '' : `?status=${status}`}`,
    numberOf(limit),
  );
  process.stdout.write(
    flags.json
      ? `${JSON.stringify(messages, null, 2)}\n`
      : messages.length === 0
        ? 'There are no deliveries.\n'
        : `${textTable(MESSAGE_HEAD, messages.map(messageLine))}\n`,
  );
}

async function redeliver(webhookId: string, messageIds: readonly string[], { failed, ...flags }: RedeliverFlags): Promise<void> {
  if ((failed === true) === messageIds.length > 0) throw new UsageError('Name the messages, or --failed.');
  const service = RunningService.of(flags);
  const path = `${pathOf(webhookId)}/messages`;
  const wanted =
    failed === true
      ? (await service.list<MessageView>(`${path}?status=failed`, MOST_REDELIVERED)).map(({ id }) => id).reverse()
      : messageIds;
  const messages: MessageView[] = [];
  for (const id of wanted) messages.push(await service.post<MessageView>(`${path}/${encodeURIComponent(id)}/redeliver`));
  process.stdout.write(
    flags.json
      ? `${JSON.stringify(messages, null, 2)}\n`
      : `${messages.length} ${messages.length === 1 ? 'message is' : 'messages are'} sent again.\n`,
  );
}

const MESSAGE_HEAD = ['message', 'event', 'type', 'status', 'tries', 'last answer', 'made', 'next try'];

function messageLine({ id, eventId, eventType, status, attempts, createdAt, nextAttemptAt }: MessageView): readonly (string | number)[] {
  const last = attempts.at(-1);
  return [
    id,
    eventId,
    eventType,
    status,
    attempts.length,
    last === undefined ? '' : (last.error ?? String(last.responseStatus)),
    createdAt,
    nextAttemptAt ?? '',
  ];
}

function numberOf(text: string): number {
  const number = Number(text);
  if (!(Number.isInteger(number) && number > 0)) throw new UsageError(`--limit must be a whole number above zero: ${text}`);
  return number;
}
