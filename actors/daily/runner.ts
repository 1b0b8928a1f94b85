import { dayAt, type Day, formatDay } from '../../engine/index.js';
import type { CompanyState } from '../company/index.js';
import { Refusal } from '../errors.js';
import { type Tenant, tenantKey } from '../kernel/fact.js';
import type { ClosedZone } from '../kernel/jobs/closed-zones.js';
import { RoundRunner } from '../kernel/jobs/rounds.js';
import { type AskedEngine, ServiceCalls, type SharedEngine } from '../kernel/jobs/service-calls.js';
import type { OperationView } from '../kernel/jobs/share-views.js';
import type { BankSeen, CardsSeen } from '../money/index.js';
import type { OpenDayBody, SeeWorksBody } from './commands.js';
import type { Reading } from './work-kind.js';
import { asOperation, type FollowedOperation, seenWork } from './seen-work.js';
import type { LookQuery, LookReply } from './view.js';
import { type DayWork, isOver } from './work-day.js';

/** How often automatic work is looked at, in milliseconds. */
const EVERY_MS = 5_000;
/** Work that was due earlier is no longer counted as late by the metric, in milliseconds: its event was sent, and the calendar shows it. */
const COUNTED_MS = 48 * 3_600_000;

/** Counts late work by its name and mode. */
export interface LateWorkMeasure {
  late(counts: ReadonlyMap<string, number>): void;
}

export interface DayWorkRunnerParts {
  readonly engine: SharedEngine;
  readonly asked: AskedEngine;
  zones(tenant: Tenant): readonly ClosedZone[];
  banks(tenant: Tenant): readonly BankSeen[];
  cards(tenant: Tenant): readonly CardsSeen[];
  readonly measure?: LateWorkMeasure;
  /** Gets late work, and what could not be looked at; that is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** What is remembered of a company and mode between two looks. */
interface Watched {
  /** When it was looked at first, in milliseconds of its clock. */
  readonly since: number;
  /** As long as this stays the same, nothing is to be seen before `restsUntil`. */
  readonly signature: string;
  readonly restsUntil: number;
  readonly late: readonly DayWork[];
}

/**
 * Records what the automatic work of each company has come to, day by day, on the process that owns the shared shard. It moves no work
 * itself. The days are facts; the next owner goes on from there.
 */
export class DayWorkRunner extends RoundRunner {
  readonly #watched = new Map<string, Watched>();

  constructor(private readonly parts: DayWorkRunnerParts) {
    super(EVERY_MS);
  }

  override async close(): Promise<void> {
    await super.close();
    this.parts.measure?.late(new Map());
  }

  protected override async round(): Promise<void> {
    const counts = new Map<string, number>();
    for (const tenant of this.parts.engine.tenants()) {
      if (this.isClosed) return;
      await this.#look(tenant);
      const now = this.parts.engine.now(tenant);
      for (const { work, dueAt } of this.#watched.get(tenantKey(tenant))?.late ?? []) {
        if (now - dueAt > COUNTED_MS) continue;
        const key = `${work} ${tenant.mode}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    this.parts.measure?.late(counts);
  }

  async #look(tenant: Tenant): Promise<void> {
    const { engine } = this.parts;
    const company = engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
    if (!company?.profile) return;
    const key = tenantKey(tenant);
    const now = engine.now(tenant);
    const zones = this.parts.zones(tenant);
    const signature = JSON.stringify([
      company.updatedStamp,
      dayAt(engine.companyZone(tenant), now),
      zones.map(({ zone, closed }) => [zone, closed]),
    ]);
    const before = this.#watched.get(key);
    if (before !== undefined && before.signature === signature && now < before.restsUntil && now >= before.since) return;
    // A test clock may have been set back since.
    const since = before === undefined ? now : Math.min(before.since, now);
    try {
      const works = await this.#see(tenant, {
        outside: { zones, banks: this.parts.banks(tenant), cards: this.parts.cards(tenant) },
        since,
      });
      const open = works.filter((work) => !isOver(work));
      const isQuiet = open.every(({ state, dueAt }) => state === 'waiting' && dueAt > now);
      const restsUntil = isQuiet ? Math.min(...open.map(({ dueAt }) => dueAt)) : now;
      this.#watched.set(key, { since, signature, restsUntil, late: open.filter(({ lateSince }) => lateSince !== null) });
    } catch (cause) {
      this.#watched.set(key, { since, signature: '', restsUntil: now, late: before?.late ?? [] });
      if (!(cause instanceof Refusal && cause.errorType === 'unavailable'))
        this.parts.report('automatic work could not be looked at', { ...tenant, cause: String(cause) });
    }
  }

  /** All works of the days that are watched, as they are now. */
  async #see(tenant: Tenant, query: LookQuery): Promise<readonly DayWork[]> {
    const { engine, asked } = this.parts;
    const calls = new ServiceCalls(asked, tenant);
    const { days } = await calls.query<LookReply>('workDay.look', null, query);
    const now = engine.now(tenant);
    const all: DayWork[] = [];
    for (const { day, id, since, works } of days) {
      const changed: DayWork[] = [];
      for (const { before, due, reading } of works) {
        const seen = seenWork(before, due, await this.#whole(tenant, reading, calls), now);
        if (seen !== null) {
          changed.push(seen);
          if (seen.lateSince !== null && (before?.lateSince ?? null) === null) this.#reportLate(tenant, day, seen);
        }
        const current = seen ?? before;
        if (current !== null) all.push(current);
      }
      if (changed.length === 0) continue;
      if (id === null)
        await calls.command({ type: 'workDay.open', target: tenant.company, body: { day, since, works: changed } satisfies OpenDayBody });
      else await calls.command({ type: 'workDay.see', target: id, body: { works: changed } satisfies SeeWorksBody });
    }
    return all;
  }

  async #whole(tenant: Tenant, reading: Reading, calls: ServiceCalls): Promise<Reading> {
    if (reading.isAsOperation !== true) return reading;
    const { engine } = this.parts;
    const operation = reading.operationId == null ? null : await operationOf(calls, reading.operationId);
    return asOperation(reading, operation, engine.now(tenant) - engine.machineMs());
  }

  #reportLate({ company, mode }: Tenant, day: Day, { work, subjectId, state, dueAt }: DayWork): void {
    this.parts.report('automatic work is late', {
      company,
      mode,
      work,
      subjectId,
      state,
      date: formatDay(day),
      dueAt: new Date(dueAt).toISOString(),
    });
  }
}

/** Null where it is no longer known: it has ended long ago. */
async function operationOf(calls: ServiceCalls, operationId: string): Promise<FollowedOperation | null> {
  try {
    return await calls.query<OperationView>('operation.get', null, {}, { operationId });
  } catch (cause) {
    if (cause instanceof Refusal && cause.errorType === 'notFound') return null;
    throw cause;
  }
}
