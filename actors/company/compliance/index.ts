export { BUSINESS_RULE, type BusinessRuleCreateBody, type BusinessRuleUpdateBody } from './business-rules.js';
export { complianceQueries, muteCommands, type MuteRuleRequest } from './queries.js';
export { businessRulesOf, type ComplianceRuleQuery, type ComplianceRuleView, mutesOf } from './rule-view.js';
