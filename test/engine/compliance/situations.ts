import {
  type BusinessRule,
  type ScreenedCase,
  type ScreenedConsent,
  type ConsentTopic,
  type ContactPlan,
  type ScreenedContact,
  dayOf,
  type HomeArea,
  instantAt,
  type ScreenedLoan,
  type PastContact,
  type ScreenedPerson,
  areaOfPhone,
  PLAIN_PLAN,
  type Situation,
  type ScreenedBlock,
  zonesOfAddress,
} from '../../../engine/index.js';

/*
 * Invented borrowers for the tests of the guard. No rule blocks contacts to the default one: a current loan, a home in Ohio, a personal
 * phone there.
 */

/** The instant of a wall-clock time: `at('2026-06-02 10:30', zone)`. */
export function at(text: string, zone = 'America/New_York'): number {
  const [year = 0, month = 0, day = 0, hour = 12, minute = 0] = text.split(/[- :]/).map(Number);
  return instantAt(zone, dayOf(year, month, day), { hour, minute, second: 0 });
}

export const homeIn = (state: string, postalCode: string | null = null, city: string | null = 'Springfield'): HomeArea => ({
  state,
  city,
  postalCode,
  zones: zonesOfAddress(state, postalCode),
});

export const OHIO = homeIn('OH', '43215');

export function phone(number = '+16145550143', changes: Partial<ScreenedContact> = {}): ScreenedContact {
  return {
    id: 'CT-AAAA-1111',
    contactType: 'phone',
    label: 'personal',
    affiliation: 'self',
    status: 'primary',
    valid: true,
    receiveTextMessages: true,
    authorizedThirdParty: false,
    powerOfAttorney: false,
    phoneDisconnectionDetails: null,
    mayBeReassigned: false,
    ...areaOfPhone(number),
    ...changes,
  };
}

export const email = (changes: Partial<ScreenedContact> = {}): ScreenedContact =>
  phone('', { contactType: 'email', receiveTextMessages: false, ...changes });

export const letterbox = (changes: Partial<ScreenedContact> = {}): ScreenedContact =>
  phone('', { contactType: 'address', label: 'home', state: 'OH', zones: OHIO.zones, ...changes });

export const loan = (changes: Partial<ScreenedLoan> = {}): ScreenedLoan => ({
  id: 'LN-AAAA-1111',
  status: 'active',
  loanTypeId: 'LT-AAAA-1111',
  servicedBy: 'creditor',
  areNoticesMuted: false,
  isOverdue: false,
  overdueSince: null,
  originatedOn: dayOf(2025, 1, 15),
  isOwed: true,
  isLiable: true,
  isMortgage: false,
  isOnHome: false,
  ...changes,
});

export const overdueLoan = (changes: Partial<ScreenedLoan> = {}): ScreenedLoan =>
  loan({ isOverdue: true, overdueSince: dayOf(2026, 5, 1), ...changes });

export const caseOf = (caseType: string, changes: Partial<ScreenedCase> = {}): ScreenedCase => ({
  id: 'CS-AAAA-1111',
  caseType,
  isOpen: true,
  status: 'processing',
  outcome: null,
  openedAt: at('2026-05-05'),
  isOfAnother: false,
  loanIds: [],
  fields: {},
  ...changes,
});

export const block = (changes: Partial<ScreenedBlock> = {}): ScreenedBlock => ({
  id: 'DN-AAAA-1111',
  channels: ['all'],
  themes: ['all'],
  startDate: dayOf(2026, 5, 1),
  endsAt: null,
  daysOfWeek: [],
  timesOfDay: [],
  timezone: 'America/New_York',
  contactLabels: [],
  ...changes,
});

let made = 0;

export const call = (startedAt: number, changes: Partial<PastContact> = {}): PastContact => ({
  id: `IN-AAAA-${++made}`,
  channel: 'voice',
  direction: 'outbound',
  status: 'succeeded',
  startedAt,
  subject: null,
  theme: 'opsCollDebt',
  loanIds: ['LN-AAAA-1111'],
  contactId: 'CT-AAAA-1111',
  contactLabel: 'personal',
  agentOutcome: null,
  isOfRepresentative: true,
  isOfAttorney: false,
  isTransactional: false,
  isReply: false,
  askedFor: null,
  ...changes,
});

/** One call on each of the dates, at noon. */
export const callsOn = (dates: readonly string[], changes: Partial<PastContact> = {}): readonly PastContact[] =>
  dates.map((date) => call(at(`${date} 12:00`), changes));

const REVOKED: ScreenedConsent = { isGiven: false, isSaid: false, isInWriting: false };
const GIVEN: ScreenedConsent = { isGiven: true, isSaid: true, isInWriting: true };

export const consents = (...given: readonly ConsentTopic[]): Situation['consents'] => ({
  electronicComms: REVOKED,
  contactPersonWork: REVOKED,
  contactPersonRepByAttorney: REVOKED,
  contactPersonUnusualTime: REVOKED,
  autodialedColl: REVOKED,
  prerecordedColl: REVOKED,
  autodialedMarketing: REVOKED,
  emailMarketing: REVOKED,
  thirdPartyDisclosure: REVOKED,
  ...Object.fromEntries(given.map((word) => [word, GIVEN])),
});

interface Changes extends Partial<Omit<Situation, 'person'>> {
  readonly person?: Partial<ScreenedPerson>;
}

export const situation = ({ person = {}, ...changes }: Changes = {}): Situation => ({
  companyZone: 'America/New_York',
  person: {
    status: 'active',
    hits: new Set(),
    collectionsIntensity: 'normal',
    sendRemindersWhenCurrent: true,
    language: null,
    home: OHIO,
    otherAreas: [],
    ...person,
  },
  contact: phone(),
  consents: consents(),
  hasActiveRepresentative: false,
  cases: [],
  blocks: [],
  loans: [overdueLoan()],
  history: [],
  mutes: new Map(),
  businessRules: [],
  isDisasterPolicyOn: true,
  ...changes,
});

/** A call to collect, on a Tuesday morning. */
export const plan = (changes: Partial<ContactPlan> = {}): ContactPlan => ({
  ...PLAIN_PLAN,
  at: at('2026-06-02 10:30'),
  channel: 'voice',
  theme: 'opsCollDebt',
  subject: null,
  loanIds: ['LN-AAAA-1111'],
  ...changes,
});

export const businessRule = (changes: Partial<BusinessRule> & Pick<BusinessRule, 'parameters'>): BusinessRule => ({
  id: 'CR-AAAA-1111',
  code: 'OWN-RULE',
  name: 'Own rule',
  description: 'A rule of the company.',
  kind: 'business',
  channels: [],
  directions: ['outbound'],
  themes: [],
  subjects: [],
  transactional: 'any',
  jurisdictions: [],
  loanTypes: [],
  loanStatuses: [],
  lawCitation: null,
  effectiveFrom: null,
  effectiveTo: null,
  mutable: true,
  status: 'active',
  ...changes,
});

/** The verdict of a rule on a situation: whether it blocks the contact. */
export type Row = readonly [rule: string, name: string, plan: ContactPlan, situation: Situation, blocked: boolean];

export const on = (text: string, zone?: string): { readonly at: number } => ({ at: at(text, zone) });

/** A borrower in a state, with a phone number without a location. */
export const in_ = (state: string, zip: string | null = null, changes: Partial<Situation> = {}): Situation =>
  situation({ contact: phone('+18005550143'), ...changes, person: { home: homeIn(state, zip) } });
