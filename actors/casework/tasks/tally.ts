import { namesOf, tableOf } from '../../../engine/index.js';
import { type Fact, factTest } from '../../kernel/fact.js';
import type { TaskFacts, TaskState } from './state.js';

/** Counts of a queue's tasks on one engine since counting began. */
export interface Tally {
  readonly queueName: string;
  /** Company's clock in milliseconds. */
  readonly since: number;
  /** Distinguishes the tallies of engines. */
  readonly firstTaskId: string;
  readonly reservations: Readonly<Record<ReservationEnd, number>>;
  readonly tasks: Readonly<Record<'canceled' | 'completed' | 'entered' | 'moved', number>>;
  /** Milliseconds until tasks were accepted: from their creation (`waits`), and from their offer (`answers`). */
  readonly waits: Waits;
  readonly answers: Waits;
}

type ReservationEnd = 'accepted' | 'canceled' | 'created' | 'rejected' | 'rescinded' | 'timedOut';

export interface Waits {
  readonly count: number;
  readonly totalMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** The number of tasks that waited longer than this many seconds. */
  readonly above: Readonly<Record<SplitSeconds, number>>;
}

export const SPLITS = [5, 10] as const;
type SplitSeconds = (typeof SPLITS)[number];

const NO_WAITS: Waits = { count: 0, totalMs: 0, minMs: 0, maxMs: 0, above: { 5: 0, 10: 0 } };

const NOTHING = {
  reservations: { accepted: 0, canceled: 0, created: 0, rejected: 0, rescinded: 0, timedOut: 0 },
  tasks: { canceled: 0, completed: 0, entered: 0, moved: 0 },
  waits: NO_WAITS,
  answers: NO_WAITS,
} as const;

type Count = (
  before: TaskState,
  fact: Fact,
) => Partial<{
  readonly reservation: ReservationEnd;
  readonly task: keyof Tally['tasks'];
  readonly waitMs: number;
  readonly answerMs: number;
}>;

const isFact = factTest<TaskFacts>();

/** What each fact counts as; other facts are not counted. */
const COUNTS: { readonly [Type in string]?: Count } = {
  TaskReserved: (before) => ({ reservation: 'created', ...(before.queueName === null ? { task: 'entered' } : {}) }),
  TaskReleased: (_before, fact) => (isFact(fact, 'TaskReleased') ? { reservation: fact.body.reason } : {}),
  TaskAccepted: ({ createdAt, reservedAt }, { businessAt }) => ({
    reservation: 'accepted',
    waitMs: businessAt - createdAt,
    answerMs: businessAt - (reservedAt ?? businessAt),
  }),
  TaskTransferred: ({ reservation }) => ({ task: 'moved', ...(reservation ? { reservation: 'canceled' } : {}) }),
  TaskCompleted: () => ({ task: 'completed' }),
  TaskCanceled: ({ reservation }) => ({ task: 'canceled', ...(reservation ? { reservation: 'canceled' } : {}) }),
};

/** The tallies of a tenant's queues. */
export class Tallies {
  readonly #queues = new Map<string, Tally>();

  /** `before` is the task before the fact. */
  count(before: TaskState, fact: Fact): void {
    const { reservation, task, waitMs, answerMs } = COUNTS[fact.type]?.(before, fact) ?? {};
    const queueName = isFact(fact, 'TaskReserved') ? fact.body.queueName : before.queueName;
    if (queueName === null || (reservation === undefined && task === undefined)) return;
    const known = this.#queues.get(queueName) ?? { ...NOTHING, queueName, since: fact.businessAt, firstTaskId: fact.id };
    this.#queues.set(queueName, {
      ...known,
      reservations:
        reservation === undefined ? known.reservations : { ...known.reservations, [reservation]: known.reservations[reservation] + 1 },
      tasks: task === undefined ? known.tasks : { ...known.tasks, [task]: known.tasks[task] + 1 },
      waits: waitMs === undefined ? known.waits : withWait(known.waits, waitMs),
      answers: answerMs === undefined ? known.answers : withWait(known.answers, answerMs),
    });
  }

  all(): readonly Tally[] {
    return [...this.#queues.values()];
  }
}

const withWait = (waits: Waits, ms: number): Waits =>
  merged(waits, {
    count: 1,
    totalMs: ms,
    minMs: ms,
    maxMs: ms,
    above: tableOf(SPLITS, (seconds) => (ms > seconds * 1000 ? 1 : 0)),
  });

function merged(one: Waits, other: Waits): Waits {
  if (one.count === 0) return other;
  if (other.count === 0) return one;
  return {
    count: one.count + other.count,
    totalMs: one.totalMs + other.totalMs,
    minMs: Math.min(one.minMs, other.minMs),
    maxMs: Math.max(one.maxMs, other.maxMs),
    above: tableOf(SPLITS, (seconds) => one.above[seconds] + other.above[seconds]),
  };
}

const summed = <Key extends string>(
  one: Readonly<Record<Key, number>>,
  other: Readonly<Record<Key, number>>,
): Readonly<Record<Key, number>> => tableOf(namesOf(one), (key) => one[key] + other[key]);

/** The sum of a queue's tallies on all engines; undefined if there are none. */
export const together = (tallies: readonly Tally[]): Tally | undefined =>
  tallies.reduce<Tally | undefined>(
    (sum, tally) =>
      sum === undefined
        ? tally
        : {
            ...sum,
            since: Math.min(sum.since, tally.since),
            reservations: summed(sum.reservations, tally.reservations),
            tasks: summed(sum.tasks, tally.tasks),
            waits: merged(sum.waits, tally.waits),
            answers: merged(sum.answers, tally.answers),
          },
    undefined,
  );
