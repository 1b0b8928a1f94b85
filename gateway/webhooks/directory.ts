import { type CompanyState, type KeyStore, secretContext, type Tenant, type Webhook, webhooksOf } from '../../actors/index.js';
import type { Companies } from '../auth/key-directory.js';

/** A webhook as a receiver of events. */
export interface Target {
  readonly tenant: Tenant;
  readonly webhookId: string;
  readonly webhook: Webhook;
  readonly url: string;
  /** Whether it is enabled, and its company is active. */
  readonly isOn: boolean;
}

/** The webhooks of all companies, read from the companies each time, so that changes apply at once. */
export class WebhookDirectory {
  constructor(
    private readonly companies: Companies,
    private readonly keys: Pick<KeyStore, 'open'>,
  ) {}

  *all(): Iterable<Target> {
    for (const tenant of this.companies.tenants()) {
      const company = this.#company(tenant);
      if (!company) continue;
      for (const webhookId of webhooksOf(company).keys()) {
        const target = this.#target(tenant, company, webhookId);
        if (target) yield target;
      }
    }
  }

  /** Undefined when it was deleted, or does not send to an address. */
  find(tenant: Tenant, webhookId: string): Target | undefined {
    const company = this.#company(tenant);
    return company && this.#target(tenant, company, webhookId);
  }

  /** The secrets that sign now, the newest first. */
  secretsOf({ webhookId, webhook }: Target, nowMs: number): readonly string[] {
    const valid = (webhook.direct?.secrets ?? []).filter(({ until }) => until === null || until > nowMs);
    return valid.map(({ sealed }) => this.keys.open(webhookId, sealed, secretContext(webhookId))).filter((secret) => secret !== undefined);
  }

  #company({ company, mode }: Tenant): CompanyState | undefined {
    return this.companies.stateOf<CompanyState>({ company, mode }, 'company', company);
  }

  #target(tenant: Tenant, company: CompanyState, webhookId: string): Target | undefined {
    const webhook = webhooksOf(company).get(webhookId)?.stored;
    if (!webhook?.direct) return undefined;
    return { tenant, webhookId, webhook, url: webhook.direct.url, isOn: webhook.enabled && company.profile?.status === 'active' };
  }
}
