import { addDays, type Day, dayAt, startOfDay } from '../../engine/index.js';
import type { AskedUnder } from './asked-under.js';
import { type Fact, keyBelow, type Mode, type Tenant, tenantKey } from './fact.js';

/** A test clock: the time of a test mode stands still but for its advances. */
export interface TestClock {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: number;
  /** Absent of clocks that were stored before it. */
  readonly asked?: AskedUnder | null;
  /** The mode's time in milliseconds. */
  at: number;
  /** The goal of an advance that is under way; work goes on after a crash. */
  goal: number | null;
  operationId: string | null;
  /** The newest advance, under way or done; null before the first. */
  advance: ClockAdvance | null;
}

/** One advance of a test clock; its moments are machine time but for `from` and `to`, in milliseconds. */
interface ClockAdvance {
  readonly from: number;
  readonly to: number;
  readonly orderedAt: number;
  readonly movedAt: number;
  readonly asked?: AskedUnder | null;
}

export interface ClockAdvanced {
  readonly to: number;
  /** Work of this moment follows: the advance has not ended, even where its goal is reached. */
  readonly isUnderWay?: true;
}

export interface DayClosed {
  readonly zone: string;
  readonly day: Day;
}

/**
 * Business time as data: which days are closed in which zone, and where a test mode's clock stands. `today` is
 * the last closed day + 1, never the wall clock.
 */
export class Calendars {
  readonly #closed = new Map<string, Day>();
  readonly #clocks = new Map<string, TestClock>();

  apply(fact: Fact): void {
    const tenant = tenantKey(fact.tenant);
    switch (fact.type) {
      case 'DayClosed': {
        const { zone, day } = fact.body as DayClosed;
        const key = `${tenant}/${zone}`;
        if (day > (this.#closed.get(key) ?? -Infinity)) this.#closed.set(key, day);
        return;
      }
      case 'ClockStarted': {
        const { id, name, at, asked = null } = fact.body as { id: string; name: string | null; at: number; asked?: AskedUnder | null };
        this.#setBack(tenant, at);
        this.#clocks.set(tenant, {
          id,
          name,
          at,
          createdAt: Math.floor(fact.stamp / 1000),
          asked,
          goal: null,
          operationId: null,
          advance: null,
        });
        return;
      }
      case 'ClockAdvanceOrdered': {
        const clock = this.#clocks.get(tenant);
        const { goal, operationId, asked = null } = fact.body as { goal: number; operationId: string; asked?: AskedUnder | null };
        const orderedAt = Math.floor(fact.stamp / 1000);
        if (clock)
          Object.assign(clock, {
            goal,
            operationId,
            advance: { from: clock.at, to: goal, orderedAt, movedAt: orderedAt, asked } satisfies ClockAdvance,
          });
        return;
      }
      case 'ClockAdvanced': {
        const clock = this.#clocks.get(tenant);
        const { to, isUnderWay = false } = fact.body as ClockAdvanced;
        if (!clock) return;
        clock.at = to;
        if (clock.advance) clock.advance = { ...clock.advance, movedAt: Math.floor(fact.stamp / 1000) };
        if (clock.goal !== null && to >= clock.goal && !isUnderWay) clock.goal = null;
        return;
      }
      case 'TestModeWiped':
        this.dropTenant(fact.tenant);
        return;
    }
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

  /** The tenant's time: its test clock, or the machine's. */
  now(tenant: Tenant, machineMs: number): number {
    return this.#clocks.get(tenantKey(tenant))?.at ?? machineMs;
  }

  /** Undefined while no day of the zone was closed for the tenant. */
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
      yield { company, mode: mode as Mode };
    }
  }

  dropTenant(tenant: Tenant): void {
    const prefix = `${tenantKey(tenant)}/`;
    for (const key of this.#closed.keys()) if (key.startsWith(prefix)) this.#closed.delete(key);
    this.#clocks.delete(tenantKey(tenant));
  }

  pack(): unknown {
    return { closed: [...this.#closed], clocks: [...this.#clocks] };
  }

  unpack(packed: unknown): void {
    const { closed, clocks } = packed as { closed: [string, Day][]; clocks: [string, TestClock][] };
    for (const [key, day] of closed) this.#closed.set(key, day);
    for (const [key, clock] of clocks) this.#clocks.set(key, clock);
  }
}

/** The day that must count as closed for `at` to lie in today. */
export const closedBefore = (zone: string, at: number): Day => addDays(dayAt(zone, at), -1);
