import type { tags } from 'typia';
import type { Fault } from '../../errors.js';
import { findRecord, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { AnyId, DateTimeText, LongExternalId, ShortText } from '../../wire.js';
import type { OffsetQuery } from '../../list-order.js';
import type { AuthType, AuthValueType } from '../profile.js';
import type { EmployeeView } from './employee.js';

/** A user who signs in, or acts through an API key. Users of borrowers are in `borrower/portal-user.ts`. */
export interface User {
  readonly externalId: string | null;
  /** Counts the users of a company, from 1: `userId` of replies. */
  readonly number: number;
  readonly type: UserType;
  readonly status: 'active' | 'inactive';
  readonly userName: string;
  /** The user has the permissions of all these roles; none without a role. */
  readonly roleIds: readonly string[];
  readonly auths: readonly UserAuth[];
  /** scrypt, salted (gateway/auth/passwords.ts); null = the user does not sign in with a password. */
  readonly passwordHash: string | null;
  /** Incremented when all sessions must end: at a change of the password, and when the user is deactivated. */
  readonly generation: number;
}

type UserType = 'agent' | 'api';

/** The user, deactivated. All its sessions end. */
export const deactivated = (user: User): User => ({ ...user, status: 'inactive', generation: user.generation + 1 });

/** A way to sign in. */
export interface UserAuth {
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
  readonly value: string;
}

export const USER = 'user';

export const usersOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<User>> => recordsOf<User>(host, USER);

/** By service id or `ext-` id. */
export const userOf = (host: ResourceHost, anyId: string): ResourceRecord<User> | undefined =>
  findRecord<User>(host, { type: USER, unique: [{ name: 'externalId', of: ({ externalId }) => externalId }] }, anyId);

interface AuthBody {
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
  readonly value: ShortText & tags.MinLength<1>;
}

type UserName = string & tags.MinLength<1> & tags.MaxLength<100>;
type Auths = readonly AuthBody[] & tags.MinItems<1> & tags.MaxItems<10>;
type RoleIds = readonly AnyId[] & tags.MaxItems<50>;

/** `passwordFaults` checks length and content. */
type Password = string & tags.MaxLength<1000>;

export interface UserCreateBody {
  /** Users of borrowers are created with their borrowers. */
  readonly type: 'borrower' | UserType;
  readonly externalId?: LongExternalId | null;
  readonly status?: 'active' | 'inactive';
  readonly userName: UserName;
  readonly roleIds?: RoleIds;
  readonly auths: Auths;
  /** Only with `authType` basic. Write only. */
  readonly password?: Password;
}

export interface UserUpdateBody {
  readonly externalId?: LongExternalId | null;
  readonly status?: 'active' | 'inactive';
  readonly userName?: UserName;
  readonly roleIds?: RoleIds;
  readonly auths?: Auths;
}

/** The body as the route sends it, with a hash in place of the password, or with what is wrong with the password. */
export interface WithPasswordHash {
  readonly passwordHash?: string;
  readonly passwordFaults?: readonly Fault[];
}

export interface UserListQuery extends OffsetQuery {
  readonly type?: 'borrower' | UserType;
  readonly status?: 'active' | 'inactive';
  readonly roleId?: AnyId;
  readonly externalId?: LongExternalId;
  readonly sortBy?: readonly ShortText[];
}

export interface UserView {
  readonly id: string;
  readonly object: 'user';
  readonly companyId: string;
  readonly userId: number;
  readonly externalId: string | null;
  readonly type: 'borrower' | UserType;
  readonly status: 'active' | 'inactive';
  readonly userName: string;
  readonly roleIds: readonly string[];
  readonly auths: readonly UserAuth[];
  /** The employee, without its user. */
  readonly employee: EmployeeView | null;
  readonly person: null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
