import { dayAt, formatDay, type Day, parseDay, startOfDay } from '../../engine/index.js';
import { Refusal } from '../errors.js';
import { type AskedUnder, isAskedAgain } from './asked-under.js';
import type { TestClock } from './calendars.js';
import { endedWithin } from './ended-within.js';
import type { Engine } from './engine.js';
import type { Tenant } from './fact.js';
import { LIMITS } from './limits.js';
import { newOperationId, type Operation } from './operations.js';

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

/**
 * Test clocks: in test mode a company may stop time and move it forward, through the same closed days, daily work
 * and events as real time. Time never runs backwards; deleting the clock empties the mode instead.
 */
export class TestClocks {
  constructor(
    private readonly engine: Engine,
    private readonly machineMs: () => number,
  ) {}

  /** Whether a clock was made by the first try of this request. */
  isMadeBy(tenant: Tenant, asked: AskedUnder | null): boolean {
    return isAskedAgain(this.#clock(tenant)?.asked, asked);
  }

  /** The operation of the newest advance, where the first try of this request has ordered it. */
  orderedBy(tenant: Tenant, asked: AskedUnder | null): string | null {
    const clock = this.#clock(tenant);
    return clock && isAskedAgain(clock.advance?.asked, asked) ? clock.operationId : null;
  }

  /**
   * `startDate` before today only while the mode has no borrower yet. One clock a company. On its way to a later start it is answered when it is
   * there, or as it stands after the wait of a `sync` call: whoever asks for it then sees how far it is.
   */
  async create(
    tenant: Tenant,
    zone: string,
    start: { startDate?: string; name?: string | null },
    asked: AskedUnder | null = null,
  ): Promise<TestClockView> {
    assertTestMode(tenant);
    if (this.#clock(tenant)) throw new Refusal('duplicate', 'The company has a test clock already.');
    const now = this.engine.now(tenant);
    const at = start.startDate === undefined ? now : startOfDay(zone, dayNamed(start.startDate));
    const isPast = dayAt(zone, at) < dayAt(zone, now);
    if (isPast && this.engine.world.catalog.count(tenant, 'person') > 0) {
      throw new Refusal('invalidState', 'A test clock can start in the past only while the test mode is empty.');
    }
    this.#assertNear(at);
    const id = this.engine.newId(tenant.company, 'TI');
    this.engine.recordShared(tenant, 'ClockStarted', { id, name: start.name ?? null, at: Math.min(at, now), asked });
    if (at > now) await endedWithin(this.#start(tenant, at).finished, LIMITS.syncWaitMs);
    await this.engine.settled();
    return this.get(tenant, zone, id);
  }

  get(tenant: Tenant, zone: string, id: string): TestClockView {
    assertTestMode(tenant);
    const clock = this.#known(tenant, id);
    return {
      id: clock.id,
      object: 'testClock',
      name: clock.name,
      status: clock.goal === null ? 'ready' : 'advancing',
      now: new Date(clock.at).toISOString(),
      today: formatDay(dayAt(zone, clock.at)),
      goal: clock.goal === null ? null : new Date(clock.goal).toISOString(),
      operationId: clock.operationId,
      createdAt: new Date(clock.createdAt).toISOString(),
    };
  }

  list(tenant: Tenant, zone: string): TestClockView[] {
    assertTestMode(tenant);
    const clock = this.#clock(tenant);
    return clock ? [this.get(tenant, zone, clock.id)] : [];
  }

  /**
   * Starts to move time to `to`, a date (its first instant in the company's zone) or a date-time. Answers the
   * operation at once; `finished` resolves when the goal is reached. An interrupted advance goes on after a restart.
   */
  async advance(
    tenant: Tenant,
    zone: string,
    id: string,
    to: string,
    asked: AskedUnder | null = null,
  ): Promise<{ operation: Operation; finished: Promise<void> }> {
    assertTestMode(tenant);
    const clock = this.#known(tenant, id);
    if (clock.goal !== null) throw new Refusal('invalidState', 'The clock is advancing; its operation is not finished.');
    const goal = instantNamed(to, zone);
    if (goal <= clock.at) throw new Refusal('invalidState', 'Time never runs backwards: `to` must lie after the clock’s time.');
    if (goal - clock.at > LIMITS.advanceDays * DAY_MS) {
      throw new Refusal('validationError', `One advance spans at most ${LIMITS.advanceDays} days.`);
    }
    this.#assertNear(goal);
    const { operation, finished } = this.#start(tenant, goal, asked);
    await this.engine.settled();
    return { operation, finished };
  }

  /** Empties the test mode: borrowers, loans and the clock go, the company's configuration and keys stay. */
  async delete(tenant: Tenant, id: string): Promise<void> {
    assertTestMode(tenant);
    const clock = this.#known(tenant, id);
    if (clock.goal !== null) throw new Refusal('invalidState', 'The clock is advancing; its operation is not finished.');
    this.engine.recordShared(tenant, 'TestModeWiped', {});
    await this.engine.settled();
    await this.engine.wiped();
  }

  #start(tenant: Tenant, goal: number, asked: AskedUnder | null = null): { operation: Operation; finished: Promise<void> } {
    const startedAt = this.machineMs();
    const from = this.engine.now(tenant);
    const operation: Operation = {
      operationId: newOperationId(),
      tenant,
      kind: 'testClock.advance',
      loanId: null,
      status: 'running',
      startedAt,
      finishedAt: null,
      resultObjectId: this.#clock(tenant)?.id ?? null,
      errorType: null,
      errorMessage: null,
      progress: { done: 0, total: Math.ceil((goal - from) / DAY_MS) },
    };
    this.engine.operations.put(operation);
    this.engine.recordShared(tenant, 'ClockAdvanceOrdered', { goal, operationId: operation.operationId, asked });
    const finished = this.engine.sweeper
      .advanceClock(tenant, goal, (at) => {
        operation.progress = { done: Math.floor((at - from) / DAY_MS), total: operation.progress?.total ?? 0 };
      })
      .then(
        () => finish(operation, this.machineMs()),
        (cause: unknown) => {
          finish(operation, this.machineMs(), 'The advance was interrupted; it goes on after a restart.');
          throw cause;
        },
      );
    finished.catch(() => undefined); // whoever waits sees it, and may begin to wait after it has happened
    return { operation, finished };
  }

  /** Dates of loans lie behind a clock's time by their whole term: they must be dates of four digits. */
  #assertNear(at: number): void {
    if (at - this.machineMs() <= LIMITS.clockAheadDays * DAY_MS) return;
    throw new Refusal('validationError', `A test clock stands at most ${LIMITS.clockAheadDays} days ahead.`);
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
  if (tenant.mode !== 'test') throw new Refusal('modeMismatch', 'Test clocks exist in test mode only.');
}

function dayNamed(text: string): Day {
  const found = parseDay(text);
  if (found !== undefined) return found;
  throw new Refusal('validationError', 'The start is no date.', {
    errors: [{ path: 'startDate', expected: 'YYYY-MM-DD', message: 'is no date' }],
  });
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function instantNamed(text: string, zone: string): number {
  const day = parseDay(text);
  if (day !== undefined) return startOfDay(zone, day);
  const instant = DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(instant)) return instant;
  throw new Refusal('validationError', 'The goal is no date or date-time.', {
    errors: [{ path: 'to', expected: 'YYYY-MM-DD or an ISO 8601 date-time with its offset', message: 'is neither' }],
  });
}
