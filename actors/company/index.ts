export type * from './access/employee.js';
export { employeeOf, employeeOfUser, employeesOf, investorsSeenBy } from './access/employee.js';
export { rangeFaults } from './decide/api-keys.js';
export { agentName, employeeView } from './access/views.js';
export {
  permissionFaults,
  permissionsOf,
  type RoleCloneBody,
  type RoleCreateBody,
  type RoleListQuery,
  rolesOf,
  type RoleUpdateBody,
  type RoleView,
} from './access/roles.js';
export { type PermissionEntry, PERMISSIONS } from './access/permissions.js';
export type * from './access/team.js';
export { teamOf } from './access/team.js';
export type * from './access/user.js';
export { usersOf } from './access/user.js';
export {
  accountOf,
  type Credentials,
  isFresh as isFreshTokenKey,
  openAuthenticator,
  type OpenTokenKey,
  stepOf,
  type StepTaken,
  type TakeStepBody,
  type TokenKeyBody,
  type WhoSignsIn,
  withSealedSecret,
} from './access/sign-ins.js';
export {
  type ApiKey,
  type AppDomain,
  type AppDomainBody,
  appDomainsOf,
  type CompanyState,
  EVER,
  type IndexEdition,
  type LoanType,
  type LoanTypeVersion,
} from './state.js';
export {
  type BulkSender,
  type BulkSenderCreateBody,
  type BulkSenderListQuery,
  bulkSendersOf,
  type BulkSenderUpdateBody,
  type BulkSenderView,
} from './campaigns/bulk-sender.js';
export {
  type Campaign,
  type CampaignCreateBody,
  type CampaignListQuery,
  campaignOf,
  campaignRan,
  type CampaignRecord,
  campaignsOf,
  campaignView,
  type CampaignUpdateBody,
  type CampaignView,
} from './campaigns/campaign.js';
export {
  type ContactCriteria,
  type ContactExporter,
  type ContactExporterCreateBody,
  type ContactExporterListQuery,
  contactExportersOf,
  type ContactExporterUpdateBody,
  type ContactExporterView,
} from './campaigns/contact-exporter.js';
export { type ExportField, isExportField, personalColumnsOf, QUERY_FIELD, READ_PERSON } from './campaigns/export-fields.js';
export { isPersonalQuery } from './campaigns/in-use.js';
export { runDueOn, runOn } from './campaigns/schedule.js';
export {
  isPausable,
  isWorkPaused,
  type PausableWork,
  type PausedMoveView,
  type PausedWorkView,
  pausedWorksView,
  type PauseWorkBody,
} from './paused-works.js';
export { serverKeyOf } from './server-keys.js';
export type { BankAccess, CardAccess, FundingAccount } from './processors/index.js';
export { type CardPaymentType, type PaymentType, paymentTypeOfCard } from './processors/card-connection.js';
export {
  type FundingInstrument,
  fundingInstrumentFor,
  fundingInstrumentsOf,
  type FundingInstrumentCreateBody,
  type FundingInstrumentQuery,
  type FundingInstrumentUpdateBody,
  type FundingInstrumentView,
  type FundingInstrumentWriteQuery,
} from './processors/funding-instrument.js';
export {
  type FundingBalanceCreateBody,
  type FundingBalanceQuery,
  type FundingBalanceView,
  recordedBalance,
} from './processors/funding-balance.js';
export {
  isByFiles,
  ordersPrenotes,
  type PaymentProcessor,
  prenotesOf,
  type ProcessorRecord,
  processorFor,
  processorsOf,
  verifyingProcessor,
} from './processors/processor.js';
export type * from './processors/wire.js';
export * from './parties/index.js';
export * from './settlements/index.js';
export * from './general-ledger/index.js';
export * from './tapes/index.js';
export type { EncryptionBody, FilePgp, WithKeyFault } from './pgp.js';
export { type ServiceKeyPair, type SftpAccessBody, type SftpLogin, sftpServerOf, type WithServiceKeyPair } from './sftp-access.js';
export {
  hostKeyOf,
  openSecrets,
  type PutFile,
  type Sealed,
  sealedSecrets,
  type SftpAddress,
  sftpAddressOf,
  type SftpBody,
  type SftpContent,
  type SftpServer,
} from './campaigns/sftp.js';
export type * from './casework/case-type.js';
export { activeCaseType, caseTypeOf, smartReviewsIn } from './casework/case-type.js';
export {
  KEY_DATES,
  type NotificationType,
  type NotificationTypeCreateBody,
  type NotificationTypeListQuery,
  notificationTypeOf,
  type NotificationTypeUpdateBody,
  type NotificationTypeView,
  notifyingTypesOf,
  PREVENTING_OBJECTS,
  type PreventingObject,
  REMINDER_AFTER_DAYS,
  type SmartReviewConfig,
  type SmartReviewsBody,
} from './casework/notification-types.js';
export { type CustomField, faultsOfCustomFields } from './casework/custom-field.js';
export {
  blockingTypesOf,
  type CaseMoment,
  type DoNotInteractType,
  type DoNotInteractTypeCreateBody,
  type DoNotInteractTypeListQuery,
  type DoNotInteractTypeUpdateBody,
  type DoNotInteractTypeView,
  fires,
  stillHolds,
} from './casework/do-not-interact-types.js';
export {
  holds,
  type DocumentType,
  documentTypeOf,
  type ItemKind,
  type ItemType,
  type StepType,
  type WorkflowTypeCreateBody,
  type WorkflowTypeListQuery,
  workflowTypeOf,
  type WorkflowTypeUpdateBody,
  type WorkflowTypeView,
} from './casework/workflow-types.js';
export { PairingRule } from './casework/pairing/matching.js';
export {
  type PairingConfigCreateBody,
  type PairingConfigListQuery,
  type PairingConfigUpdateBody,
  type PairingConfigView,
  type SyncedConfig,
  syncedConfigs,
} from './casework/pairing/pairing-configs.js';
export {
  ACTIVITIES,
  type Activity,
  callingEmployee,
  isOnline,
  mayBeGiven,
  type TaskTypeAvailabilityRequest,
  type TaskTypeAvailabilityView,
  type TaskWorker,
  type WorkerActivityRequest,
  type WorkerListQuery,
  workersOf,
  type WorkerView,
} from './casework/workers.js';
export type * from './commands.js';
export {
  type BusinessRuleCreateBody,
  businessRulesOf,
  type BusinessRuleUpdateBody,
  type ComplianceRuleQuery,
  type ComplianceRuleView,
  type MuteRuleRequest,
  mutesOf,
} from './compliance/index.js';
export {
  companyOf,
  companyZone,
  currentSettings,
  feeTypeOf,
  feeTypesEdition,
  feeTypesOf,
  findKeyByHash,
  type KnownPromoType,
  loanTypeOf,
  loanTypeVersions,
  moneyCalendarOf,
  promoTypeOf,
  settingsAt,
  settingsTimeline,
  REMINDER_ZONE,
  workCalendarOf,
  zoneOf,
} from './directory.js';
export {
  type LoanLabelCreateBody,
  type LoanLabelListQuery,
  loanLabelOf,
  type LoanLabelUpdateBody,
  type LoanLabelView,
} from './loan-labels.js';
export type {
  FeeCategory,
  FeeType,
  LoanTypeCreateBody,
  LoanTypeUpdateBody,
  LoanTypeView,
} from './loan-type-wire.js';
export type { FeeTypeCreateBody, FeeTypeUpdateBody, FeeTypeView } from './fee-types.js';
export {
  indexEditionAfter,
  type IndexRateCreateBody,
  type IndexRateListQuery,
  type IndexRateUpdateBody,
  type IndexRateView,
  type IndexRateWriteQuery,
  indexStampOf,
  indexValuesOf,
} from './index-rates.js';
export { billedAccount, LOAN_TYPE_DEFAULTS } from './loan-type-sections.js';
export type * from './loan-type-settings.js';
export {
  type ApiKeyListQuery,
  type BankingHolidayQuery,
  type BankingHolidayView,
  type Disaster,
  DISASTER,
  type DisasterBody,
  type DisasterListQuery,
  disasterOf,
  type DisasterView,
  type LoanTypeGetQuery,
  type LoanTypeListQuery,
} from './queries.js';
export { companyModule } from './module.js';
export {
  type AuthType,
  type AuthValueType,
  checkTimezone,
  type CompanyProfile,
  type SecondFactor,
} from './profile.js';
export type { PromoDefaults, PromoKind, PromoTypeCreateBody, PromoTypeUpdateBody, PromoTypeView } from './promo-types.js';
export {
  type DnsRecord,
  type SendingDomainCreateBody,
  replyToOf,
  sendingDomainFor,
  type SendingDomainListQuery,
  type SendingDomainUpdateBody,
  type SendingDomainView,
  type VerifyDomainBody,
} from './sending/sending-domains.js';
export {
  type CommandOfMorning,
  morningOf,
  NOTIFY_OF_PRIVACY,
  operationOfMorning,
  REMIND_LOAN,
  STATUSES_OF_MORNING,
  type Reminder,
  type ReminderCreateBody,
  type ReminderListQuery,
  type ReminderRecord,
  remindersInForce,
  remindersOf,
  type ReminderUpdateBody,
  type ReminderView,
  worksOfMorning,
} from './reminders.js';
export {
  type SendingNumber,
  type SendingNumberCreateBody,
  sendingNumberFor,
  type SendingNumberListQuery,
  sendingNumbersOf,
  type SendingNumberUpdateBody,
  type SendingNumberView,
} from './sending/sending-numbers.js';
export {
  type AllTemplateVersionsQuery,
  asItWas,
  readPart,
  type TemplateContent,
  type TemplateValidation,
  type TemplateVersionBody,
  type TemplateVersionListQuery,
  templateVersionsOf,
  type TemplateVersionView,
} from './templates/version.js';
export {
  type TemplateDescriptorCreateBody,
  type TemplateDescriptorListQuery,
  type TemplateDescriptorUpdateBody,
  type TemplateDescriptorView,
  type TemplateLanguage,
} from './templates/descriptors.js';
export { type TemplateDescriptor, templateDescriptorsOf } from './templates/descriptor.js';
export { HELP_TEMPLATE } from './templates/standard.js';
export { messageText, portalUrlOf, shownCompany } from './templates/shown-company.js';
export { type DraftValidation, type PlannedTrial, validationWith, type WithTrial } from './templates/trial.js';
export type { TrialQuery } from './templates/queries.js';
export {
  channelOfTemplate,
  chooseTemplate,
  isWritten,
  type ChosenTemplate,
  type NoTemplate,
  templateNamed,
  templatesOf,
  type TemplateWanted,
  textsOf,
} from './templates/selection.js';
export { keepingOf } from './keeping.js';
export {
  DEFAULT_VERIFICATION,
  enabledQuestions,
  type QuestionCategory,
  type QuestionId,
  questionOf,
  VERIFICATION_QUESTIONS,
  type VerificationQuestion,
  type VerificationType,
  type VerificationTypeBody,
  verificationTypeFaults,
  type VerificationTypeListQuery,
  verificationTypeOf,
  type VerificationTypeView,
} from './verification-types.js';
export { webhooksOf } from './webhooks/facts.js';
export { eventTypeFaults, type WebhookProgressBody } from './webhooks/commands.js';
export { secretContext } from './webhooks/webhook.js';
export type * from './webhooks/webhook.js';
export type { CaseFields } from './casework/case-types.js';
export {
  BASE_CASE_TYPE_NAMES,
  type BaseCaseType,
  type CaseOutcome,
  type CaseStatus,
  dataTypeOf,
  type FieldKind,
  isSealedKind,
  type ReferenceKind,
  SPELLINGS,
  TYPE_FIELD_NAMES,
  TYPE_FIELDS,
} from './casework/case-fields.js';
export {
  type GrantKind,
  isLiving,
  NEVER_SIGNED_IN,
  type PasswordProof,
  SIGN_IN_LIMITS,
  type SignIn,
  type SignInStep,
} from './sign-in.js';
export type { SavedQuestionCreateBody, SavedQuestionListQuery, SavedQuestionUpdateBody, SavedQuestionView } from './saved-questions.js';
export { savedQuestionsOf } from './saved-questions.js';
export {
  type AgencyName,
  creditAgenciesOf,
  type CreditAgencyCreateBody,
  type CreditAgencyListQuery,
  creditAgencyOf,
  type CreditAgencyRecord,
  type CreditAgencyUpdateBody,
  type CreditAgencyView,
} from './credit-agencies.js';
