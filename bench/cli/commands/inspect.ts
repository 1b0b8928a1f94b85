import { type Command, Option } from 'commander';
import { type EventView, INSPECTED, type InspectedMachine, type InspectedMove, Inspector, MACHINES } from '../../../actors/index.js';
import type { Access } from '../../access.js';
import { UsageError } from '../lookups.js';
import { askingService, RunningService, ServiceFailure, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly json?: boolean;
  readonly machine?: InspectedMachine;
  readonly loan?: string;
  readonly case?: string;
  readonly after?: string;
  readonly data?: string;
  readonly nats?: string;
  readonly cluster?: string;
  readonly moves: string;
  readonly seconds: string;
}

const NOTE = `One line for each move; with --json one line for each inspection event of XState.
A running service reports moves by its events; the key needs the permission event:list. Events report no moves of borrowers, interactions,
tasks and workflows: --data, or --nats for a cluster, reads the moves of every kind from the facts of the journal.
Exit codes: 0 done, 1 the service does not answer, 2 wrong usage.`;

/** Events of one request, and seconds for which the service waits for the first of them. */
const PAGE = 100;
const WAIT_SECONDS = 20;
/** Milliseconds for which the service may be away, and between two tries. */
const AWAY_MS = 60_000;
const RETRY_MS = 500;

/** `tenor inspect`: moves of a running service, or of a journal, as inspection events of XState. */
export function addInspect(program: Command, access: Access): void {
  const command = program.command('inspect').description('Follow how loans, borrowers, cases and their parts move from status to status');
  askingService(command)
    .addOption(new Option('--machine <name>', 'only moves of this statechart').choices(MACHINES))
    .option('--loan <loanId>', 'only of this loan and, from events, of its parts')
    .option('--case <caseId>', 'only of this case and, from events, of what belongs to it')
    .option('--after <eventId>', 'begin after this event; else with what happens from now on')
    .option('--data <folder>', 'data folder of a stopped service: the moves of its whole journal')
    .option('--nats <url>', 'of a cluster, which may run: address of the NATS server; the moves of its whole journal')
    .option('--cluster <name>', 'name of the cluster')
    .option('--moves <number>', 'end after so many moves', '1000')
    .option('--seconds <number>', 'end after this time', '3600')
    .addHelpText('after', withExample('tenor inspect --machine loan --json', NOTE))
    .action((flags: Flags) => (flags.data === undefined && flags.nats === undefined ? inspect(flags) : inspectJournal(flags, access)));
}

async function inspect(flags: Flags): Promise<void> {
  if (flags.machine !== undefined && INSPECTED[flags.machine].eventTypes.length === 0)
    throw new UsageError(`No event reports the moves of a ${flags.machine}. Read them from the journal: --data or --nats.`);
  const service = RunningService.of(flags);
  const most = numberOf(flags.moves, '--moves');
  const endAt = performance.now() + numberOf(flags.seconds, '--seconds') * 1000;
  const inspector = new Inspector();
  let after = flags.after ?? (await newestOf(service));
  let moves = 0;
  while (moves < most && performance.now() < endAt) {
    const events = await look(service, queryOf(flags, after, endAt));
    for (const event of events) {
      after = event.id;
      const move = inspector.see(event);
      if (move === null || (flags.machine !== undefined && move.machine !== flags.machine)) continue;
      const { id: eventId, occurredAt } = event;
      process.stdout.write(flags.json ? jsonOf({ eventId, occurredAt }, move) : textOf(event, move));
      moves += 1;
      if (moves === most) return;
    }
  }
}

/** Moves of actors as the facts of a journal have made them, in the order of the journal. */
async function inspectJournal(flags: Flags, access: Access): Promise<void> {
  const { data, nats, cluster } = flags;
  if (flags.after !== undefined) throw new UsageError('--after names an event of a running service. A journal is read from its beginning.');
  const most = numberOf(flags.moves, '--moves');
  const ids = [flags.loan, flags.case].filter((id) => id !== undefined);
  const inspector = new Inspector();
  let moves = 0;
  const store = await access.openOfflineStore({ dataFolder: data, nats, cluster }, { checkRecords: false });
  try {
    await store.watchMoves((reported) => {
      if (moves === most || (flags.machine !== undefined && reported.machine !== flags.machine)) return;
      if (ids.length > 0 && !ids.includes(reported.id)) return;
      const move = inspector.follow(reported);
      if (move === null) return;
      const { sequence, stamp } = reported.fact;
      const occurredAt = new Date(stamp / 1000).toISOString();
      process.stdout.write(flags.json ? jsonOf({ sequence, occurredAt }, move) : textOf({ occurredAt }, move));
      moves += 1;
    });
  } finally {
    await store.close();
  }
}

function numberOf(text: string, flag: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${flag} is a number from 1 on: ${text}`);
  return Number(text);
}

/** Undefined while nothing has happened yet. */
async function newestOf(service: RunningService): Promise<string | undefined> {
  const [newest] = await service.get<readonly EventView[]>('/events?limit=1');
  return newest?.id;
}

function queryOf({ machine, loan, case: caseId }: Flags, after: string | undefined, endAt: number): string {
  const waitSeconds = Math.min(WAIT_SECONDS, Math.max(0, Math.ceil((endAt - performance.now()) / 1000)));
  const query = new URLSearchParams({ order: 'asc', limit: String(PAGE), waitSeconds: String(waitSeconds) });
  for (const [name, value] of Object.entries({ loanId: loan, caseId, startingAfter: after }))
    if (value !== undefined) query.set(name, value);
  for (const eventType of typesOf(machine)) query.append('eventType', eventType);
  return query.toString();
}

const typesOf = (machine: InspectedMachine | undefined): Iterable<string> =>
  machine === undefined ? new Set(MACHINES.flatMap((name) => [...INSPECTED[name].eventTypes])) : INSPECTED[machine].eventTypes;

/** The next events. Waits while the service is away for a moment. */
async function look(service: RunningService, query: string): Promise<readonly EventView[]> {
  const giveUpAt = performance.now() + AWAY_MS;
  for (;;) {
    try {
      return await service.get<readonly EventView[]>(`/events?${query}`);
    } catch (cause) {
      if (!(cause instanceof ServiceFailure && cause.mayPass) || performance.now() > giveUpAt) throw cause;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** `source` names the event or the fact that reported the move. */
const jsonOf = (source: object, { inspection }: InspectedMove): string =>
  inspection.map((line) => `${JSON.stringify({ ...line, ...source })}\n`).join('');

/** `2024-01-15T09:00:00-05:00  loan LN-7KQ1-ZZ4M  active -- freeze --> frozen` */
function textOf(
  { occurredAt, isReplay = false }: Pick<EventView, 'occurredAt'> & Partial<EventView>,
  { machine, id, from, move, to }: InspectedMove,
): string {
  const step = from === null ? to : move === null ? `${from} -----> ${to}` : `${from} -- ${move} --> ${to}`;
  return `${occurredAt}  ${machine} ${id}  ${step}${isReplay ? '  (replay)' : ''}\n`;
}
