import type { BusinessRule } from '../../../engine/index.js';
import { recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';

/** What a company says about compliance, as it lies among its resources. */

export const BUSINESS_RULE_TYPE = 'businessRule';
export const MUTE_TYPE = 'complianceMute';

/** A rule of a company: evaluated behind all others, so that it can only restrict. */
export type StoredBusinessRule = Omit<BusinessRule, 'id'>;

/** A rule that a company does not want to count for a while. Its record has the rule's id. */
export interface Mute {
  readonly reason: string;
  /** Milliseconds. */
  readonly until: number;
}

export const businessRuleRecords = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<StoredBusinessRule>> =>
  recordsOf(host, BUSINESS_RULE_TYPE) as ReadonlyMap<string, ResourceRecord<StoredBusinessRule>>;

export const muteRecords = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<Mute>> =>
  recordsOf(host, MUTE_TYPE) as ReadonlyMap<string, ResourceRecord<Mute>>;

/** The business rules of a company as the guard evaluates them. */
export const businessRulesOf = (host: ResourceHost): readonly BusinessRule[] =>
  [...businessRuleRecords(host).values()].map(({ id, stored }) => ({ ...stored, id }));

/** Rules that were muted, and until when; whether that is over the moment of a contact says. */
export const mutesOf = (host: ResourceHost): ReadonlyMap<string, number> =>
  new Map([...muteRecords(host)].map(([ruleId, { stored }]) => [ruleId, stored.until]));
