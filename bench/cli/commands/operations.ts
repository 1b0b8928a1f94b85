import { type Command, Option } from 'commander';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OperationView } from '../../../actors/index.js';
import { EXIT } from '../exit-codes.js';
import { numberIn } from '../demo-lender.js';
import { money, textTable } from '../loan-views.js';
import { UsageError } from '../lookups.js';
import { OPERATION_HEAD, operationLine, operationText, watchOperation } from '../operation-views.js';
import { type Backdating, type DemoOptions, type DemoResult, runDemo } from '../run-demo.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

/** The demo needs each habit of its borrowers, and lasts a minute for each thousand loans. */
const FEWEST_LOANS = 10;
const MOST_LOANS = 10_000;

interface DemoFlags {
  readonly json?: boolean;
  readonly keep?: string | true;
  readonly loans?: string;
}

/** `tenor demo`: shows the engine in under a minute. */
export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('Book a generated portfolio over REST and live through a year of due dates, in a temporary folder')
    .option('--keep [folder]', 'leave the service running with its data until Ctrl+C, and the data in this folder (default: data-demo)')
    .option('--loans <count>', `how many loans, from ${FEWEST_LOANS} to ${MOST_LOANS} (default: 120)`)
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      withExample('tenor demo', 'Exit codes: 0 the year ran to its end and the service drained, 1 it did not, 2 wrong usage.'),
    )
    .action(async ({ json, keep, loans }: DemoFlags) => {
      const say = json ? (): void => undefined : (line: string): void => void process.stdout.write(`${line}\n`);
      const result = await runDemo(say, {
        ...(loans === undefined ? {} : { loans: loansOf(loans) }),
        ...(keep === undefined ? {} : { keep: keeping(keep === true ? 'data-demo' : keep) }),
      });
      process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : textOf(result, keep === undefined));
      process.exitCode = result.exitCode === 0 ? EXIT.done : EXIT.finding;
    });
}

function loansOf(text: string): number {
  const loans = Number(text);
  if (!Number.isInteger(loans) || loans < FEWEST_LOANS || loans > MOST_LOANS)
    throw new UsageError(`--loans must be a whole number from ${FEWEST_LOANS} to ${MOST_LOANS}: ${text}`);
  return loans;
}

/** Keeps the demo's service running in an empty folder. Throws `UsageError` where the folder is not empty. */
function keeping(name: string): DemoOptions['keep'] {
  const folder = resolve(name);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new UsageError(`${folder} is not empty: name another folder, or remove it.`);
  return {
    folder,
    async whenSeen({ url, testKey }) {
      process.stdout.write(
        [
          '',
          `The service goes on at ${url}/api until Ctrl+C. Its API document: ${url}/api/docs`,
          `  export KEY=${testKey}`,
          `  curl -s ${url}/api/loans -H "Authorization: Bearer $KEY"`,
          `Later again: npm start -- --data ${folder}`,
          '',
        ].join('\n'),
      );
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    },
  };
}

function textOf(result: DemoResult, isGone: boolean): string {
  return [
    '',
    'The year, month by month (the 15th is due; late payers come on the 5th, each late fee is 15.00)',
    '',
    monthsOf(result),
    '',
    'The portfolio, before and after',
    '',
    totalsOf(result),
    '',
    ...backdatingOf(result.backdating),
    '',
    'Timings',
    '',
    timingsOf(result),
    '',
    `The service has drained and ended with code ${result.exitCode ?? 'none'}; its folder ${isGone ? 'is gone' : 'stays'}.`,
    '',
  ].join('\n');
}

const monthsOf = ({ months }: DemoResult): string =>
  textTable(
    ['due', 'paid on time', 'paid late', 'overdue loans', 'outstanding', 'took'],
    months.map((month) => [
      month.dueDate,
      month.paidOnTime,
      month.paidLate,
      month.overdueLoans,
      money(month.outstanding),
      `${Math.round(month.milliseconds)} ms`,
    ]),
  );

function totalsOf({ before, after }: DemoResult): string {
  const statuses = [...new Set([...Object.keys(before.statuses), ...Object.keys(after.statuses)])];
  return textTable(
    ['', before.today, after.today],
    [
      ...statuses.map((status) => [`loans ${status}`, before.statuses[status] ?? 0, after.statuses[status] ?? 0]),
      ['loans overdue', before.overdueLoans, after.overdueLoans],
      ['outstanding', money(before.outstandingTotal), money(after.outstandingTotal)],
      ['  of it principal', money(before.outstandingPrincipal), money(after.outstandingPrincipal)],
      ['overdue', money(before.overdueTotal), money(after.overdueTotal)],
      ['principal paid', money(before.paidPrincipal), money(after.paidPrincipal)],
      ['interest paid', money(before.paidInterest), money(after.paidInterest)],
      ['late fees charged', money(before.lateFees), money(after.lateFees)],
    ],
  );
}

function backdatingOf({ loan, paidOn, effectiveDate, before, after, milliseconds }: Backdating): readonly string[] {
  const row = (name: string, block: string, property: string): readonly string[] => [
    name,
    money(numberIn(before, block, property)),
    money(numberIn(after, block, property)),
  ];
  return [
    `A payment of ${money(loan.installment)} on ${loan.path.split('/').at(-1) ?? ''}, booked on ${paidOn}, is found to have come ` +
      `on ${effectiveDate} and is backdated`,
    '',
    textTable(
      ['', `as booked`, 'as backdated'],
      [
        row('outstanding', 'outstandingBalances', 'outstandingTotalAmount'),
        row('interest accrued', 'interestAndFeesAmounts', 'interestAccruedTotalAmount'),
        row('late fees charged', 'interestAndFeesAmounts', 'feesChargedTotalAmount'),
        row('due or overdue', 'overdueBalances', 'overdueTotalAmount'),
      ],
    ),
    '',
    `  One request replayed the loan from ${effectiveDate} on: ${milliseconds.toFixed(1)} ms, durable.`,
  ];
}

function timingsOf({ timings, requests, loans }: DemoResult): string {
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
  return textTable(
    ['', 'took'],
    [
      ['service started', seconds(timings.start)],
      [`${loans} loans booked and activated`, seconds(timings.book)],
      ['365 days, payments and reports', seconds(timings.year)],
      ['service drained and stopped', seconds(timings.stop)],
      ['all of it', seconds(timings.total)],
      ['requests over REST', requests],
      ['requests a second', Math.round((requests * 1000) / (timings.book + timings.year))],
    ],
  );
}

interface Flags extends ServiceFlags {
  readonly json?: boolean;
}

interface ListFlags extends Flags {
  readonly status?: OperationView['status'];
  readonly loan?: string;
  readonly limit: string;
}

/** What can be done with an operation, and the description of each command. */
const MOVES = {
  pause: 'Let mass work rest; what is computed stays',
  resume: 'Let mass work that is paused or held go on',
  cancel: 'End a dry run or a replay before it is done; what is recorded stays',
} as const;

/** `tenor operations`: mass work of a running service. */
export function addOperations(program: Command): void {
  const operations = program.command('operations').description('Mass work of a running service: list, show, watch, pause, resume, cancel');
  askingService(operations.command('list', { isDefault: true }).description('Running and recent operations, newest first'))
    .addOption(new Option('--status <status>', 'only these').choices(['running', 'succeeded', 'failed']))
    .option('--loan <loanId>', 'only those about this loan')
    .option('--limit <number>', 'how many', '25')
    .addHelpText('after', withExample('tenor operations list --status running'))
    .action(list);
  askingService(operations.command('show <operationId>').description('The state of an operation'))
    .addHelpText(
      'after',
      withExample(
        'tenor operations show 78b289fa0074495d94a83ee5b5c12fdb',
        'Exit codes: 0 it runs or has succeeded, 1 it has failed, or the service does not answer, 2 wrong usage.',
      ),
    )
    .action(async (operationId: string, flags: Flags) => {
      const service = RunningService.of(flags);
      process.exitCode = print(await service.get(pathOf(operationId)), flags);
    });
  askingService(operations.command('watch <operationId>').description('Follow an operation to its end'))
    .addHelpText(
      'after',
      withExample(
        'tenor operations watch 78b289fa0074495d94a83ee5b5c12fdb',
        'Exit codes: 0 it has succeeded, 1 it has failed, or the service does not answer, 2 wrong usage.',
      ),
    )
    .action(async (operationId: string, flags: Flags) => {
      const service = RunningService.of(flags);
      process.exitCode = print(await watchOperation(() => service.get(pathOf(operationId)), { isQuiet: flags.json === true }), flags);
    });
  for (const [move, description] of Object.entries(MOVES)) {
    askingService(operations.command(`${move} <operationId>`).description(description))
      .addHelpText('after', withExample(`tenor operations ${move} 78b289fa0074495d94a83ee5b5c12fdb`))
      .action(async (operationId: string, flags: Flags) => {
        print(await RunningService.of(flags).post(`${pathOf(operationId)}/${move}`), flags);
      });
  }
}

const pathOf = (operationId: string): string => `/operations/${encodeURIComponent(operationId)}`;

async function list({ status, loan, limit, ...flags }: ListFlags): Promise<void> {
  const query = new URLSearchParams({ ...(status === undefined ? {} : { status }), ...(loan === undefined ? {} : { loanId: loan }) });
  const operations = await RunningService.of(flags).list<OperationView>(`/operations?${query.toString()}`, Number(limit));
  if (flags.json) process.stdout.write(`${JSON.stringify(operations, null, 2)}\n`);
  else
    process.stdout.write(
      operations.length === 0 ? 'There are no operations.\n' : `${textTable(OPERATION_HEAD, operations.map(operationLine))}\n`,
    );
}

function print(operation: OperationView, { json }: Flags): number {
  process.stdout.write(json ? `${JSON.stringify(operation, null, 2)}\n` : operationText(operation));
  return operation.status === 'failed' ? EXIT.finding : EXIT.done;
}
