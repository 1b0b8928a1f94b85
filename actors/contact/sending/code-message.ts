import type { MessageOrder, Subject } from '../../../engine/index.js';
import { chooseTemplate, companyOf, type CompanyState, textsOf, zoneOf } from '../../company/index.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { companyVariables } from '../messages/index.js';
import { senderOfCompany } from './send/sender.js';

interface CodeMessageQuery {
  readonly channel: 'email' | 'text';
  readonly subject: Extract<Subject, 'confirmationCode' | 'passwordReset'>;
}

/** What a code for one use is written from, without the code: that is nowhere but in the message itself. */
export interface CodeTemplate {
  /** Null where the company has no active template for it. */
  readonly order: MessageOrder | null;
  /** Null: the operator's own. */
  readonly from: string | null;
  readonly replyTo: string | null;
  readonly companyName: string;
}

/** Codes go to users, borrowers or not, at once: nothing of them is recorded, and the guard has nothing to say of them. */
export const codeTemplate: QuerySpec<CompanyState, CodeMessageQuery> = {
  kind: 'company',
  type: 'message.codeTemplate',
  on: 'target',
  read({ query, env }): CodeTemplate {
    const { channel, subject } = query;
    const company = companyOf(env, env.tenant);
    const template = chooseTemplate(company, { subject, channel, productId: null, language: null });
    const { brandName, name } = company.profile ?? {};
    return {
      order:
        typeof template === 'string'
          ? null
          : {
              texts: textsOf(company, template),
              context: companyVariables(company, env),
              isFreeForm: false,
              zone: zoneOf(company),
              undefinedVariables: 'lenient',
            },
      ...senderOfCompany(company, channel),
      companyName: brandName ?? name ?? '',
    };
  },
};
