import { type ContactFault, type MessageText, must, type RenderedMessage } from '../../../../engine/index.js';
import { type Contact, isReachable, languageOf, type PersonState } from '../../../borrower/index.js';
import {
  chooseTemplate,
  type ChosenTemplate,
  companyOf,
  type CompanyState,
  HELP_TEMPLATE,
  messageText,
  type NoTemplate,
  templateNamed,
  zoneOf,
} from '../../../company/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandSpec, DecideEnv, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import type { LoanState } from '../../../loan/index.js';
import { faultOfNumber } from '../../guard/index.js';
import { sendRecorded, type SentMessage } from '../../interactions/index.js';
import type { InteractionState } from '../../interactions/state.js';
import { withInteractionReply } from '../../interactions/view.js';
import { linked, loanTypeIdOf, type MessageSubjects, renderMessage } from '../../messages/index.js';
import { attempted } from '../delivery/attempt.js';
import type { SendRequest } from '../payoff-letter.js';
import { agentsOf, isToAgents, readOrder, type SendOrder } from './order.js';
import { failedSend, refusalOf, type Screenable, screened, type SendFailure, type TemplateReason } from './screened.js';
import { contentOf, type Whereto } from './content.js';
import { addressedTo, chosenContact, recipientOf, senderOf } from './sender.js';

/** The result of a send: the facts of one interaction, or none if nothing is recorded, and the failure. */
export interface Sending {
  readonly interactionId: string;
  /** Facts of the interaction have no target. To record them with those of another actor, add the target with `beside`. */
  readonly facts: readonly FactDraft[];
  readonly failure: SendFailure | null;
}

/**
 * The only way by which the service sends a message to a borrower: choose the contact and the template, render, ask the guard,
 * record. A send that is blocked or has no contact is recorded as failed.
 */
export function sending(env: DecideEnv, person: PersonState, order: SendOrder, interactionId = env.newId('IN')): Sending {
  const company = companyOf(env, env.tenant);
  env.today(zoneOf(company)); // starts the tenant's calendar, which the moments of messages need
  const agents = isToAgents(order) ? agentsOf(env, order) : null;
  const contact = agents === null ? chosenContact(env, person, order) : null;
  const recorded = (message: Recorded): FactDraft => sendRecorded(env, interactionId, { ...saidOf(order, person.id, contact), ...message });
  const nothing = (failure: Pick<SendFailure, 'blockReason' | 'message'>): Sending => ({
    interactionId,
    facts: [],
    failure: { ...failure, interactionId: null, ruleId: null, sendAt: null },
  });

  const fault = contact && faultOfNumber(env, person, contact, order.channel);
  if (fault === 'wrongType')
    refuseProperty('contactId', `a contact for ${order.channel}`, `The contact cannot be reached by ${order.channel}.`);
  const to = agents === null ? toBorrower(env, person, order, contact, fault) : toThem(order, agents);
  if ('message' in to) {
    const blockReason = 'noContact';
    const failure = { blockReason, ...to, interactionId, ruleId: null, sendAt: null } as const;
    return { interactionId, facts: [recorded({ status: 'failed', statusDetails: 'invalidContact', blockReason })], failure };
  }
  const template = chosenTemplate(env, company, isToAgents(order) ? null : languageOf(person), order);
  if ('blockReason' in template) return nothing(template);
  const message = written(env, { company, person, order, contact, template });
  const text = 'blockReason' in message ? null : messageText(company, template.descriptor.stored.language, order.channel, message);
  const { objection, logged } = screened(
    env,
    person.id,
    screenable(order, contact?.id ?? null, interactionId, template, text),
    order.sendAt ?? env.now,
  );
  if (objection) {
    const { ruleId: complianceGuardRuleId, blockReason } = objection;
    return {
      interactionId,
      facts: [recorded({ status: 'failed', statusDetails: 'blockedByComplianceGuard', complianceGuardRuleId, blockReason }), ...logged],
      failure: { ...objection, interactionId },
    };
  }
  if ('blockReason' in message) return nothing(message);

  const sender = senderOf(env, company, person.id, order, contact?.id ?? null);
  const said = {
    templateVersionId: template.version.id,
    sensitive: order.sensitive ?? template.descriptor.stored.sensitive,
    content: contentOf(order.channel, order.attachments, { ...message, from: sender.from, to }),
  };
  if (order.sendAt !== null)
    return { interactionId, facts: [recorded({ ...said, status: 'scheduled', sendAt: order.sendAt }), ...logged], failure: null };
  return { interactionId, facts: [recorded({ ...said, status: 'attempted' }), ...attempted(env, order, sender), ...logged], failure: null };
}

const screenable = (
  { channel, subject, theme, loanIds, caseId, isTransactional, origin, previousInteractionId }: SendOrder,
  contactId: string | null,
  interactionId: string,
  { descriptor }: ChosenTemplate,
  message: MessageText | null,
): Screenable => ({
  interactionId,
  channel,
  subject,
  theme,
  contactId,
  loanIds,
  caseId,
  isTransactional,
  origin,
  isLegallyRequired: descriptor.stored.legallyRequired,
  isHelpText: descriptor.stored.subject === HELP_TEMPLATE,
  previousInteractionId,
  message,
});

/** The facts of a send, to be recorded with those of another actor on the borrower's shard. */
export const beside = ({ interactionId, facts }: Sending): readonly FactDraft[] =>
  facts.map((draft) => ({ target: { kind: 'interaction', id: interactionId }, ...draft }));

/** Why a message goes nowhere. */
interface Nowhere {
  readonly message: string;
}

const toBorrower = (
  env: DecideEnv,
  person: PersonState,
  { channel }: SendOrder,
  contact: Contact | null,
  fault: Exclude<ContactFault, 'wrongType'> | null,
): Whereto | Nowhere =>
  contact === null || isUnusable(fault)
    ? { message: NO_CONTACT[fault ?? 'none'] }
    : addressedTo(channel, recipientOf(env, person, contact));

const toThem = ({ channel }: SendOrder, agents: readonly string[]): Whereto | Nowhere =>
  channel === 'email' && agents.length > 0 ? { to: agents } : { message: 'The message cannot be sent: no agent owns the case.' };

/** A third party is not unusable here: the guard decides about it and blocks. */
const isUnusable = (fault: ContactFault | null): boolean => fault !== null && fault !== 'thirdParty';

const NO_CONTACT: Readonly<Record<Exclude<ContactFault, 'wrongType'> | 'none', string>> = {
  none: 'The borrower has no contact for this channel.',
  archived: 'The contact is archived.',
  invalid: 'The contact is not valid.',
  disconnected: 'The phone is disconnected.',
  thirdParty: 'The contact belongs to a third party, who must not be informed.',
};

type Recorded = Pick<SentMessage, 'status'> & Partial<SentMessage>;

/** The fields of every record of a send, whatever its result. */
const saidOf = (
  {
    sendAt: _planned,
    sensitive,
    attachments: _attached,
    context: _variables,
    useTemplate: _named,
    statementId: _statement,
    contactId: _contact,
    origin: _origin,
    worker: _worker,
    undefinedVariables: _strictly,
    ...order
  }: SendOrder,
  personId: string,
  contact: Contact | null,
): Omit<SentMessage, 'status'> => ({ ...order, personId, contact, sensitive: sensitive ?? false });

type TemplateFailure = Pick<SendFailure, 'message'> & { readonly blockReason: TemplateReason };

type Loans = Pick<MessageSubjects, 'loan' | 'loans'>;

/** The template of a send, or why there is none. Refuses a template that the order names and that does not exist. */
function chosenTemplate(
  env: DecideEnv,
  company: CompanyState,
  language: string | null,
  { channel, subject, useTemplate, ...about }: SendOrder,
): ChosenTemplate | TemplateFailure {
  const chosen =
    useTemplate === null
      ? chooseTemplate(company, { subject, channel, productId: loanTypeIdOf(loansOf(env, about)), language })
      : templateNamed(company, useTemplate, channel, 'useTemplate');
  if (typeof chosen === 'string') return NONE[chosen];
  const { descriptor, version } = chosen;
  if (!descriptor.stored.enabled) return NONE.disabled;
  return version.stored.activatedAt === null ? NONE.inactive : chosen;
}

const NONE: Readonly<Record<NoTemplate, TemplateFailure>> = {
  missing: { blockReason: 'templateMissing', message: 'There is no template for the subject and channel.' },
  disabled: { blockReason: 'templateDisabled', message: 'The template is disabled.' },
  inactive: { blockReason: 'templateMissing', message: 'The template has no active version.' },
};

interface MessageParts {
  readonly company: CompanyState;
  readonly person: PersonState;
  readonly order: SendOrder;
  /** Null: the message goes to agents. */
  readonly contact: Contact | null;
  readonly template: ChosenTemplate;
}

/** The rendered message, or the failure to render it. Variables without a value are empty, or a failure if the order is strict. */
function written(env: DecideEnv, { company, person, order, contact, template }: MessageParts): RenderedMessage | TemplateFailure {
  const { channel, caseId, statementId, undefinedVariables = 'lenient' } = order;
  const context = { ...linked(channel, contact), ...order.context };
  const subjects: MessageSubjects = { company, person, contact, ...loansOf(env, order), caseId, statementId };
  const rendered = renderMessage({ subjects, template, context, undefinedVariables }, env);
  if ('message' in rendered) return rendered.message;
  const { part, line, message } = rendered.fault;
  return { blockReason: 'templateError', message: `${part}, line ${line}: ${message}` };
}

function loansOf(env: DecideEnv, { loanId, loanIds }: Pick<SendOrder, 'loanId' | 'loanIds'>): Loans {
  const loans = loanIds.map((id) => env.read<LoanState>('loan', id)).filter((state) => state !== undefined);
  return { loan: loans.find(({ id }) => id === loanId) ?? null, loans };
}

/** The status of a send that a rule has blocked. The record stays, and a retry gets the same answer. */
export const BLOCKED_STATUS = 422;

/** `POST /communicator/send`: the interaction is on its borrower's shard. */
export const sendMessage: CommandSpec<InteractionState, SendRequest> = {
  kind: 'interaction',
  type: 'interaction.send',
  place: { on: 'beside', kind: 'person' },
  decide(context): Decision<InteractionState> {
    const { env, id, besideId, body } = context;
    const person = env.read<PersonState>('person', must(besideId, 'a message goes to a borrower'));
    if (!person || !isReachable(person)) return refuse('notFound', 'There is no such borrower.');
    const { facts, failure } = sending(env, person, readOrder(env, id, person, body), id);
    if (failure === null) return withInteractionReply(context, person.id, facts);
    const data = failedSend(failure);
    if (facts.length === 0) throw refusalOf(data);
    return { facts, reply: () => ({ status: BLOCKED_STATUS, data, message: data.message }) };
  },
};
