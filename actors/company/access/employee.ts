import type { tags } from 'typia';
import { findRecord, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { OffsetQuery } from '../../list-order.js';
import type { AnyId, DateTimeText, LongExternalId, ShortText } from '../../wire.js';
import type { TeamView } from './team.js';
import type { UserView } from './user.js';

/** An employee of the lender: the user of an agent, with a name, a manager and teams. */
export interface Employee {
  readonly userId: string;
  readonly externalId: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly jobName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly managerEmployeeId: string | null;
  readonly taskTypes: readonly TaskType[];
  readonly teamIds: readonly string[];
  /** The employee sees only loans of these investors, by the ids that loans use. Empty, or absent in older records: all loans. */
  readonly investorIds?: readonly string[];
}

/** Kinds of work that are given to employees. */
export type TaskType =
  | 'answerInboundVoiceCall'
  | 'handleInboundInteraction'
  | 'handleUnboundInboundInteraction'
  | 'makeScheduledCall'
  | 'replyToNewConvo'
  | 'replyToNewText'
  | 'replyToNewWebChat'
  | 'replyToAbandonedWebChat'
  | 'reviewEscalatedCaseAgent'
  | 'reviewEscalatedCaseAgentUrgent'
  | 'reviewEscalatedCaseTeam'
  | 'reviewEscalatedCaseTeamUrgent'
  | 'reviewDocumentUpload'
  | 'reviewSnoozedCase'
  | 'reviewAutoCreatedCase'
  | 'reviewAutoUpdatedCase'
  | 'reviewCaseInstructions'
  | 'reviewVoicemail'
  | 'smartReviewCase';

export const EMPLOYEE_TYPE = 'employee';

export const employeesOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<Employee>> => recordsOf<Employee>(host, EMPLOYEE_TYPE);

/** By service id or `ext-` id. */
export const employeeOf = (host: ResourceHost, anyId: string): ResourceRecord<Employee> | undefined =>
  findRecord<Employee>(host, { type: EMPLOYEE_TYPE, unique: [{ name: 'externalId', of: ({ externalId }) => externalId }] }, anyId);

export function employeeOfUser(host: ResourceHost, userId: string): ResourceRecord<Employee> | undefined {
  for (const record of employeesOf(host).values()) if (record.stored.userId === userId) return record;
  return undefined;
}

/** The user sees only loans of these investors; undefined: all loans. */
export function investorsSeenBy(host: ResourceHost, userId: string): readonly string[] | undefined {
  const investorIds = employeeOfUser(host, userId)?.stored.investorIds ?? [];
  return investorIds.length === 0 ? undefined : investorIds;
}

type PartOfName = string & tags.MinLength<1> & tags.MaxLength<50>;
/** A team as an object, or its id. */
type TeamReference = AnyId | { readonly id: AnyId };

interface EmployeeFields {
  /** One or several. */
  readonly availableAndPermittedTasktypes?: TaskType | readonly TaskType[];
  readonly managerEmployeeId?: AnyId | null;
  readonly firstName?: PartOfName | null;
  readonly lastName?: PartOfName | null;
  readonly jobName?: (ShortText & tags.MinLength<1>) | null;
  readonly email?: (ShortText & tags.Format<'email'>) | null;
  readonly phone?: (string & tags.MinLength<1> & tags.MaxLength<16>) | null;
  readonly externalId?: LongExternalId | null;
  readonly teams?: readonly TeamReference[] & tags.MaxItems<100>;
  /** Empty = the employee sees all loans. */
  readonly investorIds?: readonly AnyId[] & tags.MaxItems<100>;
}

export interface EmployeeCreateBody extends EmployeeFields {
  readonly userId: AnyId;
}

export interface EmployeeUpdateBody extends EmployeeFields {
  readonly userId?: AnyId;
}

export interface EmployeeListQuery extends OffsetQuery {
  /** First or last name, employee id, user id or `ext-` id. */
  readonly search?: ShortText;
  readonly teamId?: AnyId;
  readonly roleId?: AnyId;
  readonly investorId?: AnyId;
  readonly sortBy?: readonly ShortText[];
}

export interface EmployeeView {
  readonly id: string;
  readonly object: 'Employee';
  readonly companyId: string;
  readonly userId: string;
  readonly externalId: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly displayName: string;
  readonly jobName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly managerEmployeeId: string | null;
  readonly availableAndPermittedTasktypes: readonly TaskType[];
  readonly teams: readonly TeamView[];
  readonly investorIds: readonly string[];
  /** The user, without its employee. */
  readonly user: UserView | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
