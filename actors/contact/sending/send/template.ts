import type { RenderedMessage } from '../../../../engine/index.js';
import type { Contact, PersonState } from '../../../borrower/index.js';
import { type ChosenTemplate, chooseTemplate, type CompanyState, type NoTemplate, templateNamed } from '../../../company/index.js';
import type { LoanState } from '../../../loan/index.js';
import { loanTypeIdOf, type MessageSubjects, renderMessage } from '../../messages/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { SendFailure, TemplateReason } from './failure.js';
import type { SendOrder } from './order.js';

type TemplateFailure = Pick<SendFailure, 'message'> & { readonly blockReason: TemplateReason };

type Loans = Pick<MessageSubjects, 'loan' | 'loans'>;

/** The template of a send, or why there is none (communications 1.3, step 3). Throws for one that is named and is not there. */
export function chosenTemplate(
  env: DecideEnv,
  company: CompanyState,
  { channel, subject, useTemplate, ...about }: SendOrder,
): ChosenTemplate | TemplateFailure {
  const chosen =
    useTemplate === null
      ? chooseTemplate(company, { subject, channel, productId: loanTypeIdOf(loansOf(env, about)), language: null })
      : templateNamed(company, useTemplate, channel, 'useTemplate');
  if (typeof chosen === 'string') return NONE[chosen];
  const { descriptor, version } = chosen;
  if (!descriptor.stored.enabled) return NONE.disabled;
  return version.stored.activatedAt === null ? NONE.inactive : chosen;
}

const NONE: Readonly<Record<NoTemplate, TemplateFailure>> = {
  missing: { blockReason: 'templateMissing', message: 'There is no template for the subject and channel.' },
  disabled: { blockReason: 'templateDisabled', message: 'The template is disabled: nothing is sent from it.' },
  inactive: { blockReason: 'templateMissing', message: 'The template has no active version.' },
};

export interface MessageParts {
  readonly company: CompanyState;
  readonly person: PersonState;
  readonly order: SendOrder;
  /** Null: it goes to agents. */
  readonly contact: Contact | null;
  readonly template: ChosenTemplate;
}

/** What the message says. What a template lacks is left empty; what cannot be rendered is told (communications 1.3, step 5). */
export function written(env: DecideEnv, { company, person, order, contact, template }: MessageParts): RenderedMessage | TemplateFailure {
  const { caseId, statementId, context } = order;
  const subjects: MessageSubjects = { company, person, contact, ...loansOf(env, order), caseId, statementId };
  const rendered = renderMessage({ subjects, template, context, undefinedVariables: 'lenient' }, env);
  if ('message' in rendered) return rendered.message;
  const { part, line, message } = rendered.fault;
  return { blockReason: 'templateError', message: `${part}, line ${line}: ${message}` };
}

function loansOf(env: DecideEnv, { loanId, loanIds }: Pick<SendOrder, 'loanId' | 'loanIds'>): Loans {
  const loans = loanIds.map((id) => env.read<LoanState>('loan', id)).filter((state) => state !== undefined);
  return { loan: loans.find(({ id }) => id === loanId) ?? null, loans };
}
