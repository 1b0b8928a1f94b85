import type { BaseCaseType } from './case-values.js';

/** What a type field holds. Texts and objects may tell of a person: they are stored sealed. A list names its choices. */
export type FieldKind = 'date' | 'boolean' | 'amount' | 'number' | 'id' | 'ids' | 'text' | 'object' | readonly string[];

export const isSealedKind = (kind: FieldKind): boolean => kind === 'text' || kind === 'object';

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
    courtCaseNumber: 'text',
    courtCaseChapter: CHAPTERS,
    courtCaseDebtorDisposition: DISPOSITIONS,
    courtCaseDebtorDispositionDate: 'date',
    courtCaseLastStatus: COURT_STATUSES,
    courtCaseLastStatusUpdatedDate: 'date',
    courtCaseClosedDate: 'date',
    creditorClaimDeadlineDate: 'date',
    anticipatedCaseCompletionDate: 'date',
    courtName: 'text',
    courtState: 'text',
    trusteeName: 'text',
    filingType: ['voluntary', 'involuntary'],
    isJointFiling: 'boolean',
    reaffirmationDate: 'date',
    loansIncluded: 'ids',
  },
  ceaseCommunication: {
    requestReceivedDate: 'date',
    requestChannel: REQUEST_CHANNELS,
    scope: CEASE_SCOPES,
    refusesToPay: 'boolean',
    acknowledgementSentDate: 'date',
  },
  collection: { strategy: 'text', lastOutboundInteractionDate: 'date', lastSuccessfulContactDate: 'date', promiseToPayPlanId: 'id' },
  deceased: {
    deceasedNoticeReceivedDate: 'date',
    dateOfDeath: 'date',
    reportedBy: 'text',
    reporterRelation: 'text',
    estateRepresentativeContactId: 'id',
    probateCourt: 'text',
    deathCertificateDocumentId: 'id',
  },
  disputeOfDebt: { noticeReceivedDate: 'date', disputeReason: DEBT_DISPUTE_REASONS, disputedAmount: 'amount', responseSentDate: 'date' },
  federalEmergency: {
    femaDisasterNumber: 'text',
    incidentType: 'text',
    declarationDate: 'date',
    assistanceRequested: 'boolean',
    assistanceEndDate: 'date',
  },
  identityTheft: { reportReceivedDate: 'date', policeReportNumber: 'text', affidavitReceivedDate: 'date', fraudConfirmed: 'boolean' },
  legalAction: {
    legalActionIntiatedDate: 'date',
    legalJudgementEffectiveDate: 'date',
    courtName: 'text',
    courtCaseNumber: 'text',
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
    certificateDocumentId: 'id',
  },
  debtValidation: { requestDate: 'date', noticeSentDate: 'date', validationPeriodEndDate: 'date', responseSentDate: 'date' },
  oFACSanctionedIndividual: { listName: 'text', matchScore: 'number', matchedName: 'text', reviewDate: 'date' },
  disputeOfPurchase: {
    purchaseIds: 'ids',
    purchaseDisputeId: 'id',
    disputeReason: 'text',
    provisionalCreditDate: 'date',
    responseDueDate: 'date',
  },
  creditBureauDispute: {
    responseDueDate: 'date',
    creditAgencyId: 'id',
    controlNumber: 'text',
    disputeCode1: 'text',
    disputeCode2: 'text',
    receivedDate: 'date',
    responseCode: 'text',
    accountInfo: 'object',
  },
};

/** The reference's spelling stays the field's name; the right one is taken as well. */
export const SPELLINGS: Readonly<Record<string, string>> = { legalActionInitiatedDate: 'legalActionIntiatedDate' };

/** Every name of a type field. */
export const TYPE_FIELD_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(TYPE_FIELDS).flatMap((fields) => Object.keys(fields)),
  ...Object.keys(SPELLINGS),
]);
