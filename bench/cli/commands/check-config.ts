import type { Command } from 'commander';
import { EXIT } from '../../house.js';
import { readSettings, type Setting, SETTINGS, type Settings, unknownVariables } from '../settings.js';
import { withExample } from './running-service.js';

/** `tenor check-config`: prints every setting with its value, what is wrong, and names that no setting has. Secrets are never printed. */
export function addCheckConfig(program: Command): void {
  program
    .command('check-config')
    .description('Check the settings and print what is in force')
    .option('--json', 'print JSON')
    .addHelpText('after', withExample('tenor check-config', 'Exit codes: 0 all is well, 1 settings are wrong, 2 wrong usage.'))
    .action(({ json }: { readonly json?: boolean }) => {
      const { settings, faults } = readSettings({}, process.env);
      const unknown = unknownVariables(process.env);
      if (json) {
        process.stdout.write(
          `${JSON.stringify({ settings: Object.fromEntries(SETTINGS.map((setting) => [setting.name, shown(setting, settings)])), faults, unknown }, null, 2)}\n`,
        );
      } else {
        for (const setting of SETTINGS)
          process.stdout.write(
            `${setting.environment.padEnd(22)} ${(shown(setting, settings) ?? '(not set)').padEnd(24)} ${setting.meaning}\n`,
          );
        for (const fault of faults) process.stderr.write(`${fault.name}: ${fault.message}\n`);
        for (const name of unknown) process.stderr.write(`${name}: no setting has this name\n`);
      }
      process.exitCode = faults.length > 0 ? EXIT.finding : EXIT.done;
    });
}

function shown({ name, secret }: Setting, settings: Settings): string | null {
  const value = settings[name];
  return value === null ? null : secret ? '(set)' : String(value);
}
