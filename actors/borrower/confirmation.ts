import { timingSafeEqual } from 'node:crypto';
import { refuse } from '../errors.js';
import type { Decision } from '../kernel/actor.js';
import type { Fact, FactDraft } from '../kernel/fact.js';
import { findContact, openText, sealText } from './contact-fields.js';
import { type Context, fact, mustMove, onPerson } from './decide/common.js';
import type { Contact, ContactType, PersonState, Sealed } from './state.js';

/** A code that was sent to an address or number, to prove that it can be reached. */
export interface Confirmation {
  readonly contactId: string;
  readonly code: Sealed;
  readonly sentAt: number;
  readonly wrongAttempts: number;
}

/** A code is valid for this long. */
const CODE_LASTS_MS = 15 * 60_000;
/** A code becomes invalid after this many wrong tries. */
const MOST_WRONG = 5;
/** At most this many codes are sent to one contact within an hour. */
const MOST_SENT = 5;
const SENT_WITHIN_MS = 3_600_000;

/** The gateway generates the code: six digits. */
interface NewCodeBody {
  readonly code: string;
}

export interface CodeSentView {
  readonly contactId: string;
}

/** Records a code that the gateway has generated. It is sent once it is recorded. */
export const makeCode = onPerson('contact.makeCode', (context: Context<NewCodeBody>) => {
  const { state, env, command } = context;
  mustMove(state, 'update');
  const anyId = command.params['contactId'] ?? '';
  const contact = findContact(state, anyId) ?? refuse('notFound', `There is no contact ${anyId}.`);
  if (contact.value === null)
    refuse('invalidState', `No code can be sent to the contact ${contact.id}: it is an address. Use an e-mail or phone contact.`);
  if (contact.status === 'archived') refuse('invalidState', `The contact ${contact.id} is archived.`);
  refuseTooMany(state, contact, env.now);
  const code = sealText(env, state.id, 'contact.code', contact.id, context.body.code);
  return { facts: [fact('ConfirmationCodeMade', { contactId: contact.id, code })], reply: () => ({ data: { contactId: contact.id } }) };
});

function refuseTooMany({ confirmations }: PersonState, { id }: Contact, now: number): void {
  const sent = confirmations.filter(({ contactId, sentAt }) => contactId === id && sentAt > now - SENT_WITHIN_MS);
  const oldest = sent[sent.length - MOST_SENT];
  if (!oldest) return;
  refuse('rateLimited', `At most ${MOST_SENT} codes an hour can be sent to a contact. Try again later.`, {
    retryAfterSeconds: Math.ceil((oldest.sentAt + SENT_WITHIN_MS - now) / 1000),
  });
}

/** The result of checking a code: the address or number can be reached, or nothing is proven. */
export type Proof =
  | { readonly isRight: true; readonly facts: readonly FactDraft[] }
  | { readonly isRight: false; readonly decision: Decision<PersonState> };

/** Compares a code with the newest one that was sent to this value, through any contact. A wrong try is recorded. */
export function proofOf(context: Context, type: ContactType, value: string | null, code: string): Proof {
  const { state, env } = context;
  const known = state.confirmations.findLast(({ contactId }) => value !== null && valueOf(context, type, contactId) === value);
  if (!known || !counts(known, env.now))
    return refuse('confirmationCodeInvalid', 'No such confirmation code was sent, or it has expired. Send a new code.');
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

/** A wrong try is recorded, so the command succeeds with this status and the gateway answers it as an error. */
export const WRONG_CODE = 422;

const counts = ({ sentAt, wrongAttempts }: Confirmation, now: number): boolean =>
  now < sentAt + CODE_LASTS_MS && wrongAttempts < MOST_WRONG;

function valueOf({ state, env }: Context, type: ContactType, contactId: string): string | null {
  const contact = state.contacts.find(({ id }) => id === contactId);
  if (contact?.contactType !== type) return null;
  return openText(env, state.id, 'contact.value', contact.id, contact.value);
}

export interface ConfirmationFacts {
  readonly ConfirmationCodeMade: { readonly contactId: string; readonly code: Sealed };
  readonly ConfirmationAttemptFailed: { readonly contactId: string };
  /** The right code was given: all codes that were sent to this value are invalid from now on. */
  readonly ConfirmationCodeUsed: { readonly contactId: string };
}

type Apply = { readonly [Type in keyof ConfirmationFacts]: (state: PersonState, body: ConfirmationFacts[Type], fact: Fact) => void };

export const APPLY_CONFIRMATIONS: Apply = {
  ConfirmationCodeMade(state, { contactId, code }, { businessAt }) {
    const recent = state.confirmations.filter(({ sentAt }) => sentAt > businessAt - SENT_WITHIN_MS);
    state.confirmations = [...recent, { contactId, code, sentAt: businessAt, wrongAttempts: 0 }];
  },
  ConfirmationAttemptFailed(state, { contactId }) {
    const newest = state.confirmations.findLast((known) => known.contactId === contactId);
    state.confirmations = state.confirmations.map((known) =>
      known === newest ? { ...known, wrongAttempts: known.wrongAttempts + 1 } : known,
    );
  },
  ConfirmationCodeUsed(state, { contactId }) {
    state.confirmations = state.confirmations.filter((known) => known.contactId !== contactId);
  },
};
