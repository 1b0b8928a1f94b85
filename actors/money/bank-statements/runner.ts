import { processorsOf, type CompanyState } from '../../company/index.js';
import { RoundRunner } from '../../kernel/jobs/rounds.js';
import { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import { bankDayOf } from '../bank-day.js';
import { StatementMatching } from './matching.js';
import type { StatementRunnerParts } from './ports.js';
import type { StatementSpan } from './view.js';

/** How often it is looked for what is to be done, in milliseconds. */
const EVERY_MS = 1_000;
/** A statement with differences is matched again after so many milliseconds of machine time: what explains them may have come. */
const AGAIN_MS = 600_000;
/** Calendar days behind the end of a statement in which that is done. */
const AGAIN_DAYS = 14;
/** After a failure a statement rests for so long, in milliseconds of machine time. */
const REST_MS = 60_000;

/**
 * Matches statements of banks with expected money, on the process that owns the shared shard: each once, those with differences again for
 * some days. What was found is a fact; the next owner of the shard goes on from there.
 */
export class BankStatementRunner extends RoundRunner {
  /** By statement, in milliseconds of machine time: when it is matched again, and until when it rests after a failure. */
  readonly #againAt = new Map<string, number>();
  readonly #restsUntil = new Map<string, number>();
  #isForced = false;

  constructor(private readonly parts: StatementRunnerParts) {
    super(EVERY_MS);
  }

  /** Looks once at everything, and resolves when it is done: for tests. */
  async settled(): Promise<void> {
    await this.run();
    this.#isForced = true;
    await this.run();
  }

  protected override async round(): Promise<void> {
    const isForced = this.#isForced;
    this.#isForced = false;
    for (const tenant of this.parts.engine.tenants()) {
      if (this.isClosed) return;
      const company = this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
      if (!company?.profile || processorsOf(company).size === 0) continue;
      await this.#ofCompany(tenant, company, isForced);
    }
  }

  async #ofCompany(tenant: Tenant, company: CompanyState, isForced: boolean): Promise<void> {
    const calls = new ServiceCalls(this.parts.asked, tenant);
    const spans = await this.#guarded(tenant, null, () => calls.query<readonly StatementSpan[]>('bankStatement.spans', null));
    if (spans === null || spans.length === 0) return;
    // The oldest day first, so that money is found by the statement in which it came.
    const inOrder = spans.toSorted((one, other) => one.throughDay - other.throughDay || one.createdStamp - other.createdStamp);
    for (const span of inOrder) {
      const processor = processorsOf(company).get(span.processorId);
      if (processor === undefined || this.isClosed) continue;
      const day = bankDayOf({ engine: this.parts.engine, tenant }, company, processor);
      const key = `${tenantKey(tenant)}/${span.id}`;
      const now = this.parts.engine.machineMs();
      const isRecent = span.hasDifferences && !span.isWithdrawn && day.today - span.throughDay <= AGAIN_DAYS;
      if (!span.hasContents || (!span.isOpen && !isRecent)) continue;
      if (!isForced && now < ((span.isOpen ? this.#restsUntil : this.#againAt).get(key) ?? 0)) continue;
      this.#againAt.set(key, now + AGAIN_MS);
      this.#restsUntil.set(key, now + REST_MS);
      const parts = { ...this.parts, tenant, calls, calendar: day.calendar };
      const valid = spans.filter(({ isWithdrawn }) => !isWithdrawn);
      const matching = new StatementMatching(parts, { company, processor, today: day.today, spans: valid });
      const work = async (): Promise<void> => {
        await (span.isWithdrawn ? matching.withdraw(span) : matching.run(span.id));
        this.#restsUntil.delete(key);
      };
      await this.#guarded(tenant, span.id, work);
    }
  }

  #guarded<Result>({ company, mode }: Tenant, bankStatementId: string | null, work: () => Promise<Result>): Promise<Result | null> {
    const of = { company, mode, bankStatementId };
    return this.guarded(work, (cause) => this.parts.report('a bank statement could not be matched, and is tried again', { ...of, cause }));
  }
}
