import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type QuestionAnswer, type ReportAnswer, reportText, type ReportView } from '../../../actors/index.js';
import { UsageError } from '../lookups.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly report?: string;
  readonly parquet?: string;
}

/** `tenor sql`: a question over the views of a company, to a running service. */
export function addSql(program: Command): void {
  askingService(
    program
      .command('sql [question]')
      .description('Ask a question in SQL over the views of docs/views.md, or make a report; of a running service')
      .option('--report <name>', 'a ready-made question in its stead; without a question and a report: which there are')
      .option('--csv', 'print CSV')
      .option('--parquet <file>', 'of a report: write it to this file as Parquet'),
  )
    .addHelpText('after', withExample('tenor sql "SELECT status, count(*) FROM v_loans GROUP BY status"'))
    .action(async (sql: string | undefined, flags: Flags) => {
      const service = RunningService.of(flags);
      if (flags.parquet !== undefined) return writeParquet(service, { ...flags, parquet: flags.parquet });
      if (sql !== undefined) print(await service.post<QuestionAnswer>('/questions', { sql }), flags);
      else if (flags.report !== undefined) print(await service.get<ReportAnswer>(`/reports/${encodeURIComponent(flags.report)}`), flags);
      else
        for (const { name, description } of await service.get<readonly ReportView[]>('/reports')) write(`${name.padEnd(16)}${description}`);
    });
}

async function writeParquet(
  service: RunningService,
  { report, parquet }: { readonly report?: string; readonly parquet: string },
): Promise<void> {
  if (report === undefined)
    throw new UsageError('Only a report can be written as Parquet: name it with --report. POST /saved-questions makes one of a question.');
  await writeFile(parquet, await service.bytes(`/reports/${encodeURIComponent(report)}/file?format=parquet`));
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);

function print(answer: QuestionAnswer | ReportAnswer, { json = false, csv = false }: Flags): void {
  const { columns, rows, asOf } = answer;
  if (json) return write(JSON.stringify(answer, null, 2));
  const texts = rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
  if (csv) return void process.stdout.write(reportText(columns, rows));
  const widths = columns.map((name, at) => texts.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), name.length));
  const aligned = (row: readonly string[]): string =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  write(aligned(columns));
  write(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of texts) write(aligned(row));
  write(`${rows.length} ${rows.length === 1 ? 'row' : 'rows'} as of ${asOf}`);
}
