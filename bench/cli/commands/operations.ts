import { type Command, Option } from 'commander';
import type { OperationView } from '../../../actors/index.js';
import { EXIT } from '../../house.js';
import { operationLine, OPERATION_HEAD, operationText } from '../operation-views.js';
import { watchOperation } from '../watch-operation.js';
import { textTable } from '../text-table.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly json?: boolean;
}

interface ListFlags extends Flags {
  readonly status?: OperationView['status'];
  readonly loan?: string;
  readonly limit: string;
}

/** What can be done with an operation, and how it is told. */
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
  askingService(operations.command('show <operationId>').description('How an operation stands'))
    .addHelpText(
      'after',
      withExample(
        'tenor operations show 78b289fa0074495d94a83ee5b5c12fdb',
        'Exit codes: 0 it runs or has succeeded, 1 it has failed, or the service does not answer, 2 wrong usage.',
      ),
    )
    .action(async (operationId: string, flags: Flags) => {
      const service = RunningService.of(flags);
      process.exitCode = tell(await service.get(pathOf(operationId)), flags);
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
      process.exitCode = tell(await watchOperation(() => service.get(pathOf(operationId)), { isQuiet: flags.json === true }), flags);
    });
  for (const [move, description] of Object.entries(MOVES)) {
    askingService(operations.command(`${move} <operationId>`).description(description))
      .addHelpText('after', withExample(`tenor operations ${move} 78b289fa0074495d94a83ee5b5c12fdb`))
      .action(async (operationId: string, flags: Flags) => {
        tell(await RunningService.of(flags).post(`${pathOf(operationId)}/${move}`), flags);
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

function tell(operation: OperationView, { json }: Flags): number {
  process.stdout.write(json ? `${JSON.stringify(operation, null, 2)}\n` : operationText(operation));
  return operation.status === 'failed' ? EXIT.finding : EXIT.done;
}
