import type { BaseCaseType, CaseFields, CaseOutcome, CaseStatus } from '../../company/index.js';
import type { tags } from 'typia';
import type { OffsetQuery } from '../../page.js';
import type { AnyId, DateTimeText, ExternalId, FreeJson, MetaData, ShortText, Text } from '../../wire.js';

/** The wire of cases and what hangs on them. */

type CaseName = string & tags.MaxLength<128>;
type LongText = string & tags.MaxLength<10000>;

interface CaseFieldsBody extends CaseFields {
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
