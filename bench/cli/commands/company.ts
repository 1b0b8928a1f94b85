import type { Command } from 'commander';
import { createCompany, type Founded } from '../found-company.js';
import type { Door } from '../../house.js';
import { withExample } from './running-service.js';

/** `tenor company create`: companies are made by the operator, not through the interface. */
export function addCompany(program: Command, door: Door): void {
  const company = program.command('company').description('Companies of this installation');
  company
    .command('create')
    .description('Make a company in both modes and print its keys once')
    .requiredOption('--name <name>', 'name of the company')
    .option('--timezone <zone>', 'IANA name of its time zone', 'America/New_York')
    .option('--data <folder>', 'data folder')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      withExample(
        'tenor company create --name "Second Lender" --timezone America/Chicago',
        'Exit codes: 0 done, 1 the data folder cannot be opened, 2 wrong usage.',
      ),
    )
    .action(async (flags: { name: string; timezone: string; data?: string; json?: boolean }) => {
      const house = await door.open({ dataFolder: flags.data });
      let founded: Founded;
      try {
        founded = await createCompany(house.engine, { name: flags.name, timezone: flags.timezone, testKey: null, liveKey: null });
      } finally {
        await house.close();
      }
      process.stdout.write(
        flags.json
          ? `${JSON.stringify(founded)}\n`
          : `Company ${founded.companyId}\n  test key  ${founded.testKey ?? ''}\n  live key  ${founded.liveKey ?? ''}\nThese keys are shown once; only their hashes are kept.\n`,
      );
    });
}
