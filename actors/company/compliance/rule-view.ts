import {
  type BusinessRule,
  type Channel,
  type ComplianceRule,
  type InteractionTheme,
  type RuleBasis,
  type RuleKind,
  SEED_RULES,
} from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { OffsetQuery } from '../../list-order.js';
import { dateTimeText, type DateTimeText, orNull, type ShortText } from '../../wire.js';

/** A company's own settings of compliance, stored among its resources. */

export const BUSINESS_RULE_TYPE = 'businessRule';
export const MUTE_TYPE = 'complianceMute';

/** A rule of a company. It is evaluated after all others, so that it can only restrict. */
export type StoredBusinessRule = Omit<BusinessRule, 'id'>;

/** A rule that a company has muted for a while. The record has the id of the rule. */
export interface Mute {
  readonly reason: string;
  /** Milliseconds. */
  readonly until: number;
}

export const businessRuleRecords = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<StoredBusinessRule>> =>
  recordsOf<StoredBusinessRule>(host, BUSINESS_RULE_TYPE);

export const muteRecords = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<Mute>> => recordsOf<Mute>(host, MUTE_TYPE);

/** The business rules of a company as the guard evaluates them. */
export const businessRulesOf = (host: ResourceHost): readonly BusinessRule[] =>
  [...businessRuleRecords(host).values()].map(({ id, stored }) => ({ ...stored, id }));

/** Muted rules, each with the end of its mute, which may be in the past. */
export const mutesOf = (host: ResourceHost): ReadonlyMap<string, number> =>
  new Map([...muteRecords(host)].map(([ruleId, { stored }]) => [ruleId, stored.until]));

/** A compliance rule as replies show it. An empty list means all. */
export interface ComplianceRuleView extends RuleWithoutTimes {
  readonly id: string;
  readonly object: 'complianceRule';
  readonly companyId: string;
  /** Null for the service's own rules. */
  readonly createdAt: DateTimeText | null;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

type RuleWithoutTimes = Omit<ComplianceRule, 'id' | 'parameters'> & {
  /** Who the rule binds, what it counts, and the texts of law that it follows. */
  readonly basis: RuleBasis;
  readonly parameters: { readonly [name: string]: unknown };
  readonly codeDetails: CodeView;
  readonly companyStatus: 'applied' | 'muted';
  readonly mutedUntil: DateTimeText | null;
  readonly muteReason: string | null;
};

/** The description of a code. */
interface CodeView {
  readonly id: string;
  readonly object: 'code';
  readonly code: string;
  readonly description: string;
  readonly citation: string | null;
}

export interface ComplianceRuleQuery extends OffsetQuery {
  readonly channel?: Channel;
  readonly theme?: InteractionTheme;
  /** A state, `US` or `NYC`. */
  readonly jurisdiction?: ShortText;
  readonly kind?: RuleKind;
  readonly status?: 'active' | 'inactive';
}

/** The basis of the service's own rules, by id. */
const BASES: ReadonlyMap<string, RuleBasis> = new Map(SEED_RULES.map(({ id, basis }) => [id, basis]));

function shown(host: ResourceHost, id: string, rule: StoredBusinessRule | ComplianceRule, now: number): RuleWithoutTimes {
  const mute = muteRecords(host).get(id)?.stored;
  const isMuted = mute !== undefined && mute.until > now;
  const {
    code,
    name,
    description,
    kind,
    channels,
    directions,
    themes,
    subjects,
    transactional,
    jurisdictions,
    loanTypes,
    loanStatuses,
    parameters,
    lawCitation,
    effectiveFrom,
    effectiveTo,
    mutable,
    status,
  } = rule;
  return {
    code,
    codeDetails: { id: id.replace(/^CR/, 'CO'), object: 'code', code, description, citation: lawCitation },
    name,
    description,
    kind,
    channels,
    directions,
    themes,
    subjects,
    transactional,
    jurisdictions,
    loanTypes,
    loanStatuses,
    parameters,
    basis: BASES.get(id) ?? { binds: 'company', counts: [], readings: [] },
    lawCitation,
    effectiveFrom,
    effectiveTo,
    mutable,
    status,
    companyStatus: isMuted ? 'muted' : 'applied',
    mutedUntil: orNull(dateTimeText, isMuted ? mute.until : null),
    muteReason: isMuted ? mute.reason : null,
  };
}

/** A business rule in the reply to a write, judged at the time of that write; the caller adds id and times. */
export const businessRuleView = (host: ResourceHost, { id, stored, createdAt, updatedAt }: ResourceRecord<StoredBusinessRule>): object =>
  shown(host, id, stored, updatedAt ?? createdAt);

/** The service's own rules, and after them those of the company. */
export function ruleViews(host: ResourceHost, now: number): readonly ComplianceRuleView[] {
  const own = (
    id: string,
    rule: StoredBusinessRule | ComplianceRule,
    times: readonly [number | null, number | null],
  ): ComplianceRuleView => ({
    id,
    object: 'complianceRule',
    companyId: host.id,
    ...shown(host, id, rule, now),
    createdAt: orNull(dateTimeText, times[0]),
    updatedAt: orNull(dateTimeText, times[1]),
    deletedAt: null,
  });
  return [
    ...SEED_RULES.map((rule) => own(rule.id, rule, [null, null])),
    ...[...businessRuleRecords(host).values()].map(({ id, stored, createdAt, updatedAt }) => own(id, stored, [createdAt, updatedAt])),
  ];
}

export const ruleView = (host: ResourceHost, id: string, now: number): ComplianceRuleView =>
  ruleViews(host, now).find((rule) => rule.id === id) ?? refuse('notFound', `There is no compliance rule ${id}.`);
