import { type Channel, type Direction, type InteractionTheme, isCollections, type Subject } from '../communication/index.js';
import type { RuleBasis } from './basis.js';
import type { Considered } from './considered.js';
import type { Opening } from './openings.js';
import type { BlockReason } from './verdict.js';

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
  | { readonly type: 'opens'; readonly openings: (considered: Considered) => readonly Opening[] };

export const bars = (test: (considered: Considered) => boolean): RuleTest => ({ type: 'bars', bars: test });

export const opens = (openings: (considered: Considered) => readonly Opening[]): RuleTest => ({ type: 'opens', openings });

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
