import {
  type AskedFor,
  type ScreenedConsent,
  type ConsentTopic,
  type ContactPlan,
  type ScreenedContact,
  type Day,
  dayAt,
  type GuardVerdict,
  type HomeArea,
  isAttorney,
  judge,
  type MessageText,
  type ScreenedLoan,
  must,
  type PastContact,
  type ScreenedPerson,
  type PhoneArea,
  areaOfPhone,
  type Situation,
  speaksForBorrower,
  stateNamed,
  zonesOfAddress,
  tableOf,
} from '../../../engine/index.js';
import { isOfUnitedStates } from '../../address.js';
import {
  addressOf,
  CONSENT_NAMES,
  type Contact,
  contactValueOf,
  isValidHome,
  personOf,
  type PersonState,
  statusOfConsent,
} from '../../borrower/index.js';
import { businessRulesOf, companyOf, type CompanyState, loanTypeOf, mutesOf, zoneOf } from '../../company/index.js';
import type { DecideEnv, EvolveEnv, Reference } from '../../kernel/actor.js';
import { ask } from '../../kernel/policy.js';
import { activationOf, type LoanState, othersOn, statusOf } from '../../loan/index.js';
import { contactHistory, historyAskedFor, type InteractionState } from '../interactions/index.js';
import { contactAsks } from '../questions.js';
import { contactFor, faultOfNumber, knownNumber } from './numbers.js';

/** What the guard may read. Every command and query on the borrower's shard provides it. */
export type ScreenEnv = EvolveEnv & Pick<DecideEnv, 'tenant' | 'list' | 'readBelow' | 'now'>;

/** A contact to be screened. Ids are service ids: the caller has resolved the ids of its body. */
export interface ScreenAsked {
  readonly personId: string;
  /** Null: chosen by the rules of the channel. */
  readonly contactId: string | null;
  /** A contact that the same command adds, in place of `contactId`. */
  readonly newContact?: Contact;
  readonly plan: ContactPlan;
  /** What it says, where that is known; its words are not judged otherwise. */
  readonly message?: MessageText | null;
}

export interface Screened {
  readonly verdict: GuardVerdict;
  /** The contact that would be used; null if there is none. */
  readonly contact: Contact | null;
}

/**
 * Asks the guard from within a decision on the borrower's shard. It only reads, and is deterministic. The verdict covers the
 * preferences of the borrower, so a sender needs no other check. Record the verdict with `decisionBeside`.
 */
export function screen(env: ScreenEnv, { personId, contactId, newContact, plan, message = null }: ScreenAsked): Screened {
  const person = personOf(env, personId);
  const named = newContact ?? person.contacts.find(({ id }) => id === contactId);
  const chosen = contactId === null && plan.channel !== null ? contactFor(env, person, plan.channel) : null;
  const contact = named ?? chosen;
  const verdict = judge(plan, situationOf(env, person, contact, plan), message);
  return { verdict, contact: contact !== null && faultOfNumber(env, person, contact, plan.channel) === null ? contact : null };
}

type Line = ReturnType<typeof contactHistory>[number];

/** Messages of the lender within this many days are classified as replies or not: more days than any rule looks back. */
const REPLY_DAYS = 10;
const ANSWER_DAYS = 7;
const DAY_MS = 86_400_000;

/** The borrower whose contacts are counted, and the moment. */
interface Counted {
  readonly personId: string;
  readonly contacts: readonly Contact[];
  readonly loans: Situation['loans'];
  readonly companyZone: string;
  /** The moment of the contact that is judged. */
  readonly at: number;
}

/**
 * The contacts between a borrower and the lender that rules count, the newest first. A field that a line lacks is null, and the
 * line counts. For a moment in the past all contacts are read, since the last one then is not the last one now.
 */
function pastContacts(env: ScreenEnv, { personId, contacts, loans, companyZone: zone, at }: Counted): readonly PastContact[] {
  const known = new Map(contacts.map((contact) => [contact.id, contact]));
  const lines = at < env.now ? contactHistory(env, personId, { since: 0 }) : historyAskedFor(env, personId, { at: env.now, loans, zone });
  const byId = new Map(lines.map((line) => [line.id, line]));
  return lines.map((line) => {
    const contact = line.contactId === null ? undefined : known.get(line.contactId);
    const { id, channel, direction, status, startedAt, subject, theme, loanIds, contactId, agentOutcome, isTransactional } = line;
    return {
      id,
      channel,
      direction,
      status,
      startedAt,
      subject,
      theme,
      loanIds,
      contactId,
      agentOutcome,
      isTransactional,
      contactLabel: contact?.label ?? null,
      isOfRepresentative: contact === undefined ? null : speaksForBorrower(contact),
      isOfAttorney: contact !== undefined && isAttorney(contact),
      askedFor: status === 'scheduled' ? askedFor(env, line, byId) : null,
      isReply: direction === 'outbound' && startedAt >= env.now - REPLY_DAYS * DAY_MS && isReply(env, line, byId),
    };
  });
}

/** Whether a message replies to one of the borrower, within a week. After that a linked message no longer counts as a reply. */
function isReply(env: ScreenEnv, { id, startedAt }: Line, byId: ReadonlyMap<string, Line>): boolean {
  const { previousInteractionId } = must(env.read<InteractionState>('interaction', id), `the listed interaction ${id}`);
  const question = previousInteractionId === null ? undefined : byId.get(previousInteractionId);
  return question !== undefined && answers(question, startedAt);
}

const answers = ({ direction, startedAt }: Pick<Line, 'direction' | 'startedAt'>, at: number): boolean =>
  direction === 'inbound' && at >= startedAt && at - startedAt <= ANSWER_DAYS * DAY_MS;

/** Whether a message at a moment replies to a message of the borrower. */
export function isAnswer(
  env: Pick<ScreenEnv, 'read'>,
  personId: string,
  { previousInteractionId, at }: { readonly previousInteractionId: string | null; readonly at: number },
): boolean {
  const question = previousInteractionId === null ? undefined : env.read<InteractionState>('interaction', previousInteractionId);
  if (question === undefined || question.isDeleted || question.personId !== personId) return false;
  const { direction, startedAt } = question;
  return startedAt !== null && answers({ direction, startedAt }, at);
}

/**
 * A planned call that is linked to a conversation with the borrower, or to a message of the borrower, is one that the borrower has
 * asked for (12 CFR 1006.14(b)(3)(i)).
 */
function askedFor(env: ScreenEnv, { id, channel, direction }: Line, byId: ReadonlyMap<string, Line>): AskedFor | null {
  if (channel !== 'voice' || direction !== 'outbound') return null;
  const planned = must(env.read<InteractionState>('interaction', id), `the listed interaction ${id}`);
  const { previousInteractionId, scheduledAtFrom: from, scheduledAtTo: to } = planned;
  const before = previousInteractionId === null ? undefined : byId.get(previousInteractionId);
  if (from === null || before === undefined) return null;
  const isOfBorrower = before.direction === 'inbound' || before.agentOutcome === 'voiceSpokeWithFirstParty';
  return isOfBorrower && before.theme !== 'inbOptOut' ? { saidAt: before.startedAt, from, to } : null;
}

function screenedPerson(env: ScreenEnv, person: PersonState): ScreenedPerson {
  const { status, collectionsIntensity, commPreferences, monitoring } = person;
  return {
    status: status === 'active' ? 'active' : 'inactive',
    hits: new Set(monitoring.filter((known) => known.status === 'hit').map(({ kind }) => kind)),
    collectionsIntensity,
    sendRemindersWhenCurrent: commPreferences.sendRemindersWhenCurrent,
    language: commPreferences.language ?? null,
    ...areasOf(env, person),
  };
}

function areasOf(env: ScreenEnv, person: PersonState): Pick<ScreenedPerson, 'home' | 'otherAreas'> {
  const home = person.contacts.find(isValidHome);
  return {
    home: home === undefined ? null : areaOfAddress(env, person, home),
    otherAreas: person.contacts
      .filter((contact) => contact !== home && mayBeHome(contact))
      .flatMap((contact) => areaOfAddress(env, person, contact) ?? []),
  };
}

/** An address at which the borrower may live: after a move the former address is marked as not valid or archived. */
const mayBeHome = ({ contactType, affiliation, status, label, valid }: Contact): boolean =>
  contactType === 'address' && affiliation === 'self' && status !== 'archived' && label !== 'work' && valid;

/** Null after the borrower was erased. An address outside the United States is a home without a state and without zones. */
function areaOfAddress(env: ScreenEnv, person: PersonState, contact: Contact): HomeArea | null {
  const address = addressOf(env, person, contact);
  if (address === null) return null;
  const { city, postalCode } = address;
  if (!isOfUnitedStates(address)) return { state: null, city, postalCode, zones: [] };
  const state = stateNamed(address.state);
  return { state, city, postalCode, zones: zonesOfAddress(state, postalCode) };
}

/** A contact with the area that its area code or address indicates. */
function screenedContact(env: ScreenEnv, person: PersonState, contact: Contact): ScreenedContact {
  const { id, contactType, label, affiliation, status, valid, receiveTextMessages, authorizedThirdParty, powerOfAttorney } = contact;
  const { state, zones } = areaOf(env, person, contact);
  return {
    id,
    contactType,
    label,
    affiliation,
    status,
    valid,
    receiveTextMessages,
    authorizedThirdParty,
    powerOfAttorney,
    state,
    zones,
    ...knownNumber(env, person, contact),
  };
}

const NOWHERE: PhoneArea = { state: null, zones: [] };

function areaOf(env: ScreenEnv, person: PersonState, contact: Contact): PhoneArea {
  if (contact.contactType === 'address') return areaOfAddress(env, person, contact) ?? NOWHERE;
  const value = contact.contactType === 'phone' ? contactValueOf(env, person, contact) : null;
  return value === null ? NOWHERE : areaOfPhone(value);
}

function screenedConsents({ consents }: PersonState): Readonly<Record<ConsentTopic, ScreenedConsent>> {
  const screenedConsent = (name: ConsentTopic): ScreenedConsent => {
    const said = consents.find((consent) => consent.name === name);
    return {
      isGiven: statusOfConsent(consents, name) === 'consented',
      isSaid: said !== undefined,
      isInWriting: said !== undefined && said.medium !== 'oral' && (said.documentId !== null || said.source === 'borrower'),
      isOral: said?.medium === 'oral',
    };
  };
  return tableOf(CONSENT_NAMES, screenedConsent);
}

/** Lists are read whole: no borrower has as many entries. */
const ALL = Number.MAX_SAFE_INTEGER;

/** All that the guard evaluates, read from the actors on the borrower's shard. */
function situationOf(env: ScreenEnv, person: PersonState, contact: Contact | null, { loanIds, at }: ContactPlan): Situation {
  const company = companyOf(env, env.tenant);
  const companyZone = zoneOf(company);
  const loans = loansOf(env, person.id, loanIds);
  const contacts = contact === null || person.contacts.includes(contact) ? person.contacts : [...person.contacts, contact];
  return {
    companyZone,
    person: screenedPerson(env, person),
    contact: contact && screenedContact(env, person, contact),
    consents: screenedConsents(person),
    hasActiveRepresentative: person.legalRepresentatives.some(({ status }) => status === 'active'),
    ...ask(
      env,
      contactAsks.caseworkAbout,
      person.id,
      loans.map(({ id }) => id),
    ),
    loans,
    history: pastContacts(env, { personId: person.id, contacts, loans, companyZone, at }),
    mutes: mutesOf(company),
    businessRules: businessRulesOf(company),
    isDisasterPolicyOn: company.profile?.femaPolicy ?? false,
  };
}

/** The loans that the shard lists for the borrower, and those that the plan names, on whichever shard they are. */
function loansOf(env: ScreenEnv, personId: string, named: readonly string[]): readonly ScreenedLoan[] {
  const company = companyOf(env, env.tenant);
  return loanIdsOf(env, personId, named).flatMap((id) => {
    const state = env.read<LoanState>('loan', id);
    return state?.record == null ? [] : [screenedLoan(company, state, state.record, personId, env.now)];
  });
}

function loanIdsOf(env: Pick<ScreenEnv, 'list'>, personId: string, named: readonly string[]): readonly string[] {
  const listed = env.list('loan', { parentId: personId, limit: ALL }).rows.map(({ id }) => id);
  return [...new Set([...listed, ...named])];
}

/** What the guard reads of other units of a cluster: the loans, and the cases of the other people on them. */
export const referredToScreen = (env: ScreenEnv, personId: string, named: readonly string[]): readonly Reference[] =>
  loanIdsOf(env, personId, named).flatMap((id) => [
    { kind: 'loan', id },
    ...othersOn(env.read<LoanState>('loan', id), personId).map((parentId) => ({ kind: 'case', parentId })),
  ]);

/** Kinds of loans with security in the nature of a mortgage, on a home or on goods (50 USC 3953(a)). */
const SECURED: ReadonlySet<string | undefined> = new Set([
  'homeEquity',
  'auto',
  'personalClosedEndSecured',
  'personalOpenEndSecured',
  'businessClosedEndSecured',
  'businessOpenEndSecured',
]);

/** Kinds of loans with which goods are often sold on credit. */
const MAY_BE_SALES: ReadonlySet<string | undefined> = new Set(['auto', 'buyNowPayLater']);

function screenedLoan(
  company: CompanyState,
  state: LoanState,
  record: NonNullable<LoanState['record']>,
  personId: string,
  now: number,
): ScreenedLoan {
  const { loanTypeId, servicedBy, muteLoanNotices, timestamps, zone } = record;
  const summary = activationOf(state)?.summary;
  const { originatedAt } = timestamps;
  const assetType = loanTypeOf(company, loanTypeId)?.assetType;
  return {
    id: state.id,
    status: statusOf(state),
    loanTypeId,
    servicedBy,
    areNoticesMuted: muteLoanNotices,
    isOverdue: summary?.isOverdue ?? false,
    overdueSince: summary?.overdueSince ?? null,
    originatedOn: originatedAt === null ? null : dayAt(zone, originatedAt),
    isOwed: summary === undefined || summary.outstandingCents > 0,
    isLiable: isLiable(record, personId, dayAt(zone, now)),
    isMortgage: SECURED.has(assetType),
    isOnHome: assetType === 'homeEquity',
    mayBeSale: MAY_BE_SALES.has(assetType),
    ...businessDays(record),
  };
}

/** The days by which a loan is business with the borrower: its beginning or its end, or the application for it. */
function businessDays({
  timestamps: { createdAt, originatedAt, activatedAt, paidOffAt, closedAt },
  zone,
}: NonNullable<LoanState['record']>): Pick<ScreenedLoan, 'lastTransactionOn' | 'appliedOn'> {
  const moments = [originatedAt, activatedAt, paidOffAt, closedAt].filter((at) => at !== null);
  return moments.length === 0
    ? { lastTransactionOn: null, appliedOn: dayAt(zone, createdAt) }
    : { lastTransactionOn: dayAt(zone, Math.max(...moments)), appliedOn: null };
}

/** Whether a person is liable for the loan: the main borrower, or a co-borrower while on the loan. */
function isLiable({ personId: mainId, additionalPeople }: NonNullable<LoanState['record']>, personId: string, today: Day): boolean {
  return (
    personId === mainId ||
    additionalPeople.some(
      (other) =>
        other.personId === personId && other.loanRelationType !== 'authorizedUser' && (other.endDay === null || other.endDay >= today),
    )
  );
}
