import type { tags } from 'typia';
import type { PersonView } from '../decide.js';
import type { UserView } from '../../company/index.js';
import type { AuthType, AuthValueType } from '../../company/index.js';
import type { PageQuery } from '../../page.js';
import type { LongExternalId, ShortText } from '../../wire.js';

interface AuthBody {
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
  readonly value: ShortText & tags.MinLength<1>;
}

export interface PortalUserCreateBody {
  readonly externalId?: LongExternalId | null;
  readonly status?: 'active' | 'inactive';
  /** What the borrower signs in with, an e-mail address where the company has it so. */
  readonly userName: string & tags.MinLength<1> & tags.MaxLength<100>;
  readonly auths: readonly AuthBody[] & tags.MinItems<1> & tags.MaxItems<10>;
  /** Only with `authType` basic. Write only. */
  readonly password?: string & tags.MaxLength<1000>;
}

/** What a route sends in place of the password. */
export type PortalUserCreateCommand = Omit<PortalUserCreateBody, 'password'> & { readonly passwordHash?: string };

export type PortalUserUpdateBody = Partial<Omit<PortalUserCreateBody, 'password'>>;

export interface PortalUserListQuery extends PageQuery {
  readonly status?: 'active' | 'inactive';
}

/** All but whose it is. */
export interface ShownUser extends Omit<UserView, 'person' | 'userId' | 'employee'> {
  /** Users of borrowers have no number of the older kind. */
  readonly userId: null;
  readonly employee: null;
}

export interface PortalUserView extends ShownUser {
  readonly person: PersonView | null;
}

/** The user within its borrower. */
export interface BorrowerUserView extends ShownUser {
  readonly person: null;
}
