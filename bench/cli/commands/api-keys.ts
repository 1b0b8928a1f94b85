import type { Command } from 'commander';
import type { ApiKeyView } from '../../../actors/index.js';
import { textTable } from '../text-table.js';
import { UsageError } from '../usage-error.js';
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
export function addApiKeys(keys: Command): void {
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
