import type { BusinessCalendar } from '../../../engine/index.js';
import type { Tenant } from '../../kernel/fact.js';
import type { AskedEngine, ServiceCalls, SharedEngine } from '../../kernel/jobs/service-calls.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';

type Cell = string | number | boolean | null;

export interface StatementRunnerParts {
  readonly engine: SharedEngine;
  /** Where loans and borrowers of all shards are asked. */
  readonly asked: AskedEngine;
  readonly contents: {
    put(content: Uint8Array): Promise<OpenContent>;
    get(content: OpenContent): Promise<Uint8Array>;
    drop(contentId: string): Promise<void>;
  };
  /** Who answers SQL over the views. Throws `Refusal`. */
  readonly questions: {
    ask(
      tenant: Tenant,
      question: { readonly sql: string; readonly seesPersonalData: boolean },
    ): Promise<{ readonly rows: readonly (readonly Cell[])[] }>;
  };
  /** Gets what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** What the work for one company needs. */
export interface StatementWorkParts extends StatementRunnerParts {
  readonly tenant: Tenant;
  readonly calls: ServiceCalls;
  readonly calendar: BusinessCalendar;
}
