import type { tags } from 'typia';
import type { OffsetQuery } from '../../page.js';
import type { Amount, AnyId, DateText, DateTimeText, ExternalId, FreeJson, MetaData, ShortText, Text } from '../../wire.js';
import type { BRANCHES, CEASE_SCOPES, CHAPTERS, COURT_STATUSES, DISPOSITIONS, REQUEST_CHANNELS } from './fields/type-fields.js';
import type { BaseCaseType, CaseOutcome, CaseStatus } from './words.js';

/** The wire of cases and what hangs on them (cases 1 to 5). */

type OneOf<Choices extends readonly string[]> = Choices[number] | null;
type DateField = DateText | null;
type TextField = Text | null;
type IdField = AnyId | null;

/** The fields of all base types; each takes its own alone. */
interface TypeFieldsBody {
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

type CaseName = string & tags.MaxLength<128>;
type LongText = string & tags.MaxLength<10000>;

interface CaseFieldsBody extends TypeFieldsBody {
  readonly externalId?: ExternalId | null;
  /** Blank shows the name of the case type. */
  readonly name?: CaseName | null;
  readonly description?: LongText | null;
  readonly status?: CaseStatus;
  /** With `completed` alone, and always with it. */
  readonly outcome?: CaseOutcome | null;
  readonly outcomeNote?: LongText | null;
  readonly owningEmployeeId?: AnyId | null;
  readonly owningTeamId?: AnyId | null;
  /** By the `fieldName` of the type's custom fields. */
  readonly customFields?: FreeJson | null;
  readonly metaData?: MetaData | null;
}

/** What a source outside tells: fields of the case that it leads to, and whatever else it says. */
export interface HitDetails extends TypeFieldsBody {
  readonly [name: string]: unknown;
}

export interface CreateCaseRequest extends CaseFieldsBody {
  /** This, or `caseTypeId`. */
  readonly caseType?: BaseCaseType;
  readonly caseTypeId?: AnyId;
  readonly loanIds?: readonly AnyId[] & tags.MaxItems<100>;
}

export interface UpdateCaseRequest extends CaseFieldsBody {
  /** Completes a case whose workflow has open required items; for holders of `case:update.force`. */
  readonly force?: boolean;
}

export interface GetCaseQuery {
  /** Embeds the borrower, the owner, what is current, and the associations. */
  readonly expand?: boolean;
}

export interface ListCasesQuery extends OffsetQuery, GetCaseQuery {
  readonly sortBy?: readonly string[];
  readonly status?: readonly CaseStatus[];
  readonly outcome?: readonly CaseOutcome[];
  readonly caseType?: readonly BaseCaseType[];
  readonly caseTypeId?: AnyId;
  readonly personId?: AnyId;
  readonly loanId?: AnyId;
  readonly supercaseId?: AnyId;
  readonly owningEmployeeId?: AnyId;
  readonly owningTeamId?: AnyId;
  readonly autoCreated?: boolean;
  readonly isEscalated?: boolean;
  readonly isSnoozed?: boolean;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
  readonly updatedAtAfter?: DateTimeText;
  readonly updatedAtBefore?: DateTimeText;
  /** Refused when true: every case has a borrower. What unknown senders wrote is listed by `GET /interactions?personId=null`. */
  readonly includeUnbound?: boolean;
}

export interface CaseOwnerRequest {
  /** Null clears it. */
  readonly employeeId: AnyId | null;
}

export interface CaseAssociationsRequest {
  readonly loanId?: AnyId;
  readonly loanIds?: readonly AnyId[] & tags.MinItems<1> & tags.MaxItems<100>;
}

export interface SnoozeRequest {
  readonly until: DateTimeText;
  readonly reason?: Text | null;
}

interface ScheduledCallFields {
  readonly contactId?: AnyId | null;
  readonly timezone?: ShortText | null;
  readonly instructions?: Text | null;
}

export interface ScheduleCallRequest extends ScheduledCallFields {
  readonly scheduledAt: DateTimeText;
}

export interface RescheduleCallRequest extends ScheduledCallFields {
  readonly scheduledAt?: DateTimeText;
}

/** Why, in the words of whoever escalates; it becomes a note. */
type Reason = LongText & tags.MinLength<1>;

export interface EscalateCaseRequest {
  readonly targetType: 'agent' | 'team';
  /** Of an escalation to an agent. */
  readonly employeeId?: AnyId | null;
  /** Of an escalation to a team. */
  readonly teamId?: AnyId | null;
  readonly isUrgent?: boolean;
  readonly reason: Reason;
}

export interface UpdateEscalationRequest extends Partial<EscalateCaseRequest> {
  readonly reason: Reason;
}

export interface CancelEscalationRequest {
  readonly reason: Reason;
}
