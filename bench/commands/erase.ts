import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Door } from '../house.js';
import { existingDataFolder } from '../settings.js';
import { withExample } from './running-service.js';

/** `tenor erase`: takes a borrower's personal data away for good. The facts about its loans stay. */
export function addErase(program: Command, door: Door): void {
  program
    .command('erase <personId>')
    .description('Destroy the data key of a borrower: its personal data can never be read again')
    .requiredOption('--company <companyId>', 'company of the borrower')
    .option('--live', 'in live mode; without it in test mode')
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
      const house = await door.open({ dataFolder: existingDataFolder(flags.data) });
      try {
        await house.engine.execute({
          commandId: randomUUID(),
          company: flags.company,
          mode: flags.live ? 'live' : 'test',
          type: 'person.erase',
          target: personId,
          params: {},
          body: {},
          actor: { type: 'system', id: 'operator' },
          permissions: new Set(),
          address: null,
          requestId: randomUUID(),
        });
      } finally {
        await house.close();
      }
      process.stdout.write(flags.json ? `${JSON.stringify({ erased: personId })}\n` : `The personal data of ${personId} are erased.\n`);
    });
}
