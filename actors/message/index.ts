import type { PersonState } from '../borrower/index.js';
import type { CompanyState } from '../company/index.js';
import type { QuerySpec } from '../runtime/actor.js';
import { previewFreeForm, previewMessage, previewOfCompany, renderDocument } from './preview.js';
import { renderTemplateQuery } from './render-template.js';

export { type HydrationEnv, loanTypeIdOf, type MessageSubjects, zoneOfMessage } from './hydrate.js';
export { type MessageOrder, renderMessage } from './render-message.js';
export type { Rendered, RenderedMessage, RenderFault } from './render-parts.js';
export type { RenderedTemplate, RenderTemplateRequest } from './render-template.js';
export type * from './requests.js';
export { variablesOf } from './variables.js';

/** Answered where the borrower lies. */
export const messageQueriesOfPeople: readonly QuerySpec<PersonState>[] = [previewMessage, renderDocument];

export const messageQueriesOfCompanies: readonly QuerySpec<CompanyState>[] = [previewOfCompany, previewFreeForm, renderTemplateQuery];
