import { type CompanyState, isByFiles, isWorkPaused, type ProcessorRecord, processorsOf } from '../../company/index.js';
import { OutsideFault } from '../../contact/index.js';
import { CompanyRunner, isApart, type Moment, momentOf } from '../../kernel/jobs/rounds.js';
import { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import { bankDayOf, noteDifferences, passedSlots } from '../bank-day.js';
import { IncomingFiles } from './incoming.js';
import { OutgoingFiles, workOfSlot } from './outgoing.js';
import type { AchRunnerParts, AchWorkParts } from './ports.js';

/** How often it is looked for what is to do, in milliseconds. */
const EVERY_MS = 1_000;
/** How often the folder of a bank is read, in milliseconds. */
const INBOX_EVERY_MS = 1_800_000;
/** After a failure a processor rests for so long, in milliseconds. */
const REST_MS = 60_000;
/** Companies that are worked for at once. */
const MOST_AT_ONCE = 4;

/** What was done for a processor since the start. Moments are milliseconds of the company's clock. */
export interface BankSeen {
  readonly processorId: string;
  readonly startedAt: number;
  /** The newest cut-off of each kind that was dealt with. */
  readonly cutoffs: { readonly sameDay: number | null; readonly nextDay: number | null };
  /** When the folder of the bank was read last. */
  readonly inboxReadAt: number | null;
  /** Why the last try has failed; null: it has not. */
  readonly fault: string | null;
}

/**
 * Makes and takes the ACH files of all processors, on the process that owns the shared shard. The next owner goes on where the files stand:
 * what was done is facts, and each step looks at them first.
 */
export class AchRunner extends CompanyRunner {
  /** By processor. */
  readonly #inboxReadAt = new Map<string, Moment>();
  readonly #failedAt = new Map<string, Moment>();
  /** By processor and kind: the last cut-off that was looked at, in milliseconds of the company's clock. */
  readonly #seenSlots = new Map<string, number>();
  readonly #faults = new Map<string, string>();

  constructor(private readonly parts: AchRunnerParts) {
    super(parts.engine, { everyMs: EVERY_MS, atOnce: MOST_AT_ONCE });
  }

  /** What was done for the processors of a company since the start. */
  seen(tenant: Tenant): readonly BankSeen[] {
    const company = this.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
    const startedAt = this.startedAt(tenant);
    return [...(company === undefined ? [] : processorsOf(company).keys())].map((processorId) => {
      const key = `${tenantKey(tenant)}/${processorId}`;
      return {
        processorId,
        startedAt,
        cutoffs: { sameDay: this.#seenSlots.get(`${key}/sameDay`) ?? null, nextDay: this.#seenSlots.get(`${key}/nextDay`) ?? null },
        inboxReadAt: this.#inboxReadAt.get(key)?.companyMs ?? null,
        fault: this.#faults.get(key) ?? null,
      };
    });
  }

  protected override workFor(tenant: Tenant, isForced: boolean): Promise<void> | null {
    const company = this.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
    if (!company?.profile || processorsOf(company).size === 0) return null;
    return this.#work(tenant, company, isForced);
  }

  async #work(tenant: Tenant, company: CompanyState, isForced: boolean): Promise<void> {
    const parts: AchWorkParts = {
      ...this.parts,
      tenant,
      calls: new ServiceCalls(this.parts.asked, tenant),
      isClosed: () => this.isClosed,
      isForced,
    };
    for (const processor of processorsOf(company).values()) {
      if (processor.stored.status === 'draft' || !isByFiles(processor.stored) || this.isClosed) continue;
      const key = `${tenantKey(tenant)}/${processor.id}`;
      const now = momentOf(this.engine, tenant);
      const isOver = (since: Moment | undefined, milliseconds: number): boolean =>
        isForced || since === undefined || isApart(since, now, milliseconds);
      if (!isOver(this.#failedAt.get(key), REST_MS)) continue;
      try {
        await this.#ofProcessor(parts, company, processor, isOver(this.#inboxReadAt.get(key), INBOX_EVERY_MS));
        this.#failedAt.delete(key);
        this.#faults.delete(key);
      } catch (cause) {
        this.#failedAt.set(key, now);
        this.#faults.set(key, cause instanceof OutsideFault ? cause.message : 'The service has failed; its log has the cause.');
        this.#report(tenant, processor.id, cause);
      }
    }
  }

  async #ofProcessor(parts: AchWorkParts, company: CompanyState, processor: ProcessorRecord, isInboxDue: boolean): Promise<void> {
    const day = bankDayOf(parts, company, processor);
    const begun = momentOf(this.engine, parts.tenant);
    const key = `${tenantKey(parts.tenant)}/${processor.id}`;
    const isPaused = (work: Parameters<typeof isWorkPaused>[1]): boolean => isWorkPaused(company, work, processor.id);
    const readsInbox = isInboxDue && !isPaused('achInbox');
    const fresh = passedSlots(processor, day).filter(
      ({ slot, until }) => !isPaused(workOfSlot(slot)) && this.#seenSlots.get(`${key}/${slot.kind}`) !== until,
    );
    const outgoing = new OutgoingFiles({ ...parts, isPaused }, processor, day);
    const isDone = fresh.length === 0 && !readsInbox ? true : await outgoing.run(fresh);
    if (readsInbox) {
      const incoming = new IncomingFiles(parts, processor, day, outgoing);
      await incoming.run();
      await outgoing.checkConfirmations();
      this.#inboxReadAt.set(key, begun);
    }
    if (!isDone) return;
    for (const { slot, until } of fresh) {
      if (slot.kind === 'nextDay') await noteDifferences(parts, processor.id, slot.day, []);
      this.#seenSlots.set(`${key}/${slot.kind}`, until);
    }
  }

  #report({ company, mode }: Tenant, processorId: string, cause: unknown): void {
    const reason = cause instanceof OutsideFault ? cause.message : String(cause);
    this.parts.report('files of a payment processor are waiting', { company, mode, processorId, cause: reason });
  }
}
