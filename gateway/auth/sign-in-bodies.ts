import type { tags } from 'typia';
import type { AnyId, AuthType, AuthValueType, Mode, ShortText } from '../../actors/index.js';

type RequiredText = ShortText & tags.MinLength<1>;
/** Its length and content are checked where it is set. */
type PasswordText = string & tags.MaxLength<1000>;
type Code = string & tags.Pattern<'^\\d{6}$'>;
type GrantText = string & tags.MinLength<1> & tags.MaxLength<500>;

/** The company and mode to sign in to. Without a company, the one company that has the user name. */
export interface WhereQuery {
  readonly companyId?: AnyId;
  /** One of the company's app domains. */
  readonly domain?: ShortText;
  readonly userType?: 'agent' | 'borrower';
  readonly authType?: AuthType;
  readonly authValueType?: AuthValueType;
  /** Default live. */
  readonly mode?: Mode;
}

/** Name and password; name and a code that was sent; or an exchange token. */
export interface SignInBody {
  /** A user name, or what the company signs in with: e-mail or phone. */
  readonly username?: RequiredText;
  readonly password?: PasswordText;
  readonly exchangeToken?: GrantText;
  readonly code?: Code;
  /** Of the reply that asked for a second factor. */
  readonly challengeId?: RequiredText;
}

export interface PasswordBody extends SignInBody {
  /** Of a session that changes its own password. */
  readonly currentPassword?: PasswordText;
}

export interface ShortLivedBody {
  readonly permissions: readonly ShortText[] & tags.MaxItems<1000>;
}

export interface ExchangeBody {
  readonly userId: AnyId;
}

export interface NameBody {
  readonly username: RequiredText;
}

export interface ResetBody {
  readonly token: GrantText;
  readonly password: PasswordText;
}

export interface TokenView {
  readonly token: string;
}
