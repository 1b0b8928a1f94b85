import type { Command } from 'commander';
import type { ApiKeyView } from '../../../actors/index.js';
import {
  giveUpLostKeys,
  type LostKeys,
  NEW_KEY_VARIABLE,
  nextFileOf,
  rotateMasterKey,
  RotationRefused,
} from '../../backup/rotate-master-key.js';
import type { Access } from '../../access.js';
import { EXIT } from '../exit-codes.js';
import { textTable } from '../loan-views.js';
import { UsageError } from '../lookups.js';
import { readSettings } from '../settings.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly json?: boolean;
}

interface NewKeyFlags extends Flags {
  readonly user?: string;
  readonly description?: string;
  readonly from?: readonly string[];
}

/** `tenor keys list|create|revoke`: API keys of the company and mode of the calling key. */
function addApiKeys(keys: Command): void {
  askingService(keys.command('list').description('API keys of the company, in the mode of the calling one'))
    .option('--all', 'those that are revoked or switched off, too')
    .addHelpText('after', withExample('tenor keys list --all'))
    .action(async ({ all, ...flags }: Flags & { readonly all?: boolean }) => {
      const found = await RunningService.of(flags).list<ApiKeyView>(`/keys?status=${all ? 'all' : 'active'}`);
      process.stdout.write(flags.json ? `${JSON.stringify(found, null, 2)}\n` : `${textTable(HEAD, found.map(lineOf))}\n`);
    });
  askingService(keys.command('create').description('Make an API key, which is printed once'))
    .option('--user <userId>', 'whose permissions it has; not needed while all keys are of one user')
    .option('--description <text>', 'what it is for')
    .option('--from <addresses...>', 'addresses and blocks that may use it; default all')
    .addHelpText('after', withExample('tenor keys create --description "nightly export" --from 10.0.0.0/8'))
    .action(async ({ user, description, from, ...flags }: NewKeyFlags) => {
      const service = RunningService.of(flags);
      const userId = user ?? (await onlyUser(service));
      const made = await service.post<ApiKeyView>('/keys', {
        userId,
        ...(description === undefined ? {} : { description }),
        ...(from === undefined ? {} : { whitelistedIPs: from }),
      });
      process.stdout.write(
        flags.json
          ? `${JSON.stringify(made, null, 2)}\n`
          : `${made.id} of user ${userId}\n  ${made.key ?? ''}\nIt is shown once; only its hash is kept.\n`,
      );
    });
  askingService(keys.command('revoke <keyId>').description('End an API key: no request with it is answered any more'))
    .addHelpText('after', withExample('tenor keys revoke AK-1A2B-3C4D'))
    .action(async (keyId: string, flags: Flags) => {
      await RunningService.of(flags).delete(`/keys/${encodeURIComponent(keyId)}`);
      process.stdout.write(flags.json ? `${JSON.stringify({ revoked: keyId })}\n` : `${keyId} is revoked.\n`);
    });
}

const HEAD = ['key', 'user', 'status', 'from', 'made', 'description'];

const lineOf = ({ id, userId, status, deletedAt, whitelistedIPs, createdAt, description }: ApiKeyView): readonly string[] => [
  id,
  userId,
  deletedAt === null ? status : 'revoked',
  whitelistedIPs.join(' ') || 'everywhere',
  createdAt,
  description ?? '',
];

async function onlyUser(service: RunningService): Promise<string> {
  const [user, ...others] = new Set((await service.list<ApiKeyView>('/keys?status=all')).map(({ userId }) => userId));
  if (user === undefined || others.length > 0) throw new UsageError(`Say whose key it is with --user: ${[user, ...others].join(', ')}.`);
  return user;
}

/** Ids that are printed; the JSON has all. */
const PRINTED = 50;

/** `tenor keys give-up`: continues without data keys that are lost for good. */
function addGiveUp(keys: Command): void {
  keys
    .command('give-up')
    .description('Name whose data keys are lost, and with --yes go on without them; the service must not run meanwhile')
    .option('--data <folder>', 'data folder')
    .option('--yes', 'their personal data can never be read again, also when a copy of the keys is found later')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      withExample('tenor keys give-up --data ./data', 'Exit codes: 0 no key is lost or it is done, 1 keys are lost, 2 wrong usage.'),
    )
    .action(async ({ data, yes = false, json = false }: { readonly data?: string; readonly yes?: boolean; readonly json?: boolean }) => {
      const { settings, faults } = readSettings({ dataFolder: data }, process.env);
      if (faults.length > 0) throw new UsageError(faults.map(({ name, message }) => `${name}: ${message}`).join('\n'));
      const lost = await giveUpLostKeys(settings, yes);
      process.stdout.write(json ? `${JSON.stringify(lost, null, 2)}\n` : textOf(lost));
      process.exitCode = lost.isGivenUp || lost.persons.length + lost.others.length === 0 ? EXIT.done : EXIT.finding;
    });
}

function textOf({ persons, others, isGivenUp }: LostKeys): string {
  if (persons.length + others.length === 0) return 'No data key is lost.\n';
  const named = [...persons, ...others];
  const count = (ids: readonly string[]): string => ids.length.toLocaleString('en-US');
  return [
    `${isGivenUp ? 'Given up' : 'Lost'}: the data keys of ${count(persons)} borrowers, and of ${count(others)} objects with own secrets.`,
    ...named.slice(0, PRINTED).map((id) => `  ${id}`),
    ...(named.length > PRINTED ? [`  and ${count(named.slice(PRINTED))} more, see --json`] : []),
    isGivenUp
      ? 'Their personal data reads as erased from the next start on. docs/runbooks/keys.md says what else is to be done.'
      : 'Put the newest copy of keys/data-keys back. If there is none, their personal data is lost: go on without it with --yes.',
    '',
  ].join('\n');
}

/** `tenor keys`: API keys, and with `rotate` another master key for the data keys of persons. */
export function addKeys(program: Command, access: Access): void {
  const keys = program.command('keys').description('API keys of a running service, and the keys of personal data');
  addApiKeys(keys);
  addGiveUp(keys);
  keys
    .command('rotate')
    .description(`Wrap all data keys with a new master key: of ${NEW_KEY_VARIABLE}, else a random one in the key file`)
    .option('--data <folder>', 'data folder')
    .option('--nats <url>', 'of a cluster, which may run: address of the NATS server')
    .option('--cluster <name>', 'name of the cluster')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${withExample('tenor keys rotate', 'Exit codes: 0 done, 2 wrong usage.')}\n` +
        'If a rotation was interrupted and the service does not open the data keys, ' +
        `replace master.key by ${nextFileOf('master.key')}.`,
    )
    .action(
      async ({
        data,
        nats,
        cluster,
        ...flags
      }: {
        readonly data?: string;
        readonly nats?: string;
        readonly cluster?: string;
        readonly json?: boolean;
      }) => {
        const store = await access.openOfflineStore({ dataFolder: data, nats, cluster }, { checkRecords: true });
        try {
          const rotated = await rotateMasterKey(store, process.env);
          const message =
            rotated.file === null
              ? `The data keys are wrapped with the key of ${NEW_KEY_VARIABLE}: start the service with it as TENOR_MASTER_KEY.`
              : `The data keys are wrapped with a new key, which lies in ${rotated.file}.`;
          process.stdout.write(flags.json ? `${JSON.stringify(rotated)}\n` : `${message}\n`);
        } catch (cause) {
          if (!(cause instanceof RotationRefused)) throw cause;
          process.stderr.write(`${cause.message}\n`);
          process.exitCode = EXIT.usage;
        } finally {
          await store.close();
        }
      },
    );
}
