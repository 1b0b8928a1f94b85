import {
  type BlockReason,
  type Channel,
  type ContactOrigin,
  type ContactPlan,
  type GuardVerdict,
  type InteractionTheme,
  isSendable,
  type MessageText,
  type Subject,
} from '../../../../engine/index.js';
import { contactOf, isReachable, type PersonState } from '../../../borrower/index.js';
import {
  type ChosenTemplate,
  companyOf,
  type CompanyState,
  HELP_TEMPLATE,
  templateDescriptorsOf,
  templateVersionsOf,
} from '../../../company/index.js';
import { Refusal } from '../../../errors.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { dateTimeText, type DateTimeText, orNull } from '../../../wire.js';
import { decisionBeside, faultOfNumber, isAnswer, screen, type ScreenEnv } from '../../guard/index.js';
import { contactHistory, type InteractionContent, type InteractionState, sendMoved } from '../../interactions/index.js';
import { openJson } from '../../interactions/sealing.js';
import { isToAgents } from './order.js';
import { isAddressedTo, recipientOf } from './sender.js';

/** Why nothing was sent. */
export interface SendFailure {
  readonly blockReason: BlockReason | TemplateReason;
  readonly message: string;
  /** The interaction that records the failure; null if nothing is recorded. */
  readonly interactionId: string | null;
  readonly ruleId: string | null;
  /** When the message would be allowed, if that depends on the time alone; else null. */
  readonly sendAt: number | null;
}

export type TemplateReason = 'templateMissing' | 'templateDisabled' | 'templateError';

/** Additional fields of a reply with 422. */
interface SendFailureView {
  readonly interactionId: string | null;
  readonly ruleId: string | null;
  readonly blockReason: SendFailure['blockReason'];
  readonly sendAt: DateTimeText | null;
}

/** The reply of a send that failed and was recorded nevertheless; its status is 422. */
export interface FailedSend extends SendFailureView {
  readonly message: string;
}

export const failedSend = ({ message, interactionId, ruleId, blockReason, sendAt }: SendFailure): FailedSend => ({
  message,
  interactionId,
  ruleId,
  blockReason,
  sendAt: orNull(dateTimeText, sendAt),
});

export const refusalOf = ({ message, ...extra }: FailedSend): Refusal =>
  new Refusal('businessValidation', message, { extra: { ...extra } });

/** A message to be screened. */
export interface Screenable {
  readonly interactionId: string;
  readonly channel: Channel;
  readonly subject: Subject;
  readonly theme: InteractionTheme;
  /** Null: the message goes to agents. */
  readonly contactId: string | null;
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  readonly isTransactional: boolean;
  readonly origin: ContactOrigin;
  readonly isLegallyRequired: boolean;
  /** It is written from the lender's answer to HELP. */
  readonly isHelpText: boolean;
  readonly previousInteractionId: string | null;
  /** What it says; null where it could not be rendered. */
  readonly message: MessageText | null;
}

export interface Screened {
  /** Null: the message may be sent. */
  readonly objection: Omit<SendFailure, 'interactionId'> | null;
  /** The facts of the guard's log. */
  readonly logged: readonly FactDraft[];
}

/** Asks the guard about a message at a moment. A message to agents is not screened. */
export function screened(env: DecideEnv, personId: string, message: Screenable, at: number): Screened {
  const { interactionId, contactId } = message;
  if (contactId === null) return { objection: null, logged: [] };
  const { plan, verdict } = judgedBy(withoutItself(env, interactionId), personId, { ...message, contactId }, at);
  return {
    objection: objectionOf(verdict),
    logged: decisionBeside(env, { personId, contactId, plan, source: 'send', interactionId, verdict }),
  };
}

/** What the guard says of a message, without recording it. */
export const objectionTo = (env: ScreenEnv, personId: string, message: ToBorrower, at: number): Screened['objection'] =>
  objectionOf(judgedBy(env, personId, message, at).verdict);

/** A message to a borrower, recorded or not. */
type ToBorrower = Omit<Screenable, 'interactionId' | 'contactId'> & { readonly contactId: string };

function judgedBy(
  env: ScreenEnv,
  personId: string,
  message: ToBorrower,
  at: number,
): { readonly plan: ContactPlan; readonly verdict: GuardVerdict } {
  const { contactId, channel, subject, theme, loanIds, caseId, isTransactional, origin } = message;
  const { previousInteractionId, isLegallyRequired, isHelpText, message: text } = message;
  const plan: ContactPlan = {
    channel,
    subject,
    theme,
    loanIds,
    caseId,
    isTransactional,
    origin,
    isLegallyRequired,
    at,
    direction: 'outbound',
    isAutodialed: false,
    isPrerecorded: null,
    isReply: isAnswer(env, personId, { previousInteractionId, at }),
    answersHelp: isHelpText && origin === 'automatic', // a caller who sends the same text answers nothing
    checkAtCompanyNoon: false,
  };
  return { plan, verdict: screen(env, { personId, contactId, plan, message: text }).verdict };
}

function objectionOf({ result, blockReason, description, ruleId, sendAt }: GuardVerdict): Screened['objection'] {
  if (result) return null;
  return { blockReason: blockReason ?? 'complianceRule', message: description ?? 'The message is not allowed now.', ruleId, sendAt };
}

/** Hides the message itself from the guard, so that a message on its way does not count as an earlier contact. */
const withoutItself = (env: DecideEnv, interactionId: string): ScreenEnv => ({
  tenant: env.tenant,
  now: env.now,
  read: (kind, id) => env.read(kind, id),
  answerTo: (asked) => env.answerTo(asked),
  derivedId: (prefix, shardOf, counter) => env.derivedId(prefix, shardOf, counter),
  open: (owner, sealed, context) => env.open(owner, sealed, context),
  findExternal: (tenant, kind, externalId) => env.findExternal(tenant, kind, externalId),
  readBelow: (kind, ...parentIds) => env.readBelow(kind, ...parentIds),
  list(kind, request) {
    if (kind !== 'interaction') return env.list(kind, request);
    const { limit } = request;
    const page = env.list(kind, { ...request, limit: limit + 1 });
    return { ...page, rows: page.rows.filter(({ id }) => id !== interactionId).slice(0, limit) };
  },
});

/** What stands against a recorded message. */
interface Against extends Omit<SendFailure, 'interactionId'> {
  readonly statusDetails: 'invalidContact' | 'blockedByComplianceGuard';
  /** The guard's own record of what it said. */
  readonly logged: readonly FactDraft[];
}

/** A recorded message that may not go: the facts of an interaction that has failed by it, with those of the guard's record. */
export interface Stopped extends Against {
  readonly facts: readonly FactDraft[];
}

/** How far ahead the next allowed moment may lie for a message to wait for it. */
const MOST_AHEAD_MS = 86_400_000;

/** The moment for which a stopped message waits; null where none is named within 24 hours. Callers see to it that it waits once. */
export const laterMoment = ({ sendAt }: Pick<Against, 'sendAt'>, now: number): number | null =>
  sendAt !== null && sendAt <= now + MOST_AHEAD_MS ? sendAt : null;

/** What stands against a recorded message now, with the facts of its failure; null where nothing does. */
export function stoppedNow(
  env: DecideEnv,
  state: InteractionState,
  origin?: ContactOrigin,
  message: MessageText | null = null,
): Stopped | null {
  const against = objectionNow(env, state, origin, message);
  if (against === null) return null;
  const { statusDetails, blockReason, ruleId: complianceGuardRuleId, logged } = against;
  const failed = sendMoved(env, state, {
    status: 'failed',
    statusDetails,
    blockReason,
    ...(statusDetails === 'blockedByComplianceGuard' ? { complianceGuardRuleId } : {}),
  });
  return { ...against, facts: [ofItself(state, failed), ...logged] };
}

/**
 * What stands against a recorded message now; null where nothing does. One that is queued goes nowhere, too, where its contact has got
 * another number or address since. `message`: its text, if it was not judged by its words yet.
 */
export function objectionNow(
  env: DecideEnv,
  state: InteractionState,
  origin: ContactOrigin = state.delivery?.origin ?? 'request',
  message: MessageText | null = null,
): Against | null {
  const { id: interactionId, channel, personId, contactId, theme, subject, loanIds, caseId, isTransactional, templateVersionId } = state;
  const { previousInteractionId } = state;
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  if (isToAgents(state)) return person && isReachable(person) && contactId === null ? null : UNREACHABLE;
  const contact = person && contactId !== null && isReachable(person) ? contactOf(person, contactId) : undefined;
  const fault = person && contact && faultOfNumber(env, person, contact, channel);
  if (!person || !contact || theme === null || subject === null || !isSendable(channel) || (fault != null && fault !== 'thirdParty')) {
    return UNREACHABLE;
  }
  const content = openJson<InteractionContent>(env, state, 'content');
  if (state.delivery !== null && content !== null && !isAddressedTo(content, channel, recipientOf(env, person, contact)))
    return UNREACHABLE;
  const template = templateVersionId === null ? undefined : descriptorOf(companyOf(env, env.tenant), templateVersionId)?.stored;
  const about = {
    interactionId,
    channel,
    theme,
    subject,
    loanIds,
    caseId,
    contactId: contact.id,
    isTransactional: isTransactional ?? false,
    origin,
    isLegallyRequired: template?.legallyRequired ?? false,
    isHelpText: template?.subject === HELP_TEMPLATE && isStillAnswer(env, person.id, previousInteractionId),
    previousInteractionId,
    message,
  };
  const { objection, logged } = screened(env, person.id, about, env.now);
  return objection && { ...objection, statusDetails: 'blockedByComplianceGuard', logged };
}

/** The borrower wrote within the week, and has sent no STOP since: that one asks for no answer to what was said before it. */
function isStillAnswer(env: DecideEnv, personId: string, previousInteractionId: string | null): boolean {
  if (!isAnswer(env, personId, { previousInteractionId, at: env.now })) return false;
  const since = env.read<InteractionState>('interaction', previousInteractionId ?? '')?.startedAt ?? env.now;
  return !contactHistory(env, personId, { since, direction: 'inbound' }).some(
    ({ channel, theme }) => channel === 'text' && theme === 'inbOptOut',
  );
}

const UNREACHABLE: Against = {
  statusDetails: 'invalidContact',
  blockReason: 'noContact',
  message: 'The contact to which the message is addressed cannot be used any more.',
  ruleId: null,
  sendAt: null,
  logged: [],
};

/** The descriptor of a version of a template: it says what the message is for, and whether the law requires it. */
const descriptorOf = (company: CompanyState, versionId: string): ChosenTemplate['descriptor'] | undefined =>
  templateDescriptorsOf(company).get(templateVersionsOf(company).get(versionId)?.parentId ?? '');

/** Removes the target from a fact of the interaction itself: only facts of other actors keep one. */
export function ofItself({ id }: InteractionState, { target, ...draft }: FactDraft): FactDraft {
  return target === undefined || target.id === id ? draft : { ...draft, target };
}
