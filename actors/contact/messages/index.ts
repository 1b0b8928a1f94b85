import type { PersonState } from '../../borrower/index.js';
import type { CompanyState } from '../../company/index.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { previewFreeform, previewMessage, previewOfCompany, renderDocument, renderTemplateQuery } from './preview.js';

export {
  companyVariables,
  type HydrationEnv,
  linked,
  loanTypeIdOf,
  type MessageSubjects,
  UNSUBSCRIBE_PLACEHOLDER,
  unsubscribeUrlOfPortal,
  zoneOfMessage,
} from './hydrate.js';
export { contentAs, messageOf, renderMessage } from './preview.js';
export type * from './requests.js';
export { variablesOf } from './variables.js';

/** Queries that are answered on the borrower's shard. */
export const messageQueriesOfPeople: readonly QuerySpec<PersonState>[] = [previewMessage, renderDocument];

export const messageQueriesOfCompanies: readonly QuerySpec<CompanyState>[] = [previewOfCompany, previewFreeform, renderTemplateQuery];
