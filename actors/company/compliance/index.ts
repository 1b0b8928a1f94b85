export { BUSINESS_RULE, type BusinessRuleCreateBody, type BusinessRuleUpdateBody } from './business-rules.js';
export { muteCommands, type MuteRuleRequest } from './mutes.js';
export { complianceQueries } from './queries.js';
export type { ComplianceRuleQuery, ComplianceRuleView } from './rule-view.js';
export { businessRulesOf, mutesOf } from './stored.js';
