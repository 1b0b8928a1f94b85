import type { Command } from 'commander';
import type { OperationView, TestClockView } from '../../../actors/index.js';
import { EXIT } from '../exit-codes.js';
import { watchOperation } from '../operation-views.js';
import { UsageError } from '../lookups.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly json?: boolean;
}

const WATCHED = 'Exit codes: 0 the clock stands at its goal, 1 the advance has failed, or the service does not answer, 2 wrong usage.';

/** `tenor clock`: the test clock of a company's test mode, on a running service. */
export function addClock(program: Command): void {
  const clock = program.command('clock').description('The test clock of the test mode, of a running service: show, create, advance, watch');
  askingService(clock.command('show', { isDefault: true }).description('Where it stands'))
    .addHelpText('after', withExample('tenor clock show'))
    .action(async (flags: Flags) => print(await onlyClock(RunningService.of(flags)), flags));
  askingService(clock.command('create').description('Stop the time of the test mode'))
    .option('--start <date>', 'YYYY-MM-DD; in the past only while the test mode is empty; default today')
    .option('--name <text>', 'what it is for')
    .addHelpText('after', withExample('tenor clock create --start 2026-01-01'))
    .action(async ({ start, name, ...flags }: Flags & { readonly start?: string; readonly name?: string }) => {
      const body = { ...(start === undefined ? {} : { startDate: start }), ...(name === undefined ? {} : { name }) };
      print(await RunningService.of(flags).post('/test-clocks', body), flags);
    });
  askingService(clock.command('advance <to>').description('Move it forward through its days, to a date or a date-time, and follow it'))
    .option('--no-wait', 'order it, and do not wait for its end')
    .addHelpText('after', withExample('tenor clock advance 2026-03-01', WATCHED))
    .action(async (to: string, { wait, ...flags }: Flags & { readonly wait: boolean }) => {
      const service = RunningService.of(flags);
      const { id } = await onlyClock(service);
      const { operationId } = await service.post<OperationView>(`/test-clocks/${id}/advance`, { to });
      process.exitCode = wait ? await follow(service, operationId, flags) : EXIT.done;
      print(await onlyClock(service), flags);
    });
  askingService(clock.command('watch').description('Follow an advance that is under way'))
    .addHelpText('after', withExample('tenor clock watch', WATCHED))
    .action(async (flags: Flags) => {
      const service = RunningService.of(flags);
      const { status, operationId } = await onlyClock(service);
      if (status === 'advancing' && operationId !== null) process.exitCode = await follow(service, operationId, flags);
      print(await onlyClock(service), flags);
    });
}

async function follow(service: RunningService, operationId: string, { json }: Flags): Promise<number> {
  const { status, errorMessage } = await watchOperation(() => service.get(`/operations/${operationId}`), { isQuiet: json === true });
  if (errorMessage !== null) process.stderr.write(`${errorMessage}\n`);
  return status === 'failed' ? EXIT.finding : EXIT.done;
}

/** A company has one at most. */
async function onlyClock(service: RunningService): Promise<TestClockView> {
  const [clock] = await service.get<readonly TestClockView[]>('/test-clocks');
  if (!clock) throw new UsageError('The test mode has no test clock: tenor clock create makes one.');
  return clock;
}

function print(clock: TestClockView, { json }: Flags): void {
  const { id, name, status, today, now, goal, operationId } = clock;
  process.stdout.write(
    json
      ? `${JSON.stringify(clock, null, 2)}\n`
      : `${id}${name === null ? '' : `  ${name}`}
  today     ${today}
  now       ${now}
  state     ${status}${goal === null ? '' : ` to ${goal}, operation ${operationId ?? ''}`}
`,
  );
}
