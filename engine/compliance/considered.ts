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
import { ANYWHERE } from '../areas/index.js';
import type { ScreenedCase, ScreenedContact, HomeArea, ScreenedLoan, PastContact, Situation } from './situation.js';

/** A contact that somebody is about to make: what the guard is asked. */
export interface ContactPlan {
  /** The moment of it, in milliseconds. */
  readonly at: number;
  /** Null: the caller does not say how. All that could be meant must be allowed then. */
  readonly channel: Channel | null;
  readonly direction: Direction;
  readonly theme: InteractionTheme;
  readonly subject: Subject | null;
  readonly isTransactional: boolean;
  /** A call that is dialed by a machine or plays a recording. */
  readonly isAutodialed: boolean;
  /** Null: not said. It counts as yes where the call is autodialed. */
  readonly isPrerecorded: boolean | null;
  /** What it is about; empty = not said. */
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  /** It answers what the borrower sent. */
  readonly isReply: boolean;
  readonly origin: ContactOrigin;
  /** Its template says that the law asks for it. */
  readonly isLegallyRequired: boolean;
  /** Hours are judged as of noon of the day in the company's zone: for lists that are prepared in the morning. */
  readonly checkAtCompanyNoon: boolean;
}

/**
 * Subjects that no law asks for, whatever their template says: they ask for a payment, remind of one, or sell something. Of a free subject
 * the template alone knows, because states ask for notices that have none of their own.
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

/** A letter that a law asks for, by the word of its template. */
export const isRequiredLetter = ({ channel, isLegallyRequired, subject, theme }: ContactPlan): boolean =>
  channel === 'mail' && isLegallyRequired && theme !== 'marketing' && !NEVER_REQUIRED.has(subject);

/**
 * A call that asks somebody where the borrower is (15 USC 1692b). It says nothing of a debt, so that who answers it needs no authority.
 * What the service writes has words that nobody has looked at for that.
 */
export const isLocationCall = ({ channel, theme }: ContactPlan): boolean => channel === 'voice' && theme === 'opsCollLocateBorrower';

/** Who wants it: somebody through the interface, the service by itself, or the daily run of reminders. */
export type ContactOrigin = 'request' | 'automatic' | 'reminder';

/** An agent's plain contact; whoever asks says what is otherwise. */
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

/** A plan in its situation, with what many rules ask of both. */
export interface Considered {
  readonly plan: ContactPlan;
  readonly situation: Situation;
  /** The channels that it may mean: one, unless none is said. */
  readonly channels: readonly Channel[];
  /** It answers the borrower or tells of an event: by the word of the caller, where its subject and theme leave that open. */
  readonly isTransactional: boolean;
  /** It collects a debt: by its theme, or because it is no transaction's and about a loan that is overdue. */
  readonly isCollection: boolean;
  /** It asks for a payment, or may: collection, and whatever may become it where a loan is overdue. */
  readonly isDemand: boolean;
  /** What it is about; every loan that is serviced where it does not say. */
  readonly loans: readonly ScreenedLoan[];
  /** Whose laws count: where the borrower lives and where the phone or address belongs. Null: unknown, so all. */
  readonly jurisdictions: ReadonlySet<string> | null;
  /** Every zone in which the borrower may be. */
  readonly zones: readonly string[];
  readonly isAtWork: boolean;
}

/** Statuses in which a loan is being serviced. */
const SERVICED: ReadonlySet<string> = new Set(['active', 'frozen', 'accelerated', 'chargedOff']);

/**
 * Themes that become collection where nothing transacts and the loan is overdue. Statements, privacy, credentials and notices of law do
 * not.
 */
const MAY_BECOME_COLLECTION: ReadonlySet<InteractionTheme> = new Set(['opsServicing', 'opsOrigination', 'marketing']);

const CASE_SUBJECTS =
  /^(caseEscalation|ceaseCommunication|deceased|disputeOfDebt|identityTheft|bankruptcyAcknowledgement|militaryDuty|disasterRelief|complaintAcknowledgement|purchaseDispute)/;

/** What is said about a case: it answers what the borrower came with. */
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

/** A reminder answers nothing because somebody says so, and marketing never does (15 USC 7702(2) and (17)). */
function answersSomething({ isTransactional, theme, subject }: ContactPlan): boolean {
  if (!isTransactional || theme === 'marketing') return false;
  return subject === null || implicitTheme(subject) === null || SUBJECTS[subject].isTransactional;
}

/** Notices of an event that ask for money as well. */
const ASKS_FOR_MONEY: ReadonlySet<Subject | null> = new Set<Subject | null>(['lateFeeCharged', 'promiseToPayDueReminder']);

/** Notices of law about the debt itself, whoever words them. */
const LEGAL_NOTICES: ReadonlySet<InteractionTheme> = new Set(['opsServicingDebtValidation', 'opsServicingTimeBarredNotice']);

/**
 * Whether it is collection where a loan is overdue. Free words are whatever theme they are given, unless their template says that the law
 * asks for them.
 */
function mayCollect({ theme, subject, isLegallyRequired }: ContactPlan): boolean {
  if (MAY_BECOME_COLLECTION.has(theme)) return !isCaseSubject(subject);
  return subject !== null && implicitTheme(subject) === null && !LEGAL_NOTICES.has(theme) && !isLegallyRequired;
}

/** Where the borrower works, or those who give the work: also a unit of the armed forces, to which letters alone may go. */
const isWorkplace = ({ label, affiliation, contactType }: ScreenedContact): boolean =>
  label === 'work' || affiliation === 'employer' || affiliation === 'commander' || (label === 'military' && contactType !== 'address');

const BY_CONTACT = { email: ['email'], phone: ['voice', 'text'], address: ['mail'] } as const satisfies Readonly<
  Record<string, readonly Channel[]>
>;
const REACHING: readonly Channel[] = ['voice', 'email', 'text', 'chat', 'mail'];

const channelsMeant = ({ channel }: ContactPlan, { contact }: Situation): readonly Channel[] =>
  channel !== null ? [channel] : contact ? BY_CONTACT[contact.contactType] : REACHING;

/** `NYC` stands beside the states. */
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

/** By name or by ZIP code: where they differ, the city's law counts. */
const isInNewYorkCity = (city: string | null, postalCode: string | null): boolean =>
  CITY_NAMES.has((city ?? '').trim().toLowerCase()) || CITY_AREAS.has((postalCode ?? '').slice(0, 3));

/**
 * The borrower's homes and the number that is dialed all count, and a time must suit each of them (12 CFR 1006.6(b)(1), comment 1-ii).
 * Without any, or where the home tells none (abroad, of the armed forces), the borrower may be anywhere in the country.
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

/** Whether a case is about what the contact is about. */
export const isAbout = ({ loanIds }: ScreenedCase, { loans }: Considered): boolean =>
  loanIds.length === 0 || loans.length === 0 || loans.some(({ id }) => loanIds.includes(id));

/** Outcomes of a call that did reach a phone, though its record says that it failed. */
const REACHED: ReadonlySet<AgentOutcome | null> = new Set<AgentOutcome | null>([
  'voiceSpokeWithFirstParty',
  'voiceSpokeWithThirdParty',
  'voiceLeftVoicemail',
  'voiceReachedVoicemailNoMessageLeft',
  'voiceRangNoPickup',
  'voicePickedHungUp',
]);

/** Contacts that reached, or may have reached, the borrower; what was meant for an agent did not. */
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

/** What was about a loan; what does not say counts for each. Null: about anything. */
export const aboutLoan = (history: readonly PastContact[], loanId: string | null): readonly PastContact[] =>
  loanId === null ? history : history.filter(({ loanIds }) => loanIds.length === 0 || loanIds.includes(loanId));

/** The loans that limits are counted for, one by one; a borrower without any is one whole. */
export const debtsOf = ({ loans }: Considered): readonly (string | null)[] => (loans.length === 0 ? [null] : loans.map(({ id }) => id));

/** Somebody else than the creditor collects. */
export const isByCollector = ({ loans }: Considered): boolean => loans.some(({ servicedBy }) => servicedBy !== 'creditor');
