import { type Day, weekday } from '../calendar/index.js';
import { type Channel, type Direction, type InteractionTheme, isCollections, type Subject } from '../communication/index.js';
import { aboutLoan, type Considered, counted, debtsOf } from './considered.js';
import { atMost, type Minutes, MINUTES_A_DAY, NEVER, type Opening, shutDuring } from './openings.js';
import { lacking, type MessageText, saying, type Wording } from './content-wording.js';
import type { BlockReason, PastContact } from './situation.js';

/** The parties that a rule binds. */
export type Bound =
  /** Everybody who contacts a borrower. */
  | 'everybody'
  /** Creditors who collect their own loans, and collectors. */
  | 'creditorsAndCollectors'
  /** Collectors of debts that are owed to another party; also creditors, unless the rule asks who services the loan. */
  | 'collectors'
  /** Everybody who sells something. */
  | 'solicitors'
  /** The company, by its own choice. */
  | 'company';

/** What a rule counts, and for which person or loan. */
export interface Counting {
  readonly what: 'attempts' | 'calls' | 'callsAndTexts' | 'contacts' | 'conversations' | 'messages' | 'solicitations';
  readonly per: 'debt' | 'person';
  readonly limit: number;
  /** Calendar days of the borrower's zone; the day of the contact is the last of them. Null: without limit of time. */
  readonly days: number | null;
}

/** A source of a rule, and when it was read. */
export interface Reading {
  readonly citation: string;
  /** The words of the source; null where there is only a summary. */
  readonly quote: string | null;
  /** What it says in our words, beside the quotation or instead of it. */
  readonly summary: string | null;
  /** The page that was read: host and path, without the scheme. Null where the words or the report were on no page of their own. */
  readonly address: string | null;
  /** The day on which it was read, as `YYYY-MM-DD`; each reading has its own. */
  readonly readOn: string;
  /**
   * `text`: the law itself or a page of its regulator was read, and is quoted. `part`: only a part of what the rule needs was available, it
   * is not quoted, or its words were read where another page quotes them. `secondHand`: a report about the law was read.
   */
  readonly readFrom: 'text' | 'part' | 'secondHand';
}

/** The legal basis of a rule. */
export interface RuleBasis {
  readonly binds: Bound;
  /** Empty if the rule counts nothing. */
  readonly counts: readonly Counting[];
  /** Empty if the rule is only the company's own choice. */
  readonly readings: readonly Reading[];
}

const COMPANY_BASIS: RuleBasis = { binds: 'company', counts: [], readings: [] };

/**
 * Rules are judged in this order of their kinds: rules that forbid a contact come before rules that delay it.
 */
export const RULE_KINDS = ['status', 'consent', 'timeOfDay', 'frequency', 'jurisdiction', 'content', 'business'] as const;

export type RuleKind = (typeof RULE_KINDS)[number];

/** A rule as the interface shows it. An empty list means all. */
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
  /** Dates; null = without limit. */
  readonly effectiveFrom: string | null;
  readonly effectiveTo: string | null;
  /** Whether a company may mute it. */
  readonly mutable: boolean;
  readonly status: 'active' | 'inactive';
}

/** A rule with its test: it forbids the contact at any time, or it has openings. */
export interface TestedRule extends ComplianceRule {
  /** Which contacts it is about, in addition to its themes: only collection, all that may ask for a payment, or any. */
  readonly scope: 'any' | 'collection' | 'demands';
  readonly test: RuleTest;
}

/** A rule that can be judged, with its legal basis. */
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

/** A rule about collection only. */
export const collectionRule = (given: Given & Partial<TestedRule>): TestedRule => ({
  ...OF_ALL,
  themes: COLLECTION_THEMES,
  scope: 'collection',
  ...given,
});

/** A rule about every contact that asks for a payment, also for a current loan. */
export const demandRule = (given: Given & Partial<TestedRule>): TestedRule => ({ ...OF_ALL, scope: 'demands', ...given });

/** Transactional contacts are exempt. A law does not exempt collection; a business rule takes the caller's flag as it is. */
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

/** The reason of a refusal, by the kind of its rule. */
export const REASONS: Readonly<Record<RuleKind, BlockReason>> = {
  status: 'complianceRule',
  consent: 'noConsent',
  timeOfDay: 'complianceRule',
  frequency: 'complianceRule',
  jurisdiction: 'complianceRule',
  content: 'complianceRule',
  business: 'businessRule',
};

/** What a rule of a company requires. It can only forbid what the law allows. */
type BusinessParameters = Restriction & {
  /** Only borrowers of this intensity; absent: all. */
  readonly collectionsIntensity?: 'light' | 'normal' | 'heavy';
  /** Only contacts with these labels; absent or empty: all. */
  readonly contactLabels?: readonly ('personal' | 'work' | 'home' | 'military')[];
};

type Restriction =
  /**
   * Allowed from `from` to before `to`, as `HH:MM` where the borrower is, on these weekdays (1 = Monday); other days are not restricted.
   */
  | { readonly type: 'hours'; readonly from: string; readonly to: string; readonly weekdays?: readonly number[] }
  /** No contact on these weekdays. */
  | { readonly type: 'daysOff'; readonly weekdays: readonly number[] }
  /** At most `limit` contacts that the rule is about, in `days` calendar days. */
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

/** Whether the rule counts a past contact. Missing fields of old records count as a match. */
const isOf = ({ channels, themes, subjects, transactional }: BusinessRule, past: PastContact): boolean =>
  (channels.length === 0 || channels.includes(past.channel)) &&
  (themes.length === 0 || past.theme === null || themes.includes(past.theme)) &&
  (subjects.length === 0 || (past.subject !== null && subjects.includes(past.subject))) &&
  (transactional === 'any' || past.isTransactional === null || past.isTransactional === (transactional === 'only'));
