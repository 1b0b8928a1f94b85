import { type CardAccess, type CompanyState, isByFiles, isWorkPaused, type ProcessorRecord, processorsOf } from '../../company/index.js';
import { OutsideFault } from '../../contact/index.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import { CompanyRunner, isApart, type Moment, momentOf } from '../../kernel/jobs/rounds.js';
import { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import { bankDayOf } from '../bank-day.js';
import { CardPayments } from './payments.js';
import type { CardRunnerParts, CardWorkParts } from './ports.js';
import { CardResultsWork } from './results.js';

/** How often it is looked for what is to do, in milliseconds. */
const EVERY_MS = 1_000;
/** How often the results of a processor are asked for until they are there, in milliseconds. */
const RESULTS_EVERY_MS = 600_000;
/** After a failure a processor rests for so long, in milliseconds. */
const REST_MS = 10_000;
/** Companies that are worked for at once. */
const MOST_AT_ONCE = 4;
/** Clocks of processes differ by no more: what has changed shortly before the last look is looked at again. In milliseconds. */
const OVERLAP_MS = 60_000;

/** What was done for a processor of cards since the start. Moments are milliseconds of the company's clock. */
export interface CardsSeen {
  readonly processorId: string;
  readonly startedAt: number;
  /** When the last round has left nothing undone. */
  readonly workedAt: number | null;
  /** Why the last try has failed; null: it has not. */
  readonly fault: string | null;
}

/** What is remembered of a processor between two rounds. */
interface Known {
  readonly failedAt?: Moment;
  readonly fault?: string;
  readonly resultsAskedAt?: Moment;
  readonly workedAt?: Moment;
}

/**
 * Calls the processors of cards of all companies, on the process that owns the shared shard. The next owner goes on where the payments
 * stand: each call has a key that its payment gives, so that a processor does nothing twice.
 */
export class CardRunner extends CompanyRunner {
  /** By processor. */
  readonly #known = new Map<string, Known>();

  constructor(private readonly parts: CardRunnerParts) {
    super(parts.engine, { everyMs: EVERY_MS, atOnce: MOST_AT_ONCE });
  }

  /** What was done for the processors of a company since the start. */
  seen(tenant: Tenant): readonly CardsSeen[] {
    const company = this.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
    const startedAt = this.startedAt(tenant);
    return company === undefined
      ? []
      : processorsOfCards(company).map(({ id: processorId }) => {
          const { workedAt, fault = null } = this.#known.get(keyOf(tenant, processorId)) ?? {};
          return { processorId, startedAt, workedAt: workedAt?.companyMs ?? null, fault };
        });
  }

  protected override workFor(tenant: Tenant, isForced: boolean): Promise<void> | null {
    const company = this.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
    if (!company?.profile || processorsOfCards(company).length === 0) return null;
    return this.#work(tenant, company, isForced);
  }

  async #work(tenant: Tenant, company: CompanyState, isForced: boolean): Promise<void> {
    for (const processor of processorsOfCards(company)) {
      const key = keyOf(tenant, processor.id);
      const known = this.#known.get(key) ?? {};
      const now = momentOf(this.engine, tenant);
      if (this.isClosed || (!isForced && known.failedAt !== undefined && !isApart(known.failedAt, now, REST_MS))) continue;
      const { failedAt: _failed, fault: _fault, ...before } = known;
      try {
        this.#known.set(key, { ...before, ...(await this.#ofProcessor(tenant, company, processor, isForced ? null : before)) });
      } catch (cause) {
        const fault = cause instanceof OutsideFault ? cause.message : 'The service has failed; its log has the cause.';
        // What was left undone is found by the next round, which looks at all that has changed since the last one that has left nothing.
        this.#known.set(key, { ...before, failedAt: now, fault });
        const { company: companyId, mode } = tenant;
        const reason = cause instanceof OutsideFault ? cause.message : String(cause);
        this.parts.report('payments by card are waiting', { company: companyId, mode, processorId: processor.id, cause: reason });
      }
    }
  }

  async #ofProcessor(tenant: Tenant, company: CompanyState, processor: ProcessorRecord, known: Known | null): Promise<Known> {
    const { engine, asked } = this.parts;
    const calls = new ServiceCalls(asked, tenant);
    const begun = momentOf(engine, tenant);
    const { today } = bankDayOf({ engine, tenant }, company, processor);
    const access = await calls.query<CardAccess>('paymentProcessor.cardAccess', tenant.company, {}, { paymentProcessorId: processor.id });
    const parts: CardWorkParts = {
      ...this.parts,
      tenant,
      calls,
      access,
      today,
      isClosed: () => this.isClosed,
      isForced: known === null,
    };
    let { workedAt, resultsAskedAt } = known ?? {};
    if (!isWorkPaused(company, 'cardPayments', processor.id)) {
      await new CardPayments(parts, workedAt === undefined ? 0 : (workedAt.machineMs - OVERLAP_MS) * 1_000).run();
      workedAt = begun;
    }
    const isResultsDue = resultsAskedAt === undefined || isApart(resultsAskedAt, begun, RESULTS_EVERY_MS);
    if (isResultsDue && !isWorkPaused(company, 'cardResults', processor.id)) {
      await new CardResultsWork(parts, processor).run();
      resultsAskedAt = begun;
    }
    return { ...(workedAt === undefined ? {} : { workedAt }), ...(resultsAskedAt === undefined ? {} : { resultsAskedAt }) };
  }
}

const keyOf = (tenant: Tenant, processorId: string): string => `${tenantKey(tenant)}/${processorId}`;

/** Those that are used, or were: their captures, refunds and results still come. */
const processorsOfCards = (company: CompanyState): readonly ProcessorRecord[] =>
  [...processorsOf(company).values()].filter(({ stored }) => !isByFiles(stored) && stored.status !== 'draft');
