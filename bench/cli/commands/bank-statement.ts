import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { assertReadable } from '../../../persistence/index.js';
import { EXIT } from '../exit-codes.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly account: string;
  readonly format?: string;
  readonly mapping?: string;
  readonly wait: string;
  readonly json?: boolean;
}

/** What of a statement is printed. */
interface Statement {
  readonly id: string;
  readonly status: 'received' | 'matched' | 'differences';
  readonly fromDate: string;
  readonly throughDate: string;
  readonly entryCount: number;
  readonly matchedCount: number;
  readonly differentAmountCount: number;
  readonly unexpectedCount: number;
  readonly duplicateCount: number;
  readonly missingCount: number;
  readonly closingAmount: number | null;
  readonly expectedClosingAmount: number | null;
}

interface Entry {
  readonly id: string;
  readonly line: number;
  readonly bookingDate: string;
  readonly amount: number;
  readonly expectedAmount: number | null;
  readonly status: string;
}

/** Milliseconds between two looks whether the statement is matched. */
const LOOK_MS = 500;
const FORMATS = ['bai2', 'camt053', 'mt940', 'csv'];

/** `tenor bank-statement`: imports a statement into a running service, waits for its matching, and prints what has no home. */
export function addBankStatement(program: Command): void {
  askingService(
    program
      .command('bank-statement <file>')
      .description("Import a bank's statement of an account of the lender, and match it with expected money")
      .requiredOption('--account <fundingInstrumentId>', 'the account that the statement is of')
      .addOption(new Option('--format <name>', 'absent: as the file begins').choices(FORMATS))
      .option('--mapping <file>', 'JSON file that says what the columns of a CSV file are')
      .option('--wait <seconds>', 'how long to wait for the matching', '60'),
  )
    .addHelpText(
      'after',
      withExample(
        'tenor bank-statement STMT_20260303.bai2 --account FI-7KQ1-ZZ4M',
        'Exit codes: 0 every entry is matched, 1 differences, or the service does not answer or has not matched it yet, 2 wrong usage.',
      ),
    )
    .action(async (file: string, flags: Flags) => {
      process.exitCode = await run(file, flags);
    });
}

async function run(file: string, flags: Flags): Promise<number> {
  assertReadable('the statement', file);
  if (flags.mapping !== undefined) assertReadable('the mapping', flags.mapping);
  const service = RunningService.of(flags);
  const query = new URLSearchParams({
    fundingInstrumentId: flags.account,
    ...(flags.format === undefined ? {} : { format: flags.format }),
    ...(flags.mapping === undefined ? {} : { mapping: readFileSync(flags.mapping, 'utf8') }),
  });
  const { id } = await service.post<Statement>(`/bank-statements?${query.toString()}`, readFileSync(file));
  const statement = await matched(service, id, Number(flags.wait) * 1_000);
  const open = await service.list<Entry>(`/bank-statements/${id}/entries`);
  const differing = open.filter(({ status }) => status === 'unexpected' || status === 'differentAmount');
  process.stdout.write(flags.json ? `${JSON.stringify({ ...statement, differing }, null, 2)}\n` : textOf(statement, differing));
  return statement.status === 'matched' ? EXIT.done : EXIT.finding;
}

async function matched(service: RunningService, id: string, waitMs: number): Promise<Statement> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const statement = await service.get<Statement>(`/bank-statements/${id}`);
    if (statement.status !== 'received' || waited >= waitMs) return statement;
    await pause(LOOK_MS);
  }
}

function textOf(statement: Statement, differing: readonly Entry[]): string {
  const { matchedCount, differentAmountCount, unexpectedCount, duplicateCount, missingCount } = statement;
  const lines = [
    `${statement.id}: ${statement.entryCount} entries from ${statement.fromDate} through ${statement.throughDate}, ${statement.status}`,
    `  matched ${matchedCount}, different amount ${differentAmountCount}, unexpected ${unexpectedCount}, booked before ${duplicateCount}`,
    `  missing ${missingCount}`,
    `  closing balance ${statement.closingAmount ?? 'not stated'}, expected ${statement.expectedClosingAmount ?? 'not known'}`,
    ...differing.map(
      ({ line, bookingDate, amount, expectedAmount, status }) =>
        `  line ${line}, ${bookingDate}: ${amount}, expected ${status === 'unexpected' ? 'nothing' : String(expectedAmount)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
