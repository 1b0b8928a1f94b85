import { type Channel, dayAt, formatDay, type InteractionTheme } from '../../../engine/index.js';
import { type Consent, type Contact, contactValueOf, type PersonFacts, type PersonState, type Recorded } from '../../borrower/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { ChangeableFields, InteractionFields } from './state.js';

/*
 * What an interaction tells of the contact that it used, and of what the borrower allows: facts of the borrower, recorded beside
 * those of the interaction. A contact that is gone or changed its kind is left alone.
 */

type OfContact = Pick<InteractionFields, 'personId' | 'contactId'>;

type Change = (contact: Contact, env: DecideEnv) => Partial<Contact>;

const personFact = <Type extends keyof PersonFacts>(personId: string, type: Type, body: PersonFacts[Type]): FactDraft => ({
  type,
  body,
  target: { kind: 'person', id: personId },
});

/** What is told of a number or an address is so of every contact that has it: a stop does not leave the same phone under another label. */
function contactsChanged(env: DecideEnv, of: OfContact, contactType: Contact['contactType'], change: Change): readonly FactDraft[] {
  const { person, contact } = usedContact(env, of);
  const value = person && contact && contactValueOf(env, person, contact);
  if (!person || contact?.contactType !== contactType) return [];
  const isSame = (other: Contact): boolean =>
    other === contact ||
    (value !== null && other.contactType === contactType && other.status !== 'archived' && contactValueOf(env, person, other) === value);
  return person.contacts.filter(isSame).flatMap((each) => contactChanged(env, person, each, change));
}

function usedContact(
  env: DecideEnv,
  { personId, contactId }: OfContact,
): { readonly person?: PersonState | undefined; readonly contact?: Contact | undefined } {
  const person = personId === null || contactId === null ? undefined : env.read<PersonState>('person', personId);
  return { person, contact: person?.contacts.find(({ id }) => id === contactId) };
}

/** Who wants texts again wants them there. */
function textsWanted(env: DecideEnv, of: OfContact): readonly FactDraft[] {
  const { person, contact } = usedContact(env, of);
  return person && contact?.contactType === 'phone' ? contactChanged(env, person, contact, () => ({ receiveTextMessages: true })) : [];
}

function contactChanged(env: DecideEnv, person: PersonState, contact: Contact, change: Change): readonly FactDraft[] {
  const changes = change(contact, env);
  const isNews = (Object.keys(changes) as (keyof Contact)[]).some(
    (field) => JSON.stringify(changes[field]) !== JSON.stringify(contact[field]),
  );
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

/** What a signal or an outcome says of the contact. */
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

/** The borrower says that it does not allow these, also where it never has. */
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

/** A number that is disconnected is no longer called. */
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
 * What a borrower, or whoever answered, has come with in other words than those that the service knows: an agent has read or heard them
 * and says so by the theme (47 CFR 64.1200(a)(10), by whatever reasonable means). A number of somebody else is written to and called no
 * more.
 */
const BY_REASON: Reasons = {
  inbOptOut: { text: ['textsStopped', 'autodialingStopped'], email: ['marketingStopped'], voice: ['autodialingStopped'] },
  inbWrongParty: { text: ['phoneInvalid'], voice: ['phoneInvalid'], email: ['emailInvalid'], mail: ['addressInvalid'] },
};

type Reasoned = OfContact & Pick<InteractionFields, 'direction' | 'channel' | 'theme'>;

/** What follows from the reason of an inbound contact, once. */
export function reasonTold(env: DecideEnv, after: Reasoned, before: Pick<Reasoned, 'theme' | 'contactId'> | null): readonly FactDraft[] {
  const { direction, channel, theme, contactId } = after;
  const isNews = direction === 'inbound' && (before?.theme !== theme || before.contactId !== contactId);
  const effects = isNews && theme !== null ? BY_REASON[theme]?.[channel] : undefined;
  return (effects ?? []).flatMap((effect) => CONTACT_EFFECTS[effect](env, after));
}
