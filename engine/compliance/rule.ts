import { type Day, weekday } from '../calendar/index.js';
import { type Channel, type Direction, type InteractionTheme, isCollections, type Subject } from '../communication/index.js';
import { aboutLoan, type Considered, counted, debtsOf } from './considered.js';
import { atMost, type Minutes, MINUTES_A_DAY, NEVER, type Opening, shutDuring } from './openings.js';
import { lacking, type MessageText, saying, type Wording } from './content-words.js';
import type { BlockReason, PastContact } from './situation.js';

/** Whom a rule binds. */
export type Bound =
  /** Whoever contacts a borrower. */
  | 'everybody'
  /** Creditors who collect their own loans, and collectors. */
  | 'creditorsAndCollectors'
  /** Whoever collects what is owed to another; applied to creditors too where the rule does not ask who services the loan. */
  | 'collectors'
  /** Whoever sells something. */
  | 'solicitors'
  /** The company, by its own choice. */
  | 'company';

/** What a rule counts, and for whom. */
export interface Counting {
  readonly what: 'attempts' | 'calls' | 'callsAndTexts' | 'contacts' | 'conversations' | 'messages' | 'solicitations';
  readonly per: 'debt' | 'person';
  readonly limit: number;
  /** Calendar days of the borrower's zone; the day of the contact is the last of them. Null: ever. */
  readonly days: number | null;
}

/** A text as it was read. */
export interface Reading {
  readonly citation: string;
  /** Words of the text itself, or what its reader says of it. */
  readonly quote: string;
  /** Where it was read: host and path, without the scheme. */
  readonly address: string;
  /** The first day on which it may have been read, as `YYYY-MM-DD`. */
  readonly readOn: string;
  /**
   * `text`: its words were read, or those of its regulator. `part`: only part of what the rule asks was shown. `secondHand`: an account of
   * it.
   */
  readonly standing: 'text' | 'part' | 'secondHand';
}

/** What a rule stands on. */
export interface RuleBasis {
  readonly binds: Bound;
  /** Empty of rules that count nothing. */
  readonly counts: readonly Counting[];
  /** Empty of what is the company's own choice alone. */
  readonly readings: readonly Reading[];
}

const COMPANY_BASIS: RuleBasis = { binds: 'company', counts: [], readings: [] };

/**
 * Rules are judged in this order of their kinds: what stops a contact for good comes before what asks
 * to wait.
 */
export const RULE_KINDS = ['status', 'consent', 'timeOfDay', 'frequency', 'jurisdiction', 'content', 'business'] as const;

export type RuleKind = (typeof RULE_KINDS)[number];

/** A rule as everybody sees it. Empty lists are all. */
export interface ComplianceRule {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly kind: RuleKind;
  readonly channels: readonly Channel[];
  readonly directions: readonly Direction[];
  readonly themes: readonly InteractionTheme[];
  readonly subjects: readonly Subject[];
  readonly transactional: 'any' | 'only' | 'exclude';
  /** States and territories, `US`, or `NYC`. */
  readonly jurisdictions: readonly string[];
  readonly loanTypes: readonly string[];
  readonly loanStatuses: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly lawCitation: string | null;
  /** Dates; null = ever. */
  readonly effectiveFrom: string | null;
  readonly effectiveTo: string | null;
  /** Whether a company may mute it. */
  readonly mutable: boolean;
  readonly status: 'active' | 'inactive';
}

/** A rule with its test: either it stops the contact whenever it is made, or it has openings. */
export interface TestedRule extends ComplianceRule {
  /** Which contacts it is about beside its themes: collection alone, all that may ask for a payment, or any. */
  readonly scope: 'any' | 'collection' | 'demands';
  readonly test: RuleTest;
}

/** A rule that can be judged, with what it stands on. */
export interface JudgedRule extends TestedRule {
  readonly basis: RuleBasis;
}

export type RuleTest =
  | { readonly type: 'bars'; readonly bars: (considered: Considered) => boolean }
  | { readonly type: 'opens'; readonly openings: (considered: Considered) => readonly Opening[] }
  /** Of the words of a message: judged once they are known. */
  | ({ readonly type: 'reads' } & WordingAsked);

/** What a message has to say and must not say, and of which messages that is asked. */
export interface WordingAsked {
  readonly needs: readonly Wording[];
  readonly forbids: readonly Wording[];
  readonly isAsked: (considered: Considered) => boolean;
}

/** Words that a message lacks, and words that it must not say. */
export interface WordingFaults {
  readonly missing: readonly Wording[];
  readonly forbidden: readonly Wording[];
}

export const wordingFaults = ({ needs, forbids, isAsked }: WordingAsked, considered: Considered, message: MessageText): WordingFaults =>
  isAsked(considered) ? { missing: lacking(needs, message), forbidden: saying(forbids, message) } : { missing: [], forbidden: [] };

export const bars = (test: (considered: Considered) => boolean): RuleTest => ({ type: 'bars', bars: test });

export const opens = (openings: (considered: Considered) => readonly Opening[]): RuleTest => ({ type: 'opens', openings });

export const reads = (asked: WordingAsked): RuleTest => ({ type: 'reads', ...asked });

const COLLECTION_THEMES: readonly InteractionTheme[] = [
  'opsCollDebt',
  'opsCollLocateBorrower',
  'opsCollVerifyEmployment',
  'opsCollContactEmployerNotice',
];

type Given = Pick<ComplianceRule, 'id' | 'code' | 'name' | 'description' | 'kind' | 'channels' | 'lawCitation'> & Pick<TestedRule, 'test'>;

const OF_ALL = {
  directions: ['outbound'],
  themes: [],
  subjects: [],
  transactional: 'any',
  jurisdictions: ['US'],
  loanTypes: [],
  loanStatuses: [],
  parameters: {},
  effectiveFrom: null,
  effectiveTo: null,
  mutable: false,
  status: 'active',
  scope: 'any',
} as const;

/** A rule about every contact on its channels. */
export const seedRule = (given: Given & Partial<TestedRule>): TestedRule => ({ ...OF_ALL, ...given });

/** A rule about collection alone. */
export const collectionRule = (given: Given & Partial<TestedRule>): TestedRule => ({
  ...OF_ALL,
  themes: COLLECTION_THEMES,
  scope: 'collection',
  ...given,
});

/** A rule about all that asks for a payment, also of a loan that is current. */
export const demandRule = (given: Given & Partial<TestedRule>): TestedRule => ({ ...OF_ALL, scope: 'demands', ...given });

/** What answers the borrower. A law that spares it does not spare collection; a business rule takes the word as it is. */
const isSpared = ({ kind }: JudgedRule, { plan, isTransactional }: Considered): boolean =>
  isTransactional && (kind === 'business' || !isCollections(plan.theme));

function isInScope({ scope, themes }: JudgedRule, { plan, isCollection, isDemand }: Considered): boolean {
  if (scope === 'collection') return isCollection;
  return scope === 'demands' ? isDemand : themes.length === 0 || themes.includes(plan.theme);
}

/** Whether a rule is about the contact. */
export function isConcerned(rule: JudgedRule, considered: Considered): boolean {
  const { plan, channels, loans, jurisdictions } = considered;
  const among = <Word>(words: readonly Word[], word: Word | null): boolean => words.length === 0 || (word !== null && words.includes(word));
  return (
    rule.status === 'active' &&
    channels.some((channel) => among(rule.channels, channel)) &&
    among(rule.directions, plan.direction) &&
    isInScope(rule, considered) &&
    among(rule.subjects, plan.subject) &&
    (rule.transactional === 'any' || (rule.transactional === 'only') === isSpared(rule, considered)) &&
    (rule.jurisdictions.length === 0 ||
      rule.jurisdictions.includes('US') ||
      jurisdictions === null ||
      rule.jurisdictions.some((place) => jurisdictions.has(place))) &&
    (rule.loanTypes.length === 0 || loans.some(({ loanTypeId }) => rule.loanTypes.includes(loanTypeId))) &&
    (rule.loanStatuses.length === 0 || loans.some(({ status }) => rule.loanStatuses.includes(status)))
  );
}

/** How a refusal by a rule of each kind is named. */
export const REASONS: Readonly<Record<RuleKind, BlockReason>> = {
  status: 'complianceRule',
  consent: 'noConsent',
  timeOfDay: 'complianceRule',
  frequency: 'complianceRule',
  jurisdiction: 'complianceRule',
  content: 'complianceRule',
  business: 'businessRule',
};

/** What a rule of a company asks. Each of them can only stop what the law allows. */
type BusinessParameters = Restriction & {
  /** Borrowers of this intensity alone; absent: all. */
  readonly collectionsIntensity?: 'light' | 'normal' | 'heavy';
  /** Contacts with these labels alone; absent or empty: all. */
  readonly contactLabels?: readonly ('personal' | 'work' | 'home' | 'military')[];
};

type Restriction =
  /**
   * Allowed from `from` to before `to`, as `HH:MM` where the borrower is, on these weekdays (1 = Monday); other days are not restricted.
   */
  | { readonly type: 'hours'; readonly from: string; readonly to: string; readonly weekdays?: readonly number[] }
  /** No contact on these weekdays. */
  | { readonly type: 'daysOff'; readonly weekdays: readonly number[] }
  /** At most so many contacts that the rule is about, on so many calendar days. */
  | { readonly type: 'frequency'; readonly limit: number; readonly days: number; readonly per: 'person' | 'loan' }
  /** Never. */
  | { readonly type: 'never' };

export interface BusinessRule extends ComplianceRule {
  readonly kind: 'business';
  readonly parameters: BusinessParameters & Readonly<Record<string, unknown>>;
}

export const judgedBusinessRule = (rule: BusinessRule): JudgedRule => ({
  ...rule,
  scope: 'any',
  basis: COMPANY_BASIS,
  test: opens((considered) => openingsOf(rule, considered)),
});

function openingsOf(rule: BusinessRule, considered: Considered): readonly Opening[] {
  const { collectionsIntensity, contactLabels = [], ...restriction } = rule.parameters;
  const { person, contact } = considered.situation;
  if (collectionsIntensity !== undefined && collectionsIntensity !== person.collectionsIntensity) return [];
  if (contactLabels.length > 0 && contact !== null && !contactLabels.includes(contact.label)) return [];
  return within(rule, restriction, considered);
}

function within(rule: BusinessRule, restriction: Restriction, considered: Considered): readonly Opening[] {
  const { zones } = considered;
  switch (restriction.type) {
    case 'never':
      return [NEVER];
    case 'daysOff':
      return zones.map((zone) => shutDuring(zone, (day) => (restriction.weekdays.includes(weekday(day)) ? [[0, MINUTES_A_DAY]] : [])));
    case 'hours':
      return zones.map((zone) => shutDuring(zone, (day) => shutOn(restriction, day)));
    case 'frequency': {
      const debts = restriction.per === 'person' ? [null] : debtsOf(considered);
      const past = counted(considered.situation.history).filter((made) => isOf(rule, made));
      return debts.flatMap((loanId) =>
        zones.map((zone) =>
          atMost(
            restriction,
            zone,
            aboutLoan(past, loanId).map(({ startedAt }) => startedAt),
          ),
        ),
      );
    }
  }
}

function shutOn({ from, to, weekdays = [] }: Extract<Restriction, { type: 'hours' }>, day: Day): readonly Minutes[] {
  return weekdays.length > 0 && !weekdays.includes(weekday(day))
    ? []
    : [
        [0, minutesOf(from)],
        [minutesOf(to), MINUTES_A_DAY],
      ];
}

/** `HH:MM` in minutes; `24:00` is the end of the day. */
export function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Whether a past contact is one of those that the rule counts. What an old row does not say counts. */
const isOf = ({ channels, themes, subjects, transactional }: BusinessRule, past: PastContact): boolean =>
  (channels.length === 0 || channels.includes(past.channel)) &&
  (themes.length === 0 || past.theme === null || themes.includes(past.theme)) &&
  (subjects.length === 0 || (past.subject !== null && subjects.includes(past.subject))) &&
  (transactional === 'any' || past.isTransactional === null || past.isTransactional === (transactional === 'only'));
