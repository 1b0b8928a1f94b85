import { caseOf, loanOf } from '../questions.js';
import { resolveId } from '../../kernel/ids.js';
import { type Contact, contactOf, contactView, personOf, type PersonState } from '../../borrower/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { SealedAt } from './sealing.js';
import { sealJson } from './sealing.js';
import { type InteractionFields, type InteractionState, isReachable } from './state.js';

/** The references of a body to objects of the borrower. */
export interface NamedBody {
  readonly contactId?: string | null;
  readonly contactExternalId?: string | null;
  readonly loanId?: string | null;
  readonly loanIds?: readonly string[];
  readonly caseId?: string | null;
  readonly previousInteractionId?: string | null;
}

type References = Pick<InteractionFields, 'contactId' | 'contact' | 'loanId' | 'loanIds' | 'caseId' | 'previousInteractionId'>;

/** The references of a body as service ids; refuses with 404 if the borrower does not have the object. */
export function referencesOf(env: DecideEnv, at: SealedAt, body: NamedBody, before: Pick<References, 'loanId'>): Partial<References> {
  const { personId } = at;
  if (personId === null) return unbound(body);
  const person = personOf(env, personId);
  const { caseId, previousInteractionId } = body;
  return {
    ...contactNamed(env, at, person, body),
    ...loansNamed(env, personId, body, before),
    ...(caseId === undefined ? {} : { caseId: caseId && caseOf(env, env.tenant, personId, caseId) }),
    ...(previousInteractionId === undefined
      ? {}
      : { previousInteractionId: previousInteractionId && previousOf(env, at, previousInteractionId) }),
  };
}

/** An interaction with an unknown sender cannot refer to objects of a borrower. */
function unbound(body: NamedBody): Partial<References> {
  const named = (['contactId', 'contactExternalId', 'loanId', 'caseId', 'previousInteractionId'] as const).find(
    (field) => body[field] != null,
  );
  return named === undefined
    ? {}
    : refuseProperty(named, 'nothing without a borrower', 'This field needs a borrower: the interaction has none.');
}

/** The contact, with its current value. */
function contactNamed(env: DecideEnv, at: SealedAt, person: PersonState, { contactId, contactExternalId }: NamedBody): Partial<References> {
  if (contactId === undefined && contactExternalId === undefined) return {};
  const byId = found(person, contactId);
  const byExternal = found(person, contactExternalId == null ? null : `ext-${contactExternalId}`);
  if (byId && byExternal && byId !== byExternal)
    refuseProperty(
      'contactExternalId',
      'the contact that contactId names',
      '`contactId` and `contactExternalId` are of different contacts. Send one of them.',
    );
  const contact = byId ?? byExternal;
  return contact === null
    ? { contactId: null, contact: null }
    : { contactId: contact.id, contact: contactSnapshot(env, at, person, contact) };
}

export const contactSnapshot = (env: DecideEnv, at: SealedAt, person: PersonState, contact: Contact): Uint8Array | null =>
  sealJson(env, at, 'contact', contactView(person, contact, env, 'clear'));

const found = (person: PersonState, anyId: string | null | undefined): Contact | null =>
  anyId == null ? null : (contactOf(person, anyId) ?? refuse('notFound', `The borrower ${person.id} has no contact ${anyId}.`));

/** `loanId` is always one of `loanIds`. */
function loansNamed(
  env: DecideEnv,
  personId: string,
  { loanId: named, loanIds }: NamedBody,
  before: Pick<References, 'loanId'>,
): Partial<References> {
  if (named === undefined && loanIds === undefined) return {};
  const idOf = (anyId: string): string => loanOf(env, env.tenant, personId, anyId);
  const loanId = named === undefined ? before.loanId : named && idOf(named);
  const all = [...(loanId === null ? [] : [loanId]), ...(loanIds ?? []).map(idOf)];
  return { loanId, loanIds: [...new Set(all)] };
}

/** Longest chain of linked interactions that is followed. */
const MAX_CHAIN = 1_000;

/** An earlier interaction of the same borrower. Refuses one whose chain leads back to this interaction. */
function previousOf(env: DecideEnv, { id, personId }: SealedAt, anyId: string): string {
  const firstId = resolveId(env, env.tenant, 'interaction', anyId);
  const first = firstId === undefined ? undefined : env.read<InteractionState>('interaction', firstId);
  if (first === undefined || !isReachable(first)) refuse('notFound', `There is no interaction ${anyId}.`);
  if (first.personId !== personId)
    refuseProperty('previousInteractionId', 'an interaction of the same borrower', 'The previous interaction is of another borrower.');
  if ([first, ...chainOf(env, first)].some((link) => link.id === id))
    refuseProperty('previousInteractionId', 'an interaction before this one', 'The previous interaction comes after this one.');
  return first.id;
}

/** The interactions before one, the nearest first, up to the first one that was deleted. */
export function* chainOf(env: Pick<DecideEnv, 'read'>, state: InteractionState): Iterable<InteractionState> {
  let at = state;
  for (let links = 0; links < MAX_CHAIN && at.previousInteractionId !== null; links += 1) {
    const before = env.read<InteractionState>('interaction', at.previousInteractionId);
    if (before === undefined || !isReachable(before)) return;
    yield before;
    at = before;
  }
}
