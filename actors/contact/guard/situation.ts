import {
  type AskedFor,
  chooseContact,
  type ScreenedConsent,
  type ConsentTopic,
  type ContactPlan,
  type ScreenedContact,
  type Day,
  dayAt,
  type DoNotCall,
  faultOfContact,
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
} from '../../../engine/index.js';
import {
  addressOf,
  CONSENT_NAMES,
  type Contact,
  contactValueOf,
  isOfUnitedStates,
  isValidHome,
  personOf,
  type PersonState,
  statusOfConsent,
} from '../../borrower/index.js';
import { businessRulesOf, companyOf, type CompanyState, loanTypeOf, mutesOf, zoneOf } from '../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import { ask } from '../../kernel/policy.js';
import { activationOf, type LoanState, statusOf } from '../../loan/index.js';
import { contactHistory, historyAskedFor, type InteractionState } from '../interactions/index.js';
import { contactAsks } from '../questions.js';

/** What the guard may read, which every command and query of the borrower's shard gives. */
export type ScreenEnv = EvolveEnv & Pick<DecideEnv, 'tenant' | 'list' | 'now'>;

/** A contact to be screened. Ids are service ids: whoever asks has found what a body names. */
export interface ScreenAsked {
  readonly personId: string;
  /** Null: by the rules of the channel. */
  readonly contactId: string | null;
  /** A contact that comes with the same command, in place of `contactId`. */
  readonly newContact?: Contact;
  readonly plan: ContactPlan;
  /** What it says, where that is known; its words are not judged otherwise. */
  readonly message?: MessageText | null;
}

export interface Screened {
  readonly verdict: GuardVerdict;
  /** Whom it would reach; null where nobody can be. */
  readonly contact: Contact | null;
}

/**
 * Asks the guard from within a decision on the borrower's shard. Reads alone, and answers the same when asked twice.
 * The verdict includes the preferences of the borrower, so that a sender asks nothing else. Record it with `decisionBeside`.
 */
export function screen(env: ScreenEnv, { personId, contactId, newContact, plan, message = null }: ScreenAsked): Screened {
  const person = personOf(env, personId);
  const named = newContact ?? person.contacts.find(({ id }) => id === contactId);
  const chosen = contactId === null && plan.channel !== null ? chooseContact(person.contacts, plan.channel) : null;
  const contact = named ?? chosen;
  const verdict = judge(plan, situationOf(env, person, contact, plan), message);
  return { verdict, contact: contact !== null && faultOfContact(contact, plan.channel) === null ? contact : null };
}

type Line = ReturnType<typeof contactHistory>[number];

/** How far back answers are told from what the lender began: longer than the window of any rule that asks. */
const REPLY_DAYS = 10;
const ANSWER_DAYS = 7;
const DAY_MS = 86_400_000;

/** The borrower and the moment that contacts are counted for. */
interface Counted {
  readonly personId: string;
  readonly contacts: readonly Contact[];
  readonly loans: Situation['loans'];
  readonly companyZone: string;
  /** The moment of the contact that is judged. */
  readonly at: number;
}

/**
 * What was said between a borrower and the lender, as far as rules ask for it, the newest first. What a line does not say
 * is none, and counts. Of a moment that is past all is read: what was the last then is not the last now.
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

/** It answers what the borrower had sent, within a week: an old question does not make answers of all that is said later. */
function isReply(env: ScreenEnv, { id, startedAt }: Line, byId: ReadonlyMap<string, Line>): boolean {
  const { previousInteractionId } = must(env.read<InteractionState>('interaction', id), `the listed interaction ${id}`);
  const question = previousInteractionId === null ? undefined : byId.get(previousInteractionId);
  return question !== undefined && answers(question, startedAt);
}

const answers = ({ direction, startedAt }: Pick<Line, 'direction' | 'startedAt'>, at: number): boolean =>
  direction === 'inbound' && at >= startedAt && at - startedAt <= ANSWER_DAYS * DAY_MS;

/** Whether a message of a moment answers what the borrower had sent. */
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
 * A planned call that follows a conversation with the borrower, or what the borrower sent, is one that the borrower has asked for (12 CFR
 * 1006.14(b)(3)(i)).
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

function personStanding(env: ScreenEnv, person: PersonState): ScreenedPerson {
  const { status, collectionsIntensity, commPreferences, monitoring } = person;
  return {
    status: status === 'active' ? 'active' : 'inactive',
    hits: new Set(monitoring.filter((known) => known.status === 'hit').map(({ kind }) => kind)),
    collectionsIntensity,
    sendRemindersWhenCurrent: commPreferences.sendRemindersWhenCurrent,
    ...placesOf(env, person),
  };
}

function placesOf(env: ScreenEnv, person: PersonState): Pick<ScreenedPerson, 'home' | 'otherAreas'> {
  const home = person.contacts.find(isValidHome);
  return {
    home: home === undefined ? null : placeOfAddress(env, person, home),
    otherAreas: person.contacts
      .filter((contact) => contact !== home && mayBeHome(contact))
      .flatMap((contact) => placeOfAddress(env, person, contact) ?? []),
  };
}

/** An address at which the borrower may be: whoever moves marks the one before as not valid, or archives it. */
const mayBeHome = ({ contactType, affiliation, status, label, valid }: Contact): boolean =>
  contactType === 'address' && affiliation === 'self' && status !== 'archived' && label !== 'work' && valid;

/** Null once the borrower was erased. Outside of the country it is a home without a state and without zones. */
function placeOfAddress(env: ScreenEnv, person: PersonState, contact: Contact): HomeArea | null {
  const address = addressOf(env, person, contact);
  if (address === null) return null;
  const { city, postalCode } = address;
  if (!isOfUnitedStates(address)) return { state: null, city, postalCode, zones: [] };
  const state = stateNamed(address.state);
  return { state, city, postalCode, zones: zonesOfAddress(state, postalCode) };
}

/** A contact with the place that it tells: an area code, or the address itself. */
function contactStanding(env: ScreenEnv, person: PersonState, contact: Contact): ScreenedContact {
  const {
    id,
    contactType,
    label,
    affiliation,
    status,
    valid,
    receiveTextMessages,
    authorizedThirdParty,
    powerOfAttorney,
    phoneDisconnectionDetails,
  } = contact;
  const { state, zones } = placeOf(env, person, contact);
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
    phoneDisconnectionDetails,
    state,
    zones,
    mayBeReassigned: mayBeReassigned(env, person, contact),
    doNotCall: doNotCallOf(contact),
  };
}

/** What the source knows of which number it was is sealed: each that nobody has agreed to texts for since may be it. */
function mayBeReassigned(env: ScreenEnv, { monitoring }: PersonState, contact: Contact): boolean {
  const { contactType, receiveTextMessagesLastConsentAt: agreedAt, numberChecks = [] } = contact;
  const reassigned = numberChecks.find(({ list, isListed }) => list === 'reassigned' && isListed);
  if (reassigned !== undefined && (agreedAt === null || dayAt(zoneOf(companyOf(env, env.tenant)), agreedAt) <= reassigned.checkedOn))
    return true;
  const hit = monitoring.find(({ kind, status }) => kind === 'phoneReassigned' && status === 'hit');
  return hit !== undefined && contactType === 'phone' && (agreedAt === null || agreedAt <= (hit.lastHitAt ?? Infinity));
}

function doNotCallOf({ numberChecks = [] }: Contact): DoNotCall {
  const national = numberChecks.find(({ list }) => list === 'nationalDoNotCall');
  return {
    isOnInternal: numberChecks.some(({ list, isListed }) => list === 'internalDoNotCall' && isListed),
    national: national ?? null,
  };
}

const NOWHERE: PhoneArea = { state: null, zones: [] };

function placeOf(env: ScreenEnv, person: PersonState, contact: Contact): PhoneArea {
  if (contact.contactType === 'address') return placeOfAddress(env, person, contact) ?? NOWHERE;
  const value = contact.contactType === 'phone' ? contactValueOf(env, person, contact) : null;
  return value === null ? NOWHERE : areaOfPhone(value);
}

function consentStandings({ consents }: PersonState): Readonly<Record<ConsentTopic, ScreenedConsent>> {
  const standing = (name: ConsentTopic): ScreenedConsent => {
    const said = consents.find((consent) => consent.name === name);
    return {
      isGiven: statusOfConsent(consents, name) === 'consented',
      isSaid: said !== undefined,
      isInWriting: said !== undefined && said.medium !== 'oral' && (said.documentId !== null || said.source === 'borrower'),
      isOral: said?.medium === 'oral',
    };
  };
  return Object.fromEntries(CONSENT_NAMES.map((name) => [name, standing(name)])) as Record<ConsentTopic, ScreenedConsent>;
}

/** Of a borrower more than anybody has: lists are read whole. */
const ALL = Number.MAX_SAFE_INTEGER;

/** All that the guard looks at, read off the actors on the borrower's shard. */
function situationOf(env: ScreenEnv, person: PersonState, contact: Contact | null, { loanIds, at }: ContactPlan): Situation {
  const company = companyOf(env, env.tenant);
  const companyZone = zoneOf(company);
  const loans = loansOf(env, person.id, loanIds);
  const contacts = contact === null || person.contacts.includes(contact) ? person.contacts : [...person.contacts, contact];
  return {
    companyZone,
    person: personStanding(env, person),
    contact: contact && contactStanding(env, person, contact),
    consents: consentStandings(person),
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

/** Loans that the shard lists below the borrower, and those that are named, wherever they lie. */
function loansOf(env: ScreenEnv, personId: string, named: readonly string[]): readonly ScreenedLoan[] {
  const listed = env.list('loan', { parentId: personId, limit: ALL }).rows.map(({ id }) => id);
  const company = companyOf(env, env.tenant);
  return [...new Set([...listed, ...named])].flatMap((id) => {
    const state = env.read<LoanState>('loan', id);
    return state?.record == null ? [] : [loanStanding(company, state, state.record, personId, env.now)];
  });
}

/** Kinds of loans with security in the nature of a mortgage, on a home or on goods (50 USC 3953(a)). */
const SECURED: ReadonlySet<string | undefined> = new Set([
  'homeEquity',
  'auto',
  'personalClosedEndSecured',
  'personalOpenEndSecured',
  'businessClosedEndSecured',
  'businessOpenEndSecured',
]);

function loanStanding(
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
  };
}

/** The main borrower, and those beside who answer for the debt, for as long as they are on the loan. */
function isLiable({ personId: mainId, additionalPeople }: NonNullable<LoanState['record']>, personId: string, today: Day): boolean {
  return (
    personId === mainId ||
    additionalPeople.some(
      (other) =>
        other.personId === personId && other.loanRelationType !== 'authorizedUser' && (other.endDay === null || other.endDay >= today),
    )
  );
}
