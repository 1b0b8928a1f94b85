import type { Day } from '../../engine/index.js';
import type { CompanyState } from '../company/index.js';
import type { QueryEnv } from '../kernel/actor.js';
import type { ClosedZone } from '../kernel/jobs/closed-zones.js';
import type { BankSeen, CardsSeen } from '../money/index.js';
import type { DayWork, WorkState } from './work-day.js';

/** What no object of the shared shard says. */
export interface Outside {
  readonly zones: readonly ClosedZone[];
  readonly banks: readonly BankSeen[];
  readonly cards: readonly CardsSeen[];
}

/** Where automatic work is looked at. */
export interface Look {
  readonly env: QueryEnv;
  readonly company: CompanyState;
  readonly outside: Outside;
  /** Milliseconds of the company's clock. */
  readonly now: number;
}

/** Work that is due at a moment. */
export type DueWork = Pick<DayWork, 'subjectId' | 'zone' | 'day' | 'dueAt'>;

/** How a work is, as its objects say. */
export interface Reading {
  readonly state: WorkState;
  readonly begunAt?: number | null;
  /** Absent: when it was seen. Null: it is not known. */
  readonly endedAt?: number | null;
  readonly progress?: DayWork['progress'];
  readonly counts?: DayWork['counts'];
  readonly error?: string | null;
  readonly objectIds?: readonly string[];
  readonly operationId?: string | null;
  /** While it runs: it is as the operation is. */
  readonly isAsOperation?: boolean;
  /** Of work that goes on all day; absent: it is late when its time is over. */
  readonly isLate?: boolean;
}

/** How a user pauses it: its operation, the campaign or tape by its status, or the work by its name. */
export type PausedBy = 'operation' | 'status' | 'work';

/** A kind of automatic work. */
export interface WorkKind {
  readonly title: string;
  /** When it is due, for the docs. */
  readonly due: string;
  /** What is done with it. */
  readonly includes: readonly string[];
  /** Minutes after it is due at which it is late. */
  readonly graceMinutes: number;
  readonly pausedBy: PausedBy;
  /** Of work that is paused by its name: it rests also when it has begun. */
  readonly restsUnderWay?: true;
  /** It lives by other zones than that of the company, in which other days are under way. */
  readonly hasOwnZones?: true;
  /** What is due on a day of its zone. */
  dueOn(look: Look, day: Day): readonly DueWork[];
  read(look: Look, work: DueWork): Reading;
}

export const WAITING: Reading = { state: 'waiting' };

export const skipped = (error: string): Reading => ({ state: 'skipped', error });
