import type { PersonView } from '../../borrower/index.js';
import type { BaseCaseType, CaseOutcome, CaseStatus, EmployeeView } from '../../company/index.js';
import type { ActorView } from '../../kernel/actor-view.js';
import type { DateTimeText, FreeJson, MetaData } from '../../wire.js';
import type { DoNotInteractView } from './blocks/types.js';

/** A case as replies show it. The fields of its type stand beside these. */
export interface CaseView {
  readonly id: string;
  readonly object: 'case';
  readonly companyId: string;
  readonly personId: string;
  readonly externalId: string | null;
  readonly caseType: BaseCaseType;
  readonly caseTypeId: string | null;
  readonly caseTypeVersion: number | null;
  /** That of its type where it has none of its own. */
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
  /** Of what is current its id alone, without `expand`. */
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
  /** These with `expand`. */
  readonly person?: PersonView | null;
  readonly owningEmployee?: EmployeeView | null;
  readonly associations?: readonly CaseAssociationView[];
}

export interface OnlyId {
  readonly id: string;
}

export interface CaseAssociationView {
  /** Of the loan. */
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
  /** Of the newest change. */
  readonly reason: string | null;
  readonly resolvedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly createdBy: ActorView;
}

/** Something that was done with a case. */
export interface CaseTimelineView {
  readonly id: string;
  readonly object: 'caseEvent';
  readonly caseId: string;
  readonly action: string;
  readonly occurredAt: DateTimeText;
  readonly actor: ActorView;
  readonly changes: readonly FreeJson[];
}
