import type { Channel } from '../../communication/index.js';
import { aboutLoan, type Considered, counted, debtsOf } from '../considered.js';
import { atMost, type FrequencyLimit, NEVER, type Opening } from '../openings.js';
import { collectionRule, type JudgedRule, opens, seedRule } from '../rule.js';
import type { PastContact } from '../situation.js';

const WEEK = 7;
const MONTH = 30;

type Counts = (past: PastContact) => boolean;

const on =
  (...channels: readonly Channel[]): Counts =>
  (past) =>
    channels.includes(past.channel);

/** A limit for each debt, in each zone whose calendar may be the borrower's. */
function perDebt(
  considered: Considered,
  limit: FrequencyLimit,
  counts: Counts,
  past = counted(considered.situation.history),
): readonly Opening[] {
  return debtsOf(considered).flatMap((loanId) => {
    const moments = aboutLoan(past, loanId)
      .filter(counts)
      .map(({ startedAt }) => startedAt);
    return considered.zones.map((zone) => atMost(limit, zone, moments));
  });
}

const spoke: Counts = ({ channel, agentOutcome }) => channel === 'voice' && agentOutcome === 'voiceSpokeWithFirstParty';

/** Conversations count whoever called, and also where the line broke off and the record says that the call failed. */
const conversations = ({ situation }: Considered): readonly PastContact[] =>
  situation.history.filter(({ status }) => status !== 'canceled' && status !== 'scheduled');

const isWork: Counts = ({ contactLabel }) => contactLabel === 'work';

const isByCollector = ({ loans }: Considered): boolean => loans.some(({ servicedBy }) => servicedBy !== 'creditor');

const CALLS_AND_TEXTS = on('voice', 'text');
const MESSAGES = on('email', 'text', 'chat');
const CALLS = on('voice');

/** Consent to be collected from electronically, which the default does not give: by word, or of texts by the number itself. */
function hasAgreedToMessages({
  isCollection,
  channels,
  situation: {
    consents: { electronicComms },
    contact,
  },
}: Considered): boolean {
  const isByTextAlone = channels.every((channel) => channel === 'voice' || channel === 'text');
  return !isCollection || (electronicComms.isSaid && electronicComms.isGiven) || (isByTextAlone && contact?.receiveTextMessages === true);
}

/** The state limits of calls a week, with calls to work stopped for good. */
const weeklyCalls = (limit: FrequencyLimit, more: (considered: Considered) => readonly Opening[] = () => []) =>
  opens((considered) => [...(considered.isAtWork ? [NEVER] : []), ...perDebt(considered, limit, CALLS), ...more(considered)]);

/** How often (communications 5.4): windows are calendar days of the borrower's zone that end with the day of the contact. */
export const FREQUENCY_RULES: readonly JudgedRule[] = [
  // 12 CFR 1006.14(b)(2)(i)(A): seven calls about one debt within seven consecutive days, answered or not.
  collectionRule({
    id: 'CR-USFQ-7N71',
    code: 'US-FREQ-7IN7',
    name: 'Seven calls in seven days',
    kind: 'frequency',
    channels: ['voice'],
    lawCitation: '12 CFR 1006.14(b)(2)(i)(A)',
    parameters: { limit: 7, days: WEEK },
    description: 'Seven calls about the debt were made within seven days.',
    test: opens((considered) => perDebt(considered, { limit: 7, days: WEEK }, CALLS)),
  }),
  // 12 CFR 1006.14(b)(2)(i)(B): the day of the conversation is the first of the seven.
  collectionRule({
    id: 'CR-USFQ-AFTR',
    code: 'US-FREQ-AFTERCALL',
    name: 'Seven days after a conversation',
    kind: 'frequency',
    channels: ['voice'],
    lawCitation: '12 CFR 1006.14(b)(2)(i)(B)',
    parameters: { days: WEEK },
    description: 'Within the last seven days the borrower was spoken to about the debt.',
    test: opens((considered) => perDebt(considered, { limit: 1, days: WEEK }, spoke, conversations(considered))),
  }),
  // 940 CMR 7.04(1)(f), 209 CMR 18.14(1)(d): calls and texts alike, and at work two in thirty days.
  seedRule({
    id: 'CR-MAFQ-2N71',
    code: 'MA-FREQ',
    name: 'Two contacts in seven days in Massachusetts',
    kind: 'jurisdiction',
    channels: ['voice', 'text'],
    transactional: 'exclude',
    jurisdictions: ['MA'],
    lawCitation: '940 CMR 7.04; 209 CMR 18.14',
    parameters: { limit: 2, days: WEEK, workLimit: 2, workDays: MONTH },
    description: 'Two calls or texts about the debt were made within seven days, or two to work within thirty.',
    test: opens((considered) => [
      ...perDebt(considered, { limit: 2, days: WEEK }, CALLS_AND_TEXTS),
      ...(considered.isAtWork ? perDebt(considered, { limit: 2, days: MONTH }, (past) => CALLS_AND_TEXTS(past) && isWork(past)) : []),
    ]),
  }),
  // 6 RCNY 5-77(b)(1)(iv): over all channels; answers to the borrower are free and do not count.
  collectionRule({
    id: 'CR-NYCF-2N71',
    code: 'NYC-FREQ',
    name: 'Two contacts in seven days in New York City',
    kind: 'jurisdiction',
    channels: [],
    jurisdictions: ['NYC'],
    lawCitation: '6 RCNY 5-77(b)(1)(iv)',
    parameters: { limit: 2, days: WEEK },
    description: 'Two contacts about the debt were made within seven days.',
    test: opens((considered) => {
      const { isReply, isLegallyRequired, channel } = considered.plan;
      if (isReply || (isLegallyRequired && channel === 'mail')) return [];
      return perDebt(considered, { limit: 2, days: WEEK }, (past) => !past.isReply);
    }),
  }),
  // RCW 19.16.250(13)(a): three times in a week, once at work; of an agency every form of contact counts.
  collectionRule({
    id: 'CR-WAFQ-3N71',
    code: 'WA-FREQ',
    name: 'Three contacts in seven days in Washington',
    kind: 'jurisdiction',
    channels: ['voice', 'text', 'email', 'chat', 'mail'],
    jurisdictions: ['WA'],
    lawCitation: 'RCW 19.16.250(13)',
    parameters: { limit: 3, days: WEEK, workLimit: 1 },
    description: 'Three calls, of a collector three contacts, about the debt were made within seven days, or one to work.',
    test: opens((considered) => {
      const { plan, channels, isAtWork } = considered;
      const isAgency = isByCollector(considered);
      if (!isAgency && !channels.includes('voice')) return [];
      if (plan.isLegallyRequired && plan.channel === 'mail') return [];
      const counts: Counts = isAgency ? () => true : CALLS;
      return [
        ...perDebt(considered, { limit: 3, days: WEEK }, counts),
        ...(isAtWork ? perDebt(considered, { limit: 1, days: WEEK }, (past) => counts(past) && isWork(past)) : []),
      ];
    }),
  }),
  // W. Va. Code 46A-2-125(4): thirty calls or ten conversations a week.
  seedRule({
    id: 'CR-WVFQ-3NWK',
    code: 'WV-FREQ',
    name: 'Calls a week in West Virginia',
    kind: 'jurisdiction',
    channels: ['voice'],
    jurisdictions: ['WV'],
    lawCitation: 'W. Va. Code 46A-2-125',
    parameters: { limit: 30, days: WEEK, conversations: 10, workLimit: 0 },
    description: 'Thirty calls or ten conversations about the debt within a week, or a call to work.',
    test: weeklyCalls({ limit: 30, days: WEEK }, (considered) =>
      perDebt(considered, { limit: 10, days: WEEK }, spoke, conversations(considered)),
    ),
  }),
  // N.H. Rev. Stat. 358-C:3.
  seedRule({
    id: 'CR-NHFQ-3NWK',
    code: 'NH-FREQ',
    name: 'Calls a week in New Hampshire',
    kind: 'jurisdiction',
    channels: ['voice'],
    jurisdictions: ['NH'],
    lawCitation: 'N.H. Rev. Stat. 358-C:3',
    parameters: { limit: 30, days: WEEK, workLimit: 0 },
    description: 'Thirty calls about the debt within a week, or a call to work.',
    test: weeklyCalls({ limit: 30, days: WEEK }),
  }),
  // D.C. Code 28-3814: four calls an account in seven days, stricter than thirty a week; five electronic messages with consent, one to ask for it without.
  seedRule({
    id: 'CR-DCFQ-4N71',
    code: 'DC-FREQ',
    name: 'Calls and messages a week in the District of Columbia',
    kind: 'jurisdiction',
    channels: ['voice', 'text', 'email', 'chat'],
    transactional: 'exclude',
    jurisdictions: ['DC'],
    lawCitation: 'D.C. Code 28-3814',
    parameters: { limit: 4, days: WEEK, messageLimit: 5, messageLimitWithoutConsent: 1, workLimit: 0 },
    description:
      'Four calls, or five electronic messages (one without consent to them), about the debt within seven days, or a call to work.',
    test: opens((considered) => {
      const { channels, isAtWork } = considered;
      return [
        ...(channels.includes('voice') ? [...(isAtWork ? [NEVER] : []), ...perDebt(considered, { limit: 4, days: WEEK }, CALLS)] : []),
        ...(channels.some((channel) => channel !== 'voice')
          ? perDebt(considered, { limit: hasAgreedToMessages(considered) ? 5 : 1, days: WEEK }, MESSAGES)
          : []),
      ];
    }),
  }),
];
