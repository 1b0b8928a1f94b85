import type { tags } from 'typia';
import { findRecord, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { OffsetQuery } from '../../list-order.js';
import type { AnyId, DateTimeText, LongExternalId, ShortText } from '../../wire.js';

/** A group of employees to which work can be assigned. The list of teams is a field of each employee. */
export interface Team {
  readonly name: string;
  readonly externalId: string | null;
  /** Address of the group. */
  readonly email: string | null;
}

export const TEAM_TYPE = 'team';

/** By service id or `ext-` id. */
export const teamOf = (host: ResourceHost, anyId: string): ResourceRecord<Team> | undefined =>
  findRecord<Team>(host, { type: TEAM_TYPE, unique: [{ name: 'externalId', of: ({ externalId }) => externalId }] }, anyId);

type Name = ShortText & tags.MinLength<1>;
type Email = string & tags.Format<'email'> & tags.MaxLength<320>;

export interface TeamCreateBody {
  readonly name: Name;
  readonly externalId?: LongExternalId | null;
  readonly email?: Email | null;
}

export interface TeamUpdateBody {
  readonly name?: Name;
  readonly externalId?: LongExternalId | null;
  readonly email?: Email | null;
}

export interface TeamEmployeesBody {
  readonly employeeIds: readonly AnyId[] & tags.MaxItems<1000>;
}

export interface TeamListQuery extends OffsetQuery {
  readonly sortBy?: readonly ShortText[];
}

export interface TeamView {
  readonly id: string;
  readonly object: 'team';
  readonly companyId: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly employeeCount: number;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
