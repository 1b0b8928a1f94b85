import { addDays, dayAt } from '../../calendar/index.js';
import type { Channel } from '../../communication/index.js';
import { aboutLoan, type Considered, counted, debtsOf, isByCollector, isRequiredLetter } from '../considered.js';
import { atMost, type FrequencyLimit, NEVER, type Opening } from '../openings.js';
import { isAttorney, speaksForBorrower } from '../persons.js';
import { collectionRule, type TestedRule, opens, seedRule } from '../rule.js';
import type { PastContact } from '../situation.js';
import { isCallAskedFor } from './said.js';

const WEEK = 7;
const MONTH = 30;

type Counts = (past: PastContact) => boolean;

const on =
  (...channels: readonly Channel[]): Counts =>
  (past) =>
    channels.includes(past.channel);

/** A limit for each debt, in each zone in which the borrower may be. */
function perDebt(
  considered: Considered,
  limit: FrequencyLimit,
  counts: Counts,
  { past = counted(considered.situation.history), debts = debtsOf(considered) }: DebtsCounted = {},
): readonly Opening[] {
  return debts.flatMap((loanId) => {
    const moments = aboutLoan(past, loanId)
      .filter(counts)
      .map(({ startedAt }) => startedAt);
    return considered.zones.map((zone) => atMost(limit, zone, moments));
  });
}

interface DebtsCounted {
  readonly past?: readonly PastContact[];
  readonly debts?: ReturnType<typeof debtsOf>;
}

/** The same over all debts of the borrower. */
function perPerson(
  { zones, situation }: Considered,
  limit: FrequencyLimit,
  counts: Counts,
  past = counted(situation.history),
): readonly Opening[] {
  const moments = past.filter(counts).map(({ startedAt }) => startedAt);
  return zones.map((zone) => atMost(limit, zone, moments));
}

/**
 * Calls to "a particular person". Calls to the borrower and to representatives are counted together, calls to another person separately.
 * If it is not known who was called, the call counts.
 */
const toPerson = ({ situation: { contact } }: Considered): Counts =>
  contact === null || speaksForBorrower(contact)
    ? ({ isOfRepresentative, contactId }) => isOfRepresentative !== false || contactId === contact?.id
    : ({ isOfRepresentative, contactId }) => isOfRepresentative === null || contactId === contact.id;

const SPOKE: ReadonlySet<PastContact['agentOutcome']> = new Set(['voiceSpokeWithFirstParty', 'voiceSpokeWithThirdParty'] as const);

/** Conversations with the borrower, a representative, or the other person who would be called now. */
function spoke(considered: Considered): Counts {
  const { contact } = considered.situation;
  const isToPerson = toPerson(considered);
  const isToBorrower = contact === null || speaksForBorrower(contact);
  return (past) => {
    if (past.channel !== 'voice' || !SPOKE.has(past.agentOutcome)) return false;
    return past.agentOutcome === 'voiceSpokeWithThirdParty' ? isToPerson(past) : isToBorrower || past.contactId === contact.id;
  };
}

/** It answers a message or a request of the borrower. */
const isAnswer = (considered: Considered): boolean => considered.plan.isReply || isCallAskedFor(considered);

/** Calls to attorneys and calls that the borrower asked for are not limited (12 CFR 1006.14(b)(3)). */
const isUnlimited = (considered: Considered): boolean => {
  const { contact } = considered.situation;
  return (contact !== null && isAttorney(contact)) || isCallAskedFor(considered);
};

/** Conversations count for calls of both sides, and also if the call broke off and has the status failed. */
const conversations = ({ situation }: Considered): readonly PastContact[] =>
  situation.history.filter(({ status }) => status !== 'canceled' && status !== 'scheduled');

const isWork: Counts = ({ contactLabel }) => contactLabel === 'work';

/** A contact without a label counts for work and for personal phones. */
const mayBeWork: Counts = ({ contactLabel }) => contactLabel === 'work' || contactLabel === null;

const mayBeMobile = (label: PastContact['contactLabel']): boolean => label === 'personal' || label === null;

/** A call that met nobody and no voicemail: the creditor was unable to reach the debtor or to leave a message. */
const isUnanswered: Counts = ({ channel, agentOutcome }) =>
  channel === 'voice' && (agentOutcome === 'voiceRangNoPickup' || agentOutcome === 'voiceLineBusyNoRing');

const CALLS_AND_TEXTS = on('voice', 'text');
const MESSAGES = on('email', 'text', 'chat');
const CALLS = on('voice');

/**
 * Consent to collection by each method: the general consent to electronic messages, and for the method a number that receives texts or an
 * inbound message.
 */
const hasAgreedToMethods = ({ channels, situation: { consents, contact, history } }: Considered): boolean =>
  consents.electronicComms.isSaid &&
  consents.electronicComms.isGiven &&
  channels.every(
    (channel) =>
      channel === 'voice' ||
      (channel === 'text' && contact?.receiveTextMessages === true) ||
      history.some((past) => past.direction === 'inbound' && past.channel === channel && past.theme !== 'inbOptOut'),
  );

const NYC_USED_DAYS = 60;
const DAY_MS = 86_400_000;

/** The borrower has used each method with the lender lately, and has not stopped it since. */
const hasUsedMethods = ({ channels, plan, situation: { history } }: Considered, days: number): boolean =>
  channels.every((channel) => {
    const newest = history.find((past) => past.direction === 'inbound' && past.channel === channel && past.startedAt <= plan.at);
    return newest !== undefined && newest.theme !== 'inbOptOut' && newest.startedAt >= plan.at - days * DAY_MS;
  });

/** D.C. Code 28-3814(b)(2): a consumer debt is more than 30 days past due and not secured by a home. */
const DC_DAYS_PAST_DUE = 30;

function isConsumerDebt(
  { isOnHome, overdueSince, isOverdue, status }: Considered['loans'][number],
  { plan, situation }: Considered,
): boolean {
  if (isOnHome) return false;
  if (overdueSince === null) return isOverdue || status === 'accelerated' || status === 'chargedOff';
  return dayAt(situation.companyZone, plan.at) > addDays(overdueSince, DC_DAYS_PAST_DUE);
}

/**
 * D.C. Code 28-3814(d)(4)(B)(i), (m)(2)(A): a collector mails a notice of the documents that the borrower may ask for before it sends any
 * electronic message. The notice is in its first letter, so the validation notice by mail stands for it. Creditors owe none (m)(3).
 */
const lacksMailedNotice = (loans: Considered['loans'], { plan, situation: { history } }: Considered): boolean =>
  loans.some(
    ({ id, servicedBy }) =>
      servicedBy !== 'creditor' &&
      !aboutLoan(counted(history), id).some(
        ({ channel, theme, startedAt }) => channel === 'mail' && theme === 'opsServicingDebtValidation' && startedAt <= plan.at,
      ),
  );

/** Limits of frequency. Windows are calendar days of the borrower's zone and end with the day of the contact. */
export const FREQUENCY_RULES: readonly TestedRule[] = [
  // 12 CFR 1006.14(b)(2)(i)(A): seven calls to a person about one debt within seven consecutive days, answered or not. Calls to attorneys
  // do not count (b)(3)(iii).
  collectionRule({
    id: 'CR-USFQ-7N71',
    code: 'US-FREQ-7IN7',
    name: 'Seven calls in seven days',
    kind: 'frequency',
    channels: ['voice'],
    lawCitation: '12 CFR 1006.14(b)(2)(i)(A)',
    parameters: { limit: 7, days: WEEK },
    description: 'Seven calls to the person about the debt were made within seven days.',
    test: opens((considered) => {
      if (isUnlimited(considered)) return [];
      const isToPerson = toPerson(considered);
      return perDebt(considered, { limit: 7, days: WEEK }, (past) => CALLS(past) && !past.isOfAttorney && isToPerson(past));
    }),
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
    description: 'Within the last seven days the borrower, who speaks for them, or the person to be called was spoken to about the debt.',
    test: opens((considered) =>
      isUnlimited(considered) ? [] : perDebt(considered, { limit: 1, days: WEEK }, spoke(considered), { past: conversations(considered) }),
    ),
  }),
  // 940 CMR 7.04(1)(f), 209 CMR 18.16(1)(d): two calls or texts in seven days to personal phones, and two in thirty days to others. A call
  // that met no voicemail does not count; one that met a voicemail does, even if no message was left (Watkins v. Glenn Associates).
  seedRule({
    id: 'CR-MAFQ-2N71',
    code: 'MA-FREQ',
    name: 'Two contacts in seven days in Massachusetts',
    kind: 'jurisdiction',
    channels: ['voice', 'text'],
    transactional: 'exclude',
    jurisdictions: ['MA'],
    lawCitation: '940 CMR 7.04(1)(f); 209 CMR 18.16(1)(d)',
    parameters: { limit: 2, days: WEEK, workLimit: 2, workDays: MONTH },
    description: 'Two calls or texts about the debt were made within seven days, or two to work within thirty.',
    test: opens((considered) => {
      const isCommunication: Counts = (past) => CALLS_AND_TEXTS(past) && !isUnanswered(past);
      return considered.isAtWork
        ? perDebt(considered, { limit: 2, days: MONTH }, (past) => isCommunication(past) && mayBeWork(past))
        : perDebt(considered, { limit: 2, days: WEEK }, (past) => isCommunication(past) && !isWork(past));
    }),
  }),
  // 6 RCNY 5-77(b)(1)(iv): on all channels together. Answers to the borrower are allowed and do not count.
  collectionRule({
    id: 'CR-NYCF-2N71',
    code: 'NYC-FREQ',
    name: 'Two contacts in seven days in New York City',
    kind: 'jurisdiction',
    channels: [],
    jurisdictions: ['NYC'],
    lawCitation: '6 RCNY 5-77(b)(1)(iv)',
    // Sources give two dates for the rule that replaces it, 1 September 2026 and this one. The stricter rule stays until the later date.
    effectiveTo: '2026-12-31',
    parameters: { limit: 2, days: WEEK },
    description: 'Two contacts about the debt were made within seven days.',
    test: opens((considered) => {
      if (isAnswer(considered) || isRequiredLetter(considered.plan)) return [];
      return perDebt(considered, { limit: 2, days: WEEK }, (past) => !past.isReply);
    }),
  }),
  // 6 RCNY 5-77 as amended: three attempts for an account; letters do not count.
  collectionRule({
    id: 'CR-NYCF-3N71',
    code: 'NYC-SHIELD',
    name: 'Three attempts in seven days in New York City',
    kind: 'jurisdiction',
    channels: ['voice', 'text', 'email', 'chat'],
    jurisdictions: ['NYC'],
    lawCitation: '6 RCNY 5-77 as amended',
    effectiveFrom: '2027-01-01',
    parameters: { limit: 3, days: WEEK },
    description: 'Three attempts about the debt were made within seven days.',
    test: opens((considered) =>
      isAnswer(considered) ? [] : perDebt(considered, { limit: 3, days: WEEK }, (past) => past.channel !== 'mail' && !past.isReply),
    ),
  }),
  // The same rule: electronic collection goes by a method that the borrower agreed to or has used with the lender within 60 days.
  collectionRule({
    id: 'CR-NYCE-LCTR',
    code: 'NYC-ELECTRONIC',
    name: 'Consent to electronic collection in New York City',
    kind: 'jurisdiction',
    channels: ['text', 'email', 'chat'],
    jurisdictions: ['NYC'],
    lawCitation: '6 RCNY 5-77 as amended',
    effectiveFrom: '2027-01-01',
    parameters: { usedWithinDays: NYC_USED_DAYS },
    description: 'The borrower has not agreed to collection by this method, and has not used it with the lender within 60 days.',
    test: opens((considered) =>
      considered.plan.isReply || hasAgreedToMethods(considered) || hasUsedMethods(considered, NYC_USED_DAYS) ? [] : [NEVER],
    ),
  }),
  // RCW 19.16.250(13)(a): three times a week with a debtor about any debt, once at work. For an agency every kind of contact counts.
  // Answers are allowed.
  collectionRule({
    id: 'CR-WAFQ-3N71',
    code: 'WA-FREQ',
    name: 'Three contacts in seven days in Washington',
    kind: 'jurisdiction',
    channels: ['voice', 'text', 'email', 'chat', 'mail'],
    jurisdictions: ['WA'],
    lawCitation: 'RCW 19.16.250(13)(a), (b)',
    parameters: { limit: 3, days: WEEK, workLimit: 1 },
    description: 'Three calls, of a collector three contacts, were made to the borrower within seven days, or one to work.',
    test: opens((considered) => {
      const { plan, channels, isAtWork } = considered;
      const isAgency = isByCollector(considered);
      if (isAnswer(considered) || (!isAgency && !channels.includes('voice'))) return [];
      if (isRequiredLetter(plan)) return [];
      const counts: Counts = (past) => !past.isReply && (isAgency || past.channel === 'voice');
      return [
        ...perPerson(considered, { limit: 3, days: WEEK }, counts),
        ...(isAtWork ? perPerson(considered, { limit: 1, days: WEEK }, (past) => counts(past) && mayBeWork(past)) : []),
      ];
    }),
  }),
  // RCW 19.16.250(18): an agency may contact mobile phones twice a day, all of them counted together. A phone with the label personal or
  // without a label counts as mobile. Answers are allowed.
  collectionRule({
    id: 'CR-WACL-2N1D',
    code: 'WA-CELL-DAY',
    name: 'Two calls or texts a day in Washington',
    kind: 'jurisdiction',
    channels: ['voice', 'text'],
    jurisdictions: ['WA'],
    lawCitation: 'RCW 19.16.250(18)',
    parameters: { limit: 2, days: 1 },
    description: 'A collector has called or texted mobile phones of the borrower twice on this day.',
    test: opens((considered) => {
      const { channels, situation } = considered;
      const isMobile = channels.includes('text') || mayBeMobile(situation.contact?.label ?? null);
      if (!isByCollector(considered) || isAnswer(considered) || !isMobile) return [];
      const counts: Counts = (past) =>
        !past.isReply && (past.channel === 'text' || (past.channel === 'voice' && mayBeMobile(past.contactLabel)));
      return perPerson(considered, { limit: 2, days: 1 }, counts);
    }),
  }),
  // ORS 646.639(2): once a week at work, about any debt.
  collectionRule({
    id: 'CR-ORWK-1N71',
    code: 'OR-WORK',
    name: 'One call a week to work in Oregon',
    kind: 'jurisdiction',
    channels: ['voice', 'text'],
    jurisdictions: ['OR'],
    lawCitation: 'ORS 646.639(2)',
    parameters: { limit: 1, days: WEEK },
    description: 'The borrower was called or texted at work within seven days.',
    test: opens((considered) =>
      considered.isAtWork ? perPerson(considered, { limit: 1, days: WEEK }, (past) => CALLS_AND_TEXTS(past) && mayBeWork(past)) : [],
    ),
  }),
  // W. Va. Code 46A-2-125(d): thirty calls to a person, or ten conversations, a week.
  seedRule({
    id: 'CR-WVFQ-3NWK',
    code: 'WV-FREQ',
    name: 'Calls a week in West Virginia',
    kind: 'jurisdiction',
    channels: ['voice'],
    jurisdictions: ['WV'],
    lawCitation: 'W. Va. Code 46A-2-125(d)',
    parameters: { limit: 30, days: WEEK, conversations: 10 },
    description: 'Thirty calls to the borrower or ten conversations within a week.',
    test: opens((considered) => [
      ...perPerson(considered, { limit: 30, days: WEEK }, CALLS),
      ...perPerson(considered, { limit: 10, days: WEEK }, spoke(considered), conversations(considered)),
    ]),
  }),
  // D.C. Code 28-3814(d)(4): four calls for an account in seven days, and five electronic messages if the borrower has agreed to the
  // method. Without that consent, the law allows one message a week that asks for it. No subject of a message is of that kind, so none is
  // sent. Answers and calls that rang out do not count: no connection, and no way to leave a message.
  collectionRule({
    id: 'CR-DCFQ-4N71',
    code: 'DC-FREQ',
    name: 'Calls and messages a week in the District of Columbia',
    kind: 'jurisdiction',
    channels: ['voice', 'text', 'email', 'chat'],
    jurisdictions: ['DC'],
    lawCitation: 'D.C. Code 28-3814(d)(4)',
    parameters: { limit: 4, days: WEEK, messageLimit: 5, daysPastDue: DC_DAYS_PAST_DUE },
    description:
      'Four calls, or five electronic messages, about a debt more than 30 days past due within seven days, or a message without consent ' +
      'to the method, or of a collector whose validation notice was not mailed.',
    test: opens((considered) => {
      const { plan, channels, loans } = considered;
      const covered = loans.filter((loan) => isConsumerDebt(loan, considered));
      if (loans.length > 0 && covered.length === 0) return [];
      const debts = loans.length === 0 ? [null] : covered.map(({ id }) => id);
      const isCall: Counts = (past) => CALLS(past) && !past.isReply && past.agentOutcome !== 'voiceRangNoPickup';
      const isMessage: Counts = (past) => MESSAGES(past) && !past.isReply;
      return [
        ...(channels.includes('voice') && !isCallAskedFor(considered)
          ? perDebt(considered, { limit: 4, days: WEEK }, isCall, { debts })
          : []),
        ...(channels.every((channel) => channel === 'voice')
          ? []
          : !hasAgreedToMethods(considered) || lacksMailedNotice(covered, considered)
            ? [NEVER]
            : plan.isReply
              ? []
              : perDebt(considered, { limit: 5, days: WEEK }, isMessage, { debts })),
      ];
    }),
  }),
];
