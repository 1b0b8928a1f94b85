import type { Command } from 'commander';
import { EXIT } from '../../house.js';
import { giveUpLostKeys, type LostKeys } from '../../backup/give-up-lost-keys.js';
import { readSettings } from '../settings.js';
import { UsageError } from '../usage-error.js';
import { withExample } from './running-service.js';

/** Ids that are printed; the JSON has all. */
const PRINTED = 50;

/** `tenor keys give-up`: goes on without data keys that are lost for good. */
export function addGiveUp(keys: Command): void {
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
