import { fieldOf } from '../../../engine/index.js';
import { bodyForRow } from '../../kernel/erased.js';
import { contactValueOf, type PersonFacts, type PersonState, type PortalUserState, statusOfConsent } from '../../borrower/index.js';
import { appDomainsOf, companyOf } from '../../company/index.js';
import type { CommandContext, DecideEnv } from '../../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../../kernel/fact.js';
import { directedToHolders } from './directed.js';
import { type Notice, noticePlanned } from './plan.js';

type Rows = { readonly [Type in keyof PersonFacts]?: (body: PersonFacts[Type], person: PersonState, env: DecideEnv) => Notice | null };

const ABOUT_ACCOUNT = { context: {}, loanId: null, caseId: null } as const;

/** Communications 6: which fact of a borrower brings which notice. `person` is the borrower before it. */
const ROWS: Rows = {
  ContactUpdated({ contact }, person, env) {
    const before = person.contacts.find(({ id }) => id === contact.id);
    const isSame =
      before === undefined ||
      before.value === null ||
      contactValueOf(env, person, before) === contactValueOf(env, person, { ...contact, createdAt: 0, updatedAt: null });
    return isSame ? null : { ...ABOUT_ACCOUNT, subject: 'contactChanged', notAt: before.id };
  },
  DocumentUploadFailed({ id }, { documents }) {
    const { loanId = null, caseId = null } = documents.find((document) => document.id === id) ?? {};
    return { subject: 'documentUploadFailed', context: {}, loanId, caseId };
  },
  // What is withdrawn now was given before: a default that is confirmed is no news.
  ConsentsUpdated({ consents }, person) {
    const isWithdrawn = consents.some(({ name, status }) => name === 'electronicComms' && status === 'revoked');
    if (!isWithdrawn || statusOfConsent(person.consents, 'electronicComms') !== 'consented') return null;
    return { ...ABOUT_ACCOUNT, subject: 'electronicConsentOptOut', channels: ['mail'] };
  },
};

function loginUrl(env: DecideEnv): string {
  const domain = appDomainsOf(companyOf(env, env.tenant)).find(({ type }) => type === 'borrower')?.domain;
  return domain === undefined ? '' : `https://${domain}`;
}

/** The types of facts of a borrower that bring notices. */
export const PERSON_NOTICE_FACTS: readonly string[] = [...Object.keys(ROWS), 'ConfirmationCodeUsed'];

export function personNotices({ state, env }: CommandContext<PersonState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  const own = facts.flatMap((fact) => {
    const { type, target } = fact;
    if (target !== undefined && (target.kind !== 'person' || target.id !== state.id)) return [];
    const rows: { readonly [Type in string]?: (body: never, person: PersonState, env: DecideEnv) => Notice | null } = ROWS;
    const row = rows[type];
    const notice = row?.(bodyForRow(fact), state, env) ?? null;
    return notice === null ? [] : byAnotherFirst(env, state, notice);
  });
  return [...own, ...takenOver(env, state, facts)];
}

/**
 * A borrower who has proven by a code that an address or number is theirs takes it over from others who have it as their own: they hear of
 * it. What a lender records or imports proves nothing.
 */
function takenOver(env: DecideEnv, person: PersonState, facts: readonly FactDraft[]): readonly FactDraft[] {
  const proof = facts.findIndex(({ type }) => type === 'ConfirmationCodeUsed');
  const written = facts.slice(Math.max(0, proof - 1), Math.max(0, proof));
  const [body] = [
    ...bodiesOf<PersonFacts, 'ContactAdded'>(written, 'ContactAdded'),
    ...bodiesOf<PersonFacts, 'ContactUpdated'>(written, 'ContactUpdated'),
  ];
  if (body === undefined) return [];
  const { contact } = body;
  const before = person.contacts.find(({ id }) => id === contact.id);
  const isKnown =
    before?.verified === true &&
    contactValueOf(env, person, before) === contactValueOf(env, person, { ...contact, createdAt: 0, updatedAt: null });
  if (contact.affiliation !== 'self' || contact.status === 'archived' || isKnown) return [];
  return directedToHolders(env, person.id, contact.id, { ...ABOUT_ACCOUNT, subject: 'contactTakeover' });
}

/** A word about a changed contact goes to another one where there is one. */
function byAnotherFirst(env: DecideEnv, person: PersonState, { notAt, ...notice }: Notice): readonly FactDraft[] {
  const byAnother = notAt === undefined ? [] : noticePlanned(env, person, { ...notice, notAt });
  return byAnother.length > 0 ? byAnother : noticePlanned(env, person, notice);
}

/** Facts of a portal user that bring notices. */
export const PORTAL_USER_NOTICE_FACTS: readonly string[] = ['PortalUserGiven', 'SessionsEnded'];

/** A borrower who gets an account is welcomed; a password that takes another one's place brings a word. */
export function portalUserNotices({ state, env }: CommandContext<PortalUserState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  return facts.flatMap((draft) => {
    const isNew = draft.type === 'PortalUserGiven';
    const person = env.read<PersonState>('person', isNew ? (draft.target?.id ?? '') : state.personId);
    if (person === undefined) return [];
    if (isNew) return noticePlanned(env, person, { ...ABOUT_ACCOUNT, subject: 'borrowerWelcome', context: { loginUrl: loginUrl(env) } });
    const isOther = draft.type === 'SessionsEnded' && state.passwordHash !== null && fieldOf(draft.body, 'passwordHash') !== null;
    return isOther ? noticePlanned(env, person, { ...ABOUT_ACCOUNT, subject: 'passwordChanged' }) : [];
  });
}
