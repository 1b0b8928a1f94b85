export type * from './access/employee.js';
export { employeeOf, employeeOfUser, employeesOf, investorsSeenBy } from './access/employee.js';
export { agentName } from './access/views.js';
export { permissionsOf } from './access/granting.js';
export { type PermissionEntry, PERMISSIONS } from './access/permission-table.js';
export type * from './access/role.js';
export { rolesOf } from './access/role.js';
export type * from './access/team.js';
export { teamOf } from './access/team.js';
export type * from './access/user.js';
export { usersOf } from './access/user.js';
export {
  accountOf,
  type Credentials,
  openAuthenticator,
  stepOf,
  type StepTaken,
  type TakeStepBody,
  type WhoSignsIn,
  withSealedSecret,
} from './access/sign-ins.js';
export { isFresh as isFreshTokenKey, type OpenTokenKey, type TokenKeyBody } from './access/token-keys.js';
export { employeeView } from './access/views.js';
export type * from './app-domains.js';
export type * from './casework/case-type.js';
export { activeCaseType, caseTypeOf, smartReviewsIn } from './casework/case-type.js';
export {
  KEY_DATES,
  PREVENTING_OBJECTS,
  type PreventingObject,
  REMINDER_AFTER_DAYS,
  type SmartReviewConfig,
  type SmartReviewsBody,
} from './casework/smart-reviews.js';
export { type CustomField, faultsOfCustomFields } from './casework/custom-field.js';
export type * from './casework/do-not-interact-type.js';
export { blockingTypesOf } from './casework/do-not-interact-types.js';
export type * from './casework/notification-type.js';
export { notificationTypeOf, notifyingTypesOf } from './casework/notification-types.js';
export type * from './casework/workflow-type.js';
export { appDomainsOf } from './app-domains.js';
export { workflowTypeOf } from './casework/workflow-type.js';
export { PairingRule } from './casework/pairing/matching.js';
export type * from './casework/pairing/pairing-config.js';
export { syncedConfigs } from './casework/pairing/pairing-config.js';
export * from './casework/worker.js';
export { callingEmployee } from './casework/workers.js';
export type * from './commands.js';
export {
  type BusinessRuleCreateBody,
  type BusinessRuleUpdateBody,
  businessRulesOf,
  type ComplianceRuleQuery,
  type ComplianceRuleView,
  type MuteRuleRequest,
  mutesOf,
} from './compliance/index.js';
export * from './directory.js';
export type * from './fee-type.js';
export type { FeeTypeCreateBody, FeeTypeUpdateBody, FeeTypeView } from './fee-types.js';
export type { IndexRateCreateBody, IndexRateListQuery, IndexRateUpdateBody, IndexRateView, IndexRateWriteQuery } from './index-rates.js';
export type * from './loan-labels.js';
export * from './loan-type-defaults.js';
export type * from './loan-type-settings.js';
export type * from './loan-type-wire.js';
export {
  DISASTER,
  type Disaster,
  type DisasterBody,
  type DisasterListQuery,
  disasterOf,
  type DisasterView,
} from './disasters.js';
export { companyModule } from './module.js';
export type * from './profile.js';
export type { PromoDefaults, PromoKind, PromoTypeCreateBody, PromoTypeUpdateBody, PromoTypeView } from './promo-types.js';
export type { ApiKeyListQuery, BankingHolidayQuery, BankingHolidayView, LoanTypeGetQuery, LoanTypeListQuery } from './queries.js';
export type * from './sending/sending-domain.js';
export { sendingDomainFor } from './sending/sending-domain.js';
export type { VerifyDomainBody } from './sending/sending-domains.js';
export type * from './sending/sending-number.js';
export { readPart } from './templates/content.js';
export type * from './templates/descriptor.js';
export { templateDescriptorsOf } from './templates/descriptor.js';
export {
  chooseTemplate,
  type ChosenTemplate,
  templatesOf,
  textsOf,
  type NoTemplate,
  templateNamed,
  type TemplateWanted,
} from './templates/selection.js';
export type * from './templates/version.js';
export { templateVersionsOf } from './templates/version.js';
export { sendingNumberFor, sendingNumbersOf } from './sending/sending-number.js';
export type * from './state.js';
export { checkTimezone } from './time-zone.js';
export { keepingOf } from './keeping.js';
export {
  type QuestionCategory,
  type QuestionId,
  questionOf,
  VERIFICATION_QUESTIONS,
  type VerificationQuestion,
} from './verification-questions.js';
export {
  DEFAULT_VERIFICATION,
  enabledQuestions,
  type VerificationType,
  type VerificationTypeBody,
  type VerificationTypeListQuery,
  verificationTypeOf,
  type VerificationTypeView,
} from './verification-types.js';
export { companyView } from './views.js';
export { webhooksOf } from './webhooks/facts.js';
export type { WebhookProgressBody } from './webhooks/commands.js';
export { secretContext } from './webhooks/webhook.js';
export type * from './webhooks/webhook.js';
export type { CaseFields, HitDetails } from './casework/case-fields-body.js';
export { SPELLINGS, TYPE_FIELDS, TYPE_FIELD_NAMES, isSealedKind, type FieldKind } from './casework/case-fields.js';
export { BASE_CASE_TYPE_NAMES, type BaseCaseType, type CaseOutcome, type CaseStatus } from './casework/case-values.js';
export { holds } from './casework/condition.js';
export { dataTypeOf } from './casework/field-value.js';
export { fires, stillHolds, type CaseMoment } from './casework/trigger.js';
export * from './sign-in/index.js';
