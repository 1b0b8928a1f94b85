import { Refusal } from '../../errors.js';
import type { Tenant } from '../../kernel/fact.js';
import { RoundRunner } from '../../kernel/jobs/rounds.js';
import { type AskedEngine, ServiceCalls, type SharedEngine } from '../../kernel/jobs/service-calls.js';
import type { SenderItem } from '../../borrower/index.js';
import type { ListResult } from '../../wire.js';
import type { DirectedItem, PlanNoticeBody } from './directing.js';

/** Milliseconds between rounds, and the notices of a company in one round. */
const EVERY_MS = 1_000;
const MOST = 500;
/** Borrowers with the same contact who are written to. */
const MOST_HOLDERS = 20;

export interface NoticeDirectorParts {
  readonly engine: Pick<SharedEngine, 'tenants'>;
  readonly asked: AskedEngine;
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/**
 * Brings notices for other borrowers to the shards of those borrowers, on the process that owns the shared shard. After a crash a notice is
 * brought again with the same key, and is planned once.
 */
export class NoticeDirector extends RoundRunner {
  constructor(private readonly parts: NoticeDirectorParts) {
    super(EVERY_MS);
  }

  protected override async round(): Promise<void> {
    for (const tenant of this.parts.engine.tenants()) {
      if (this.isClosed) return;
      const calls = new ServiceCalls(this.parts.asked, tenant);
      await this.#guarded(tenant, async () => {
        const { items } = await calls.query<ListResult<DirectedItem>>('directedNotice.due', null, { limit: MOST });
        for (const item of items) if (!this.isClosed) await this.#guarded(tenant, () => this.#bring(calls, item), item.id);
      });
    }
  }

  async #guarded({ company, mode }: Tenant, work: () => Promise<void>, noticeId?: string): Promise<void> {
    const of = { company, mode, ...(noticeId === undefined ? {} : { noticeId }) };
    const said = 'a notice for another borrower could not be planned, and is tried again';
    await this.guarded(work, (cause) => this.parts.report(said, { ...of, cause }));
  }

  async #bring(calls: ServiceCalls, item: DirectedItem): Promise<void> {
    const { id, notice, origin } = item;
    if (notice !== null)
      for (const { personId, contactId } of await recipientsOf(calls, item)) {
        const body: PlanNoticeBody = { notice: { ...notice, ...(contactId === null ? {} : { notAt: contactId }) }, origin };
        await unlessGone(calls.command({ type: 'person.planNotice', target: personId, body, key: `directed/${id}/${personId}` }));
      }
    await unlessGone(calls.command({ type: 'directedNotice.end', target: id, body: {} }));
  }
}

interface Recipient {
  readonly personId: string;
  /** The contact that it must not go to. */
  readonly contactId: string | null;
}

async function recipientsOf(calls: ServiceCalls, { personId, holdersOf, ownerId }: DirectedItem): Promise<readonly Recipient[]> {
  if (personId !== null) return [{ personId, contactId: null }];
  if (holdersOf === null) return [];
  const { items } = await calls.query<ListResult<SenderItem>>('person.senders', null, holdersOf);
  const holders = items.filter((item) => item.affiliation === 'self' && !item.isArchived && item.personId !== ownerId);
  return [...new Map(holders.map((holder) => [holder.personId, holder])).values()].slice(0, MOST_HOLDERS);
}

/** A borrower who was erased meanwhile gets nothing. */
async function unlessGone(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (cause) {
    if (!(cause instanceof Refusal && cause.errorType === 'notFound')) throw cause;
  }
}
