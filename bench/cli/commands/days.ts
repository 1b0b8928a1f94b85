import type { Command } from 'commander';
import type { DayWorkView, PausedMoveView, WorkCalendarView, WorkDayView } from '../../../actors/index.js';
import { EXIT } from '../exit-codes.js';
import { textTable } from '../loan-views.js';
import { askingService, RunningService, type ServiceFlags, withExample } from './running-service.js';

interface Flags extends ServiceFlags {
  readonly json?: boolean;
  readonly date?: string;
  readonly from?: string;
  readonly to?: string;
}

/** `tenor days`: the calendar of automatic work, of a running service. */
export function addDays(program: Command): void {
  const days = program
    .command('days')
    .description('What the automatic work of a day came to, and what did not run, of a running service: show, pause, resume');
  askingService(days.command('show', { isDefault: true }).description('The works of a day, or of several'))
    .option('--date <date>', 'YYYY-MM-DD; default today in the time zone of the company')
    .option('--from <date>', 'the first day of several, at most 31')
    .option('--to <date>', 'the last day of several; default today')
    .addHelpText(
      'after',
      withExample(
        'tenor days show --from 2026-03-01 --to 2026-03-07',
        'Exit codes: 0 nothing is late, 1 a work is late, or the service does not answer, 2 wrong usage.',
      ),
    )
    .action(async (flags: Flags) => {
      const calendar = await RunningService.of(flags).get<WorkCalendarView>(`/operations/daily${queryOf(flags)}`);
      process.stdout.write(flags.json ? `${JSON.stringify(calendar, null, 2)}\n` : calendarText(calendar));
      process.exitCode = calendar.days.some(({ works }) => works.some(({ isLate }) => isLate)) ? EXIT.finding : EXIT.done;
    });
  for (const [move, description] of Object.entries(MOVES)) {
    askingService(days.command(`${move} <work>`).description(description))
      .option('--for <id>', 'the processor, investor, settlement or credit agency; default all')
      .addHelpText('after', withExample(`tenor days ${move} achFile --for PX-7KQ1-ZZ4M`))
      .action(async (work: string, { for: subjectId, ...flags }: MoveFlags) => {
        const path = `/operations/daily/${encodeURIComponent(work)}/${move}`;
        const moved = await RunningService.of(flags).post<PausedMoveView>(path, subjectId === undefined ? {} : { subjectId });
        process.stdout.write(flags.json ? `${JSON.stringify(moved, null, 2)}\n` : movedText(moved));
      });
  }
}

const MOVES = {
  pause: 'Let automatic work rest; it is due all the same, and becomes late',
  resume: 'Let automatic work that was paused go on',
} as const;

interface MoveFlags extends ServiceFlags {
  readonly json?: boolean;
  readonly for?: string;
}

const movedText = ({ work, subjectId, isPaused }: PausedMoveView): string =>
  `${work}${subjectId === null ? '' : ` of ${subjectId}`} ${isPaused ? 'is paused' : 'goes on'}\n`;

function queryOf({ date, from, to }: Flags): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ date, fromDate: from, toDate: to })) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

const calendarText = ({ days, timezone }: WorkCalendarView): string => days.map((day) => dayText(day, timezone)).join('\n');

function dayText({ date, works }: WorkDayView, timezone: string): string {
  if (works.length === 0) return `${date}  ${timezone}  nothing was due\n`;
  const reasons = works.flatMap(({ id, error }) => (error === null ? [] : [`  ${id}: ${error}`]));
  return [`${date}  ${timezone}`, textTable(HEAD, works.map(lineOf)), ...reasons, ''].join('\n');
}

const HEAD = ['due', 'work', 'for', 'state', 'done', 'began', 'ended', 'objects'];

const lineOf = (work: DayWorkView): readonly string[] => [
  work.dueAt,
  work.work,
  work.subjectId ?? `${work.timezone} ${work.forDate}`,
  work.isLate ? `${work.state}, late` : work.state,
  doneOf(work),
  work.startedAt ?? '',
  work.endedAt ?? '',
  [...work.objectIds, ...(work.operationId === null ? [] : [work.operationId])].join(' '),
];

function doneOf({ progress, counts }: DayWorkView): string {
  const named = Object.entries(counts).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  if (named.length > 0) return named.join(', ');
  return progress === null ? '' : `${progress.done.toLocaleString('en-US')} of ${progress.total.toLocaleString('en-US')}`;
}
