import type { Command } from 'commander';
import { EXIT } from '../house.js';
import { readSettings, SETTINGS } from '../settings.js';

/** `tenor check-config`: prints every setting with its value and what is wrong. Secrets are never printed. */
export function addCheckConfig(program: Command): void {
  program
    .command('check-config')
    .description('Check the settings and print what is in force')
    .action(() => {
      const { settings, faults } = readSettings({}, process.env);
      for (const setting of SETTINGS) {
        const value = settings[setting.name];
        const shown = value === null ? '(not set)' : setting.secret ? '(set)' : String(value);
        process.stdout.write(`${setting.environment.padEnd(22)} ${shown.padEnd(24)} ${setting.meaning}\n`);
      }
      for (const fault of faults) process.stderr.write(`${fault.name}: ${fault.message}\n`);
      process.exitCode = faults.length > 0 ? EXIT.finding : EXIT.done;
    });
}
