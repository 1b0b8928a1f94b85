import type { tags } from 'typia';
import type { Amount, AnyId, DateText, FreeJson, ShortText, Text } from '../../wire.js';
import type { BRANCHES, CEASE_SCOPES, CHAPTERS, COURT_STATUSES, DISPOSITIONS, REQUEST_CHANNELS } from './case-fields.js';

/** The wire of the fields that base types of cases have. */

type OneOf<Choices extends readonly string[]> = Choices[number] | null;
type DateField = DateText | null;
type TextField = Text | null;
type IdField = AnyId | null;

/** The fields of all base types; each takes its own alone. */
export interface CaseFields {
  readonly courtCaseFiledDate?: DateField;
  readonly courtCaseNumber?: ShortText | null;
  readonly courtCaseChapter?: OneOf<typeof CHAPTERS>;
  readonly courtCaseDebtorDisposition?: OneOf<typeof DISPOSITIONS>;
  readonly courtCaseDebtorDispositionDate?: DateField;
  readonly courtCaseLastStatus?: OneOf<typeof COURT_STATUSES>;
  readonly courtCaseLastStatusUpdatedDate?: DateField;
  readonly courtCaseClosedDate?: DateField;
  readonly creditorClaimDeadlineDate?: DateField;
  readonly anticipatedCaseCompletionDate?: DateField;
  readonly courtName?: TextField;
  readonly courtState?: ShortText | null;
  readonly trusteeName?: TextField;
  readonly filingType?: 'voluntary' | 'involuntary' | null;
  readonly isJointFiling?: boolean | null;
  readonly reaffirmationDate?: DateField;
  readonly loansIncluded?: (readonly AnyId[] & tags.MaxItems<100>) | null;
  readonly requestReceivedDate?: DateField;
  readonly requestChannel?: OneOf<typeof REQUEST_CHANNELS>;
  readonly scope?: OneOf<typeof CEASE_SCOPES>;
  readonly refusesToPay?: boolean | null;
  readonly acknowledgementSentDate?: DateField;
  readonly strategy?: TextField;
  readonly lastOutboundInteractionDate?: DateField;
  readonly lastSuccessfulContactDate?: DateField;
  readonly promiseToPayPlanId?: IdField;
  readonly deceasedNoticeReceivedDate?: DateField;
  readonly dateOfDeath?: DateField;
  readonly reportedBy?: TextField;
  readonly reporterRelation?: TextField;
  readonly estateRepresentativeContactId?: IdField;
  readonly probateCourt?: TextField;
  readonly deathCertificateDocumentId?: IdField;
  readonly noticeReceivedDate?: DateField;
  /** Of a dispute of debt one of a few words, of a dispute of a purchase a text. */
  readonly disputeReason?: TextField;
  readonly disputedAmount?: Amount | null;
  readonly responseSentDate?: DateField;
  readonly femaDisasterNumber?: ShortText | null;
  readonly incidentType?: TextField;
  readonly declarationDate?: DateField;
  readonly assistanceRequested?: boolean | null;
  readonly assistanceEndDate?: DateField;
  readonly reportReceivedDate?: DateField;
  readonly policeReportNumber?: ShortText | null;
  readonly affidavitReceivedDate?: DateField;
  readonly fraudConfirmed?: boolean | null;
  readonly legalActionIntiatedDate?: DateField;
  readonly legalActionInitiatedDate?: DateField;
  readonly legalJudgementEffectiveDate?: DateField;
  readonly initiatedBy?: 'lender' | 'borrower' | null;
  readonly judgementAmount?: Amount | null;
  readonly dutyStartDate?: DateField;
  readonly dutyEndDate?: DateField;
  readonly branch?: OneOf<typeof BRANCHES>;
  readonly ordersNotificationDate?: DateField;
  readonly isSpouseOrDependent?: boolean | null;
  readonly certificateDocumentId?: IdField;
  readonly requestDate?: DateField;
  readonly noticeSentDate?: DateField;
  readonly validationPeriodEndDate?: DateField;
  readonly listName?: TextField;
  readonly matchScore?: (number & tags.Minimum<0> & tags.Maximum<100>) | null;
  readonly matchedName?: TextField;
  readonly reviewDate?: DateField;
  readonly purchaseIds?: (readonly AnyId[] & tags.MaxItems<100>) | null;
  readonly purchaseDisputeId?: IdField;
  readonly provisionalCreditDate?: DateField;
  readonly responseDueDate?: DateField;
  readonly creditAgencyId?: IdField;
  readonly controlNumber?: ShortText | null;
  readonly disputeCode1?: ShortText | null;
  readonly disputeCode2?: ShortText | null;
  readonly receivedDate?: DateField;
  readonly responseCode?: ShortText | null;
  readonly accountInfo?: FreeJson | null;
}

/** What a source outside tells: fields of the case that it leads to, and whatever else it says. */
export interface HitDetails extends CaseFields {
  readonly [name: string]: unknown;
}
