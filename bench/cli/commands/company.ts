import { textIn, must } from '../../../engine/index.js';
import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Engine, PersonState, Tenant } from '../../../actors/index.js';
import { removeLetters, removeMessages, removeSetAside } from '../../../persistence/index.js';
import type { Access, Service } from '../../access.js';
import { createCompany, type Founded } from '../lookups.js';
import { existingDataFolder } from '../settings.js';
import { withExample } from './running-service.js';

/** `tenor company create`: companies are made by the operator, not through the interface. */
export function addCompany(program: Command, access: Access): void {
  const company = program.command('company').description('Companies of this installation');
  company
    .command('create')
    .description('Make a company in both modes and print its keys once')
    .requiredOption('--name <name>', 'name of the company')
    .option('--timezone <zone>', 'IANA name of its time zone', 'America/New_York')
    .option('--no-templates', 'without the standard templates: nothing is sent until the lender makes its own')
    .option('--data <folder>', 'data folder')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      withExample(
        'tenor company create --name "Second Lender" --timezone America/Chicago',
        'Exit codes: 0 done, 1 the data folder cannot be opened, 2 wrong usage.',
      ),
    )
    .action(async (flags: { name: string; timezone: string; templates: boolean; data?: string; json?: boolean }) => {
      const service = await access.open({ dataFolder: flags.data });
      let founded: Founded;
      try {
        const { name, timezone, templates: withTemplates } = flags;
        founded = await createCompany(service.engine, { name, timezone, testKey: null, liveKey: null, withTemplates });
      } finally {
        await service.close();
      }
      process.stdout.write(
        flags.json
          ? `${JSON.stringify(founded)}\n`
          : `Company ${founded.companyId}\n  test key  ${founded.testKey ?? ''}\n  live key  ${founded.liveKey ?? ''}\n` +
              'These keys are shown once; only their hashes are kept.\n',
      );
    });
}

/** `tenor erase`: erases a borrower's personal data for good. The facts about its loans stay. */
export function addErase(program: Command, access: Access): void {
  program
    .command('erase <personId>')
    .description('Destroy the data key of a borrower: its personal data can never be read again')
    .requiredOption('--company <companyId>', 'company of the borrower')
    .option('--live', 'in live mode, where borrowers are real; without it in test mode')
    .option('--data <folder>', 'data folder')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      withExample(
        'tenor erase PN-1A2B-3C4D --company CP-1A2B-3C4D --live',
        'Exit codes: 0 done, 1 the data folder cannot be opened, 2 wrong usage, or there is no such borrower.',
      ),
    )
    .action(async (personId: string, flags: { company: string; live?: boolean; data?: string; json?: boolean }) => {
      const service = await access.open({ dataFolder: existingDataFolder(flags.data) });
      try {
        await erase(service, { company: flags.company, mode: flags.live ? 'live' : 'test' }, personId);
      } finally {
        await service.close();
      }
      process.stdout.write(flags.json ? `${JSON.stringify({ erased: personId })}\n` : `The personal data of ${personId} are erased.\n`);
    });
}

/**
 * The key first, then the contents of documents, which nobody can read without it, then messages that no provider has fetched yet, and
 * snapshots that were set aside, which may be of an earlier release. A second run continues where an interrupted one ended.
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
  removeMessages(settings.messages ?? join(settings.dataFolder, 'messages'), { ...tenant, personId: id });
  await removeLetters(settings.lettersFolder ?? join(settings.dataFolder, 'letters'), { ...tenant, personId: id });
  removeSetAside(join(settings.dataFolder, 'snapshots'));
}

async function idOf(engine: Engine, tenant: Tenant, target: string): Promise<string> {
  const found = await engine.query({ ...tenant, type: 'person.get', target, params: {}, query: {}, permissions: new Set() });
  return must(textIn(found, 'id'), 'a borrower has its id');
}
