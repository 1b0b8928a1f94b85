import { type Day, dayAt, formatDay, must, parseDay, startOfDay } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { CommandRequest } from '../actor.js';
import { type Tenant, tenantKey } from '../fact.js';
import { advanceOperation, operationView } from '../jobs/operation-views.js';
import { newOperationId, type Operation } from '../jobs/operations.js';
import type { OperationView } from '../jobs/share-views.js';
import { PERSON } from '../known-names.js';
import { LIMITS } from '../limits.js';
import type { ClockAdvanceOrdered, ClockStarted, TestClock } from './calendars.js';
import type { AskedUnder, ClockHistory, ClockRequest } from './clock-history.js';
import type { Engine } from './engine.js';

/**
 * Whether work ends within so many milliseconds; throws the error with which it fails. Work that is late goes on, and reports its own end.
 */
export async function endedWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

const DAY_MS = 86_400_000;

export interface TestClockView {
  readonly id: string;
  readonly object: 'testClock';
  readonly name: string | null;
  readonly status: 'ready' | 'advancing';
  /** The mode's time, and its date in the company's zone. */
  readonly now: string;
  readonly today: string;
  readonly goal: string | null;
  readonly operationId: string | null;
  readonly createdAt: string;
}

/** The command that a company gets when a test clock has started; what it does on a day of its calendar counts from the clock's day on. */
export const FOLLOW_CLOCK = 'company.followClock';

/**
 * Test clocks: in test mode a company may stop time and move it forward, through the same closed days, daily work and events as real time.
 * Time never runs backwards; deleting the clock empties the mode instead.
 */
export class TestClocks {
  constructor(
    private readonly engine: Engine,
    private readonly machineMs: () => number,
  ) {}

  /** What the first attempt of a request has done: its retries are answered from it. */
  firstTry(tenant: Tenant, request: CommandRequest): ClockRequest | undefined {
    return this.engine.world.calendars.history.firstTry(tenantKey(tenant), request);
  }

  /**
   * `startDate` before today only while the mode has no borrower yet. One clock a company. With a later start it is answered when the clock
   * has reached it, or with its present time after the wait of a `sync` call: a later request shows how far it is.
   */
  async create(
    tenant: Tenant,
    zone: string,
    start: { startDate?: string; name?: string | null },
    asked: AskedUnder | null = null,
  ): Promise<TestClockView> {
    assertTestMode(tenant);
    if (this.#clock(tenant)) throw new Refusal('duplicate', 'The company already has a test clock.');
    const now = this.engine.now(tenant);
    const at = start.startDate === undefined ? now : startOfDay(zone, dayNamed(start.startDate));
    const isPast = dayAt(zone, at) < dayAt(zone, now);
    if (isPast && this.engine.world.catalog.count(tenant, PERSON) > 0) {
      throw new Refusal('invalidState', 'A test clock can start in the past only while the test mode has no data.');
    }
    this.#assertNear(at);
    const id = this.engine.newId(tenant.company, 'TI');
    this.engine.recordShared(tenant, 'ClockStarted', { id, name: start.name ?? null, at: Math.min(at, now), asked } satisfies ClockStarted);
    if (at > now) await endedWithin(this.#start(tenant, { goal: at, asked: null, isStart: true }).finished, LIMITS.syncWaitMs);
    await this.engine.settled();
    return this.get(tenant, zone, id);
  }

  get(tenant: Tenant, zone: string, id: string): TestClockView {
    assertTestMode(tenant);
    return clockView(this.#known(tenant, id), zone);
  }

  /** The clock as it was when its creation was answered; undefined while it is still moving to its start. */
  asMade({ clockId, name, at, to, operationId, isDone }: ClockRequest, zone: string): TestClockView | undefined {
    return isDone ? clockView({ id: clockId, name, createdAt: at, at: to, goal: null, operationId }, zone) : undefined;
  }

  list(tenant: Tenant, zone: string): TestClockView[] {
    assertTestMode(tenant);
    const clock = this.#clock(tenant);
    return clock ? [this.get(tenant, zone, clock.id)] : [];
  }

  /**
   * Starts to move time to `to`, a date (its first instant in the company's zone) or a date-time. Returns the operation at once, as it
   * began; `finished` resolves when the goal is reached. An interrupted advance goes on after a restart.
   */
  async advance(
    tenant: Tenant,
    zone: string,
    id: string,
    to: string,
    asked: AskedUnder | null = null,
  ): Promise<{ operation: Operation; began: OperationView; finished: Promise<void> }> {
    assertTestMode(tenant);
    const clock = this.#known(tenant, id);
    if (clock.goal !== null) throw new Refusal('invalidState', 'The clock is advancing. Wait until its operation has finished.');
    const goal = instantNamed(to, zone);
    if (goal <= clock.at) throw new Refusal('invalidState', '`to` must be after the time of the clock.');
    if (goal - clock.at > LIMITS.advanceDays * DAY_MS) {
      throw new Refusal('validationError', `One advance can span at most ${LIMITS.advanceDays} days.`);
    }
    this.#assertNear(goal);
    const { operation, finished } = this.#start(tenant, { goal, asked });
    const began = operationView(operation);
    await this.engine.settled();
    return { operation, began, finished };
  }

  /** Empties the test mode: borrowers, loans and the clock are removed, the company's configuration and keys stay. */
  async delete(tenant: Tenant, id: string, asked: AskedUnder | null = null): Promise<void> {
    assertTestMode(tenant);
    const clock = this.#known(tenant, id);
    if (clock.goal !== null) throw new Refusal('invalidState', 'The clock is advancing. Wait until its operation has finished.');
    this.engine.recordShared(tenant, 'TestModeWiped', { asked });
    await this.engine.settled();
    await this.engine.wiped();
  }

  #start(
    tenant: Tenant,
    { goal, ...how }: Pick<ClockAdvanceOrdered, 'goal' | 'asked' | 'isStart'>,
  ): { operation: Operation; finished: Promise<void> } {
    const operationId = newOperationId();
    const ordered: ClockAdvanceOrdered = { goal, operationId, ...how };
    this.engine.recordShared(tenant, 'ClockAdvanceOrdered', ordered);
    const history = (): ClockHistory => this.engine.world.calendars.history;
    const began = must(history().advance(tenantKey(tenant), operationId), operationId);
    const { from } = began;
    const operation = advanceOperation(tenant, began, from);
    this.engine.operations.put(operation);
    const finished = this.engine.sweeper
      .advanceClock(tenant, goal, (at) => {
        operation.progress = { done: Math.floor((at - from) / DAY_MS), total: operation.progress?.total ?? 0 };
      })
      .then(
        // the test mode may have been emptied since its clock has reached the goal
        () => finish(operation, history().advance(tenantKey(tenant), operationId)?.movedAt ?? this.machineMs()),
        (cause: unknown) => {
          finish(operation, this.machineMs(), 'The advance was interrupted; it goes on after a restart.');
          throw cause;
        },
      );
    finished.catch(() => undefined); // a caller that waits gets the error, even if it begins to wait later
    return { operation, finished };
  }

  /** Dates of loans are later than a clock's time by their whole term: they must be dates of four digits. */
  #assertNear(at: number): void {
    if (at - this.machineMs() <= LIMITS.clockAheadDays * DAY_MS) return;
    throw new Refusal('validationError', `A test clock can be at most ${LIMITS.clockAheadDays} days ahead.`);
  }

  #clock(tenant: Tenant): TestClock | undefined {
    return this.engine.world.calendars.clock(tenant);
  }

  #known(tenant: Tenant, id: string): TestClock {
    const clock = this.#clock(tenant);
    if (!clock || clock.id !== id) throw new Refusal('notFound', `There is no test clock ${id}.`);
    return clock;
  }
}

function clockView({ id, name, at, goal, operationId, createdAt }: TestClock, zone: string): TestClockView {
  return {
    id,
    object: 'testClock',
    name,
    status: goal === null ? 'ready' : 'advancing',
    now: new Date(at).toISOString(),
    today: formatDay(dayAt(zone, at)),
    goal: goal === null ? null : new Date(goal).toISOString(),
    operationId,
    createdAt: new Date(createdAt).toISOString(),
  };
}

function finish(operation: Operation, at: number, errorMessage?: string): void {
  operation.finishedAt = at;
  operation.status = errorMessage === undefined ? 'succeeded' : 'failed';
  if (errorMessage === undefined) {
    operation.progress = operation.progress && { ...operation.progress, done: operation.progress.total };
    return;
  }
  operation.errorType = 'internalError';
  operation.errorMessage = errorMessage;
}

function assertTestMode(tenant: Tenant): void {
  if (tenant.mode !== 'test') throw new Refusal('modeMismatch', 'Test clocks exist only in test mode. Use a test key.');
}

function dayNamed(text: string): Day {
  const found = parseDay(text);
  if (found !== undefined) return found;
  throw new Refusal('validationError', '`startDate` is not a date.', {
    errors: [{ path: 'startDate', expected: 'YYYY-MM-DD', message: 'is not a date' }],
  });
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function instantNamed(text: string, zone: string): number {
  const day = parseDay(text);
  if (day !== undefined) return startOfDay(zone, day);
  const instant = DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(instant)) return instant;
  throw new Refusal('validationError', '`to` is not a date or date-time.', {
    errors: [{ path: 'to', expected: 'YYYY-MM-DD or an ISO 8601 date-time with its offset', message: 'is not a date or date-time' }],
  });
}
