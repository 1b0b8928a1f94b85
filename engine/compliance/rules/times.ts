import { civil, type Day, holidays, weekday } from '../../calendar/index.js';
import { type Considered, counted, isByCollector } from '../considered.js';
import { atMostWithin, type Minutes, MINUTES_A_DAY, openDuring, type Opening, shutDuring } from '../openings.js';
import { type BusinessRule, collectionRule, judgedBusinessRule, type JudgedRule, opens, seedRule, type TestedRule } from '../rule.js';

/** `[8:00, 21:00)`. A contact at 21:00:00 is late: the stricter interpretation of the law. */
const WAKING: Minutes = [8 * 60, 21 * 60];
/** RCW 19.16.250(13)(c), even if the debtor agrees to other hours. */
const WAKING_IN_WASHINGTON: Minutes = [7 * 60 + 30, 21 * 60];
const NOON = 12 * 60;
const SUNDAY = 7;

/** One opening for each zone in which the borrower may be. */
const everywhere = ({ zones }: Considered, opening: (zone: string) => Opening): readonly Opening[] => zones.map(opening);

/** Hours for solicitation in states that allow fewer than the federal rule. */
const inHours =
  (hoursOn: (day: Day) => Minutes) =>
  (zone: string): Opening =>
    shutDuring(zone, (day) => {
      const [from, to] = hoursOn(day);
      return [
        [0, from],
        [to, MINUTES_A_DAY],
      ];
    });

/**
 * The general hours, or any hour with a consent to that (12 CFR 1006.6(b)(4)(i)); in Washington a consent does not allow collectors to
 * contact at night.
 */
function inWakingHours(considered: Considered): readonly Opening[] {
  const { situation, plan, jurisdictions } = considered;
  const isAgreedTo = situation.consents.contactPersonUnusualTime.isGiven && plan.theme !== 'marketing';
  if (!isAgreedTo) return everywhere(considered, (zone) => openDuring(zone, WAKING));
  const isInWashington = isByCollector(considered) && (jurisdictions?.has('WA') ?? true);
  return isInWashington ? everywhere(considered, (zone) => openDuring(zone, WAKING_IN_WASHINGTON)) : [];
}

const DAY_MS = 86_400_000;

/** Moments of past solicitations, on any subject. */
const solicited = ({ situation }: Considered): readonly number[] =>
  counted(situation.history)
    .filter(({ theme, channel }) => theme === 'marketing' && (channel === 'voice' || channel === 'text'))
    .map(({ startedAt }) => startedAt);

const isHoliday = (day: Day): boolean => holidays(civil(day).year).some(({ date, observed }) => date === day || observed === day);

/** Rules about hours and days, in the local time of the borrower. */
export const TIME_RULES: readonly TestedRule[] = [
  // 12 CFR 1006.6(b)(1)(i): for an electronic message, the time of sending counts.
  collectionRule({
    id: 'CR-USTM-CLL1',
    code: 'US-TIME-COLL',
    name: 'Hours of collection',
    kind: 'timeOfDay',
    channels: ['voice', 'text', 'email', 'chat'],
    lawCitation: '15 USC 1692c(a)(1); 12 CFR 1006.6(b)(1)',
    parameters: { from: '08:00', to: '21:00' },
    description: 'Collection outside of 08:00 to 20:59 where the borrower is, who has not agreed to another time.',
    test: opens(inWakingHours),
  }),
  // 47 CFR 64.1200(c)(1), and state law that covers more than solicitation: every call and text that is not an answer.
  seedRule({
    id: 'CR-USTM-TCPA',
    code: 'US-TIME-TCPA',
    name: 'Quiet hours',
    kind: 'timeOfDay',
    channels: ['voice', 'text'],
    transactional: 'exclude',
    lawCitation: '47 CFR 64.1200(c)(1)',
    parameters: { from: '08:00', to: '21:00' },
    description: 'Calls and texts outside of 08:00 to 20:59 where the borrower is, who has not agreed to another time.',
    test: opens(inWakingHours),
  }),
  // Not a law: a courtesy that a company may turn off. The days are those of 5 USC 6103.
  collectionRule({
    id: 'CR-USHL-DAYS',
    code: 'US-HOLIDAY',
    name: 'Federal holidays',
    kind: 'timeOfDay',
    channels: ['voice'],
    lawCitation: null,
    mutable: true,
    description: 'No calls to collect on federal holidays.',
    test: opens((considered) => everywhere(considered, (zone) => shutDuring(zone, (day) => (isHoliday(day) ? [[0, MINUTES_A_DAY]] : [])))),
  }),
  // Tex. Bus. & Com. Code 301.051: only for telephone solicitation; Sundays begin at noon, the other days at nine.
  seedRule({
    id: 'CR-TXSL-CTTN',
    code: 'TX-SOLICIT',
    name: 'Hours of solicitation in Texas',
    kind: 'jurisdiction',
    channels: ['voice', 'text'],
    themes: ['marketing'],
    jurisdictions: ['TX'],
    lawCitation: 'Tex. Bus. & Com. Code 301.051',
    parameters: { from: '09:00', to: '21:00', sundayFrom: '12:00' },
    description: 'Solicitation before 09:00, on Sundays before noon, or after 20:59.',
    test: opens((considered) =>
      everywhere(
        considered,
        inHours((day) => [weekday(day) === SUNDAY ? NOON : 9 * 60, 21 * 60]),
      ),
    ),
  }),
  // Fla. Stat. 501.059(8) and 501.616(6): until eight in the evening, and three a day.
  seedRule({
    id: 'CR-FLSL-CTTN',
    code: 'FL-SOLICIT',
    name: 'Solicitation in Florida',
    kind: 'jurisdiction',
    channels: ['voice', 'text'],
    themes: ['marketing'],
    jurisdictions: ['FL'],
    lawCitation: 'Fla. Stat. 501.616(6)',
    parameters: { from: '08:00', to: '20:00', limit: 3, hours: 24 },
    description: 'Solicitation outside of 08:00 to 19:59, or a fourth one within twenty-four hours.',
    test: opens((considered) => [
      ...everywhere(
        considered,
        inHours(() => [8 * 60, 20 * 60]),
      ),
      atMostWithin({ limit: 3, spanMs: DAY_MS }, solicited(considered)),
    ]),
  }),
];

const OF_SERVICE = {
  kind: 'business',
  directions: ['outbound'],
  themes: [],
  subjects: [],
  transactional: 'exclude',
  jurisdictions: [],
  loanTypes: [],
  loanStatuses: [],
  lawCitation: null,
  effectiveFrom: null,
  effectiveTo: null,
  mutable: true,
  status: 'active',
} as const;

/** Business rules that every company has until it mutes them. */
const RULES: readonly BusinessRule[] = [
  {
    ...OF_SERVICE,
    id: 'CR-BZMX-DAY3',
    code: 'BIZ-MAXDAY',
    name: 'Contacts a day',
    channels: ['voice', 'email', 'text', 'chat', 'mail'],
    parameters: { type: 'frequency', limit: 3, days: 1, per: 'person' },
    description: 'Three contacts were made today that answered nothing.',
  },
  {
    ...OF_SERVICE,
    id: 'CR-BZQT-TEXT',
    code: 'BIZ-QUIET',
    name: 'Hours of texts',
    channels: ['text'],
    parameters: { type: 'hours', from: '09:00', to: '20:00' },
    description: 'Texts outside of 09:00 to 19:59 where the borrower is.',
  },
  {
    ...OF_SERVICE,
    id: 'CR-BZNT-LGHT',
    code: 'BIZ-INTENSITY-LIGHT',
    name: 'Light collection',
    channels: ['voice', 'email', 'text', 'chat', 'mail'],
    themes: ['opsCollDebt'],
    transactional: 'any',
    parameters: { type: 'frequency', limit: 2, days: 7, per: 'person', collectionsIntensity: 'light' },
    description: 'The borrower is to be collected from lightly: two contacts in seven days.',
  },
];

export const SERVICE_BUSINESS_RULES: readonly JudgedRule[] = RULES.map(judgedBusinessRule);
