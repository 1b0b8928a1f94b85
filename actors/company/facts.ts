import type { Day } from '../../engine/index.js';
import type { LoanTypeSettings } from './loan-type-settings.js';
import type { CompanyProfile } from './profile.js';
import type { ApiKey, LoanType } from './state.js';
import type { SignInFacts } from './access/sign-in-facts.js';
import type { WebhookFacts } from './webhooks/facts.js';

/** What happens to a company. Bodies by the fact's type; declared resources bring their own. */
export interface CompanyFacts extends WebhookFacts, SignInFacts {
  readonly CompanyCreated: { readonly profile: CompanyProfile };
  readonly CompanyUpdated: { readonly profile: CompanyProfile };
  readonly ApiKeyCreated: Pick<ApiKey, 'id' | 'userId' | 'hash' | 'description' | 'whitelistedIPs' | 'unknownFields'>;
  readonly ApiKeyUpdated: Pick<ApiKey, 'id' | 'description' | 'whitelistedIPs' | 'unknownFields' | 'status'>;
  readonly ApiKeyRevoked: { readonly id: string };
  readonly LoanTypeCreated: { readonly id: string; readonly fields: LoanTypeFields; readonly settings: LoanTypeSettings };
  /** `settings` is null when only descriptive fields changed; `from` is the first day of the new settings. */
  readonly LoanTypeUpdated: {
    readonly id: string;
    readonly fields: LoanTypeFields;
    readonly settings: LoanTypeSettings | null;
    readonly from: Day;
  };
}

/** The fields of a loan type that have no history. */
export type LoanTypeFields = Omit<LoanType, 'id' | 'createdAt' | 'updatedAt' | 'versions'>;
