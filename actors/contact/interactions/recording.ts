import type { MetaData } from '../../wire.js';
import {
  assert,
  type Channel,
  type ContactOrigin,
  type Day,
  dayAt,
  type FeedbackSignal,
  formatDay,
  type InteractionStatus,
  type InteractionTheme,
  mayMove,
  outranks,
  resolveTheme,
  signalRow,
  type StatusDetail,
  statusDetailFault,
  type Subject,
  namesOf,
} from '../../../engine/index.js';
import {
  type Consent,
  type Contact,
  contactValueOf,
  othersWithValue,
  type PersonFacts,
  personOf,
  type PersonState,
  type Recorded,
} from '../../borrower/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { contentSealed } from './draft.js';
import { fact } from './evolve.js';
import { contactSnapshot } from './references.js';
import { sealJson } from './sealing.js';
import { type ChangeableFields, type InteractionFields, type InteractionState, NOTHING_SAID } from './state.js';
import type { InteractionContent } from './types.js';
import type { Failure } from './view.js';

/*
 * Effects of an interaction on the contact that it used and on the borrower's consents: facts of the borrower, recorded with those
 * of the interaction. A contact that was deleted or changed its type is left unchanged.
 */

type OfContact = Pick<InteractionFields, 'personId' | 'contactId'>;

type Change = (contact: Contact, env: DecideEnv) => Partial<Contact>;

const personFact = <Type extends keyof PersonFacts>(personId: string, type: Type, body: PersonFacts[Type]): FactDraft => ({
  type,
  body,
  target: { kind: 'person', id: personId },
});

/** Changes all contacts with the same number or address: a STOP applies to the phone under every label, also where it is archived. */
function contactsChanged(env: DecideEnv, of: OfContact, contactType: Contact['contactType'], change: Change): readonly FactDraft[] {
  const { person, contact } = usedContact(env, of);
  if (!person || contact?.contactType !== contactType) return [];
  const value = contactValueOf(env, person, contact);
  const holders = [contact, ...othersWithValue(env, person, contact, () => value)];
  return holders.flatMap((each) => contactChanged(env, person, each, change));
}

function usedContact(
  env: DecideEnv,
  { personId, contactId }: OfContact,
): { readonly person?: PersonState | undefined; readonly contact?: Contact | undefined } {
  const person = personId === null || contactId === null ? undefined : env.read<PersonState>('person', personId);
  return { person, contact: person?.contacts.find(({ id }) => id === contactId) };
}

/** The borrower wants texts again, at the number that was used. */
function textsWanted(env: DecideEnv, of: OfContact): readonly FactDraft[] {
  const { person, contact } = usedContact(env, of);
  return person && contact?.contactType === 'phone' ? contactChanged(env, person, contact, () => ({ receiveTextMessages: true })) : [];
}

function contactChanged(env: DecideEnv, person: PersonState, contact: Contact, change: Change): readonly FactDraft[] {
  const changes = change(contact, env);
  const isNews = namesOf(changes).some((field) => JSON.stringify(changes[field]) !== JSON.stringify(contact[field]));
  if (!isNews) return [];
  const { createdAt: _created, updatedAt: _updated, ...fields } = contact;
  const changed: Recorded<Contact> = { ...fields, ...changes };
  return [personFact(person.id, 'ContactUpdated', { contact: changed })];
}

const asDisconnected: Change = ({ phoneDisconnectionDetails }, env) => ({
  phoneDisconnectionDetails: {
    disconnectionStatus: 'disconnected',
    lastDisconnectCheckDate: formatDay(dayAt(zoneOf(companyOf(env, env.tenant)), env.now)),
    lastKnownConnectionDate: phoneDisconnectionDetails?.lastKnownConnectionDate ?? null,
  },
});

/** The effects of signals and outcomes on the contact. */
export const CONTACT_EFFECTS = {
  phoneDisconnected: (env: DecideEnv, of: OfContact) => contactsChanged(env, of, 'phone', asDisconnected),
  textsStopped: (env: DecideEnv, of: OfContact) => contactsChanged(env, of, 'phone', () => ({ receiveTextMessages: false })),
  textsWanted,
  phoneInvalid: (env: DecideEnv, of: OfContact) => contactsChanged(env, of, 'phone', () => ({ valid: false })),
  emailInvalid: (env: DecideEnv, of: OfContact) => contactsChanged(env, of, 'email', () => ({ valid: false })),
  addressInvalid: (env: DecideEnv, of: OfContact) => contactsChanged(env, of, 'address', () => ({ valid: false })),
  marketingStopped: (env: DecideEnv, { personId }: OfContact) => consentsRevoked(env, personId, ['emailMarketing']),
  autodialingStopped: (env: DecideEnv, { personId }: OfContact) =>
    consentsRevoked(env, personId, ['autodialedColl', 'autodialedMarketing']),
} as const satisfies Readonly<Record<string, (env: DecideEnv, of: OfContact) => readonly FactDraft[]>>;

export type ContactEffect = keyof typeof CONTACT_EFFECTS;

/** Records that the borrower does not allow these, even if it never had. */
function consentsRevoked(env: DecideEnv, personId: string | null, names: readonly Consent['name'][]): readonly FactDraft[] {
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  if (!person) return [];
  const withdrawn = names.filter((name) => person.consents.find((consent) => consent.name === name)?.status !== 'revoked');
  if (withdrawn.length === 0) return [];
  const idOf = (name: Consent['name']): string => person.consents.find((consent) => consent.name === name)?.id ?? env.newId('CN');
  const consents = withdrawn.map(
    (name) => ({ id: idOf(name), name, status: 'revoked', source: 'borrower', obtainedAt: env.now, documentId: null }) as const,
  );
  return [personFact(person.id, 'ConsentsUpdated', { consents })];
}

/** A disconnected number is no longer called. */
export function disconnection(
  env: DecideEnv,
  after: OfContact & Pick<ChangeableFields, 'agentOutcome'>,
  before: Pick<ChangeableFields, 'agentOutcome' | 'contactId'> | null,
): readonly FactDraft[] {
  const isNews =
    after.agentOutcome === 'voiceNumberDisconnected' &&
    (before?.agentOutcome !== after.agentOutcome || before.contactId !== after.contactId);
  return isNews ? CONTACT_EFFECTS.phoneDisconnected(env, after) : [];
}

type Reasons = Readonly<Partial<Record<InteractionTheme, Readonly<Partial<Record<Channel, readonly ContactEffect[]>>>>>>;

/**
 * Effects of an inbound contact in free words: an agent has read or listened to it and sets the theme accordingly (a revocation by any
 * reasonable means, 47 CFR 64.1200(a)(10)). A number that belongs to somebody else gets no more texts and calls.
 */
const BY_REASON: Reasons = {
  inbOptOut: { text: ['textsStopped', 'autodialingStopped'], email: ['marketingStopped'], voice: ['autodialingStopped'] },
  inbWrongParty: { text: ['phoneInvalid'], voice: ['phoneInvalid'], email: ['emailInvalid'], mail: ['addressInvalid'] },
};

type Reasoned = OfContact & Pick<InteractionFields, 'direction' | 'channel' | 'theme'>;

/** The effects of the reason of an inbound contact, once for each reason. */
export function reasonEffects(env: DecideEnv, after: Reasoned, before: Pick<Reasoned, 'theme' | 'contactId'> | null): readonly FactDraft[] {
  const { direction, channel, theme, contactId } = after;
  const isNews = direction === 'inbound' && (before?.theme !== theme || before.contactId !== contactId);
  const effects = isNews && theme !== null ? BY_REASON[theme]?.[channel] : undefined;
  return (effects ?? []).flatMap((effect) => CONTACT_EFFECTS[effect](env, after));
}

/*
 * Records of messages that the service itself sends. The interaction is on its borrower's shard, so it is recorded in one batch with
 * everything else that the send does there.
 */

/** A message of the service. Ids are service ids, and the caller has checked that they belong to the borrower. */
export interface SentMessage {
  readonly personId: string;
  readonly channel: Channel;
  readonly subject: Subject;
  readonly theme: InteractionTheme;
  readonly status: 'attempted' | 'scheduled' | 'failed';
  readonly statusDetails?: StatusDetail | null;
  readonly isTransactional: boolean;
  /** The contact, which is stored with the interaction; null if none was usable. */
  readonly contact?: Contact | null;
  readonly loanId?: string | null;
  readonly loanIds?: readonly string[];
  readonly caseId?: string | null;
  readonly content?: InteractionContent | null;
  /** What it is written from at its moment, in place of a content. */
  readonly plan?: MessagePlan | null;
  readonly templateVersionId?: string | null;
  /** Milliseconds: the time at which a scheduled message is to be sent. */
  readonly sendAt?: number | null;
  readonly previousInteractionId?: string | null;
  readonly externalId?: string | null;
  readonly metaData?: MetaData | null;
  readonly mailIsCertified?: boolean;
  readonly sensitive?: boolean;
  readonly sensitiveBorrowerOnly?: boolean;
  readonly complianceGuardRuleId?: string | null;
  /** Why it was blocked. */
  readonly blockReason?: string | null;
  readonly failure?: Failure | null;
  readonly providerErrorCode?: string | null;
  readonly supercaseBulkOperationId?: string | null;
}

/** What a message of the service is written from at its moment: recorded beside the fact that causes it. */
export interface MessagePlan {
  readonly origin: ContactOrigin;
  /** Variables of the template beside those that the service fills in. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly statementId: string | null;
  /** Ids of the borrower's documents. */
  readonly attachments: readonly string[];
  /** Its moment was moved once, since the guard did not allow the first. */
  readonly isPostponed: boolean;
  /** Null of what no repayment notification has sent. */
  readonly reminder: ReminderOfDay | null;
}

/** A repayment notification and the day for which it was evaluated: asked again when it is written. */
export interface ReminderOfDay {
  readonly id: string;
  readonly day: Day;
}

/** The fact of an interaction that is being made; `communication.send` and `interaction.blocked` follow from it. */
export function sendRecorded(env: DecideEnv, id: string, message: SentMessage): FactDraft {
  const { personId, contact = null, content = null, plan = null, failure = null, loanId = null, loanIds = [], ...said } = message;
  const at = { id, personId };
  const fields: InteractionFields = {
    ...NOTHING_SAID,
    direction: 'outbound',
    isExternal: false,
    templateVersionId: null,
    supercaseBulkOperationId: null,
    startedAt: message.status === 'scheduled' ? null : env.now,
    ...said,
    personId,
    loanId,
    loanIds: [...new Set([...(loanId === null ? [] : [loanId]), ...loanIds])],
    contactId: contact?.id ?? null,
    contact: contact && contactSnapshot(env, at, personOf(env, personId), contact),
    failure: sealJson(env, at, 'failure', failure),
    plan: sealJson(env, at, 'plan', plan),
    ...contentSealed(env, at, message, content),
  };
  assertWhole(fields);
  return fact('InteractionRecorded', fields);
}

/** A change of a message of the service on its way. */
export interface SendMoved {
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail | null;
  readonly content?: InteractionContent | null;
  readonly contact?: Contact | null;
  readonly complianceGuardRuleId?: string | null;
  readonly blockReason?: string | null;
  readonly failure?: Failure | null;
  readonly providerErrorCode?: string | null;
  /** Null once it is written. */
  readonly plan?: MessagePlan | null;
}

/** A scheduled message at its moment of sending, or one whose sending came to nothing. `target` is the interaction itself. */
export function sendMoved(env: DecideEnv, state: InteractionState, { content, contact, failure, plan, ...moved }: SendMoved): FactDraft {
  assert(mayMove(state.status, moved.status, 'service'), `a ${state.status} message becomes no ${moved.status} one`);
  const { id, personId } = state;
  const at = { id, personId };
  const changes: Partial<ChangeableFields> = {
    ...moved,
    startedAt: state.startedAt ?? env.now,
    ...(plan === undefined ? {} : { plan: sealJson(env, at, 'plan', plan) }),
    ...(failure === undefined ? {} : { failure: sealJson(env, at, 'failure', failure) }),
    ...(content === undefined ? {} : contentSealed(env, at, state, content)),
    ...(contact == null || personId === null
      ? {}
      : { contactId: contact.id, contact: contactSnapshot(env, at, personOf(env, personId), contact) }),
  };
  assertWhole({ ...state, ...changes });
  return { ...fact('InteractionChanged', { changes }), target: { kind: 'interaction', id } };
}

export interface Feedback {
  readonly signal: FeedbackSignal;
  readonly providerErrorCode?: string | null;
  readonly failure?: Failure | null;
}

/**
 * The facts of a provider's report about a message. A report never moves a message backwards, except for a deferred mail that
 * went out in the end. A report without news has no effect.
 */
export function feedbackRecorded(
  env: DecideEnv,
  state: InteractionState,
  { signal, providerErrorCode, failure }: Feedback,
): readonly FactDraft[] {
  const { status, statusDetails, effects } = signalRow(signal);
  const isNews =
    status === state.status
      ? outranks(statusDetails, state.statusDetails)
      : mayMove(state.status, status, 'feedback') && (state.status !== 'failed' || state.statusDetails === 'emailBlocked');
  const fits = statusDetails === null || statusDetailFault({ ...state, status, statusDetails }) === null;
  if (!isNews || !fits) return [];
  const { id, personId } = state;
  const changes: Partial<ChangeableFields> = {
    status,
    statusDetails,
    ...(providerErrorCode === undefined ? {} : { providerErrorCode }),
    failure: sealJson(env, { id, personId }, 'failure', status === 'failed' ? (failure ?? null) : null),
  };
  return [
    { ...fact('InteractionChanged', { changes }), target: { kind: 'interaction', id } },
    ...(state.theme === 'agentNotification' ? [] : effects).flatMap((effect) => CONTACT_EFFECTS[effect](env, state)),
  ];
}

/** Asserts that the service's own records keep the rules for bodies of callers. */
function assertWhole(fields: InteractionFields): void {
  const { subject, theme, direction, status, statusDetails, complianceGuardRuleId } = fields;
  const resolved = resolveTheme({ subject, theme, direction });
  assert('theme' in resolved, `a message of the subject ${subject} has the theme ${theme}`);
  if (statusDetails !== null)
    assert(statusDetailFault({ ...fields, statusDetails }) === null, `${statusDetails} does not go with ${status}`);
  assert(complianceGuardRuleId === null || statusDetails === 'blockedByComplianceGuard', 'a rule is named of what it has blocked');
  assert((status === 'scheduled') === (fields.startedAt === null), 'what is under way has begun');
}
