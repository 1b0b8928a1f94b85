import { Refusal } from '../../errors.js';
import type { Tenant } from '../../kernel/fact.js';
import { type AskedActors, ServiceCalls } from '../../kernel/service-calls.js';

/** What the runner asks of the engine for one company and mode. */
export class CampaignCalls extends ServiceCalls {
  constructor(asked: AskedActors, tenant: Tenant) {
    super(asked, tenant, 'campaign');
  }
}

/** Whether a refusal says that the same is to be asked again later. */
export const isForNow = (cause: unknown): boolean =>
  cause instanceof Refusal &&
  (cause.statusCode >= 500 || cause.statusCode === 429 || cause.errorType === 'idempotencyInProgress' || cause.errorType === 'loanLocked');
