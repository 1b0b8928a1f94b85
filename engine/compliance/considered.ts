import {
  type AgentOutcome,
  type Channel,
  COUNTED_STATUSES,
  type Direction,
  implicitTheme,
  type InteractionTheme,
  isCollections,
  type Subject,
  SUBJECTS,
} from '../communication/index.js';
import { ANYWHERE } from '../areas.js';
import type { ScreenedCase, ScreenedContact, HomeArea, ScreenedLoan, PastContact, Situation } from './situation.js';

/** A planned contact, which the guard judges. */
export interface ContactPlan {
  /** The moment of it, in milliseconds. */
  readonly at: number;
  /** Null: the caller does not name a channel, so every possible channel must be allowed. */
  readonly channel: Channel | null;
  readonly direction: Direction;
  readonly theme: InteractionTheme;
  readonly subject: Subject | null;
  readonly isTransactional: boolean;
  /** A call that is dialed by a machine or plays a recording. */
  readonly isAutodialed: boolean;
  /** Null: not said. It counts as yes where the call is autodialed. */
  readonly isPrerecorded: boolean | null;
  /** Loans that it is about; empty = not said. */
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  /** It answers what the borrower sent. */
  readonly isReply: boolean;
  /** It is the one answer to the text HELP. Absent: it is not. */
  readonly answersHelp?: boolean;
  readonly origin: ContactOrigin;
  /** Its template says that a law requires it. */
  readonly isLegallyRequired: boolean;
  /** Rules about hours are judged at noon in the company's zone: for lists that are prepared in the morning. */
  readonly checkAtCompanyNoon: boolean;
}

/**
 * Subjects that no law requires, whatever their template says: they ask for a payment, remind of one, or sell something. For a free subject
 * the template decides, because states require notices that have no subject of their own.
 */
const NEVER_REQUIRED: ReadonlySet<Subject | null> = new Set<Subject | null>([
  'autopayEnableReminder',
  'autopayPaymentReminder',
  'cardExpiresReminder',
  'creditPositiveInfoReported',
  'futurepayPaymentDueReminder',
  'loanOverdueFirstNotice',
  'loanOverdueSecondNotice',
  'loanOverdueThirdNotice',
  'loanOverdueFourthNotice',
  'loanOverdueFifthNotice',
  'loanOverdueSixthNotice',
  'loginFirstPaymentReminder',
  'marketingMessage',
  'paymentDueDateReminder',
  'promiseToPayBroken',
  'promiseToPayDueReminder',
  'promoProgramEligibilityAtRisk',
  'promoProgramReminder',
]);

/** A letter that a law requires, as its template says. */
export const isRequiredLetter = ({ channel, isLegallyRequired, subject, theme }: ContactPlan): boolean =>
  channel === 'mail' && isLegallyRequired && theme !== 'marketing' && !NEVER_REQUIRED.has(subject);

/**
 * A call that asks another person where the borrower is (15 USC 1692b). It must not mention a debt, so the person needs no authority.
 * Only calls: texts of the service are not reviewed for this purpose.
 */
export const isLocationCall = ({ channel, theme }: ContactPlan): boolean => channel === 'voice' && theme === 'opsCollLocateBorrower';

/** Who starts the contact: a caller of the interface, the service by itself, or the daily run of reminders. */
export type ContactOrigin = 'request' | 'automatic' | 'reminder';

/** An ordinary contact of an agent; the caller sets what differs. */
export const PLAIN_PLAN: Omit<ContactPlan, 'at' | 'channel' | 'theme' | 'subject'> = {
  direction: 'outbound',
  isTransactional: false,
  isAutodialed: false,
  isPrerecorded: null,
  loanIds: [],
  caseId: null,
  isReply: false,
  origin: 'request',
  isLegallyRequired: false,
  checkAtCompanyNoon: false,
};

/** A plan with its situation, and with facts that many rules use. */
export interface Considered {
  readonly plan: ContactPlan;
  readonly situation: Situation;
  /** The possible channels: one, unless the plan names none. */
  readonly channels: readonly Channel[];
  /** It answers the borrower or reports an event. The caller decides if subject and theme leave that open. */
  readonly isTransactional: boolean;
  /** It collects a debt: by its theme, or because it is not transactional and about an overdue loan. */
  readonly isCollection: boolean;
  /** It asks for a payment, or may: collection, and contacts that become collection if a loan is overdue. */
  readonly isDemand: boolean;
  /** Loans that it is about; every serviced loan if the plan names none. */
  readonly loans: readonly ScreenedLoan[];
  /** Jurisdictions of the borrower's homes and of the phone or address. Null: unknown, so all. */
  readonly jurisdictions: ReadonlySet<string> | null;
  /** Every zone in which the borrower may be. */
  readonly zones: readonly string[];
  readonly isAtWork: boolean;
}

/** Statuses in which a loan is being serviced. */
const SERVICED: ReadonlySet<string> = new Set(['active', 'frozen', 'accelerated', 'chargedOff']);

/**
 * Themes that become collection if the contact is not transactional and the loan is overdue. Statements, privacy, credentials and legal
 * notices do not.
 */
const MAY_BECOME_COLLECTION: ReadonlySet<InteractionTheme> = new Set(['opsServicing', 'opsOrigination', 'marketing']);

const CASE_SUBJECTS =
  /^(caseEscalation|ceaseCommunication|deceased|disputeOfDebt|identityTheft|bankruptcyAcknowledgement|militaryDuty|disasterRelief|complaintAcknowledgement|purchaseDispute)/;

/** The subject is about a case, so it answers a request of the borrower. */
export const isCaseSubject = (subject: Subject | null): boolean => subject !== null && CASE_SUBJECTS.test(subject);

export function consider(plan: ContactPlan, situation: Situation): Considered {
  const { loanIds } = plan;
  const loans = situation.loans.filter(({ id, status }) => (loanIds.length === 0 ? SERVICED.has(status) : loanIds.includes(id)));
  const isTransactional = answersSomething(plan);
  const mayDemand = !isTransactional && mayCollect(plan);
  return {
    plan,
    situation,
    channels: channelsMeant(plan, situation),
    isTransactional,
    isCollection: isCollections(plan.theme) || (mayDemand && loans.some(({ isOverdue }) => isOverdue)),
    isDemand: isCollections(plan.theme) || mayDemand || ASKS_FOR_MONEY.has(plan.subject),
    loans,
    jurisdictions: jurisdictionsOf(situation),
    zones: zonesOf(situation),
    isAtWork: situation.contact !== null && isWorkplace(situation.contact),
  };
}

/** Reminders and marketing are not transactional, whatever the caller says (15 USC 7702(2) and (17)). */
function answersSomething({ isTransactional, theme, subject }: ContactPlan): boolean {
  if (!isTransactional || theme === 'marketing') return false;
  return subject === null || implicitTheme(subject) === null || SUBJECTS[subject].isTransactional;
}

/** Notices of an event that ask for money as well. */
const ASKS_FOR_MONEY: ReadonlySet<Subject | null> = new Set<Subject | null>(['lateFeeCharged', 'promiseToPayDueReminder']);

/** Legal notices about the debt itself. */
const LEGAL_NOTICES: ReadonlySet<InteractionTheme> = new Set(['opsServicingDebtValidation', 'opsServicingTimeBarredNotice']);

/**
 * Whether it is collection if a loan is overdue. The theme decides for free subjects, unless their template says that a law requires the
 * message. The notice of negative information (15 USC 1681s-2(a)(7)) asks for nothing.
 */
function mayCollect({ theme, subject, isLegallyRequired }: ContactPlan): boolean {
  if (MAY_BECOME_COLLECTION.has(theme)) return !isCaseSubject(subject) && subject !== 'creditNegativeInfoReported';
  return subject !== null && implicitTheme(subject) === null && !LEGAL_NOTICES.has(theme) && !isLegallyRequired;
}

/** A workplace or employer of the borrower; also a unit of the armed forces, except for letters. */
const isWorkplace = ({ label, affiliation, contactType }: ScreenedContact): boolean =>
  label === 'work' || affiliation === 'employer' || affiliation === 'commander' || (label === 'military' && contactType !== 'address');

const BY_CONTACT = { email: ['email'], phone: ['voice', 'text'], address: ['mail'] } as const satisfies Readonly<
  Record<string, readonly Channel[]>
>;
const REACHING: readonly Channel[] = ['voice', 'email', 'text', 'chat', 'mail'];

const channelsMeant = ({ channel }: ContactPlan, { contact }: Situation): readonly Channel[] =>
  channel !== null ? [channel] : contact ? BY_CONTACT[contact.contactType] : REACHING;

/** States and territories, and `NYC` for New York City. */
function jurisdictionsOf({ person, contact }: Situation): ReadonlySet<string> | null {
  const { home, otherAreas } = person;
  if (home === null) return null;
  const found = new Set<string>();
  for (const { state, city, postalCode } of [home, ...otherAreas]) {
    if (state !== null) found.add(state);
    if (state === 'NY' && isInNewYorkCity(city, postalCode)) found.add('NYC');
  }
  if (contact?.state != null) found.add(contact.state);
  return found;
}

const CITY_NAMES: ReadonlySet<string> = new Set([
  'new york',
  'new york city',
  'nyc',
  'manhattan',
  'brooklyn',
  'bronx',
  'the bronx',
  'queens',
  'staten island',
]);
/** Manhattan, Staten Island, the Bronx, Queens and Brooklyn; 110 is Queens in part. */
const CITY_AREAS: ReadonlySet<string> = new Set(['100', '101', '102', '103', '104', '110', '111', '112', '113', '114', '116']);

/** By name or by ZIP code: if they differ, the city's law applies. */
const isInNewYorkCity = (city: string | null, postalCode: string | null): boolean =>
  CITY_NAMES.has((city ?? '').trim().toLowerCase()) || CITY_AREAS.has((postalCode ?? '').slice(0, 3));

/**
 * The zones of all homes and of the dialed number: a time must be allowed in each of them (12 CFR 1006.6(b)(1), comment 1-ii). Without any
 * zone, or if the home has none (abroad, armed forces), the borrower may be anywhere in the country.
 */
function zonesOf({ person: { home, otherAreas }, contact }: Situation): readonly string[] {
  const isHomeSilent = home !== null && home.zones.length === 0;
  const zones = new Set([
    ...zonesOfAreas([...(home === null ? [] : [home]), ...otherAreas]),
    ...(contact?.zones ?? []),
    ...(isHomeSilent ? ANYWHERE : []),
  ]);
  return zones.size === 0 ? ANYWHERE : [...zones];
}

const zonesOfAreas = (areas: readonly HomeArea[]): readonly string[] => areas.flatMap(({ zones }) => zones);

/** Whether a case and the contact are about the same loan. */
export const isAbout = ({ loanIds }: ScreenedCase, { loans }: Considered): boolean =>
  loanIds.length === 0 || loans.length === 0 || loans.some(({ id }) => loanIds.includes(id));

/** Outcomes of a call that reached a phone although its status is failed. */
const REACHED: ReadonlySet<AgentOutcome | null> = new Set<AgentOutcome | null>([
  'voiceSpokeWithFirstParty',
  'voiceSpokeWithThirdParty',
  'voiceLeftVoicemail',
  'voiceReachedVoicemailNoMessageLeft',
  'voiceRangNoPickup',
  'voicePickedHungUp',
]);

/** Whether a contact reached, or may have reached, the borrower. Messages to agents did not. */
export const isCounted = ({
  direction,
  status,
  theme,
  agentOutcome,
}: Pick<PastContact, 'direction' | 'status' | 'theme' | 'agentOutcome'>): boolean =>
  direction === 'outbound' &&
  (COUNTED_STATUSES.has(status) || (status === 'failed' && REACHED.has(agentOutcome))) &&
  theme !== 'agentNotification';

export const counted = (history: readonly PastContact[]): readonly PastContact[] => history.filter(isCounted);

/** Contacts about a loan; contacts that name no loan count for every loan. Null: all contacts. */
export const aboutLoan = (history: readonly PastContact[], loanId: string | null): readonly PastContact[] =>
  loanId === null ? history : history.filter(({ loanIds }) => loanIds.length === 0 || loanIds.includes(loanId));

/** The loans for which limits are counted separately; null for a borrower without loans. */
export const debtsOf = ({ loans }: Considered): readonly (string | null)[] => (loans.length === 0 ? [null] : loans.map(({ id }) => id));

/** A third party collects, not the creditor. */
export const isByCollector = ({ loans }: Considered): boolean => loans.some(({ servicedBy }) => servicedBy !== 'creditor');
