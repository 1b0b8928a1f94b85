export { type BusinessParameters, type BusinessRule, minutesOf } from './business-rule.js';
export * from './contact-choice.js';
export { judge } from './judge.js';
export * from './plan.js';
export { type ComplianceRule, type RuleKind } from './rule.js';
export { SEED_RULES } from './rules/index.js';
export type * from './situation.js';
export { barToCollecting, type CollectingBar } from './standing.js';
export type { BlockReason, RuleOutcome, GuardVerdict } from './verdict.js';
