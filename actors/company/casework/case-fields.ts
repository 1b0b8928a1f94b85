import type { Sortable } from '../../list-order.js';

/** Values and fields of cases that a company's configuration refers to. */

export type CaseStatus = 'initiated' | 'processing' | 'completed' | 'canceled' | 'reopened';

export type CaseOutcome = 'approved' | 'denied' | 'partiallyApproved' | 'resolved' | 'withdrawn' | 'duplicate' | 'noResponse' | 'expired';

export type BaseCaseType = (typeof BASE_CASE_TYPES)[number];

export const BASE_CASE_TYPES = [
  'generic',
  'bankruptcy',
  'ceaseCommunication',
  'collection',
  'deceased',
  'disputeOfDebt',
  'federalEmergency',
  'identityTheft',
  'legalAction',
  'militaryDuty',
  'debtValidation',
  'oFACSanctionedIndividual',
  'disputeOfPurchase',
  'creditBureauDispute',
] as const;

/** Names of the base types for people: a new company's case types have these names. */
export const BASE_CASE_TYPE_NAMES: Readonly<Record<BaseCaseType, string>> = {
  generic: 'Generic',
  bankruptcy: 'Bankruptcy',
  ceaseCommunication: 'Cease communication',
  collection: 'Collection',
  deceased: 'Deceased',
  disputeOfDebt: 'Dispute of debt',
  federalEmergency: 'Federal emergency',
  identityTheft: 'Identity theft',
  legalAction: 'Legal action',
  militaryDuty: 'Military duty',
  debtValidation: 'Debt validation',
  oFACSanctionedIndividual: 'OFAC sanctioned individual',
  disputeOfPurchase: 'Dispute of purchase',
  creditBureauDispute: 'Credit bureau dispute',
};

/** Type fields that name an object, or a list of them. */
export type ReferenceKind = 'contactId' | 'creditAgencyId' | 'documentId' | 'loanIds' | 'promiseId' | 'purchaseDisputeId' | 'purchaseIds';

/** The kind of value of a type field. Texts and objects may be personal and are stored sealed. A list has the allowed values. */
export type FieldKind = 'date' | 'boolean' | 'amount' | 'number' | ReferenceKind | 'shortText' | 'text' | 'object' | readonly string[];

export const isSealedKind = (kind: FieldKind): boolean => kind === 'shortText' || kind === 'text' || kind === 'object';

export const CHAPTERS = ['chapter7', 'chapter11', 'chapter12', 'chapter13', 'unknown'] as const;
export const DISPOSITIONS = ['dismissed', 'discharged', 'reinstated'] as const;
export const COURT_STATUSES = [
  'filed',
  'dismissed',
  'discharged',
  'conversion',
  'reinstated',
  'closedFiledInError',
  'closedTransferredOut',
  'closedDischargeNA',
  'closedUndeterminedReason',
] as const;
export const BRANCHES = [
  'army',
  'navy',
  'airForce',
  'marines',
  'coastGuard',
  'spaceForce',
  'nationalGuard',
  'publicHealthService',
  'noaa',
] as const;
export const REQUEST_CHANNELS = ['voice', 'email', 'text', 'mail', 'chat'] as const;
export const CEASE_SCOPES = ['all', 'channels', 'thirdParty'] as const;
const DEBT_DISPUTE_REASONS = ['notMine', 'wrongAmount', 'alreadyPaid', 'fraud', 'other'] as const;

/** The fields of each base type, in the order in which replies show them. */
export const TYPE_FIELDS: Readonly<Record<BaseCaseType, Readonly<Record<string, FieldKind>>>> = {
  generic: {},
  bankruptcy: {
    courtCaseFiledDate: 'date',
    courtCaseNumber: 'shortText',
    courtCaseChapter: CHAPTERS,
    courtCaseDebtorDisposition: DISPOSITIONS,
    courtCaseDebtorDispositionDate: 'date',
    courtCaseLastStatus: COURT_STATUSES,
    courtCaseLastStatusUpdatedDate: 'date',
    courtCaseClosedDate: 'date',
    creditorClaimDeadlineDate: 'date',
    anticipatedCaseCompletionDate: 'date',
    courtName: 'text',
    courtState: 'shortText',
    trusteeName: 'text',
    filingType: ['voluntary', 'involuntary'],
    isJointFiling: 'boolean',
    reaffirmationDate: 'date',
    loansIncluded: 'loanIds',
  },
  ceaseCommunication: {
    requestReceivedDate: 'date',
    requestChannel: REQUEST_CHANNELS,
    scope: CEASE_SCOPES,
    refusesToPay: 'boolean',
    acknowledgementSentDate: 'date',
  },
  collection: { strategy: 'text', lastOutboundInteractionDate: 'date', lastSuccessfulContactDate: 'date', promiseToPayPlanId: 'promiseId' },
  deceased: {
    deceasedNoticeReceivedDate: 'date',
    dateOfDeath: 'date',
    reportedBy: 'text',
    reporterRelation: 'text',
    estateRepresentativeContactId: 'contactId',
    probateCourt: 'text',
    deathCertificateDocumentId: 'documentId',
  },
  disputeOfDebt: { noticeReceivedDate: 'date', disputeReason: DEBT_DISPUTE_REASONS, disputedAmount: 'amount', responseSentDate: 'date' },
  federalEmergency: {
    femaDisasterNumber: 'shortText',
    incidentType: 'text',
    declarationDate: 'date',
    assistanceRequested: 'boolean',
    assistanceEndDate: 'date',
  },
  identityTheft: { reportReceivedDate: 'date', policeReportNumber: 'shortText', affidavitReceivedDate: 'date', fraudConfirmed: 'boolean' },
  legalAction: {
    legalActionIntiatedDate: 'date',
    legalJudgementEffectiveDate: 'date',
    courtName: 'text',
    courtCaseNumber: 'shortText',
    initiatedBy: ['lender', 'borrower'],
    judgementAmount: 'amount',
  },
  militaryDuty: {
    dutyStartDate: 'date',
    dutyEndDate: 'date',
    branch: BRANCHES,
    ordersNotificationDate: 'date',
    requestReceivedDate: 'date',
    isSpouseOrDependent: 'boolean',
    certificateDocumentId: 'documentId',
  },
  debtValidation: { requestDate: 'date', noticeSentDate: 'date', validationPeriodEndDate: 'date', responseSentDate: 'date' },
  oFACSanctionedIndividual: { listName: 'text', matchScore: 'number', matchedName: 'text', reviewDate: 'date' },
  disputeOfPurchase: {
    purchaseIds: 'purchaseIds',
    purchaseDisputeId: 'purchaseDisputeId',
    disputeReason: 'text',
    provisionalCreditDate: 'date',
    responseDueDate: 'date',
  },
  creditBureauDispute: {
    responseDueDate: 'date',
    creditAgencyId: 'creditAgencyId',
    controlNumber: 'shortText',
    disputeCode1: 'shortText',
    disputeCode2: 'shortText',
    receivedDate: 'date',
    responseCode: 'shortText',
    accountInfo: 'object',
  },
};

/** The field keeps the misspelled name of the reference; the correct spelling is accepted as well. */
export const SPELLINGS: Readonly<Record<string, string>> = { legalActionInitiatedDate: 'legalActionIntiatedDate' };

/** The names of all type fields. */
export const TYPE_FIELD_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(TYPE_FIELDS).flatMap((fields) => Object.keys(fields)),
  ...Object.keys(SPELLINGS),
]);

/** Data types of the custom fields of case types. */
export type FieldDataType = keyof typeof DATA_TYPES;

interface DataType {
  /** For error texts: describes a valid value. */
  readonly expected: string;
  readonly isOf: (value: unknown) => boolean;
  /** The value in a type that can be compared and sorted. */
  readonly comparable: (value: unknown) => Sortable;
}

const asItIs = (value: unknown): Sortable =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

const isText = (value: unknown): value is string => typeof value === 'string';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Whether a text is a date that exists: `2026-02-30` does not. */
const isDate = (text: string): boolean => DATE.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

const DATA_TYPES = {
  integer: { expected: 'a whole number', isOf: (value) => Number.isSafeInteger(value), comparable: asItIs },
  decimal: { expected: 'a number', isOf: (value) => typeof value === 'number' && Number.isFinite(value), comparable: asItIs },
  string: { expected: 'a text', isOf: isText, comparable: asItIs },
  text: { expected: 'a text', isOf: isText, comparable: asItIs },
  boolean: { expected: 'true or false', isOf: (value) => typeof value === 'boolean', comparable: asItIs },
  date: { expected: 'a date as YYYY-MM-DD', isOf: (value) => isText(value) && isDate(value), comparable: asItIs },
  dateTime: {
    expected: 'a moment as ISO 8601',
    isOf: (value) => isText(value) && DATE_TIME.test(value) && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
    comparable: (value) => Date.parse(String(value)),
  },
} as const satisfies Readonly<Record<string, DataType>>;

export const dataTypeOf = (name: FieldDataType): DataType => DATA_TYPES[name];
