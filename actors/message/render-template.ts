import { paragraphsOf } from '../../engine/index.js';
import { chooseTemplate, companyOf, type CompanyState, loanTypeOf, zoneOf } from '../company/index.js';
import { refuseProperty } from '../errors.js';
import type { QuerySpec } from '../runtime/actor.js';
import { hydrated } from './hydrate.js';
import { chosen, companyAlone, isPaged, messageOf } from './preview.js';
import { renderParts } from './render-parts.js';
import type { RenderFormat, RenderTemplateBody } from './requests.js';

/** What a request to render comes to: the gateway makes pages of the HTML. */
export interface RenderedTemplate {
  readonly content: string;
}

interface RenderTemplateRequest extends RenderTemplateBody {
  readonly fmt: RenderFormat;
}

/** `POST /communicator/render`: a template by its subject over what the caller gives. */
export const renderTemplateQuery: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'message.render',
  on: 'target',
  read({ query, env }): RenderedTemplate {
    const { subject, channel, language = null, productId = null, context, fmt } = query as RenderTemplateRequest;
    const company = companyOf(env, env.tenant);
    const template = chosen(chooseTemplate(company, { subject, channel: channel ?? undefined, productId, language }), subject);
    if (fmt === 'pdf' && !isPaged(template.descriptor.stored.channel))
      refuseProperty('fmt', 'text or html', 'Pages are made of mail and documents alone.');
    const zone = zoneOf(company, productId === null ? undefined : loanTypeOf(company, productId));
    const given = hydrated(companyAlone(company), context ?? {}, env);
    const { contentHtml, contentText } = messageOf(
      renderParts({ host: company, template, context: given, zone, undefinedVariables: 'lenient' }),
    );
    return { content: fmt === 'text' ? contentText : contentHtml === '' ? paragraphsOf(contentText) : contentHtml };
  },
};
