import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Door } from '../house.js';

/** `tenor erase`: takes a borrower's personal data away for good. The facts about its loans stay. */
export function addErase(program: Command, door: Door): void {
  program
    .command('erase <personId>')
    .description('Destroy the data key of a borrower: its personal data can never be read again')
    .requiredOption('--company <companyId>', 'company of the borrower')
    .option('--live', 'in live mode; without it in test mode')
    .option('--data <folder>', 'data folder')
    .option('--json', 'print JSON')
    .action(async (personId: string, flags: { company: string; live?: boolean; data?: string; json?: boolean }) => {
      const house = await door.open({ dataFolder: flags.data });
      try {
        await house.engine.execute({
          commandId: randomUUID(), company: flags.company, mode: flags.live ? 'live' : 'test', type: 'person.erase', target: personId,
          params: {}, body: {}, actor: { type: 'system', id: 'operator' }, permissions: new Set(), address: null, requestId: randomUUID(),
        });
      } finally {
        await house.close();
      }
      process.stdout.write(flags.json ? `${JSON.stringify({ erased: personId })}\n` : `The personal data of ${personId} are erased.\n`);
    });
}
