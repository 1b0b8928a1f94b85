import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import type { Mode } from '../../../actors/index.js';
import { assertReadable, assertWritable } from '../../../persistence/index.js';
import { foundCompany, onlyCompany } from '../lookups.js';
import type { Access } from '../../access.js';
import { EXIT } from '../exit-codes.js';
import { type Encoding, ENCODINGS } from '../../import/encoding.js';
import { importFile, type ImportSummary, noProgress, progressOf } from '../../import/import-file.js';
import { readMapping } from '../../import/mapping.js';
import { withExample } from './running-service.js';

interface Flags {
  readonly mapping: string;
  readonly company?: string;
  readonly mode: Mode;
  readonly activate?: boolean;
  readonly asOf?: string;
  readonly errors?: string;
  readonly encoding?: Encoding;
  readonly strict?: boolean;
  readonly data?: string;
  readonly json?: boolean;
}

/** `tenor import`: books a lender's file through the same commands as the REST interface. */
export function addImport(program: Command, access: Access): void {
  program
    .command('import <file>')
    .description('Book borrowers and loans from a CSV file (docs/import.md)')
    .requiredOption('--mapping <file>', 'JSON file that says what the columns are')
    .option('--company <companyId>', 'company to book into; not needed while there is one')
    .addOption(new Option('--mode <mode>', 'mode to book into').choices(['test', 'live']).default('test'))
    .option('--activate', 'activate each loan as the mapping says')
    .option('--as-of <date>', 'day on which an empty test mode stands while it is booked; default today')
    .option('--errors <file>', 'CSV of the rows that were refused; default <file name>.errors.csv')
    .addOption(
      new Option('--encoding <name>', 'what the file is written in, where it is not UTF-8 and has no byte order mark').choices(ENCODINGS),
    )
    .option('--strict', 'a figure that differs from the lender’s ends with code 1, too')
    .option('--data <folder>', 'data folder')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      withExample(
        'tenor import loans.csv --mapping mapping.json --activate',
        'Exit codes: 0 all rows are booked, 1 rows were refused or it was interrupted, 2 wrong usage.',
      ),
    )
    .action(async (file: string, flags: Flags) => {
      process.exitCode = await run(access, file, flags);
    });
}

async function run(access: Access, file: string, flags: Flags): Promise<number> {
  const errorsFile = flags.errors ?? `${basename(file)}.errors.csv`;
  assertReadable('the file to import', file);
  assertReadable('the mapping', flags.mapping);
  assertWritable('the list of refused rows', errorsFile);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  const mapping = await readMapping(flags.mapping);
  const service = await access.open({ dataFolder: flags.data });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    await foundCompany(service.engine, service.settings);
    const summary = await importFile({
      engine: service.engine,
      tenant: { company: onlyCompany(service, flags.company), mode: flags.mode },
      file,
      mapping,
      encoding: flags.encoding ?? null,
      mappingFile: flags.mapping,
      activates: flags.activate === true,
      asOf: flags.asOf ?? null,
      errorsFile,
      progress: flags.json ? noProgress : progressOf((await stat(file)).size),
      stop: stop.signal,
    });
    process.stdout.write(flags.json ? `${JSON.stringify(summary, null, 2)}\n` : textOf(summary));
    return exitOf(summary, flags.strict === true);
  } finally {
    await service.close();
  }
}

function exitOf(summary: ImportSummary, isStrict: boolean): number {
  const differs = summary.reconciliation.some(({ compared, matched }) => matched < compared);
  return summary.refused > 0 || !summary.isComplete || (isStrict && differs) ? EXIT.finding : EXIT.done;
}

const count = (value: number): string => value.toLocaleString('en-US');

function textOf(summary: ImportSummary): string {
  const { rows, booked, alreadyBooked, refused, errorsFile, whyIncomplete, seconds, loansPerSecond } = summary;
  const lines = [
    `${count(rows)} rows of ${summary.file} into the ${summary.mode} mode of ${summary.company}`,
    `  booked          ${count(booked)} loans in ${seconds} s (${count(loansPerSecond)} loans a second)`,
    `  already booked  ${count(alreadyBooked)}`,
    `  refused         ${count(refused)}${errorsFile === null ? '' : `, see ${errorsFile}`}`,
  ];
  if (whyIncomplete !== null) lines.push(`Not complete. ${whyIncomplete}`);
  for (const { figure, compared, matched, differences } of summary.reconciliation) {
    lines.push(`  ${figure}: ${count(matched)} of ${count(compared)} match to the cent`);
    for (const { loan, ours, theirs } of differences) lines.push(`    ${loan}: ours ${ours}, the lender’s ${theirs}`);
    const unnamed = compared - matched - differences.length;
    if (unnamed > 0) lines.push(`    and ${count(unnamed)} more`);
  }
  return `${lines.join('\n')}\n`;
}
