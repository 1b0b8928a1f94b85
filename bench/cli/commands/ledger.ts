import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { CompanyView, LedgerBatchDetailsView, LedgerBatchView, LedgerExportView } from '../../../actors/index.js';
import { parseDay } from '../../../engine/index.js';
import { EXIT } from '../exit-codes.js';
import { UsageError } from '../lookups.js';
import { askingService, RunningService, ServiceFailure, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly day: string;
  readonly basis: 'accrual' | 'cash';
  readonly format: LedgerExportView['format'];
  readonly detail: LedgerExportView['detail'];
  readonly file?: string;
  readonly json?: boolean;
}

const FORMATS: readonly LedgerExportView['format'][] = ['csv', 'json', 'netsuite', 'sageIntacct', 'quickBooksOnline', 'iif'];

/** How often and how long it is looked whether the file is written, in milliseconds. */
const LOOK_MS = 500;
const WAIT_MS = 600_000;

/** `tenor ledger`: the file of one day of the books of a running service. */
export function addLedger(program: Command): void {
  askingService(program.command('ledger').description('Download the general ledger of a sealed day from a running service'))
    .requiredOption('--day <date>', 'the accounting day, which is over')
    .addOption(new Option('--basis <basis>', 'whose books').choices(['accrual', 'cash']).default('accrual'))
    .addOption(new Option('--format <format>', 'how the file is written').choices(FORMATS).default('csv'))
    .addOption(new Option('--detail <detail>', 'each entry, or a line for each account').choices(['entries', 'summary']).default('entries'))
    .option('--file <file>', 'where it is written; absent: printed')
    .addHelpText('after', withExample('tenor ledger --day 2026-03-31 --format csv --file ledger.csv'))
    .action(async (flags: Flags) => {
      process.exitCode = await download(flags);
    });
}

async function download(flags: Flags): Promise<number> {
  if (parseDay(flags.day) === undefined) throw new UsageError(`--day must be a date such as 2026-03-31: ${flags.day}`);
  const service = RunningService.of(flags);
  const [company] = await service.list<CompanyView>('/companies', 1);
  const batches = `/companies/${company?.id ?? ''}/general-ledger/batches`;
  const [batch] = await service.list<LedgerBatchView>(`${batches}?basis=${flags.basis}&fromDate=${flags.day}&toDate=${flags.day}`, 1);
  if (batch === undefined) {
    process.stderr.write(`No ${flags.basis} books of ${flags.day} are sealed: the day is open, or nothing was booked on it.\n`);
    return EXIT.finding;
  }
  const path = `${batches}/${batch.id}`;
  const ordered = await service.post<LedgerExportView>(`${path}/export`, { format: flags.format, detail: flags.detail });
  const written = await writtenExport(service, path, ordered.id);
  const content = await service.bytes(`${path}/exports/${written.id}/content`);
  if (flags.file === undefined) process.stdout.write(Buffer.from(content).toString('utf8'));
  else {
    writeFileSync(flags.file, content);
    process.stdout.write(
      flags.json ? `${JSON.stringify(written, null, 2)}\n` : `${flags.file}: ${written.rowCount ?? 0} lines, ${batch.hash}\n`,
    );
  }
  return EXIT.done;
}

async function writtenExport(service: RunningService, path: string, exportId: string): Promise<LedgerExportView> {
  for (const untilMs = performance.now() + WAIT_MS; performance.now() < untilMs; await pause(LOOK_MS)) {
    const { exports } = await service.get<LedgerBatchDetailsView>(path);
    const one = exports.find(({ id }) => id === exportId);
    if (one?.status === 'failed') throw new ServiceFailure(`The file was not written: ${one.failureDescription ?? ''}`, false);
    if (one?.status === 'succeeded') return one;
  }
  throw new ServiceFailure('The file is still being written.', true);
}
