import { type MessageOrder, paragraphsOf, type RenderedMessage } from '../../../engine/index.js';
import { chooseTemplate, companyOf, type CompanyState, loanTypeOf, textsOf, zoneOf } from '../../company/index.js';
import { refuseProperty } from '../../errors.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { hydrated } from './hydrate.js';
import { chosen, companyAlone, isPaged } from './preview.js';
import type { RenderFormat, RenderTemplateBody } from './requests.js';

interface RenderTemplateRequest extends RenderTemplateBody {
  readonly fmt: RenderFormat;
}

/** `POST /communicator/render`: a template by its subject over what the caller gives. */
export const renderTemplateQuery: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'message.render',
  on: 'target',
  read({ query, env }): MessageOrder {
    const { subject, channel, language = null, productId = null, context, fmt } = query as RenderTemplateRequest;
    const company = companyOf(env, env.tenant);
    const template = chosen(chooseTemplate(company, { subject, channel: channel ?? undefined, productId, language }), subject);
    if (fmt === 'pdf' && !isPaged(template.descriptor.stored.channel))
      refuseProperty('fmt', 'text or html', 'Pages are made of mail and documents alone.');
    return {
      texts: textsOf(company, template),
      context: hydrated(companyAlone(company), context ?? {}, env),
      isFreeForm: false,
      zone: zoneOf(company, productId === null ? undefined : loanTypeOf(company, productId)),
      undefinedVariables: 'lenient',
    };
  },
};

/** What is shown of a rendered template in a format: pages are made of the HTML. */
export function contentAs(fmt: RenderFormat, { contentHtml, contentText }: RenderedMessage): string {
  return fmt === 'text' ? contentText : contentHtml === '' ? paragraphsOf(contentText) : contentHtml;
}
