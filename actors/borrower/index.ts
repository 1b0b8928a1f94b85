export type * from './decide.js';
export { type CodeSentView, WRONG_CODE } from './confirmation.js';
export {
  addressOf,
  type ContactCreateBody,
  contactFaults,
  contactOf,
  type ContactUpdateBody,
  contactValueOf,
  type ContactView,
  type ContactWriteQuery,
  emailAddress,
  homeAddressOf,
  isValidHome,
  personOf,
  phoneNumber,
  phoneNumberOf,
  type RecordedContact,
  tokenOf,
  zoneOfAddress,
  zoneOfPerson,
} from './contact-fields.js';
export { type Consent, CONSENT_NAMES, type ConsentsBody, type ConsentView, type ConsentWriteQuery, statusOfConsent } from './consents.js';
export { type Consumer, consumerOf, taxNumberOf } from './consumer.js';
export { holdersOfEach, newestChecks, othersWithValue } from './same-value.js';
export { createContact } from './decide/contacts.js';
export { checkDigitFaults } from './decide/instruments.js';
export { instrumentChart, personChart } from './machine.js';
export type { NumberCheckBody, NumberImportBody, NumberImportView } from './decide/number-checks.js';
export { documentMade, documentView, findDocument, type PersonDocument } from './documents/document.js';
export type * from './documents/wire.js';
export {
  contactView,
  type InstrumentCreateBody,
  type InstrumentUpdateBody,
  type InstrumentView,
  type InstrumentWriteQuery,
  nameAndBirthOf,
  personView,
  personWithoutUser,
  type VerifyBody,
  withSecretsOpen,
} from './views.js';
export type { RepresentativeBody, RepresentativeListQuery, RepresentativeView, RepresentativeWriteQuery } from './legal-representatives.js';
export type * from './monitoring/wire.js';
export { PERSON_EVENT_TEXTS, personModule } from './module.js';
export type {
  ArchivedQuery,
  ContactListQuery,
  InstrumentListQuery,
  PersonErasure,
  PersonGetQuery,
  PersonListQuery,
} from './queries.js';
export type { SenderItem, SenderQuery } from './search/search-index.js';
export type { PersonSearchQuery } from './search/query.js';
export {
  type Contact,
  type Instrument,
  isGone,
  isReachable,
  languageOf,
  type PersonFacts,
  type PersonState,
  type Recorded,
} from './state.js';
export type * from './verifications/wire.js';
export {
  type AnswersOfLoans,
  borrowerAsks,
  CANCEL_DESCRIPTIONS,
  type CancelReason,
  type CaseOfHit,
  DEACTIVATING,
  FAILURE_DESCRIPTIONS,
  type FailureReason,
  failureReasonOf,
  type HitOfBorrower,
  isReturnCode,
  type StatementDocument,
} from './questions.js';
export { BRINGING_NEEDS, monitoringBegun } from './monitoring/planning.js';
export {
  hashOfName,
  type PortalSession,
  type PortalUserCreateBody,
  type PortalUserState,
  portalUserModule,
  type PortalUserView,
  type ShownSession,
} from './portal-user.js';
export type {
  AwaitingDeposits,
  AwaitingDepositsQuery,
  CorrectInstrumentBody,
  DepositsFiledBody,
  FileAccount,
} from './decide/bank-files.js';
export type { PrenoteFiledBody, PrenoteReturnedBody } from './decide/prenotes.js';
export type {
  AccountLinkBody,
  AccountLinkUpdateBody,
  BankLinkTokenBody,
  BankLinkTokenView,
  LinkAccess,
  LinkCommandBody,
  LinkedBalanceView,
  RecordBalanceBody,
} from './decide/bank-link.js';
export {
  type AwaitingCard,
  type AwaitingCardsQuery,
  type CardForProcessor,
  type CardVerificationBody,
  isExpiredOn,
} from './decide/cards.js';
export type { AccountLinkView } from './link-view.js';
