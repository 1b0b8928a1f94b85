import { addDays, type Day, dayAt, startOfDay } from '../../../engine/index.js';
import { type AskedUnder, ClockHistory, type ClockRequest, emptiedIn, type PackedRequests } from './clock-history.js';
import { type Fact, keyBelow, modeOf, type Tenant, tenantKey, factTest } from '../fact.js';

/** A test clock: the time of a test mode stands still except for its advances. */
export interface TestClock {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: number;
  /** The mode's time in milliseconds. */
  at: number;
  /** The goal of a running advance; it is continued after a crash. */
  goal: number | null;
  operationId: string | null;
}

export interface ClockStarted {
  readonly id: string;
  readonly name: string | null;
  readonly at: number;
  /** Absent in earlier releases, as below. */
  readonly asked?: AskedUnder | null;
}

export interface ClockAdvanceOrdered {
  readonly goal: number;
  readonly operationId: string;
  readonly asked?: AskedUnder | null;
  /** This advance belongs to the creation of the clock with a later start. */
  readonly isStart?: true;
}

export interface ClockAdvanced {
  readonly to: number;
  /** Work of this moment follows: the advance has not ended, even if its goal is reached. */
  readonly isUnderWay?: true;
}

export interface DayClosed {
  readonly zone: string;
  readonly day: Day;
}

interface CalendarFacts {
  readonly DayClosed: DayClosed;
  readonly ClockStarted: ClockStarted;
  readonly ClockAdvanceOrdered: ClockAdvanceOrdered;
  readonly ClockAdvanced: ClockAdvanced;
  readonly TestModeWiped: { readonly asked?: AskedUnder | null };
}

const isFact = factTest<CalendarFacts>();

/**
 * Business time as data: which days are closed in which zone, and where a test mode's clock stands. `today` is
 * the last closed day + 1, never the wall clock.
 */
export class Calendars {
  readonly #closed = new Map<string, Day>();
  readonly #clocks = new Map<string, TestClock>();
  /** The stamp at which each test mode was emptied last. */
  readonly #emptied = new Map<string, number>();
  /** What was done with test clocks. */
  readonly history = new ClockHistory();

  apply(fact: Fact): void {
    const tenant = tenantKey(fact.tenant);
    if (isFact(fact, 'DayClosed')) {
      const { zone, day } = fact.body;
      const key = `${tenant}/${zone}`;
      if (day > (this.#closed.get(key) ?? -Infinity)) this.#closed.set(key, day);
    } else if (isFact(fact, 'ClockStarted')) this.#clockStarted(tenant, fact.body, millisecondsOf(fact));
    else if (isFact(fact, 'ClockAdvanceOrdered')) this.#advanceOrdered(tenant, fact.body, millisecondsOf(fact));
    else if (isFact(fact, 'ClockAdvanced')) this.#clockAdvanced(tenant, fact.body, millisecondsOf(fact));
    else if (isFact(fact, 'TestModeWiped')) {
      const { asked = null } = fact.body;
      const clock = this.#clocks.get(tenant);
      this.history.emptied(tenant);
      if (clock) this.history.add(tenant, { ...requestOf(clock, 'empty', asked), at: millisecondsOf(fact) });
      this.#emptied.set(tenant, fact.stamp);
      this.dropTenant(fact.tenant);
    }
  }

  #clockStarted(tenant: string, { id, name, at, asked = null }: ClockStarted, createdAt: number): void {
    this.#setBack(tenant, at);
    const clock: TestClock = { id, name, at, createdAt, goal: null, operationId: null };
    this.#clocks.set(tenant, clock);
    this.history.add(tenant, { ...requestOf(clock, 'make', asked), at: createdAt });
  }

  #advanceOrdered(tenant: string, { goal, operationId, asked = null, isStart }: ClockAdvanceOrdered, at: number): void {
    const clock = this.#clocks.get(tenant);
    if (!clock) return;
    const way = { to: goal, operationId, movedAt: at, isDone: false };
    if (isStart === true) this.history.leadsTo(tenant, 'make', way);
    this.history.add(tenant, { ...requestOf(clock, 'move', asked), ...way, at });
    Object.assign(clock, { goal, operationId });
  }

  #clockAdvanced(tenant: string, { to, isUnderWay }: ClockAdvanced, movedAt: number): void {
    const clock = this.#clocks.get(tenant);
    if (!clock) return;
    clock.at = to;
    const isDone = clock.goal !== null && to >= clock.goal && isUnderWay !== true;
    if (isDone) clock.goal = null;
    if (clock.operationId !== null) this.history.goesOn(tenant, clock.operationId, { movedAt, isDone });
  }

  /** A clock of an empty test mode may start in the past: its closed days are those before the start. */
  #setBack(tenant: string, at: number): void {
    for (const [key, closed] of this.#closed) {
      if (!key.startsWith(`${tenant}/`)) continue;
      const before = closedBefore(key.slice(tenant.length + 1), at);
      if (before < closed) this.#closed.set(key, before);
    }
  }

  clock(tenant: Tenant): TestClock | undefined {
    return this.#clocks.get(tenantKey(tenant));
  }

  /** What has a lower stamp was removed with the test mode, the company's configuration excepted; 0 = it was never emptied. */
  emptiedAt(tenant: Tenant): number {
    return this.#emptied.get(tenantKey(tenant)) ?? 0;
  }

  /** The tenant's time: its test clock, or the machine's. */
  now(tenant: Tenant, machineMs: number): number {
    return this.#clocks.get(tenantKey(tenant))?.at ?? machineMs;
  }

  /** Undefined while no day of the zone has been closed for the tenant. */
  lastClosed(tenant: Tenant, zone: string): Day | undefined {
    return this.#closed.get(keyBelow(tenant, zone));
  }

  /** Zones that the tenant lives by, with the instant at which the next day of each is over. */
  *nextClosings(tenant: Tenant): Iterable<DayClosed & { readonly at: number }> {
    const prefix = `${tenantKey(tenant)}/`;
    for (const [key, closed] of this.#closed) {
      if (!key.startsWith(prefix)) continue;
      const zone = key.slice(prefix.length);
      const day = addDays(closed, 1);
      yield { zone, day, at: startOfDay(zone, addDays(day, 1)) };
    }
  }

  *tenants(): Iterable<Tenant> {
    const seen = new Set<string>();
    for (const key of this.#closed.keys()) {
      const [company = '', mode = ''] = key.split('/', 2);
      const name = `${company}/${mode}`;
      if (seen.has(name)) continue;
      seen.add(name);
      yield { company, mode: modeOf(mode) };
    }
  }

  dropTenant(tenant: Tenant): void {
    const prefix = `${tenantKey(tenant)}/`;
    for (const key of this.#closed.keys()) if (key.startsWith(prefix)) this.#closed.delete(key);
    this.#clocks.delete(tenantKey(tenant));
  }

  pack(): PackedCalendars {
    return { closed: [...this.#closed], clocks: [...this.#clocks], history: this.history.pack(), emptied: [...this.#emptied] };
  }

  unpack({ closed, clocks, history = [], emptied = emptiedIn(history) }: PackedCalendars): void {
    this.history.unpack(history);
    for (const [tenant, stamp] of emptied) this.#emptied.set(tenant, stamp);
    for (const [key, day] of closed) this.#closed.set(key, day);
    for (const [key, clock] of clocks) this.#clocks.set(key, clock);
  }
}

interface PackedCalendars {
  readonly closed: readonly (readonly [string, Day])[];
  readonly clocks: readonly (readonly [string, TestClock])[];
  /** Absent in earlier releases. */
  readonly history?: PackedRequests;
  readonly emptied?: readonly (readonly [string, number])[];
}

const millisecondsOf = ({ stamp }: Fact): number => Math.floor(stamp / 1000);

/** A request that is done at once. */
const requestOf = ({ id, name, createdAt, at }: TestClock, did: ClockRequest['did'], asked: AskedUnder | null): ClockRequest => ({
  did,
  asked,
  clockId: id,
  name,
  at: createdAt,
  from: at,
  to: at,
  operationId: null,
  movedAt: createdAt,
  isDone: true,
});

/** The day that must be closed so that `at` is part of today. */
export const closedBefore = (zone: string, at: number): Day => addDays(dayAt(zone, at), -1);
