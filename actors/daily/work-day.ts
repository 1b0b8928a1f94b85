import type { Day } from '../../engine/index.js';
import { formatDay } from '../../engine/index.js';
import type { ActorDefinition, Emit } from '../kernel/actor.js';
import { applyFact, type FactTable } from '../kernel/fact-table.js';
import type { Tenant } from '../kernel/fact.js';

/*
 * The automatic work of a company on one day of its zone, as it was seen: one object for each day with any, on the shared shard. A day
 * that is over is answered from here, whatever the settings have become since.
 *
 *   waiting ─► running ─► done | failed        paused: a user has paused it        nothingDue, skipped: it was not to run
 */

export type WorkState = 'waiting' | 'running' | 'paused' | 'done' | 'failed' | 'nothingDue' | 'skipped';

/** Names of `works.ts`. They are kept for ever: recorded days have them. */
export type WorkName =
  | 'dayClose'
  | 'reminders'
  | 'privacyNotices'
  | 'campaign'
  | 'achFile'
  | 'achSameDayFile'
  | 'achInbox'
  | 'cardPayments'
  | 'cardResults'
  | 'settlement'
  | 'settlementTransfer'
  | 'loanTape'
  | 'creditFile';

/** One piece of work. */
export interface DayWork {
  /** Unique within the day. */
  readonly key: string;
  readonly work: WorkName;
  /** What it is for: a loan tape, an investor, a loan type; null: the company. */
  readonly subjectId: string | null;
  readonly zone: string;
  /** The day that it is about, in its zone. */
  readonly day: Day;
  /** Milliseconds of the company's clock. */
  readonly dueAt: number;
  readonly lateAt: number;
  readonly state: WorkState;
  readonly begunAt: number | null;
  readonly endedAt: number | null;
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly counts: Readonly<Record<string, number>>;
  /** Why it has failed, or does not go on; null if nothing prevents it. */
  readonly error: string | null;
  readonly operationId: string | null;
  readonly objectIds: readonly string[];
  /** Since when it is or was late; null: it never was. */
  readonly lateSince: number | null;
}

export interface WorkDayState {
  readonly id: string;
  readonly tenant: Tenant;
  day: Day | null;
  /** Work that was due before was not watched; milliseconds of the company's clock. */
  since: number;
  works: Readonly<Record<string, DayWork>>;
  createdAt: number;
  updatedAt: number;
  /** Microseconds; 0 before the first fact. */
  createdStamp: number;
  updatedStamp: number;
}

export interface WorkDayFacts {
  readonly WorkDayOpened: { readonly day: Day; readonly since: number };
  /** How each of them is now. A work that is late for the first time says since when. */
  readonly DayWorksSeen: { readonly works: readonly DayWork[] };
}

const APPLY: FactTable<WorkDayState, WorkDayFacts> = {
  WorkDayOpened(state, { day, since }, fact) {
    Object.assign(state, { day, since, createdAt: fact.businessAt, createdStamp: fact.stamp });
  },
  DayWorksSeen(state, { works }, _fact, emit) {
    for (const work of works) {
      if (work.lateSince !== null && (state.works[work.key]?.lateSince ?? null) === null) emit?.(lateEvent(state, work));
    }
    state.works = { ...state.works, ...Object.fromEntries(works.map((work) => [work.key, work])) };
  },
};

/** Once for each work and day. */
function lateEvent({ id, day }: WorkDayState, work: DayWork): Parameters<Emit>[0] {
  return {
    eventType: 'operation.late',
    objectType: 'workDay',
    objectId: id,
    refs: {},
    externalIds: {},
    data: {
      date: day === null ? null : formatDay(day),
      work: work.work,
      subjectId: work.subjectId,
      dueAt: new Date(work.dueAt).toISOString(),
      lateSince: work.lateSince === null ? null : new Date(work.lateSince).toISOString(),
      status: work.state,
      error: work.error,
      operationId: work.operationId,
      objectIds: work.objectIds,
    },
  };
}

const OVER: ReadonlySet<WorkState> = new Set(['done', 'nothingDue', 'skipped']);

/** Nothing of it is left to do. What has failed may still be done: a file can be sent again. */
export const isOver = ({ state }: Pick<DayWork, 'state'>): boolean => OVER.has(state);

export const WORK_DAY = 'workDay';

export const workDayDefinition: ActorDefinition<WorkDayState> = {
  kind: WORK_DAY,
  prefix: 'WD',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    day: null,
    since: 0,
    works: {},
    createdAt: 0,
    updatedAt: 0,
    createdStamp: 0,
    updatedStamp: 0,
  }),
  evolve(state, fact, emit) {
    applyFact(APPLY, state, fact, emit);
  },
  clone: (state) => ({ ...state }),
  row: ({ id, tenant, day, createdStamp, updatedStamp, works }) =>
    createdStamp === 0
      ? null
      : {
          id,
          externalId: null,
          createdStamp,
          updatedStamp,
          parentId: tenant.company,
          fields: { day, isOpen: !Object.values(works).every(isOver) },
        },
  pack: (state) => state,
  unpack(packed: WorkDayState) {
    return packed;
  },
};
