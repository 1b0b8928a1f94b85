import { type Command, Option } from 'commander';
import type { Mode, OperationView, ReplayManyRequest } from '../../../actors/index.js';
import { parseDay } from '../../../engine/index.js';
import { assertWritable } from '../../../persistence/index.js';
import type { Access } from '../../access.js';
import { EXIT } from '../exit-codes.js';
import { onlyCompany, UsageError } from '../lookups.js';
import { filterOf, type Operator, localOperator, remoteOperator, runReplay } from '../replay-operator.js';
import { existingDataFolder } from '../settings.js';
import { textTable } from '../loan-views.js';
import { givenUrl, RunningService, withExample } from './running-service.js';

interface Flags {
  readonly loanType?: string;
  readonly query?: string;
  readonly all?: boolean;
  readonly from?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
  readonly diff?: string;
  readonly url?: string;
  readonly key?: string;
  readonly company?: string;
  readonly mode: Mode;
  readonly data?: string;
  readonly json?: boolean;
}

/** `tenor replay`: loans computed again from a date on, under today's configuration. */
export function addReplay(program: Command, access: Access): void {
  program
    .command('replay [loanIds...]')
    .description('Compute loans again: by name, of a loan type, of a query, or all')
    .option('--loan-type <loanTypeId>', 'loans of this loan type')
    .option('--query <filter>', 'loans as GET /loans filters them: statuses=active,frozen&labels=LB-…')
    .option('--all', 'all loans that can be replayed')
    .option('--from <date>', 'from this day on; default the activation of each')
    .option('--reason <text>', 'why, for the history')
    .option('--dry-run', 'compute and compare; nothing is recorded')
    .option('--diff <file>', 'with --dry-run: CSV of the figures of each loan, before and after')
    .option('--url <address>', 'of a running service: http://127.0.0.1:8080; else TENOR_URL, else the data folder of one that is stopped')
    .option('--key <key>', 'API key for --url; better in TENOR_KEY, where nobody sees it')
    .option('--company <companyId>', 'company in the data folder; not needed while there is one')
    .addOption(new Option('--mode <mode>', 'mode in the data folder').choices(['test', 'live']).default('test'))
    .option('--data <folder>', 'data folder')
    .option('--json', 'print the operation as JSON')
    .addHelpText(
      'after',
      withExample(
        'tenor replay --all --from 2026-01-01 --dry-run --diff report.csv',
        'Exit codes: 0 done, 1 loans could not be computed or, with --dry-run, would change, 2 wrong usage.',
      ),
    )
    .action(async (loanIds: readonly string[], flags: Flags) => {
      process.exitCode = await run(access, loanIds, flags);
    });
}

async function run(access: Access, loanIds: readonly string[], flags: Flags): Promise<number> {
  const order = orderOf(loanIds, flags);
  if (flags.diff !== undefined) assertWritable('the report', flags.diff);
  const operator = await operatorFor(access, flags);
  try {
    const operation = await runReplay(operator, { order, reportFile: flags.diff ?? null, isQuiet: flags.json === true });
    process.stdout.write(flags.json ? `${JSON.stringify(operation, null, 2)}\n` : textOf(operation, flags.diff ?? null));
    const wouldChange = operation.isDryRun && (operation.counts?.changed ?? 0) > 0;
    return operation.status === 'failed' || wouldChange ? EXIT.finding : EXIT.done;
  } finally {
    await operator.close();
  }
}

function orderOf(loanIds: readonly string[], { loanType, query, all, from, reason, dryRun, diff }: Flags): ReplayManyRequest {
  if (diff !== undefined && dryRun !== true) throw new UsageError('--diff is the report of a --dry-run.');
  if (loanIds.length === 0 && loanType === undefined && query === undefined && all !== true) {
    throw new UsageError('Say which loans: their ids, --loan-type, --query, or --all.');
  }
  if (from !== undefined && parseDay(from) === undefined) throw new UsageError(`${from} is no date.`);
  return {
    ...filterOf(query ?? ''),
    ...(loanIds.length === 0 ? {} : { loanIds: loanIds }),
    ...(loanType === undefined ? {} : { loanTypeId: loanType }),
    ...(all === true ? { all } : {}),
    ...(from === undefined ? {} : { fromDate: from }),
    ...(reason === undefined ? {} : { reason }),
    dryRun: dryRun === true,
  };
}

/** A running service where one is named, the data folder otherwise. */
async function operatorFor(access: Access, { company, mode, data, ...flags }: Flags): Promise<Operator> {
  if (data === undefined && givenUrl(flags) !== undefined) return remoteOperator(RunningService.of(flags));
  const service = await access.open({ dataFolder: existingDataFolder(data) });
  try {
    return localOperator(service, { company: onlyCompany(service, company), mode });
  } catch (cause) {
    await service.close();
    throw cause;
  }
}

const count = (value: number): string => value.toLocaleString('en-US');

function textOf({ operationId, isDryRun, counts, progress, report, failures, errorMessage }: OperationView, file: string | null): string {
  const { changed, unchanged, failed } = counts ?? { changed: 0, unchanged: 0, failed: 0 };
  const lines = [
    `${count(progress?.total ?? 0)} loans ${isDryRun ? 'compared' : 'replayed'}, operation ${operationId}`,
    `  ${isDryRun ? 'would change' : 'changed'}  ${count(changed)}`,
    `  unchanged     ${count(unchanged)}`,
    `  failed        ${count(failed)}`,
    ...(failures ?? []).map(({ id, message }) => `    ${id}: ${message}`),
  ];
  if (errorMessage !== null) lines.push(errorMessage);
  if (report)
    lines.push(
      '',
      textTable(
        ['sum of', 'before', 'after', 'difference'],
        report.totals.map(({ name, before, after, difference }) => [name, before, after, difference]),
      ),
    );
  if (file !== null)
    lines.push('', `Each loan: ${file}${report && report.rowsLeftOut > 0 ? ` (${count(report.rowsLeftOut)} rows did not fit)` : ''}`);
  return `${lines.join('\n')}\n`;
}
