import typia from 'typia';
import type {
  BusinessRuleCreateBody,
  BusinessRuleUpdateBody,
  CanInteractRequest,
  CanInteractView,
  ComplianceDecisionQuery,
  ComplianceDecisionView,
  ComplianceRuleQuery,
  ComplianceRuleView,
  MuteRuleRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Compliance'];
const OF_COMPANY = '/companies/{companyId}/compliance/rules';
const BUSINESS = '/companies/{companyId}/compliance/business-rules';
const reply = typia.json.schemas<[ComplianceRuleView], '3.1'>();
const listReply = typia.json.schemas<[ComplianceRuleView[]], '3.1'>();
const query = {
  validate: typia.misc.createValidatePrune<ComplianceRuleQuery>(),
  schemas: typia.json.schemas<[ComplianceRuleQuery], '3.1'>(),
};

/** The compliance guard: whether a contact may be made, its rules, and its decisions. */
export const complianceRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/can-interact',
    operation: 'canInteract',
    summary: 'Check whether a contact may be made now',
    tags: TAGS,
    permission: 'compliance:caninteract',
    description: 'Returns 200 with `result` false where the contact may not be made. The result can change: ask right before the contact.',
    body: { validate: typia.misc.createValidatePrune<CanInteractRequest>(), schemas: typia.json.schemas<[CanInteractRequest], '3.1'>() },
    reply: typia.json.schemas<[CanInteractView], '3.1'>(),
    handle: (call) => call.command('person.canInteract', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: '/compliance/rules',
    operation: 'listComplianceRules',
    summary: 'List the rules of the service, in the order of evaluation',
    tags: TAGS,
    permission: 'compliance.rule:read',
    envelope: 'list',
    query,
    reply: listReply,
    handle: (call) => call.read('complianceRule.list', call.caller.company),
  }),
  defineRoute({
    method: 'GET',
    path: '/compliance/rules/{ruleId}',
    operation: 'getComplianceRule',
    summary: 'Get a rule',
    tags: TAGS,
    permission: 'compliance.rule:read',
    reply,
    handle: (call) => call.read('complianceRule.get', call.caller.company),
  }),
  defineRoute({
    method: 'GET',
    path: OF_COMPANY,
    operation: 'listCompanyComplianceRules',
    summary: 'List the rules in effect for the company',
    tags: TAGS,
    permission: 'compliance.rule:read',
    envelope: 'list',
    query,
    reply: listReply,
    handle: (call) => call.read('complianceRule.listOfCompany', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: `${OF_COMPANY}/{ruleId}/mute`,
    operation: 'muteComplianceRule',
    summary: 'Mute a rule for a time',
    tags: TAGS,
    permission: 'compliance.rule:mute',
    reply,
    description: 'A muted rule is evaluated and logged, but does not block. A rule that is not `mutable` cannot be muted.',
    body: { validate: typia.misc.createValidatePrune<MuteRuleRequest>(), schemas: typia.json.schemas<[MuteRuleRequest], '3.1'>() },
    handle: (call) => call.command('complianceRule.mute', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: `${OF_COMPANY}/{ruleId}/unmute`,
    operation: 'unmuteComplianceRule',
    summary: 'Unmute a rule',
    tags: TAGS,
    permission: 'compliance.rule:mute',
    reply,
    handle: (call) => call.command('complianceRule.unmute', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: BUSINESS,
    operation: 'listBusinessRules',
    summary: 'List the business rules of the company',
    tags: TAGS,
    permission: 'compliance.rule:read',
    envelope: 'list',
    query: pageQuery,
    reply: listReply,
    handle: (call) => call.read('complianceRule.listOfBusiness', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: BUSINESS,
    operation: 'createBusinessRule',
    summary: 'Create a business rule',
    tags: TAGS,
    permission: 'compliance.businessrule:create',
    reply,
    description: 'Evaluated after all legal rules: it can block contacts that they allow, but cannot allow contacts that they block.',
    body: {
      validate: typia.misc.createValidatePrune<BusinessRuleCreateBody>(),
      schemas: typia.json.schemas<[BusinessRuleCreateBody], '3.1'>(),
    },
    handle: (call) => call.command('businessRule.create', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: `${BUSINESS}/{businessRuleId}`,
    operation: 'getBusinessRule',
    summary: 'Get a business rule',
    tags: TAGS,
    permission: 'compliance.rule:read',
    reply,
    handle: (call) => call.read('complianceRule.getOfBusiness', ownCompany(call)),
  }),
  defineRoute({
    method: 'PUT',
    path: `${BUSINESS}/{businessRuleId}`,
    operation: 'updateBusinessRule',
    summary: 'Update a business rule',
    tags: TAGS,
    permission: 'compliance.businessrule:update',
    reply,
    body: {
      validate: typia.misc.createValidatePrune<BusinessRuleUpdateBody>(),
      schemas: typia.json.schemas<[BusinessRuleUpdateBody], '3.1'>(),
    },
    handle: (call) => call.command('businessRule.update', ownCompany(call)),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${BUSINESS}/{businessRuleId}`,
    operation: 'endBusinessRule',
    summary: 'Deactivate a business rule',
    tags: TAGS,
    permission: 'compliance.businessrule:delete',
    reply,
    description: 'The rule is kept as inactive, since decisions refer to it.',
    handle: (call) => call.command('businessRule.delete', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: '/companies/{companyId}/compliance/decisions',
    operation: 'listComplianceDecisions',
    summary: 'List compliance decisions, newest first',
    tags: TAGS,
    permission: 'compliance.rule:read',
    envelope: 'list',
    description: 'Decisions of checks and of sends: with `personId` all of that borrower, else the newest 100 of each.',
    query: {
      validate: typia.misc.createValidatePrune<ComplianceDecisionQuery>(),
      schemas: typia.json.schemas<[ComplianceDecisionQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[ComplianceDecisionView[]], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('complianceDecision.list', null);
    },
  }),
];
