export type * from './decide.js';
export { WRONG_CODE } from './confirmation/decide.js';
export type * from './confirmation/wire.js';
export { isOfUnitedStates } from './address.js';
export { CONSENT_NAMES, statusOfConsent } from './consents/consent.js';
export { createContact } from './decide/contacts.js';
export { emailAddress, phoneNumber } from './contact-values.js';
export type * from './consents/wire.js';
export type * from './contact-wire.js';
export * from './directory.js';
export { findDocument, type PersonDocument } from './documents/document.js';
export { documentView } from './documents/queries.js';
export type * from './documents/wire.js';
export type * from './instrument-wire.js';
export type * from './legal-representatives/wire.js';
export type * from './monitoring/wire.js';
export { personModule } from './module.js';
export type { ArchivedQuery, ContactListQuery, InstrumentListQuery, PersonGetQuery, PersonListQuery } from './queries.js';
export type { SenderItem, SenderQuery } from './search/person-search.js';
export type { PersonSearchQuery } from './search/query.js';
export type { Address, Contact, PersonState } from './state.js';
export type * from './verifications/wire.js';
export { isReachable } from './state.js';
export { contactView, personView, personWithoutUser } from './views.js';
export * from './questions.js';
export type { PersonFacts } from './facts.js';
export { BRINGING_NEEDS, monitoringBegun } from './monitoring/starting.js';
export * from './portal-user/index.js';
export type { Consent } from './consents/consent.js';
export { phoneNumberOf } from './contact-values.js';
export { documentMade } from './documents/by-system.js';
export type { Recorded } from './facts.js';
export { tokenOf } from './fields.js';
export { withSecretsOpen } from './instrument-secrets.js';
export {
  CANCEL_DESCRIPTIONS,
  FAILURE_DESCRIPTIONS,
  failureReasonOf,
  isReturnCode,
  type CancelReason,
  type FailureReason,
} from './payment-reasons.js';
export type { InactiveReason, Instrument } from './state.js';
