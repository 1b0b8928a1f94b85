import type { tags } from 'typia';
import { recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { OffsetQuery } from '../../page.js';
import type { AnyId, DateTimeText, ShortText } from '../../wire.js';

/** Permissions under a name, given to users. */
export interface Role {
  readonly alias: string;
  /** Names of permissions; `*` alone = all, those of later versions too. */
  readonly permissions: readonly string[];
  /** Made by the service: left out of lists, and never changed. */
  readonly isSystem: boolean;
}

export const ROLE_TYPE = 'role';

export const rolesOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<Role>> =>
  recordsOf(host, ROLE_TYPE) as ReadonlyMap<string, ResourceRecord<Role>>;

type Alias = ShortText & tags.MinLength<1>;
type Permissions = readonly ShortText[] & tags.MaxItems<1000>;
type EmployeeIds = readonly AnyId[] & tags.MaxItems<1000>;

export interface RoleCreateBody {
  readonly alias: Alias;
  readonly permissions?: Permissions;
  /** Gives the role to these employees. */
  readonly employeeIds?: EmployeeIds;
}

export interface RoleUpdateBody {
  readonly alias?: Alias;
  readonly permissions?: Permissions;
  /** Gives the role to these employees as well. */
  readonly employeeIds?: EmployeeIds;
}

export interface RoleCloneBody {
  readonly alias: Alias;
}

export interface RoleListQuery extends OffsetQuery {
  /** A part of the alias. */
  readonly search?: ShortText;
  readonly includeSystem?: boolean;
}

export interface RoleView {
  readonly id: string;
  readonly object: 'role';
  readonly companyId: string;
  readonly alias: string;
  readonly permissions: readonly string[];
  /** Who has it. */
  readonly employeeIds: readonly string[];
  readonly isSystem: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
