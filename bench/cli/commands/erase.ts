import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Engine, PersonState, Tenant } from '../../../actors/index.js';
import { must, textIn } from '../../../engine/index.js';
import { eraseKeptViews, KEPT_VIEWS } from '../../../persistence/index.js';
import type { Access, Service } from '../../access.js';
import { UsageError } from '../lookups.js';
import { existingDataFolder } from '../settings.js';
import { removeUnencrypted } from '../unencrypted.js';
import { givenUrl, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly company?: string;
  readonly live?: boolean;
  readonly data?: string;
  readonly json?: boolean;
}

/** `tenor erase`: erases a borrower's personal data for good. The facts about its loans stay. */
export function addErase(program: Command, access: Access): void {
  program
    .command('erase <personId>')
    .description('Destroy the data key of a borrower: its personal data can never be read again')
    .option(
      '--url <address>',
      'of a running service or a gateway of a cluster; else TENOR_URL, else the data folder of one that is stopped',
    )
    .option('--key <key>', 'API key for --url, of the mode of the borrower; better in TENOR_KEY, where nobody sees it')
    .option('--company <companyId>', 'in a data folder: company of the borrower')
    .option('--live', 'in a data folder: live mode, where borrowers are real; without it test mode')
    .option('--data <folder>', 'data folder')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      withExample(
        'tenor erase PN-1A2B-3C4D --url http://127.0.0.1:8080\n  tenor erase PN-1A2B-3C4D --company CP-1A2B-3C4D --live',
        'A cluster has no data folder: name one of its gateways with --url. The key needs person.erasure:create, and decides the mode.\n' +
          'Exit codes: 0 done, 1 the service or the data folder cannot do it now, 2 wrong usage, or there is no such borrower.',
      ),
    )
    .action(async (personId: string, flags: Flags) => {
      if (flags.data === undefined && givenUrl(flags) !== undefined) await eraseRunning(personId, flags);
      else await eraseStopped(access, personId, flags);
      process.stdout.write(flags.json ? `${JSON.stringify({ erased: personId })}\n` : `The personal data of ${personId} are erased.\n`);
    });
}

async function eraseRunning(personId: string, flags: Flags): Promise<void> {
  if (flags.company !== undefined || flags.live !== undefined)
    throw new UsageError('--company and --live are for a data folder. The key says in which company and mode a running service erases.');
  await RunningService.of(flags).post(`/people/${encodeURIComponent(personId)}/erase`);
}

async function eraseStopped(access: Access, personId: string, { company, live, data }: Flags): Promise<void> {
  if (company === undefined) throw new UsageError('Name the company of the borrower with --company, or a running service with --url.');
  const service = await access.open({ dataFolder: existingDataFolder(data) });
  try {
    await erase(service, { company, mode: live ? 'live' : 'test' }, personId);
  } finally {
    await service.close();
  }
}

/**
 * The key first, then the contents of documents, which nobody can read without it, then what lies unencrypted. A second run continues where
 * an interrupted one ended.
 */
async function erase({ engine, blobs, settings }: Service, tenant: Tenant, anyId: string): Promise<void> {
  const id = anyId.startsWith('ext-') ? await idOf(engine, tenant, anyId) : anyId;
  const person = engine.stateOf<PersonState>(tenant, 'person', id);
  if (person?.status !== 'erased')
    await engine.execute({
      ...tenant,
      commandId: randomUUID(),
      type: 'person.erase',
      target: id,
      params: {},
      body: {},
      actor: { type: 'system', id: 'operator' },
      permissions: new Set(),
      address: null,
      requestId: randomUUID(),
    });
  const store = await blobs();
  for (const { content } of person?.documents ?? []) if (content !== null) await store.delete(content.contentId);
  eraseKeptViews(join(settings.dataFolder, KEPT_VIEWS)); // again: an erasure may have been interrupted
  await removeUnencrypted(settings, { ...tenant, personId: id });
}

async function idOf(engine: Engine, tenant: Tenant, target: string): Promise<string> {
  const found = await engine.query({ ...tenant, type: 'person.get', target, params: {}, query: {}, permissions: new Set() });
  return must(textIn(found, 'id'), 'a borrower has its id');
}
