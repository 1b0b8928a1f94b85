export { type BusinessParameters, type BusinessRule, minutesOf, type Restriction } from './business-rule.js';
export * from './contact-choice.js';
export { judge } from './judge.js';
export { HORIZON_DAYS } from './openings.js';
export * from './plan.js';
export { type ComplianceRule, COLLECTION_THEMES, RULE_KINDS, type RuleKind } from './rule.js';
export { SEED_RULES } from './rules/index.js';
export type * from './situation.js';
export type { BlockReason, RuleOutcome, GuardVerdict } from './verdict.js';
