import type { Command } from 'commander';
import { EXIT } from '../exit-codes.js';
import { UsageError } from '../lookups.js';
import { EXPORTED_VIEWS, ViewExport } from '../view-export.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly view?: readonly string[];
  readonly json?: boolean;
}

/** `tenor views`: the views of a company as files, for a warehouse. */
export function addViews(program: Command): void {
  const views = program.command('views').description('Write the views of docs/views.md as files');
  askingService(
    views
      .command('export <folder>')
      .description(
        'Write views into a folder, a compressed CSV file each and a manifest; of a running service. Goes on where it was stopped',
      )
      .option('--view <names...>', 'these alone; absent: all'),
  )
    .addHelpText('after', withExample('tenor views export /exports/2026-03-31 --view v_loans v_balances_daily'))
    .action(async (folder: string, flags: Flags) => {
      process.exitCode = await exported(folder, flags);
    });
}

async function exported(folder: string, { view: names, json = false, ...flags }: Flags): Promise<number> {
  const unknown = (names ?? []).filter((name) => !EXPORTED_VIEWS.includes(name));
  if (unknown.length > 0) throw new UsageError(`There is no view ${unknown.join(', ')}. Views: ${EXPORTED_VIEWS.join(', ')}.`);
  const report = (line: string): void => void process.stderr.write(`${line}\n`);
  const views = names === undefined ? EXPORTED_VIEWS : EXPORTED_VIEWS.filter((name) => names.includes(name));
  const manifest = await new ViewExport(RunningService.of(flags), folder, report).run(views);
  const rows = manifest.files.reduce((sum, file) => sum + file.rows, 0);
  process.stdout.write(
    json
      ? `${JSON.stringify(manifest, null, 2)}\n`
      : `${folder}: ${manifest.files.length} files, ${rows} rows as of ${manifest.watermark}\n`,
  );
  return manifest.refused.length === 0 ? EXIT.done : EXIT.finding;
}
