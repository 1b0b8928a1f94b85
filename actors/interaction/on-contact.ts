import { dayAt, formatDay } from '../../engine/index.js';
import type { Contact, PersonState } from '../borrower/index.js';
import type { Consent } from '../borrower/consents/consent.js';
import type { PersonFacts, Recorded } from '../borrower/facts.js';
import { companyOf, zoneOf } from '../company/index.js';
import type { DecideEnv } from '../runtime/actor.js';
import type { FactDraft } from '../runtime/fact.js';
import type { ChangeableFields, InteractionFields } from './state.js';

/*
 * What an interaction tells of the contact that it used, and of what the borrower allows: facts of the borrower, recorded beside
 * those of the interaction. A contact that is gone or changed its kind is left alone.
 */

type OfContact = Pick<InteractionFields, 'personId' | 'contactId'>;

type Change = (contact: Contact, env: DecideEnv) => Partial<Contact>;

const personFact = <Type extends keyof PersonFacts>(personId: string, type: Type, body: PersonFacts[Type]): FactDraft => ({ type, body, target: { kind: 'person', id: personId } });

function contactChanged(env: DecideEnv, { personId, contactId }: OfContact, contactType: Contact['contactType'], change: Change): readonly FactDraft[] {
  const person = personId === null || contactId === null ? undefined : env.read<PersonState>('person', personId);
  const contact = person?.contacts.find(({ id }) => id === contactId);
  if (!person || !contact || contact.contactType !== contactType) return [];
  const changes = change(contact, env);
  const isNews = (Object.keys(changes) as (keyof Contact)[]).some((field) => JSON.stringify(changes[field]) !== JSON.stringify(contact[field]));
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
  phoneDisconnected: (env: DecideEnv, of: OfContact) => contactChanged(env, of, 'phone', asDisconnected),
  textsStopped: (env: DecideEnv, of: OfContact) => contactChanged(env, of, 'phone', () => ({ receiveTextMessages: false })),
  textsWanted: (env: DecideEnv, of: OfContact) => contactChanged(env, of, 'phone', () => ({ receiveTextMessages: true })),
  emailInvalid: (env: DecideEnv, of: OfContact) => contactChanged(env, of, 'email', () => ({ valid: false })),
  addressInvalid: (env: DecideEnv, of: OfContact) => contactChanged(env, of, 'address', () => ({ valid: false })),
  marketingStopped: (env: DecideEnv, { personId }: OfContact) => consentsRevoked(env, personId, ['emailMarketing']),
  autodialingStopped: (env: DecideEnv, { personId }: OfContact) => consentsRevoked(env, personId, ['autodialedColl', 'autodialedMarketing']),
} as const satisfies Readonly<Record<string, (env: DecideEnv, of: OfContact) => readonly FactDraft[]>>;

export type ContactEffect = keyof typeof CONTACT_EFFECTS;

/** The borrower says that it does not allow these, also where it never has. */
function consentsRevoked(env: DecideEnv, personId: string | null, names: readonly Consent['name'][]): readonly FactDraft[] {
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  if (!person) return [];
  const withdrawn = names.filter((name) => person.consents.find((consent) => consent.name === name)?.status !== 'revoked');
  if (withdrawn.length === 0) return [];
  const idOf = (name: Consent['name']): string => person.consents.find((consent) => consent.name === name)?.id ?? env.newId('CN');
  const consents = withdrawn.map((name) => ({ id: idOf(name), name, status: 'revoked', source: 'borrower', obtainedAt: env.now, documentId: null } as const));
  return [personFact(person.id, 'ConsentsUpdated', { consents })];
}

/** A number that is disconnected is no longer called (communications 4.7). */
export function disconnection(env: DecideEnv, after: OfContact & Pick<ChangeableFields, 'agentOutcome'>, before: Pick<ChangeableFields, 'agentOutcome' | 'contactId'> | null): readonly FactDraft[] {
  const isNews = after.agentOutcome === 'voiceNumberDisconnected' && (before?.agentOutcome !== after.agentOutcome || before.contactId !== after.contactId);
  return isNews ? CONTACT_EFFECTS.phoneDisconnected(env, after) : [];
}
