import type { Command } from 'commander';
import type { Access } from '../../access.js';
import { createCompany, type Founded } from '../lookups.js';
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
