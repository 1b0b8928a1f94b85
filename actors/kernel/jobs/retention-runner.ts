import { type Day, dayAt } from '../../../engine/index.js';
import type { ListResult } from '../../wire.js';
import { type Tenant, tenantKey } from '../fact.js';
import { type DroppedContents, dropCommandOf, outlivedQueryOf, type RetentionAsked } from '../retention.js';
import { RoundRunner } from './rounds.js';
import { type AskedEngine, ServiceCalls, type SharedEngine } from './service-calls.js';

/** How often it is looked for companies with a new day, in milliseconds. */
const EVERY_MS = 60_000;

export interface RetentionRunnerParts {
  readonly engine: SharedEngine & { journalMs(): number; hasTestClock(tenant: Tenant): boolean };
  readonly asked: AskedEngine;
  readonly contents: { drop(contentId: string): Promise<void> };
  /** The kinds of files whose contents are kept for a time. */
  readonly kinds: readonly string[];
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/**
 * Drops the contents of files whose time is over, once a day of each company, on the process that owns the shared shard. The fact comes
 * first: what a crash leaves in the store of contents has no key any more.
 */
export class RetentionRunner extends RoundRunner {
  /** By tenant: the day for which all was done. */
  readonly #doneFor = new Map<string, Day>();

  constructor(private readonly parts: RetentionRunnerParts) {
    super(EVERY_MS);
  }

  /** Looks at all companies, whatever the day: for tests. */
  async settled(): Promise<void> {
    await this.run();
    this.#doneFor.clear();
    await this.run();
  }

  protected override async round(): Promise<void> {
    const { engine } = this.parts;
    for (const tenant of engine.tenants()) {
      const today = dayAt(engine.companyZone(tenant), engine.now(tenant));
      if (this.#doneFor.get(tenantKey(tenant)) === today) continue;
      const done = await this.guarded(
        () => this.#ofTenant(tenant),
        (cause) => this.parts.report('files whose time is over could not be dropped, and are tried again', { ...tenant, cause }),
      );
      if (done !== null) this.#doneFor.set(tenantKey(tenant), today);
    }
  }

  async #ofTenant(tenant: Tenant): Promise<true> {
    const { asked: objects, engine } = this.parts;
    const calls = new ServiceCalls(objects, tenant);
    const clock = engine.hasTestClock(tenant) ? null : { journalMs: engine.journalMs(), machineMs: engine.machineMs() };
    const asked: RetentionAsked = { zone: engine.companyZone(tenant), clock };
    for (const kind of this.parts.kinds) {
      const { items } = await calls.query<ListResult<string>>(outlivedQueryOf(kind), null, asked);
      for (const target of items) {
        if (this.isClosed) return true;
        const { contentIds } = await calls.command<DroppedContents>({ type: dropCommandOf(kind), target, body: asked });
        for (const contentId of contentIds) await this.parts.contents.drop(contentId);
      }
    }
    return true;
  }
}
