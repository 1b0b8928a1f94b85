import { must } from '../../../engine/index.js';
import { type Address, checkAddress, fullAddress } from '../../address.js';
import { checkAll, refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import {
  type ContactCreateBody,
  type ContactUpdateBody,
  type ContactView,
  type ContactWriteQuery,
  emailAddress,
  findContact,
  openJson,
  openText,
  phoneNumber,
  sealJson,
  sealText,
} from '../contact-fields.js';
import { proofOf } from '../confirmation.js';
import { newestChecks, othersWithValue } from '../same-value.js';
import type { Contact, ContactType, DisconnectionDetails, PersonState, Recorded } from '../state.js';
import { contactView } from '../views.js';
import { caseOf, type Context, decided, done, fact, mustMove, onPerson, refuseTaken, under } from './common.js';

/** A contact's fields and its personal data in clear, before they are sealed. */
interface Draft {
  readonly fields: Omit<Recorded<Contact>, 'id' | 'value' | 'address' | 'name'>;
  readonly value: string | null;
  readonly address: Address | null;
  readonly name: string | null;
}

export const createContact = onPerson('contact.create', (context: Context<ContactCreateBody>) => {
  const { state, env } = context;
  mustMove(state, 'update');
  const body = context.body;
  const draft = ofNumber(context, checked(context, merged(blank(body), body)), null);
  refuseTaken(env, 'contact', draft.fields.externalId, null);
  return written(context, draft, (proven) => {
    const contact = sealed(env, state.id, env.newId('CT'), proven);
    return { contact, facts: [...changesOfOthers(context, contact), fact('ContactAdded', { contact })] };
  });
});

export const updateContact = onPerson('contact.update', (context: Context<ContactUpdateBody>) => {
  const { state, env } = context;
  mustMove(state, 'update');
  const before = contactOf(context);
  const body = context.body;
  const draft = unproven(context, before, checked(context, merged(opened(env, state.id, before), body)));
  refuseTaken(env, 'contact', body.externalId, before.id);
  const isStop = saysStop(context, before, draft);
  return written(context, draft, (proven) => {
    const contact = sealed(env, state.id, before.id, proven, { before, body });
    return { contact, facts: [...changesOfOthers(context, contact, { before, isStop }), fact('ContactUpdated', { contact })] };
  });
});

/** Replaces a contact by a changed copy: the old one is archived and gives up its external id. */
export const cloneContact = onPerson('contact.clone', (context: Context<ContactUpdateBody>) => {
  const { state, env } = context;
  mustMove(state, 'update');
  const before = contactOf(context);
  const body = context.body;
  const draft = unproven(context, before, checked(context, merged(opened(env, state.id, before), body)));
  refuseTaken(env, 'contact', draft.fields.externalId, before.id);
  const { createdAt: _created, updatedAt: _updated, ...fields } = before;
  const isStop = saysStop(context, before, draft);
  const archived: Recorded<Contact> = { ...fields, ...(isStop ? NO_TEXTS : {}), externalId: null, status: 'archived' };
  return written(context, draft, (proven) => {
    const contact = sealed(env, state.id, env.newId('CT'), proven);
    const isConsentKept = before.receiveTextMessages && contact.receiveTextMessages;
    return {
      contact,
      facts: [
        fact('ContactUpdated', { contact: archived }),
        ...changesOfOthers(context, contact, { before, isStop }),
        fact('ContactAdded', { contact, isConsentKept }),
      ],
    };
  });
});

interface Written {
  readonly contact: Recorded<Contact>;
  readonly facts: readonly FactDraft[];
}

/** Writes a contact, with the proof that a confirmation code gives; a wrong code is recorded, and nothing else. */
function written(context: Context<ContactUpdateBody>, draft: Draft, write: (draft: Draft) => Written): Decision<PersonState> {
  const { env, command } = context;
  const { confirmationCode } = (command.query ?? {}) as ContactWriteQuery;
  const caseId = caseOf(context, context.body.caseId);
  const proof = confirmationCode === undefined ? null : proofOf(context, draft.fields.contactType, draft.value, confirmationCode);
  if (proof && !proof.isRight) return proof.decision;
  const { contact, facts } = write(proof ? { ...draft, fields: { ...draft.fields, verified: true } } : draft);
  return decided(context, under(caseId, [...facts, ...(proof?.facts ?? [])]), (after) => shown(after, contact.id, env));
}

/** A contact with another address or number is no longer confirmed, and has the entries of lists of that number alone. */
function unproven(context: Context<ContactUpdateBody>, before: Contact, draft: Draft): Draft {
  const { env, id, body } = context;
  const isSame = draft.value === openText(env, id, 'contact.value', before.id, before.value);
  if (isSame) return draft;
  const fields = { ...draft.fields, numberChecks: [] };
  const unconfirmed = { ...draft, fields: body.verified === undefined ? { ...fields, verified: false } : fields };
  return ofNumber(context, unconfirmed, before.id);
}

/**
 * A contact that takes on a number or mailbox of another contact takes on what is known of it: entries of lists, that it is
 * disconnected or invalid, and that it gets no texts. What the body sets itself is newer.
 */
function ofNumber({ state, env, body }: Context<ContactUpdateBody>, draft: Draft, id: string | null): Draft {
  const { fields, value } = draft;
  const others = othersWithValue(env, state, { id, contactType: fields.contactType }, () => value);
  if (others.length === 0) return draft;
  const disconnected = others.find(({ phoneDisconnectionDetails: details }) => details?.disconnectionStatus === 'disconnected');
  const getsTexts = body.receiveTextMessages ?? (fields.receiveTextMessages && others.every((other) => other.receiveTextMessages));
  return {
    ...draft,
    fields: {
      ...fields,
      numberChecks: newestChecks(others),
      valid: body.valid ?? (fields.valid && others.every((other) => other.valid)),
      phoneDisconnectionDetails:
        body.phoneDisconnectionDetails === undefined && disconnected !== undefined
          ? disconnected.phoneDisconnectionDetails
          : fields.phoneDisconnectionDetails,
      receiveTextMessages: getsTexts,
      receiveTextMessagesLastConsentAt: consentOf(body, getsTexts, fields, env.now),
    },
  };
}

/** A consent that was given for another number is none for this one. */
function consentOf(
  { receiveTextMessages: said }: ContactUpdateBody,
  getsTexts: boolean,
  { receiveTextMessagesLastConsentAt: before }: Draft['fields'],
  now: number,
): number | null {
  if (!getsTexts) return null;
  return said === true ? now : before;
}

/** Deletes a contact for good; an identity, in contrast, is archived. */
export const deleteContact = onPerson('contact.delete', (context) => {
  mustMove(context.state, 'update');
  return done([fact('ContactDeleted', { id: contactOf(context).id })]);
});

function contactOf({ state, command }: Context): Contact {
  const anyId = command.params['contactId'] ?? '';
  return findContact(state, anyId) ?? refuse('notFound', `There is no contact ${anyId}.`);
}

function blank(body: ContactCreateBody): Draft {
  return {
    fields: {
      externalId: null,
      contactType: body.contactType,
      label: body.label,
      affiliation: 'self',
      status: 'additional',
      valid: true,
      verified: false,
      receiveTextMessages: false,
      receiveTextMessagesLastConsentAt: null,
      authorizedThirdParty: false,
      powerOfAttorney: false,
      phoneDisconnectionDetails: null,
    },
    value: null,
    address: null,
    name: null,
  };
}

function opened(env: DecideEnv, personId: string, contact: Contact): Draft {
  const { id, value, address, name, createdAt: _created, updatedAt: _updated, ...fields } = contact;
  return {
    fields,
    value: openText(env, personId, 'contact.value', id, value),
    address: openJson<Address>(env, personId, 'contact.address', id, address),
    name: openText(env, personId, 'contact.name', id, name),
  };
}

/** The draft with the fields of a body applied: absent fields are unchanged, null clears. */
function merged(draft: Draft, body: ContactUpdateBody): Draft {
  const { value = draft.value, address, name = draft.name, phoneDisconnectionDetails, caseId: _case, ...plain } = body;
  const disconnection = phoneDisconnectionDetails === undefined ? draft.fields.phoneDisconnectionDetails : full(phoneDisconnectionDetails);
  return {
    fields: { ...draft.fields, ...plain, phoneDisconnectionDetails: disconnection },
    value,
    address: address === undefined ? draft.address : address && fullAddress({ ...draft.address, ...address }),
    name,
  };
}

type SentDetails = NonNullable<ContactUpdateBody['phoneDisconnectionDetails']>;

const full = (sent: SentDetails | null): DisconnectionDetails | null =>
  sent && { disconnectionStatus: null, lastDisconnectCheckDate: null, lastKnownConnectionDate: null, ...sent };

/** The draft with its value in one spelling. Names all that is wrong with the body. */
function checked(context: Context<ContactUpdateBody>, draft: Draft): Draft {
  const { body, command } = context;
  const { contactType } = draft.fields;
  const { validate = true } = (command.query ?? {}) as ContactWriteQuery;
  const valueOf = (): string | null => checkedValue(contactType, draft.value);
  checkAll([
    valueOf,
    () => checkAddressOf(contactType, draft.address, validate && body.address !== undefined),
    () => caseOf(context, body.caseId),
  ]);
  return { ...draft, value: valueOf() };
}

/** E-mail addresses in lower case, telephone numbers in E.164. */
function checkedValue(contactType: ContactType, value: string | null): string | null {
  if (contactType === 'address') {
    if (value === null) return null;
    refuseProperty('value', 'nothing: only e-mail and phone contacts have it', '`value` cannot be set on an address. Send `address`.');
  }
  const expected = contactType === 'email' ? 'an e-mail address' : 'a telephone number';
  if (value === null) return refuseProperty('value', expected, `\`value\` is required for a contact of type ${contactType}.`);
  return contactType === 'phone' ? phoneNumber(value, 'value') : emailAddress(value, 'value');
}

function checkAddressOf(contactType: ContactType, address: Address | null, isSent: boolean): void {
  if (contactType === 'address') {
    if (address === null) refuseProperty('address', 'an address', '`address` is required for a contact of type address.');
    if (isSent) checkAddress(address, 'address');
  } else if (address !== null) {
    const message = `\`address\` cannot be set on a contact of type ${contactType}. Send \`value\`.`;
    refuseProperty('address', 'nothing: only an address has it', message);
  }
}

/** Seals a draft. Texts that did not change keep their seal, so that a comparison of two facts shows what changed. */
function sealed(
  env: DecideEnv,
  personId: string,
  id: string,
  draft: Draft,
  kept?: { readonly before: Contact; readonly body: ContactUpdateBody },
): Recorded<Contact> {
  const { value, address, name } = draft;
  const sealedValue = (): Uint8Array | null => (value === null ? null : sealText(env, personId, 'contact.value', id, value));
  const sealedAddress = (): Uint8Array | null => (address === null ? null : sealJson(env, personId, 'contact.address', id, address));
  const sealedName = (): Uint8Array | null => (name === null ? null : sealText(env, personId, 'contact.name', id, name));
  return {
    ...draft.fields,
    id,
    value: kept && kept.body.value === undefined ? kept.before.value : sealedValue(),
    address: kept && kept.body.address === undefined ? kept.before.address : sealedAddress(),
    name: kept && kept.body.name === undefined ? kept.before.name : sealedName(),
  };
}

const NO_TEXTS = { receiveTextMessages: false } as const;

/** Whether a body ends the texts to the number of a contact: it gets none under any other contact then. */
const saysStop = ({ env, id, body }: Context<ContactUpdateBody>, before: Contact, { value }: Draft): boolean =>
  body.receiveTextMessages === false && before.receiveTextMessages && value === openText(env, id, 'contact.value', before.id, before.value);

/**
 * What a write changes of the other contacts. One is primary for each type, affiliation self and label: the former primary becomes
 * secondary. A stop ends the texts to all contacts with the number.
 */
function changesOfOthers(
  { state, env }: Context,
  contact: Recorded<Contact>,
  was?: { readonly before: Contact; readonly isStop: boolean },
): readonly FactDraft[] {
  const isFirst = contact.status === 'primary' && contact.affiliation === 'self';
  const valueOf = (): string | null => (was ? openText(env, state.id, 'contact.value', was.before.id, was.before.value) : null);
  const stopped = was?.isStop === true ? othersWithValue(env, state, was.before, valueOf) : [];
  return state.contacts
    .filter(({ id }) => id !== contact.id && id !== was?.before.id)
    .flatMap((other) => {
      const demoted = isFirst && isRival(other, contact) ? ({ status: 'secondary' } as const) : {};
      const silenced = other.receiveTextMessages && stopped.includes(other) ? NO_TEXTS : {};
      const changes = { ...demoted, ...silenced };
      if (Object.keys(changes).length === 0) return [];
      const { createdAt: _created, updatedAt: _updated, ...fields } = other;
      return [fact('ContactUpdated', { contact: { ...fields, ...changes } })];
    });
}

const isRival = (other: Contact, contact: Recorded<Contact>): boolean =>
  other.status === 'primary' && other.affiliation === 'self' && other.contactType === contact.contactType && other.label === contact.label;

function shown(after: PersonState, contactId: string, env: DecideEnv): ContactView {
  const contact = must(
    after.contacts.find(({ id }) => id === contactId),
    'the contact is there',
  );
  return contactView(after, contact, env, 'tokens');
}
