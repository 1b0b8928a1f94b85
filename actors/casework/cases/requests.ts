import type { tags } from 'typia';
import type { PersonView } from '../../borrower/index.js';
import type { BaseCaseType, CaseFields, CaseOutcome, CaseStatus, EmployeeView } from '../../company/index.js';
import type { ActorView } from '../../kernel/actor-logic.js';
import type { OffsetQuery } from '../../list-order.js';
import type { Amount, AnyId, DateText, DateTimeText, ExternalId, FreeJson, MetaData, ShortText, Text } from '../../wire.js';
import type { DoNotInteractView } from './blocks.js';

/** The wire of cases and their parts. */

type CaseName = string & tags.MaxLength<128>;
type LongText = string & tags.MaxLength<10000>;

interface CaseFieldsBody extends CaseFields {
  readonly externalId?: ExternalId | null;
  /** If blank, the name of the case type is shown. */
  readonly name?: CaseName | null;
  readonly description?: LongText | null;
  readonly status?: CaseStatus;
  /** Required with `completed`, refused with other statuses. */
  readonly outcome?: CaseOutcome | null;
  readonly outcomeNote?: LongText | null;
  readonly owningEmployeeId?: AnyId | null;
  readonly owningTeamId?: AnyId | null;
  /** By the `fieldName` of the type's custom fields. */
  readonly customFields?: FreeJson | null;
  readonly metaData?: MetaData | null;
}

export interface CreateCaseRequest extends CaseFieldsBody {
  /** Either this or `caseTypeId`. */
  readonly caseType?: BaseCaseType;
  readonly caseTypeId?: AnyId;
  readonly loanIds?: readonly AnyId[] & tags.MaxItems<100>;
}

export interface UpdateCaseRequest extends CaseFieldsBody {
  /** Completes a case whose workflow has open required items; for holders of `case:update.force`. */
  readonly force?: boolean;
}

export interface GetCaseQuery {
  /** Embeds the borrower, the owner, the current snooze, call, escalation and block, and the associations. */
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
  /** True is refused: every case has a borrower. Messages of unknown senders are listed by `GET /interactions?personId=null`. */
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

/** The reason, which becomes a note of the case. */
type Reason = LongText & tags.MinLength<1>;

export interface EscalateCaseRequest {
  readonly targetType: 'agent' | 'team';
  /** For an escalation to an agent. */
  readonly employeeId?: AnyId | null;
  /** For an escalation to a team. */
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

/** A case as replies show it. The fields of its type are on the same level as these. */
export interface CaseView {
  readonly id: string;
  readonly object: 'case';
  readonly companyId: string;
  readonly personId: string;
  readonly externalId: string | null;
  readonly caseType: BaseCaseType;
  readonly caseTypeId: string | null;
  readonly caseTypeVersion: number | null;
  /** The case's own name, or that of its type. */
  readonly name: string;
  readonly description: string | null;
  readonly status: CaseStatus;
  readonly statusUpdatedAt: DateTimeText;
  readonly outcome: CaseOutcome | null;
  readonly outcomeNote: string | null;
  readonly autoCreated: boolean;
  readonly supercaseId: string | null;
  readonly supercasePopulationId: string | null;
  readonly owningEmployeeId: string | null;
  readonly owningTeamId: string | null;
  readonly loanIds: readonly string[];
  readonly createdBy: ActorView;
  readonly updatedBy: ActorView | null;
  readonly lastViewedAt: DateTimeText | null;
  readonly lastSubresourceUpdatedAt: DateTimeText | null;
  /** Of a collection case only, computed at each read. */
  readonly daysOverdue?: number;
  readonly overdueAmount?: Amount;
  readonly overdueSinceDate?: DateText | null;
  /** Without `expand`, current parts are shown by their ids. */
  readonly snooze: SnoozeView | OnlyId | null;
  readonly escalation: EscalationView | OnlyId | null;
  readonly scheduledCall: ScheduledCallView | OnlyId | null;
  readonly doNotInteract: DoNotInteractView | OnlyId | null;
  readonly workflowId: string | null;
  readonly customFields: FreeJson;
  readonly metaData: MetaData | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: DateTimeText | null;
  /** Only with `expand`. */
  readonly person?: PersonView | null;
  readonly owningEmployee?: EmployeeView | null;
  readonly associations?: readonly CaseAssociationView[];
}

export interface OnlyId {
  readonly id: string;
}

export interface CaseAssociationView {
  /** Id of the loan. */
  readonly id: string;
  readonly object: 'caseAssociation';
  readonly caseId: string;
  readonly objectType: 'loan';
  readonly objectId: string;
  readonly createdAt: DateTimeText;
  readonly createdBy: ActorView;
}

export interface SnoozeView {
  readonly id: string;
  readonly object: 'snooze';
  readonly caseId: string;
  readonly until: DateTimeText;
  readonly reason: string | null;
  readonly createdAt: DateTimeText;
  readonly createdBy: ActorView;
}

export interface ScheduledCallView {
  readonly id: string;
  readonly object: 'scheduledCall';
  readonly caseId: string;
  readonly scheduledAt: DateTimeText;
  readonly timezone: string | null;
  readonly contactId: string | null;
  readonly instructions: string | null;
  readonly status: 'scheduled' | 'completed' | 'missed' | 'canceled';
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly createdBy: ActorView;
}

export interface EscalationView {
  readonly id: string;
  readonly object: 'caseEscalation';
  readonly caseId: string;
  readonly targetType: 'agent' | 'team';
  readonly employeeId: string | null;
  readonly teamId: string | null;
  readonly isUrgent: boolean;
  readonly status: 'open' | 'resolved' | 'canceled';
  /** The reason of the newest change. */
  readonly reason: string | null;
  readonly resolvedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly createdBy: ActorView;
}

/** An entry of a case's timeline. */
export interface CaseTimelineView {
  readonly id: string;
  readonly object: 'caseEvent';
  readonly caseId: string;
  readonly action: string;
  readonly occurredAt: DateTimeText;
  readonly actor: ActorView;
  readonly changes: readonly FreeJson[];
}
