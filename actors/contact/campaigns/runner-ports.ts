import type { OpenContent } from '../../kernel/sealed-contents.js';
import type { PutFile } from '../../company/index.js';
import type { Tenant } from '../../kernel/fact.js';
import type { AskedEngine, SharedEngine } from '../../kernel/jobs/service-calls.js';
import type { RowsDoneBody, RunEndedBody } from './commands.js';
import type { QueryList } from './rows.js';

/** What the world outside has said of a list or a file: the run fails with these words. */
export class OutsideFault extends Error {
  override readonly name = 'OutsideFault';
}

/** Query tools that have lists, and servers that take files. */
interface CampaignOutside {
  /** Throws `OutsideFault`. */
  fetchList(asked: { readonly url: string; readonly apiKey: string | null }): Promise<QueryList>;
  /** Throws `OutsideFault`. */
  readonly putFile: PutFile;
}

interface CampaignContents {
  put(content: Uint8Array): Promise<OpenContent>;
  get(content: OpenContent): Promise<Uint8Array>;
}

/** Counts what runs come to. */
export interface CampaignMeasure {
  ended(status: RunEndedBody['status']): void;
  rows(statuses: RowsDoneBody['statuses']): void;
}

export interface CampaignRunnerParts {
  readonly engine: SharedEngine;
  /** Where borrowers and interactions of all shards are asked. */
  readonly asked: AskedEngine;
  /** How many engines have borrowers: one, or the units of a cluster. */
  readonly units: number;
  /** Who answers SQL over the views. */
  readonly questions: { ask(tenant: Tenant, question: { readonly sql: string; readonly seesPersonalData: boolean }): Promise<QueryList> };
  readonly contents: CampaignContents;
  readonly outside: CampaignOutside;
  readonly measure?: CampaignMeasure;
  /** Hears of what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}
