import { type Channel, COUNTED_STATUSES, isCollections, type InteractionTheme, type Subject } from '../communication/index.js';
import { ANYWHERE } from '../places/index.js';
import type { ContactPlan } from './plan.js';
import type { CaseStanding, LoanStanding, PastContact, Situation } from './situation.js';

/** A plan in its situation, with what many rules ask of both. */
export interface Considered {
  readonly plan: ContactPlan;
  readonly situation: Situation;
  /** The channels that it may mean: one, unless none is said. */
  readonly channels: readonly Channel[];
  /** It collects a debt: by its theme, or because it is no transaction's and about a loan that is overdue. */
  readonly isCollection: boolean;
  /** What it is about; every loan that is serviced where it does not say. */
  readonly loans: readonly LoanStanding[];
  /** Whose laws count: where the borrower lives and where the phone or address belongs. Null: unknown, so all. */
  readonly jurisdictions: ReadonlySet<string> | null;
  /** Every zone in which the borrower may be. */
  readonly zones: readonly string[];
  readonly isAtWork: boolean;
}

/** Statuses in which a loan is being serviced. */
const SERVICED: ReadonlySet<string> = new Set(['active', 'frozen', 'accelerated', 'chargedOff']);

/** Themes that become collection where nothing transacts and the loan is overdue. Statements, privacy, credentials and notices of law do not. */
const TURNS_TO_COLLECTION: ReadonlySet<InteractionTheme> = new Set(['opsServicing', 'opsOrigination', 'marketing']);

const CASE_SUBJECTS =
  /^(caseEscalation|ceaseCommunication|deceased|disputeOfDebt|identityTheft|bankruptcyAcknowledgement|militaryDuty|disasterRelief|complaintAcknowledgement|purchaseDispute)/;

/** What is said about a case: it answers what the borrower came with. */
export const isCaseSubject = (subject: Subject | null): boolean => subject !== null && CASE_SUBJECTS.test(subject);

export function consider(plan: ContactPlan, situation: Situation): Considered {
  const { loanIds, theme, subject, isTransactional } = plan;
  const loans = situation.loans.filter(({ id, status }) => (loanIds.length === 0 ? SERVICED.has(status) : loanIds.includes(id)));
  const isAboutArrears = !isTransactional && TURNS_TO_COLLECTION.has(theme) && !isCaseSubject(subject) && loans.some(({ isOverdue }) => isOverdue);
  const { contact } = situation;
  return {
    plan,
    situation,
    channels: channelsMeant(plan, situation),
    isCollection: isCollections(theme) || isAboutArrears,
    loans,
    jurisdictions: jurisdictionsOf(situation),
    zones: zonesOf(situation),
    isAtWork: contact?.label === 'work',
  };
}

const BY_CONTACT = { email: ['email'], phone: ['voice', 'text'], address: ['mail'] } as const satisfies Readonly<Record<string, readonly Channel[]>>;
const REACHING: readonly Channel[] = ['voice', 'email', 'text', 'chat', 'mail'];

const channelsMeant = ({ channel }: ContactPlan, { contact }: Situation): readonly Channel[] =>
  channel !== null ? [channel] : contact ? BY_CONTACT[contact.contactType] : REACHING;

/** `NYC` stands beside the states. */
function jurisdictionsOf({ person, contact }: Situation): ReadonlySet<string> | null {
  const { home } = person;
  if (home === null) return null;
  const found = new Set<string>();
  if (home.state !== null) found.add(home.state);
  if (contact?.state != null) found.add(contact.state);
  if (home.state === 'NY' && isInNewYorkCity(home.city, home.postalCode)) found.add('NYC');
  return found;
}

const CITY_NAMES: ReadonlySet<string> = new Set(['new york', 'new york city', 'nyc', 'manhattan', 'brooklyn', 'bronx', 'the bronx', 'queens', 'staten island']);
/** Manhattan, Staten Island, the Bronx, Queens and Brooklyn; 110 is Queens in part. */
const CITY_AREAS: ReadonlySet<string> = new Set(['100', '101', '102', '103', '104', '110', '111', '112', '113', '114', '116']);

/** By name or by ZIP code: where they differ, the city's law counts. */
const isInNewYorkCity = (city: string | null, postalCode: string | null): boolean =>
  CITY_NAMES.has((city ?? '').trim().toLowerCase()) || CITY_AREAS.has((postalCode ?? '').slice(0, 3));

/** Home and the number that is dialed both count, and a time must suit all; without either the borrower may be anywhere in the country. */
function zonesOf({ person, contact }: Situation): readonly string[] {
  const zones = new Set([...(person.home?.zones ?? []), ...(contact?.zones ?? [])]);
  return zones.size === 0 ? ANYWHERE : [...zones];
}

/** Whether a case is about what the contact is about. */
export const isAbout = ({ loanIds }: CaseStanding, { loans }: Considered): boolean =>
  loanIds.length === 0 || loans.length === 0 || loans.some(({ id }) => loanIds.includes(id));

/** Contacts that reached, or may have reached, the borrower (communications 4.8); what was meant for an agent did not. */
export const counted = (history: readonly PastContact[]): readonly PastContact[] =>
  history.filter(({ direction, status, theme }) => direction === 'outbound' && COUNTED_STATUSES.has(status) && theme !== 'agentNotification');

/** What was about a loan; what does not say counts for each. Null: about anything. */
export const aboutLoan = (history: readonly PastContact[], loanId: string | null): readonly PastContact[] =>
  loanId === null ? history : history.filter(({ loanIds }) => loanIds.length === 0 || loanIds.includes(loanId));

/** The loans that limits are counted for, one by one; a borrower without any is one whole. */
export const debtsOf = ({ loans }: Considered): readonly (string | null)[] => (loans.length === 0 ? [null] : loans.map(({ id }) => id));
