import { dayOf } from '../calendar/index.js';
import { type Channel, implicitTheme, type InteractionTheme, type Subject } from '../communication/index.js';
import { type ContactPlan, PLAIN_PLAN } from './considered.js';
import type { MessageText } from './content-wording.js';
import { wordingJudged, type WordingJudged } from './judge.js';
import type { ConsentTopic, ScreenedConsent, ScreenedContact, ScreenedLoan, Situation } from './situation.js';

/** An invented borrower, to try a template on. */
export interface ContentSample {
  /** As a warning names it. */
  readonly name: string;
  readonly servicedBy: 'creditor' | 'thirdPartyServicer';
  readonly isOverdue: boolean;
  readonly state: string;
  readonly city?: string;
  /** Something was written to collect the debt before. */
  readonly isWrittenTo: boolean;
}

/** One of each kind of recipients that the rules about words know. */
const SAMPLES: readonly ContentSample[] = [
  { name: 'a current loan', servicedBy: 'creditor', isOverdue: false, state: 'OH', isWrittenTo: false },
  { name: 'an overdue loan', servicedBy: 'creditor', isOverdue: true, state: 'OH', isWrittenTo: false },
  { name: 'an overdue loan in the District of Columbia', servicedBy: 'creditor', isOverdue: true, state: 'DC', isWrittenTo: false },
  { name: 'an overdue loan in California', servicedBy: 'creditor', isOverdue: true, state: 'CA', isWrittenTo: false },
  {
    name: 'an overdue loan in New York City',
    servicedBy: 'creditor',
    isOverdue: true,
    state: 'NY',
    city: 'New York',
    isWrittenTo: false,
  },
  { name: 'the first message of a debt collector', servicedBy: 'thirdPartyServicer', isOverdue: true, state: 'OH', isWrittenTo: false },
  { name: 'a later message of a debt collector', servicedBy: 'thirdPartyServicer', isOverdue: true, state: 'OH', isWrittenTo: true },
];

/** Themes that a sender may give to a subject that implies none. */
const FREE_THEMES: readonly InteractionTheme[] = ['opsServicing', 'opsCollDebt', 'marketing'];

export interface LintAsked {
  readonly channel: Channel;
  readonly subject: Subject;
  readonly isTransactional: boolean;
  readonly isLegallyRequired: boolean;
  /** What the template says to a sample; null where it cannot be rendered. */
  readonly render: (sample: ContentSample) => MessageText | null;
}

/** A rule that a template breaks. */
export interface LintFinding extends Pick<WordingJudged, 'ruleId' | 'code' | 'description' | 'lawCitation' | 'mutable' | 'faults'> {
  /** Recipients of these kinds; null: all. */
  readonly when: string | null;
}

export interface Lint {
  /** Rules that hold for each recipient of such a message: the template breaks them whenever it is sent. */
  readonly broken: readonly LintFinding[];
  /** Rules that hold for some, or that a company may mute. */
  readonly depends: readonly LintFinding[];
}

/** What the rules about words say to a template before anything is sent from it. Pure. */
export function lintContent(asked: LintAsked): Lint {
  const implied = implicitTheme(asked.subject);
  const tried = SAMPLES.flatMap((sample) => {
    const message = asked.render(sample);
    if (message === null) return [];
    return (implied === null ? FREE_THEMES : [implied]).map((theme) => ({
      name: implied === null ? `${sample.name}, as ${theme}` : sample.name,
      judged: wordingJudged(planOf(asked, theme), situationOf(asked.channel, sample), message),
    }));
  });
  const found = new Map<string, { finding: LintFinding; names: readonly string[] }>();
  for (const { name, judged } of tried)
    for (const { faults, ...rule } of judged) {
      if (faults.length === 0) continue;
      const { ruleId } = rule;
      const before = found.get(ruleId);
      const finding = before?.finding ?? { ...rule, faults, when: null };
      found.set(ruleId, { finding, names: [...(before?.names ?? []), name] });
    }
  const isAskedOfAll = ({ ruleId, mutable }: LintFinding): boolean =>
    !mutable && tried.every(({ judged }) => judged.some((rule) => rule.ruleId === ruleId));
  const all = [...found.values()];
  return {
    broken: all.filter(({ finding }) => isAskedOfAll(finding)).map(({ finding }) => finding),
    depends: all.filter(({ finding }) => !isAskedOfAll(finding)).map(({ finding, names }) => ({ ...finding, when: names.join('; ') })),
  };
}

const AT = Date.UTC(2026, 5, 2, 16);
const LOAN_ID = 'LN-AAAA-AAAA';

const planOf = ({ channel, subject, isTransactional, isLegallyRequired }: LintAsked, theme: InteractionTheme): ContactPlan => ({
  ...PLAIN_PLAN,
  at: AT,
  channel,
  subject,
  theme,
  isTransactional,
  isLegallyRequired,
  loanIds: [LOAN_ID],
});

const contactFor = (channel: Channel): ScreenedContact => ({
  id: 'CT-AAAA-AAAA',
  contactType: channel === 'email' ? 'email' : channel === 'text' || channel === 'voice' ? 'phone' : 'address',
  label: 'personal',
  affiliation: 'self',
  status: 'primary',
  valid: true,
  receiveTextMessages: true,
  authorizedThirdParty: false,
  powerOfAttorney: false,
  phoneDisconnectionDetails: null,
  state: null,
  zones: [],
  mayBeReassigned: false,
});

const loanOf = ({ servicedBy, isOverdue }: ContentSample): ScreenedLoan => ({
  id: LOAN_ID,
  status: 'active',
  loanTypeId: 'LT-AAAA-AAAA',
  servicedBy,
  areNoticesMuted: false,
  isOverdue,
  overdueSince: isOverdue ? dayOf(2026, 3, 1) : null,
  originatedOn: dayOf(2025, 1, 1),
  isOwed: true,
  isLiable: true,
  isMortgage: false,
  isOnHome: false,
});

const GIVEN: ScreenedConsent = { isGiven: true, isSaid: true, isInWriting: true };

const CONSENTS: Readonly<Record<ConsentTopic, ScreenedConsent>> = {
  electronicComms: GIVEN,
  contactPersonWork: GIVEN,
  contactPersonRepByAttorney: GIVEN,
  contactPersonUnusualTime: GIVEN,
  autodialedColl: GIVEN,
  prerecordedColl: GIVEN,
  autodialedMarketing: GIVEN,
  emailMarketing: GIVEN,
  thirdPartyDisclosure: GIVEN,
};

const situationOf = (channel: Channel, sample: ContentSample): Situation => ({
  companyZone: 'America/New_York',
  person: {
    status: 'active',
    hits: new Set(),
    collectionsIntensity: 'normal',
    sendRemindersWhenCurrent: true,
    language: null,
    home: { state: sample.state, city: sample.city ?? null, postalCode: null, zones: ['America/New_York'] },
    otherAreas: [],
  },
  contact: contactFor(channel),
  consents: CONSENTS,
  hasActiveRepresentative: false,
  cases: [],
  blocks: [],
  loans: [loanOf(sample)],
  history: sample.isWrittenTo ? [LETTER] : [],
  mutes: new Map(),
  businessRules: [],
  isDisasterPolicyOn: false,
});

const LETTER: Situation['history'][number] = {
  id: 'IN-AAAA-AAAA',
  channel: 'mail',
  direction: 'outbound',
  status: 'succeeded',
  startedAt: AT - 30 * 86_400_000,
  subject: null,
  theme: 'opsCollDebt',
  loanIds: [LOAN_ID],
  contactId: null,
  contactLabel: null,
  agentOutcome: null,
  isOfRepresentative: true,
  isOfAttorney: false,
  isTransactional: false,
  isReply: false,
  askedFor: null,
};
