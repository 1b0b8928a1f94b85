import { setTimeout as pause } from 'node:timers/promises';
import { dayAt } from '../../../engine/index.js';
import { campaignsOf, type CompanyState, runDueOn } from '../../company/index.js';
import { Refusal } from '../../errors.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import { RoundRunner } from '../../kernel/jobs/rounds.js';
import { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { ListResult } from '../../wire.js';
import type { RunEndedBody, ScheduledRunBody } from './commands.js';
import { RunExecution } from './execution.js';
import { CAMPAIGN_RUN, type RunState } from './run.js';
import type { CampaignRunnerParts } from './runner-ports.js';

/** How often it is looked for what is to run, in milliseconds. */
const EVERY_MS = 1_000;
/** Runs at once over all companies; a company has one at a time. */
const MOST_RUNS = 4;
/** Messages of a company a second. */
const SENDS_A_SECOND = 20;
/** A run that has met a failure of the service so often without a row done between is given up. */
const MOST_FAILURES = 20;

/** How often a run has failed since so many of its rows were done. */
interface Failures {
  readonly processed: number;
  readonly count: number;
}

/**
 * Starts campaigns at their time and executes their runs, on the process that owns the shared shard. The next owner of the shard goes on
 * where the runs stand.
 */
export class CampaignRunner extends RoundRunner {
  /** By company and mode: the run that is executed. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, Failures>();
  readonly #nextSend = new Map<string, number>();

  constructor(private readonly parts: CampaignRunnerParts) {
    super(EVERY_MS);
  }

  /** Resolves when no run is executed any more, for tests. */
  async settled(): Promise<void> {
    await this.run();
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  override async close(): Promise<void> {
    await super.close();
    await Promise.all(this.#running.values());
  }

  protected override async round(): Promise<void> {
    for (const tenant of this.parts.engine.tenants()) {
      const company = this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
      if (!company?.profile || campaignsOf(company).size === 0 || this.isClosed) continue;
      const calls = new ServiceCalls(this.parts.asked, tenant);
      try {
        await this.#schedule(tenant, company, calls);
        await this.#takeUp(tenant, calls);
      } catch (cause) {
        if (!(cause instanceof Refusal)) this.#report('campaigns could not be looked at', tenant, cause);
      }
    }
  }

  /** Campaigns whose moment has come today, however long ago: one run a day, and none for days that were missed. */
  async #schedule(tenant: Tenant, company: CompanyState, calls: ServiceCalls): Promise<void> {
    const now = this.parts.engine.now(tenant);
    const zone = this.parts.engine.companyZone(tenant);
    const scheduledOn = dayAt(zone, now);
    for (const campaign of campaignsOf(company).values()) {
      const dueAt = campaign.stored.status === 'active' ? runDueOn(campaign.id, campaign.stored, scheduledOn, zone) : null;
      if (dueAt === null || dueAt > now) continue;
      await calls.command({
        type: 'campaignRun.start',
        target: tenant.company,
        params: { borrowerCampaignId: campaign.id },
        body: { scheduledOn } satisfies ScheduledRunBody,
        key: `campaign/${campaign.id}/${tenant.mode}/${scheduledOn}`,
      });
    }
  }

  async #takeUp(tenant: Tenant, calls: ServiceCalls): Promise<void> {
    const key = tenantKey(tenant);
    if (this.#running.has(key) || this.#running.size >= MOST_RUNS) return;
    const { items } = await calls.query<ListResult<string>>('campaignRun.open', null);
    const [id] = items;
    if (id === undefined || this.isClosed) return;
    this.#running.set(
      key,
      this.#execute(tenant, id, calls).finally(() => this.#running.delete(key)),
    );
  }

  async #execute(tenant: Tenant, id: string, calls: ServiceCalls): Promise<void> {
    const parts = { ...this.parts, calls, paced: () => this.#paced(tenantKey(tenant)), isClosed: () => this.isClosed };
    try {
      await new RunExecution(parts, tenant, id).run();
      this.#failures.delete(id);
    } catch (cause) {
      const processed = this.parts.engine.stateOf<RunState>(tenant, CAMPAIGN_RUN, id)?.counts.processed ?? 0;
      const before = this.#failures.get(id);
      const failures = before?.processed === processed ? before.count + 1 : 1;
      this.#failures.set(id, { processed, count: failures });
      this.#report('a run of a campaign stopped, and goes on later', tenant, cause, id);
      if (failures >= MOST_FAILURES) await this.#giveUp(tenant, id, calls);
    }
  }

  async #giveUp(tenant: Tenant, id: string, calls: ServiceCalls): Promise<void> {
    const body: RunEndedBody = { status: 'failed', error: 'The service has failed; its log has the cause.' };
    try {
      await calls.command({ type: 'campaignRun.end', target: id, body });
      this.parts.measure?.ended(body.status);
      this.#failures.delete(id);
    } catch (cause) {
      this.#report('a run of a campaign could not be ended', tenant, cause, id);
    }
  }

  async #paced(key: string): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#nextSend.get(key) ?? 0);
    this.#nextSend.set(key, at + 1_000 / SENDS_A_SECOND);
    if (at > now) await pause(at - now);
  }

  #report(message: string, { company, mode }: Tenant, cause: unknown, runId?: string): void {
    this.parts.report(message, { company, mode, ...(runId === undefined ? {} : { runId }), cause: String(cause) });
  }
}
