import { addDays, dayAt, instantAt, parseDay, startOfDay } from '../calendar/index.js';
import { CHANNELS, isCollections } from '../communication/index.js';
import { consider, type Considered, type ContactPlan, isCounted } from './considered.js';
import { must } from '../assert.js';
import { type MessageText, wordingText } from './content-wording.js';
import { earliestOpen, NEVER, type Opening } from './openings.js';
import { speaksForBorrower } from './persons.js';
import { isConcerned, judgedBusinessRule, type JudgedRule, REASONS, wordingFaults, type WordingFaults } from './rule.js';
import { creditorsFirstDay } from './rules/debt.js';
import { DECEASED_RULE, SEED_RULES } from './rules/index.js';
import { lacksLanguage } from './rules/content.js';
import { isInquiry } from './rules/relationship.js';
import { isAnswerToCease } from './rules/said.js';
import type { GuardVerdict, PastContact, RuleOutcome, Situation } from './situation.js';
import { isExempt, STEPS, type Stop } from './steps.js';

const ALLOWED: GuardVerdict = {
  result: true,
  blockReason: null,
  ruleId: null,
  ruleCode: null,
  doNotInteractId: null,
  description: null,
  sendAt: null,
  warnings: [],
  rules: [],
};

/**
 * Whether a contact may be made at its planned moment. The verdict names the first objection in the order of decision. If all objections
 * depend on time, it also has the earliest moment without any. Pure: judging a contact does not count it. `message`: its text, if known.
 */
export function judge(plan: ContactPlan, situation: Situation, message: MessageText | null = null): GuardVerdict {
  const considered = consider(plan, situation);
  if (isExempt(considered)) return ALLOWED;
  const rules = rulesAbout(considered, message);
  const stops = [...STEPS.flatMap(({ stops: found }) => found(considered)), ...rules.map(({ stop }) => stop)];
  const first = stops.find((stop) => !isOpen(stop, considered));
  const found: Pick<GuardVerdict, 'rules' | 'warnings'> = {
    rules: rules.map(({ outcome }) => outcome),
    warnings: warningsOf(considered, rules),
  };
  if (first === undefined) return { ...ALLOWED, ...found };
  const { reason, description, ruleId = null, ruleCode = null, doNotInteractId = null } = first.objection;
  return {
    result: false,
    blockReason: reason,
    ruleId,
    ruleCode,
    doNotInteractId,
    description,
    sendAt: sendAtOf(stops, considered, message),
    ...found,
  };
}

interface RuleFound {
  readonly rule: JudgedRule;
  readonly stop: Stop;
  readonly outcome: RuleOutcome;
}

/** The rules about a contact, in their order. The rule about deceased borrowers is a step of its own. */
function rulesAbout(considered: Considered, message: MessageText | null): readonly RuleFound[] {
  const { situation } = considered;
  const all = [...SEED_RULES, ...situation.businessRules.map(judgedBusinessRule)];
  return all
    .filter((rule) => rule.code !== DECEASED_RULE && isConcerned(rule, considered) && isJudgable(rule, considered, message))
    .map((rule) => {
      const mutedUntil = rule.mutable ? (situation.mutes.get(rule.id) ?? null) : null;
      const openings = openingsOf(rule, considered, message).map((opening) => inEffect(rule, situation.companyZone, opening));
      const description = describedOf(rule, considered, message);
      const objection = { reason: REASONS[rule.kind], description, ruleId: rule.id, ruleCode: rule.code };
      const stop = { objection, openings: mutedUntil === null ? openings : openings.map((opening) => muted(opening, mutedUntil)) };
      const blocks = !isOpen({ objection, openings }, considered);
      return { rule, stop, outcome: { ruleId: rule.id, code: rule.code, blocks, muted: blocks && isOpen(stop, considered) } };
    });
}

/** Words are judged where they are known, but for codes: a borrower who cannot sign in is worse off than one who misses a notice. */
const isJudgable = ({ test }: JudgedRule, considered: Considered, message: MessageText | null): boolean =>
  test.type !== 'reads' || (message !== null && considered.plan.theme !== 'opsAccountCredentials' && test.isAsked(considered));

function openingsOf({ test }: JudgedRule, considered: Considered, message: MessageText | null): readonly Opening[] {
  switch (test.type) {
    case 'opens':
      return test.openings(considered);
    case 'bars':
      return test.bars(considered) ? [NEVER] : [];
    case 'reads': {
      const { missing, forbidden } = wordingFaults(test, considered, must(message, 'words are judged where they are known'));
      return missing.length + forbidden.length === 0 ? [] : [NEVER];
    }
  }
}

/** A rule about wording that applies to a message, with its faults. */
export interface WordingJudged extends Pick<JudgedRule, 'code' | 'description' | 'lawCitation' | 'mutable'> {
  readonly ruleId: string;
  readonly faults: readonly string[];
}

/** The faults of a message by the rules about wording, whatever else blocks it. */
export function wordingJudged(plan: ContactPlan, situation: Situation, message: MessageText): readonly WordingJudged[] {
  const considered = consider(plan, situation);
  return SEED_RULES.filter((rule) => isConcerned(rule, considered) && isJudgable(rule, considered, message)).flatMap(
    ({ id: ruleId, code, description, lawCitation, mutable, test }) =>
      test.type === 'reads'
        ? [{ ruleId, code, description, lawCitation, mutable, faults: faultSentences(wordingFaults(test, considered, message), message) }]
        : [],
  );
}

/** The description of a rule; with the faults, if it is about words. */
function describedOf({ description, test }: JudgedRule, considered: Considered, message: MessageText | null): string {
  if (test.type !== 'reads' || message === null) return description;
  return [description, ...faultSentences(wordingFaults(test, considered, message), message)].join(' ');
}

/** The faults of a message, a sentence each. */
const faultSentences = ({ missing, forbidden }: WordingFaults, message: MessageText): readonly string[] => [
  ...missing.map((wording) => `Missing: ${wordingText(wording, message)}.`),
  ...forbidden.map(({ what }) => `Not allowed: ${what}.`),
];

/** A muted rule is in force again after its time. */
const muted = ({ type, opensAt }: Opening, until: number): Opening => ({ type, opensAt: (at) => (at < until ? at : opensAt(at)) });

/** A rule is not in force before its first and after its last day. */
function inEffect({ effectiveFrom, effectiveTo }: JudgedRule, zone: string, opening: Opening): Opening {
  if (effectiveFrom === null && effectiveTo === null) return opening;
  const first = parseDay(effectiveFrom ?? '');
  const last = parseDay(effectiveTo ?? '');
  const from = first === undefined ? -Infinity : startOfDay(zone, first);
  const to = last === undefined ? Infinity : startOfDay(zone, addDays(last, 1));
  return {
    type: opening.type,
    opensAt(at) {
      if (at < from || at >= to) return at;
      const open = opening.opensAt(at);
      return to !== Infinity && (open === null || open > to) ? to : open;
    },
  };
}

const isOpen = ({ openings }: Stop, { plan, situation }: Considered): boolean =>
  openings.every(({ type, opensAt }) => {
    const at = type === 'hours' && plan.checkAtCompanyNoon ? noonOf(plan.at, situation.companyZone) : plan.at;
    return opensAt(at) === at;
  });

const noonOf = (at: number, zone: string): number => instantAt(zone, dayAt(zone, at), { hour: 12, minute: 0, second: 0 });

/** Judges the whole plan again at the found moment, since objections that do not depend on time may change until then. */
function sendAtOf(stops: readonly Stop[], { plan, situation }: Considered, message: MessageText | null): number | null {
  const found = earliestOpen(
    stops.flatMap(({ openings }) => openings),
    plan.at,
  );
  if (found === null || found === plan.at) return found;
  const then = consider({ ...plan, at: found, checkAtCompanyNoon: false }, situation);
  const isClear = [...STEPS.flatMap(({ stops: stopsThen }) => stopsThen(then)), ...rulesAbout(then, message).map(({ stop }) => stop)].every(
    (stop) => isOpen(stop, then),
  );
  return isClear ? found : null;
}

/** States in which all who speak have to agree before a call is recorded. As commonly listed: the texts were not read. */
const ALL_PARTY_STATES = ['CA', 'CT', 'DE', 'FL', 'IL', 'MD', 'MA', 'MT', 'NV', 'NH', 'PA', 'WA'] as const;

function recordingWarnings({ plan, jurisdictions }: Considered): readonly string[] {
  if (plan.channel !== 'voice') return [];
  const found = ALL_PARTY_STATES.filter((state) => jurisdictions?.has(state) ?? true);
  if (found.length === 0) return [];
  const where =
    jurisdictions === null ? 'The home is not known: some states let' : `${found.join(', ')} let${found.length === 1 ? 's' : ''}`;
  return [`${where} nobody record a call unless all who speak agree: say that it is recorded.`];
}

/** What an agent has to say in a call about a debt, by place. The words of a call are not known, so nothing can be stopped by them. */
const SAID_IN_CALLS: readonly (readonly [place: string, isAsked: (considered: Considered) => boolean, warning: string])[] = [
  // 940 CMR 7.04(1)(d). To other people in the household the company is not named (7.05(3)(b)).
  [
    'MA',
    ({ isCollection, situation: { contact } }) => isCollection && (contact === null || speaksForBorrower(contact)),
    'Massachusetts: say the name of the company and your own, or your first name and the code that you always use.',
  ],
  ['NYC', lacksLanguage, 'New York City: ask which language the borrower prefers, and record the answer in `commPreferences.language`.'],
];

const callWarnings = (considered: Considered): readonly string[] =>
  considered.plan.channel !== 'voice' || considered.plan.direction !== 'outbound'
    ? []
    : SAID_IN_CALLS.filter(([place, isAsked]) => considered.jurisdictions?.has(place) === true && isAsked(considered)).map(
        ([, , warning]) => warning,
      );

function warningsOf(considered: Considered, rules: readonly RuleFound[]): readonly string[] {
  const { situation, plan, loans } = considered;
  const { home } = situation.person;
  return [
    ...rules.filter(({ outcome }) => outcome.muted).map(({ rule }) => `The muted rule ${rule.code} stands against it.`),
    ...(home === null ? ['The home of the borrower is not known: the rules of all states were asked.'] : []),
    ...(home !== null && home.zones.length > 1 ? ['The home may lie in several time zones: the hours had to suit all.'] : []),
    ...recordingWarnings(considered),
    ...callWarnings(considered),
    ...(plan.loanIds.length === 0 && loans.length > 1 ? ['No loan is named: limits were counted for each.'] : []),
  ];
}

/**
 * Versions of the seed rules, the oldest first. Each verdict in the log has its version, so that it can be explained after a rule has
 * changed. A change that alters verdicts is a new row (`test/engine/compliance/versions.test.ts`).
 */
export const GUARD_VERSIONS: readonly { readonly version: number; readonly changes: string }[] = [
  { version: 1, changes: 'All rules before versions were counted. Verdicts without a version are of it.' },
  {
    version: 2,
    changes:
      'Marketing by text or by an autodialer needs a consent in writing. US-BANKRUPTCY stops late fee notices and reminders of promises. ' +
      'US-FREQ-AFTERCALL and WV-FREQ count a conversation with the person to be called, and with a guardian. A template cannot make an ' +
      'overdue notice a letter that a law requires.',
  },
  {
    version: 3,
    changes:
      'A message that answers what the borrower sent within a week is a reply. A borrower who uses a channel that they refused is ' +
      'answered once on it. Letters that a law requires are sent even if letters were refused. WA-CELL-DAY counts phones that may be ' +
      'mobile, and does not count answers. MA-FREQ counts personal phones and work separately. DC-FREQ is about debts more than 30 days ' +
      'past due that no home secures, and counts neither answers nor calls that rang out. US-FREQ-7IN7 and US-FREQ-AFTERCALL count ' +
      'another person separately from the borrower, and are not about attorneys. Consent to contact at unusual times allows any hour. ' +
      'OR-WORK is new. No template makes a reminder or marketing a letter that a law requires. Another person may be called once to find ' +
      'the borrower, by the new US-LOCATE. A call that the borrower asked for exceeds no limit of the United States, the District of ' +
      'Columbia, New York City and Washington. A notice that a loan was declined or that its terms have changed needs the consent of ' +
      'US-ECONSENT.',
  },
  {
    version: 4,
    changes:
      'Words of a rendered message are judged by rules of kind content: disclosures of debt collectors, opt-out notices, contents of ' +
      'validation notices and of marketing, license numbers, the sender, words to third parties. US-DNC asks lists of numbers before ' +
      'marketing by call or text. An oral consent is none to electronic disclosures.',
  },
  {
    version: 5,
    changes:
      'US-DNC knows the established business relationship: eighteen months after a transaction, three after an application or inquiry. ' +
      'NYC-ELECTRONIC and MA-RIGHTS are new. A notice of negative information for credit agencies is no collection.',
  },
  {
    version: 6,
    changes:
      'NYC-LANGUAGE and NYC-LANGUAGE-SERVICES are new. MA-FREQ does not count calls that met nobody and no voicemail. Calls to ' +
      'Massachusetts and New York City have warnings about what to say.',
  },
  {
    version: 7,
    changes: 'WA-FREQ counts a contact to a phone or address without a label as one at work, as OR-WORK and MA-FREQ do.',
  },
  {
    version: 8,
    changes:
      'US-TIMEBARRED has a period only where the text of a state was read: four years in Arizona, Hawaii and New Mexico, five in West ' +
      'Virginia and Wyoming, three in Idaho and Massachusetts, whose texts were not found. A loan that may be a credit sale of goods has ' +
      'four. DC-FREQ lets a collector send electronic messages only after its validation notice was mailed.',
  },
  {
    version: 9,
    changes: 'US-TEXT-CONSENT, US-ECONSENT and US-INCONVENIENT let one answer to each text HELP go, after a stop as well.',
  },
];

/** The newest version, which new verdicts have. */
export const GUARD_VERSION = 9;

/*
 * Which past contacts the rules need. Limits count contacts within their windows. Beyond the windows, rules ask whether something was ever
 * said, which contact was the last on a channel, or which was the first about a debt. After twenty years a borrower has ten thousand
 * contacts, and a verdict depends on about a hundred of them. `test/engine/compliance/looking-back.test.ts` checks that these hundred give
 * the same verdict as all.
 */

/** The longest window of a limit, of seed rules and of companies' own rules, in calendar days of the borrower's zone. */
export const WINDOW_DAYS = 30;

/** The earliest instant within any window of a contact at this moment, in any time zone. */
export const windowStart = (at: number): number => at - (WINDOW_DAYS + 2) * DAY_MS;

const DAY_MS = 86_400_000;

type Asked = Omit<PastContact, 'contactLabel' | 'isOfRepresentative' | 'isOfAttorney' | 'isReply' | 'askedFor'>;
type Test = (past: Asked) => boolean;

/** Contacts that rules need however old they are. */
export const isLasting: Test = ({ theme, subject, direction }) =>
  (theme !== null && LASTING_THEMES.has(theme)) ||
  subject === 'timeBarredNotice' ||
  isAnswerToCease(subject) ||
  isInquiry({ direction, subject });

const LASTING_THEMES: ReadonlySet<NonNullable<PastContact['theme']>> = new Set([
  'inbOptOut',
  'opsCollLocateBorrower',
  'opsServicingTimeBarredNotice',
  'opsServicingDebtValidation',
] as const);

const isInbound: Test = ({ direction }) => direction === 'inbound';

/** Rules need the newest contact of each of these kinds. */
export const NEWEST_ASKED: readonly Test[] = Object.keys(CHANNELS).flatMap((channel): readonly Test[] => [
  (past) => past.channel === channel && isInbound(past),
  (past) => past.channel === channel && isInbound(past) && past.theme !== 'inbOptOut',
  (past) => past.channel === channel && isCounted(past),
  (past) => past.channel === channel && isCollecting(past),
]);

/** Rules need the first contact of this kind about each debt, from its `firstAskedFrom` on. */
export const isCollecting: Test = (past) => isCounted(past) && (past.theme === null || isCollections(past.theme));

/** Whether a contact counts for a loan. A contact that names no loan counts for every loan. */
export const isAboutLoan = ({ loanIds }: Asked, loanId: string): boolean => loanIds.length === 0 || loanIds.includes(loanId);

/** The instants from which rules look for the first contact about a debt. Contacts of a collector always count. */
export const firstAskedFrom = (loan: Situation['loans'][number], zone: string): readonly number[] => {
  const day = creditorsFirstDay(loan);
  return [-Infinity, ...(day === null ? [] : [startOfDay(zone, day)])];
};

/** The contacts of a history (the newest first) on which a verdict at this moment depends. */
export function askedOf<Past extends Asked>(
  history: readonly Past[],
  at: number,
  loans: Situation['loans'],
  zone: string,
): readonly Past[] {
  const wanted = new Set<Past>();
  const add = (past: Past | undefined): void => {
    if (past !== undefined) wanted.add(past);
  };
  for (const past of history) if (past.startedAt >= windowStart(at) || isLasting(past)) wanted.add(past);
  for (const test of NEWEST_ASKED) add(history.find(test));
  for (const loan of loans)
    for (const from of firstAskedFrom(loan, zone))
      add(history.findLast((past) => past.startedAt >= from && isCollecting(past) && isAboutLoan(past, loan.id)));
  return history.filter((past) => wanted.has(past));
}
