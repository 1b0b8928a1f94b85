import { addDays, dayAt, instantAt, parseDay, startOfDay } from '../calendar/index.js';
import { CHANNELS, isCollections } from '../communication/index.js';
import { consider, type Considered, type ContactPlan, isCounted } from './considered.js';
import { must } from '../assert.js';
import { type MessageText, wordingText } from './content-words.js';
import { earliestOpen, NEVER, type Opening } from './openings.js';
import { isConcerned, judgedBusinessRule, type JudgedRule, REASONS, wordingFaults, type WordingFaults } from './rule.js';
import { creditorsFirstDay } from './rules/debt.js';
import { DECEASED_RULE, SEED_RULES } from './rules/index.js';
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
 * Whether a contact may be made at the moment that it is planned for. The first thing that stands against it, by
 * the order of decision, is what is answered; when all of them are matters of time, with the earliest moment at which none does.
 * Pure: asked twice it says the same, and nothing is counted by asking. `message`: what it says, where that is known.
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

/** The rules about a contact, in their order. The one about the dead is a step of its own. */
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

/** A rule about words that was asked of a message, and what is wrong with it. */
export interface WordingJudged extends Pick<JudgedRule, 'code' | 'description' | 'lawCitation' | 'mutable'> {
  readonly ruleId: string;
  readonly faults: readonly string[];
}

/** What the rules about words say to a message, whatever else stands against it. */
export function wordingJudged(plan: ContactPlan, situation: Situation, message: MessageText): readonly WordingJudged[] {
  const considered = consider(plan, situation);
  return SEED_RULES.filter((rule) => isConcerned(rule, considered) && isJudgable(rule, considered, message)).flatMap(
    ({ id: ruleId, code, description, lawCitation, mutable, test }) =>
      test.type === 'reads'
        ? [{ ruleId, code, description, lawCitation, mutable, faults: faultSentences(wordingFaults(test, considered, message), message) }]
        : [],
  );
}

/** Of a rule about words, with those that are wrong. */
function describedOf({ description, test }: JudgedRule, considered: Considered, message: MessageText | null): string {
  if (test.type !== 'reads' || message === null) return description;
  return [description, ...faultSentences(wordingFaults(test, considered, message), message)].join(' ');
}

/** What is wrong with a message, a sentence each. */
const faultSentences = ({ missing, forbidden }: WordingFaults, message: MessageText): readonly string[] => [
  ...missing.map((wording) => `Missing: ${wordingText(wording, message)}.`),
  ...forbidden.map(({ what }) => `Not allowed: ${what}.`),
];

/** A muted rule counts again once its time is up. */
const muted = ({ type, opensAt }: Opening, until: number): Opening => ({ type, opensAt: (at) => (at < until ? at : opensAt(at)) });

/** Before its first day and after its last a rule asks for nothing. */
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

/** The moment is judged again as one: what it is not about the clock may stand otherwise by then. */
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

function warningsOf(considered: Considered, rules: readonly RuleFound[]): readonly string[] {
  const { situation, plan, loans } = considered;
  const { home } = situation.person;
  return [
    ...rules.filter(({ outcome }) => outcome.muted).map(({ rule }) => `The muted rule ${rule.code} stands against it.`),
    ...(home === null ? ['The home of the borrower is not known: the rules of all states were asked.'] : []),
    ...(home !== null && home.zones.length > 1 ? ['The home may lie in several time zones: the hours had to suit all.'] : []),
    ...recordingWarnings(considered),
    ...(plan.loanIds.length === 0 && loans.length > 1 ? ['No loan is named: limits were counted for each.'] : []),
  ];
}

/**
 * Versions of the seed rules, the oldest first. Each verdict of the log carries the one that it was judged under, so that it can be
 * explained after a rule has changed. A change that alters verdicts is a new row (`test/engine/compliance/versions.test.ts`).
 */
export const GUARD_VERSIONS: readonly { readonly version: number; readonly changes: string }[] = [
  { version: 1, changes: 'All rules before versions were counted. Verdicts without a version are of it.' },
  {
    version: 2,
    changes:
      'Marketing by text or by an autodialer needs a consent in writing. US-BANKRUPTCY stops late fee notices and reminders of promises. ' +
      'US-FREQ-AFTERCALL and WV-FREQ count a conversation with the person to be called, and with a guardian. A template cannot make an ' +
      'overdue notice a letter that a law asks for.',
  },
  {
    version: 3,
    changes:
      'A message that answers what the borrower sent within a week is a reply. Who uses a channel that they refused is answered ' +
      'once by it, and letters that a law asks for go to who refused letters. WA-CELL-DAY ' +
      'counts phones that may be mobile, and no answers. MA-FREQ counts personal phones and work apart. DC-FREQ is about debts more than ' +
      '30 days past due that no home secures, and counts neither answers nor calls that rang out. US-FREQ-7IN7 and ' +
      'US-FREQ-AFTERCALL count another person apart from the ' +
      'borrower, and are not about attorneys. Who has agreed to contact at unusual times is reached at any hour. OR-WORK is new. ' +
      'No template makes a reminder ' +
      'or marketing a letter that a law asks for. Another person may be called once to find the borrower, by the new US-LOCATE. ' +
      'A call that the borrower has asked for is in excess of no limit of the nation, the ' +
      'District of Columbia, New York City and Washington. Word that a loan was declined or its terms have changed needs the consent of ' +
      'US-ECONSENT.',
  },
  {
    version: 4,
    changes:
      'Words of a rendered message are judged by rules of kind content: disclosures of debt collectors, opt-out notices, contents of ' +
      'validation notices and of marketing, license numbers, the sender, words to third parties. US-DNC asks lists of numbers before ' +
      'marketing by call or text. An oral consent is none to electronic disclosures.',
  },
];

/** The newest of them: what a verdict is judged under. */
export const GUARD_VERSION = 4;

/*
 * How far back the rules look. Limits count what lies within their windows; beyond those a rule asks whether something was
 * ever said, what came last by a channel, or what came first about a debt. A borrower of twenty years has ten thousand
 * contacts, of which a verdict depends on some hundred: these. `test/engine/compliance/looking-back.test.ts` holds
 * verdicts on them equal to verdicts on all.
 */

/** The longest window of a limit, seed rules' and companies' own, in calendar days of the borrower's zone. */
export const WINDOW_DAYS = 30;

/** Instants within any window of a contact at the moment, wherever the borrower is. */
export const windowStart = (at: number): number => at - (WINDOW_DAYS + 2) * DAY_MS;

const DAY_MS = 86_400_000;

type Asked = Omit<PastContact, 'contactLabel' | 'isOfRepresentative' | 'isOfAttorney' | 'isReply' | 'askedFor'>;
type Test = (past: Asked) => boolean;

/** What rules ask for whenever it was. */
export const isLasting: Test = ({ theme, subject }) =>
  (theme !== null && LASTING_THEMES.has(theme)) || subject === 'timeBarredNotice' || isAnswerToCease(subject);

const LASTING_THEMES: ReadonlySet<NonNullable<PastContact['theme']>> = new Set([
  'inbOptOut',
  'opsCollLocateBorrower',
  'opsServicingTimeBarredNotice',
  'opsServicingDebtValidation',
] as const);

const isInbound: Test = ({ direction }) => direction === 'inbound';

/** Of each of these rules ask for the newest. */
export const NEWEST_ASKED: readonly Test[] = Object.keys(CHANNELS).flatMap((channel): readonly Test[] => [
  (past) => past.channel === channel && isInbound(past),
  (past) => past.channel === channel && isInbound(past) && past.theme !== 'inbOptOut',
  (past) => past.channel === channel && isCounted(past),
  (past) => past.channel === channel && isCollecting(past),
]);

/** Of these rules ask for the first about each debt, from its `firstAskedFrom` on. */
export const isCollecting: Test = (past) => isCounted(past) && (past.theme === null || isCollections(past.theme));

/** Whether what was said counts for a loan: what does not say counts for each. */
export const isAboutLoan = ({ loanIds }: Asked, loanId: string): boolean => loanIds.length === 0 || loanIds.includes(loanId);

/** The instants from which rules ask for the first contact about a debt; a collector's count whenever they were. */
export const firstAskedFrom = (loan: Situation['loans'][number], zone: string): readonly number[] => {
  const day = creditorsFirstDay(loan);
  return [-Infinity, ...(day === null ? [] : [startOfDay(zone, day)])];
};

/** Of a whole history, the newest first, what a verdict on a contact at the moment depends on. */
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
