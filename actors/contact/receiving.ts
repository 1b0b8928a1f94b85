import { type Channel, dayAt, implicitTheme, must, timeOfDayAt, weekday, namesOf } from '../../engine/index.js';
import { contactOf, languageOf, personOf, type PersonState, phoneNumberOf, type SenderQuery } from '../borrower/index.js';
import { chooseTemplate, companyOf, HELP_TEMPLATE, sendingNumbersOf, type TaskType, zoneOf } from '../company/index.js';
import { refuse } from '../errors.js';
import type { CommandSpec, DecideEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { ask } from '../kernel/policy.js';
import { millisecondsOf } from '../wire.js';
import { newFields } from './interactions/decide.js';
import { fact } from './interactions/evolve.js';
import { contactHistory } from './interactions/history.js';
import { CONTACT_EFFECTS, type ContactEffect, disconnection, reasonEffects } from './interactions/recording.js';
import type { InteractionFields, InteractionState } from './interactions/state.js';
import type { InteractionContent, ReceiveRequest } from './interactions/types.js';
import { withInteractionReply } from './interactions/view.js';
import { contactAsks } from './questions.js';
import { beside, sending, type SendOrder } from './sending/index.js';

/** What a borrower can request with a keyword. */
export type InboundAction = 'stopTexts' | 'startTexts' | 'help' | 'stopMarketing';

interface ActionRow {
  readonly channel: Channel;
  readonly words: readonly string[];
  readonly effects: readonly ContactEffect[];
  /** The borrower no longer wants to be reached. */
  readonly isOptOut: boolean;
}

/** STOP keywords: those of carriers and those that are always a revocation (47 CFR 64.1200(a)(10)), then common phrases. */
const STOPS: readonly string[] = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPT OUT',
  'OPTOUT',
  'STOP ALL',
  'STOP TEXTING',
  'STOP TEXTING ME',
  'STOP MESSAGING ME',
  'DO NOT TEXT ME',
  'DONT TEXT ME',
  'DON T TEXT ME',
  'NO MORE TEXTS',
];

/** Keywords by carriers' rules and by law. A message counts only if it consists of the keyword. */
const INBOUND_ACTIONS: Readonly<Record<InboundAction, ActionRow>> = {
  stopTexts: { channel: 'text', words: STOPS, effects: ['textsStopped', 'autodialingStopped'], isOptOut: true },
  startTexts: { channel: 'text', words: ['START', 'UNSTOP', 'YES'], effects: ['textsWanted'], isOptOut: false },
  help: { channel: 'text', words: ['HELP', 'INFO'], effects: [], isOptOut: false },
  stopMarketing: {
    channel: 'email',
    words: ['UNSUBSCRIBE', 'STOP', 'REVOKE', 'OPT OUT', 'OPTOUT', 'REMOVE ME'],
    effects: ['marketingStopped'],
    isOptOut: true,
  },
};

/** The action that a message requests; null for a message that an agent has to read. */
function actionOf(channel: Channel, { contentText, subjectLine }: InteractionContent): InboundAction | null {
  const said = [contentText, channel === 'email' ? subjectLine : undefined].map(keywordOf);
  const found = namesOf(INBOUND_ACTIONS).find((name) => {
    const row = INBOUND_ACTIONS[name];
    return row.channel === channel && row.words.some((word) => said.includes(word));
  });
  return found ?? null;
}

/** Whether a message is a text that stops further texts. */
export const isStop = ({ channel, direction = 'inbound', content }: Pick<ReceiveRequest, 'channel' | 'direction' | 'content'>): boolean =>
  direction === 'inbound' && actionOf(channel, content) === 'stopTexts';

/** The text in capitals, with letters and digits only and without "please": punctuation and emoji do not matter. */
const keywordOf = (text: string | undefined): string | undefined =>
  text
    ?.toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^PLEASE | PLEASE$/g, '');

/*
 * `POST /communicator/receive`: records an incoming message. A keyword takes effect at once; any other message becomes a task for
 * agents. The sender was searched for before. A message of an unknown sender is on a shard that follows from its id.
 */

/** A message of a known borrower. A number that is not among the borrower's contacts leaves `contactId` null. */
export const receive: CommandSpec<InteractionState, ReceiveRequest> = {
  kind: 'interaction',
  type: 'interaction.receive',
  place: { on: 'beside', kind: 'person' },
  decide(context) {
    const { env, id, besideId } = context;
    const personId = must(besideId, 'it is created with a borrower');
    const body = context.body;
    const action = (body.direction ?? 'inbound') === 'inbound' ? actionOf(body.channel, body.content) : null;
    const recorded = linked(env, received(env, id, personId, body, action));
    const done =
      action === null
        ? reasonEffects(env, recorded, null)
        : INBOUND_ACTIONS[action].effects.flatMap((effect) => CONTACT_EFFECTS[effect](env, recorded));
    return withInteractionReply(context, personId, [
      fact('InteractionRecorded', recorded),
      ...(action === 'stopTexts' ? stopConfirmed(env, id, recorded) : []),
      ...(action === 'help' ? helped(env, id, recorded) : []),
      ...done,
      ...disconnection(env, recorded, null),
      ...workFor(env, id, recorded, body.content, action),
    ]);
  },
};

/** A message of a sender whose number or address no borrower has, or several. */
export const receiveUnbound: CommandSpec<InteractionState, ReceiveRequest> = {
  kind: 'interaction',
  type: 'interaction.receiveUnbound',
  place: { on: 'root' },
  decide(context) {
    const { env, id } = context;
    env.createKey(id);
    const recorded = received(env, id, null, context.body, null);
    return withInteractionReply(context, null, [
      fact('InteractionRecorded', recorded),
      ...ask(env, contactAsks.taskAbout, { id, personId: null, caseId: null }, 'handleUnboundInboundInteraction'),
    ]);
  },
};

/** The fields of the record; subject and theme are general unless the body names a subject. */
function received(
  env: DecideEnv,
  id: string,
  personId: string | null,
  body: ReceiveRequest,
  action: InboundAction | null,
): InteractionFields {
  const { channel, direction = 'inbound', personId: _person, ...given } = body;
  if (direction === 'inbound' && channel === 'email') refuseUnmonitored(env, body.content);
  const isSilent = given.status == null && given.statusDetails == null; // a status that the provider reports of its call takes precedence
  const refusal = direction === 'inbound' && (channel !== 'voice' || isSilent) ? refusalOf(env, channel, personId, body.content) : null;
  const isLate = direction === 'inbound' && channel === 'voice' && isSilent && refusal === null && isClosed(env, given.startedAt);
  const theme = action !== null && INBOUND_ACTIONS[action].isOptOut ? 'inbOptOut' : 'inbGeneral';
  const said = given.subject == null ? { ...given, subject: 'freeForm' as const, theme: given.theme ?? theme } : given;
  return newFields(env, {
    id,
    personId,
    channel,
    direction,
    isExternal: false,
    said: { ...said, ...(refusal === null ? {} : { status: 'failed', statusDetails: refusal }), ...(isLate ? OUTSIDE_OPEN_HOURS : {}) },
  });
}

/** The status of a call outside business hours. */
const OUTSIDE_OPEN_HOURS = { status: 'attempted', statusDetails: 'voiceReceivedOutsideOpenHours' } as const;

/** Whether a moment is outside the company's business hours. */
function isClosed(env: DecideEnv, startedAt: string | null | undefined): boolean {
  const company = companyOf(env, env.tenant);
  const zone = zoneOf(company);
  const at = startedAt == null ? env.now : millisecondsOf(startedAt);
  const { hour, minute } = timeOfDayAt(zone, at);
  const clock = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  const day = weekday(dayAt(zone, at));
  const { businessHours } = must(company.profile, 'a company without a profile').config.calendar;
  return !businessHours.some((open) => open.weekday === day && open.from <= clock && clock < open.to);
}

/** Refuses mail to addresses that the company does not monitor, if it is set up so. Nothing is recorded then. */
function refuseUnmonitored(env: DecideEnv, { to = [] }: InteractionContent): void {
  const { monitored_emails: monitored = [], reject_others: rejects = false } = (companyOf(env, env.tenant).profile?.communication[
    'email_inbound'
  ] ?? {}) as EmailInbound;
  const watched = new Set(monitored.map((address) => address.toLowerCase()));
  if (rejects && ![to].flat().some((address) => watched.has(address.toLowerCase())))
    refuse('ruleViolation', 'The recipient is not one of the watched addresses of the company.');
}

interface EmailInbound {
  readonly monitored_emails?: readonly string[];
  readonly reject_others?: boolean;
}

type InboundRefusal = 'textConvoUnknownNumberRejected' | 'textLenderDisabledInboundTexts' | 'voiceReceivedNoAgentsAvailable';

/** Why a text or call is not accepted; null if it is. A STOP takes effect even then. */
function refusalOf(env: DecideEnv, channel: Channel, personId: string | null, content: InteractionContent): InboundRefusal | null {
  if (channel === 'voice') return isOutboundOnly(env, channel, content) ? 'voiceReceivedNoAgentsAvailable' : null;
  if (channel !== 'text') return null;
  if (personId === null) return 'textConvoUnknownNumberRejected';
  const takesTexts = companyOf(env, env.tenant).profile?.config.communication?.inboundTextsEnabled !== false;
  return takesTexts && !isOutboundOnly(env, channel, content) ? null : 'textLenderDisabledInboundTexts';
}

/** Whether it came to a number of the company that only sends. */
function isOutboundOnly(env: DecideEnv, channel: 'text' | 'voice', { to = [] }: InteractionContent): boolean {
  const called = new Set([to].flat().map((text) => phoneNumberOf(text) ?? text));
  const numbers = [...sendingNumbersOf(companyOf(env, env.tenant)).values()].map(({ stored }) => stored);
  const its = numbers.filter(({ number, status, channels }) => called.has(number) && status !== 'released' && channels.includes(channel));
  return its.length > 0 && its.every(({ inboundEnabled }) => !inboundEnabled);
}

/** Links the message to the last interaction with the same contact, unless the body names a previous one. */
function linked(env: DecideEnv, recorded: InteractionFields): InteractionFields {
  const { personId, previousInteractionId, channel, contactId } = recorded;
  if (personId === null || previousInteractionId !== null || contactId === null) return recorded;
  const before = contactHistory(env, personId).find(
    (past) => past.channel === channel && past.contactId === contactId && past.status !== 'scheduled' && past.status !== 'canceled',
  );
  return before ? { ...recorded, previousInteractionId: before.id } : recorded;
}

/** The task of agents for an incoming message, by channel. */
const TASKS: Readonly<Record<Channel, TaskType>> = {
  voice: 'handleInboundInteraction',
  email: 'replyToNewConvo',
  text: 'replyToNewText',
  chat: 'replyToNewWebChat',
  mail: 'handleInboundInteraction',
  gui: 'handleInboundInteraction',
  document: 'handleInboundInteraction',
  fax: 'handleInboundInteraction',
};

function workFor(
  env: DecideEnv,
  id: string,
  recorded: InteractionFields,
  content: InteractionContent,
  action: InboundAction | null,
): readonly FactDraft[] {
  const { direction, status, statusDetails } = recorded;
  if (action !== null || direction === 'outbound' || statusDetails === 'textLenderDisabledInboundTexts') return [];
  const ofCall: TaskType =
    content.voicemail === true ? 'reviewVoicemail' : status === 'inProgress' ? 'answerInboundVoiceCall' : TASKS.voice;
  return ask(env, contactAsks.taskAbout, { ...recorded, id }, recorded.channel === 'voice' ? ofCall : TASKS[recorded.channel]);
}

const SUBJECT = 'electronicConsentOptOut';

/**
 * The one text that may confirm a STOP. It is decided with the contact as it was before, so that a second STOP gets none.
 * Nothing is sent without a template for it, or if the guard objects.
 */
function stopConfirmed(env: DecideEnv, interactionId: string, { personId, contactId }: InteractionFields): readonly FactDraft[] {
  if (personId === null || contactId === null) return [];
  const person = personOf(env, personId);
  if (contactOf(person, contactId)?.receiveTextMessages !== true) return [];
  const theme = must(implicitTheme(SUBJECT), 'its theme');
  return answered(env, person, { subject: SUBJECT, theme, contactId, useTemplate: null, previousInteractionId: interactionId });
}

/** HELP is answered by the text that the lender has for it: who it is, how it is reached, how texts end. */
function helped(env: DecideEnv, interactionId: string, { personId, contactId }: InteractionFields): readonly FactDraft[] {
  if (personId === null || contactId === null) return [];
  const person = personOf(env, personId);
  const wanted = { subject: HELP_TEMPLATE, channel: 'text', productId: null, language: languageOf(person) } as const;
  const template = chooseTemplate(companyOf(env, env.tenant), wanted);
  if (typeof template === 'string') return [];
  const said = { subject: 'freeForm', theme: 'opsServicing', contactId, useTemplate: template.version.id } as const;
  return answered(env, person, { ...said, previousInteractionId: interactionId });
}

type Answer = Pick<SendOrder, 'subject' | 'theme' | 'contactId' | 'useTemplate' | 'previousInteractionId'>;

/** A text that answers a word at once; nothing where the guard is against it. */
function answered(env: DecideEnv, person: PersonState, answer: Answer): readonly FactDraft[] {
  const order: SendOrder = {
    ...answer,
    channel: 'text',
    isTransactional: true,
    loanId: null,
    loanIds: [],
    caseId: null,
    statementId: null,
    attachments: [],
    context: {},
    sendAt: null,
    externalId: null,
    metaData: null,
    mailIsCertified: false,
    sensitive: null,
    sensitiveBorrowerOnly: false,
    supercaseBulkOperationId: null,
    origin: 'automatic',
  };
  const sent = sending(env, person, order);
  return sent.failure === null ? beside(sent) : [];
}

interface StopTextsBody {
  readonly contactId: string;
}

/** Stops texts to another borrower with the same number. Part of receiving a STOP, without a route of its own. */
export const stopTexts: CommandSpec<PersonState, StopTextsBody> = {
  kind: 'person',
  type: 'person.stopTexts',
  place: { on: 'target' },
  catchesUp: false,
  decide({ env, id: personId, state, body }) {
    const { contactId } = body;
    const isThere = contactOf(state, contactId) !== undefined;
    const facts = isThere
      ? INBOUND_ACTIONS.stopTexts.effects.flatMap((effect) => CONTACT_EFFECTS[effect](env, { personId, contactId }))
      : [];
    return { facts, reply: () => ({ data: { contactId } }) };
  },
};

/** Channels whose senders have a number. */
const BY_NUMBER: ReadonlySet<Channel> = new Set<Channel>(['text', 'voice']);

/** The query that searches for the sender of a message; null if the message has no usable sender. */
export function senderQuery({ channel, content: { from } }: Pick<ReceiveRequest, 'channel' | 'content'>): SenderQuery | null {
  if (from === undefined) return null;
  if (channel === 'email') return { email: from.trim().toLowerCase() };
  const phone = BY_NUMBER.has(channel) ? phoneNumberOf(from) : null;
  return phone === null ? null : { phone };
}
