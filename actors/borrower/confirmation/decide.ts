import { timingSafeEqual } from 'node:crypto';
import { refuse } from '../../errors.js';
import type { Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type Context, fact, mustMove, onPerson } from '../decide/common.js';
import { openText, sealText } from '../fields.js';
import { findContact } from '../find-contact.js';
import type { Contact, ContactType, PersonState } from '../state.js';
import { CODE_LASTS_MS, type Confirmation, MOST_SENT, MOST_WRONG, SENT_WITHIN_MS } from './confirmation.js';
import type { NewCodeBody } from './wire.js';

/** The gateway has made a code; once it is recorded it is sent. */
export const makeCode = onPerson('contact.makeCode', (context) => {
  const { state, env, command } = context;
  mustMove(state, 'update');
  const anyId = command.params['contactId'] ?? '';
  const contact = findContact(state, anyId) ?? refuse('notFound', `There is no contact ${anyId}.`);
  if (contact.value === null) refuse('invalidState', `The contact ${contact.id} is an address: no code can be sent to it.`);
  if (contact.status === 'archived') refuse('invalidState', `The contact ${contact.id} is archived.`);
  refuseTooMany(state, contact, env.now);
  const code = sealText(env, state.id, 'contact.code', contact.id, (context.body as NewCodeBody).code);
  return { facts: [fact('ConfirmationCodeMade', { contactId: contact.id, code })], reply: () => ({ data: { contactId: contact.id } }) };
});

function refuseTooMany({ confirmations }: PersonState, { id }: Contact, now: number): void {
  const sent = confirmations.filter(({ contactId, sentAt }) => contactId === id && sentAt > now - SENT_WITHIN_MS);
  const oldest = sent[sent.length - MOST_SENT];
  if (!oldest) return;
  refuse('rateLimited', `At most ${MOST_SENT} codes an hour are sent to a contact.`, {
    retryAfterSeconds: Math.ceil((oldest.sentAt + SENT_WITHIN_MS - now) / 1000),
  });
}

/** What a code says about an address or number: that it can be reached, or nothing. */
export type Proof =
  | { readonly isRight: true; readonly facts: readonly FactDraft[] }
  | { readonly isRight: false; readonly decision: Decision<PersonState> };

/** Compares a code with the newest that was sent to the value, by whichever contact; a wrong try is recorded. */
export function proofOf(context: Context, type: ContactType, value: string | null, code: string): Proof {
  const { state, env } = context;
  const known = state.confirmations.findLast(({ contactId }) => value !== null && valueOf(context, type, contactId) === value);
  if (!known || !counts(known, env.now)) return refuse('confirmationCodeInvalid', 'No such confirmation code was sent, or it has expired.');
  const { contactId } = known;
  const sent = Buffer.from(openText(env, state.id, 'contact.code', contactId, known.code) ?? '');
  const given = Buffer.from(code);
  if (sent.length === given.length && timingSafeEqual(sent, given))
    return { isRight: true, facts: [fact('ConfirmationCodeUsed', { contactId })] };
  return {
    isRight: false,
    decision: { facts: [fact('ConfirmationAttemptFailed', { contactId })], reply: () => ({ data: null, status: WRONG_CODE }) },
  };
}

/** The try is recorded, so it is no refusal; the gateway makes one of it. */
export const WRONG_CODE = 422;

const counts = ({ sentAt, wrongAttempts }: Confirmation, now: number): boolean =>
  now < sentAt + CODE_LASTS_MS && wrongAttempts < MOST_WRONG;

function valueOf({ state, env }: Context, type: ContactType, contactId: string): string | null {
  const contact = state.contacts.find(({ id }) => id === contactId);
  if (contact?.contactType !== type) return null;
  return openText(env, state.id, 'contact.value', contact.id, contact.value);
}
