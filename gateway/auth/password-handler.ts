import { isPermitted, type PasswordProof, Refusal, type Tenant } from '../../actors/index.js';
import type { Caller } from '../routing/route.js';
import { asUser, type FoundUser, lockedOut, type Origin } from './accounts.js';
import { signInTargetsOf, userAt } from './addresses.js';
import { BORROWER_PERMISSIONS } from './borrower-limits.js';
import { newGrant } from './grants.js';
import { hashPassword, passwordFaults } from './passwords.js';
import type { PasswordBody, WhereQuery } from './sign-in-bodies.js';
import { type SignInHandler, wayTo, WRONG } from './sign-in-handler.js';

type Reach = Pick<FoundUser, 'permissions' | 'investorIds' | 'userType'>;

/** Refuses a caller who may do or see less than the user: who sets the credentials of a user could act as that user. */
export function assertMayActAs(
  { permissions: own, investorIds: ownInvestors }: Caller,
  { permissions, investorIds, userType }: Reach,
): void {
  const beyond = permissions.find((name) => !isPermitted(own, name));
  if (beyond !== undefined)
    throw new Refusal('permissionDenied', `The user has the permission ${beyond}, which you do not have.`, {
      extra: { permission: beyond },
    });
  if (ownInvestors === undefined) return;
  // A borrower sees all of its own loans, of whichever investor.
  if (userType === 'borrower' || investorIds === undefined || !investorIds.every((id) => ownInvestors.includes(id)))
    throw new Refusal('permissionDenied', 'The user sees loans of investors to which you have no access.');
}

/** The same for users of borrowers: who creates one, or sets how it signs in, could act as that borrower. */
export const assertMayActForBorrowers = (caller: Caller): void =>
  assertMayActAs(caller, { permissions: [...BORROWER_PERMISSIONS], userType: 'borrower' });

const MAY_SET_OTHERS = 'user:update.password';

/** Sets passwords: for callers who know the current one, have a token for it, or have the permission to set those of others. */
export class PasswordHandler {
  constructor(private readonly signIn: SignInHandler) {}

  /** `POST /auth/password`: signs in without a credential (and returns the token), and sets a password with one. */
  async change(caller: Caller | null, where: WhereQuery, body: PasswordBody, origin: Origin): Promise<string | null> {
    const { username, password, currentPassword, exchangeToken } = body;
    if (exchangeToken !== undefined && password !== undefined) {
      const { user, secretHash } = await this.signIn.grantee('exchange', exchangeToken);
      const generation = await this.#set(
        user,
        password,
        { type: 'grant', kind: 'exchange', hash: secretHash },
        { ...origin, actor: asUser(user) },
      );
      return this.signIn.tokenFor({ user, userType: user.userType, generation });
    }
    if (caller === null || exchangeToken !== undefined) return this.signIn.signIn(where, body, origin);
    if (password === undefined)
      throw new Refusal('validationError', '`password` is required: the new password.', {
        errors: [{ path: 'password', expected: 'the new password', message: 'password is missing' }],
      });
    const own = await this.#ownUser(caller);
    if (username === undefined || (own !== null && username.toLowerCase() === own.userName.toLowerCase()))
      await this.#changeOwn(caller, own, currentPassword, password, origin);
    else await this.#changeOther(caller, { ...where, companyId: caller.company, mode: caller.mode }, username, password, origin);
    return null;
  }

  async #ownUser({ company, mode, userId }: Caller): Promise<FoundUser | null> {
    return userId === null ? null : this.signIn.parts.accounts.byId({ company, mode }, userId);
  }

  /** Wrong guesses of the current password count towards the lock: a stolen token alone must not suffice. */
  async #changeOwn(
    { session }: Caller,
    user: FoundUser | null,
    currentPassword: string | undefined,
    password: string,
    origin: Origin,
  ): Promise<void> {
    if (!session || session.isShortLived || user === null)
      throw new Refusal('unauthenticated', 'To change your own password, use the token of a session. Sign in first.');
    const nowMs = this.signIn.parts.nowMs();
    if (user.lockedUntil !== null && user.lockedUntil > nowMs) throw lockedOut(user.lockedUntil, nowMs);
    const verified = user.passwordHash;
    if (currentPassword === undefined || verified === null || !(await this.signIn.compare(currentPassword, verified))) {
      if (currentPassword !== undefined) await this.signIn.parts.accounts.take(user, { type: 'failed' }, origin);
      throw new Refusal('validationError', '`currentPassword` is not the current password.', {
        errors: [{ path: 'currentPassword', expected: 'the current password', message: 'currentPassword is not the current password' }],
      });
    }
    await this.#set(user, password, { type: 'password', verified }, origin, session.jti);
  }

  async #changeOther(caller: Caller, where: WhereQuery, username: string, password: string, origin: Origin): Promise<void> {
    if (!isPermitted(caller.permissions, MAY_SET_OTHERS))
      throw new Refusal('permissionDenied', `To set the password of another user you need the permission ${MAY_SET_OTHERS}.`, {
        extra: { permission: MAY_SET_OTHERS },
      });
    const found = await userAt(this.signIn.parts.accounts, signInTargetsOf(this.signIn.parts.accounts, where), username);
    if (!found) throw new Refusal('notFound', 'There is no active user with this user name.');
    assertMayActAs(caller, found.user);
    await this.#set(found.user, password, { type: 'permission' }, origin);
  }

  /** Sends a token to set a password with. The answer and its time are the same whether the user exists or not. */
  async requestReset(where: WhereQuery, username: string, origin: Origin): Promise<void> {
    this.signIn.assertSends(where.mode ?? 'live');
    await this.signIn.assertFewSent(`reset/${where.companyId ?? where.domain ?? ''}/${username.toLowerCase()}`, origin);
    const { accounts } = this.signIn.parts;
    const found = await userAt(accounts, signInTargetsOf(accounts, where), username);
    const way = found && wayTo(found.user);
    if (way && signsInByPassword(found.user)) void this.signIn.later(this.#sendReset(found.user, way, origin));
  }

  async #sendReset(user: FoundUser, way: NonNullable<ReturnType<typeof wayTo>>, origin: Origin): Promise<void> {
    const tenant: Tenant = user.tenant;
    const { text, secretHash } = newGrant('passwordReset', tenant, user.userId);
    await this.signIn.parts.accounts.take(user, { type: 'granted', kind: 'passwordReset', hash: secretHash }, origin);
    await this.signIn.parts.codes.send({ ...tenant, ...way, purpose: 'passwordReset', code: text });
  }

  async reset(token: string, password: string, origin: Origin): Promise<void> {
    const { user, secretHash } = await this.signIn.grantee('passwordReset', token);
    await this.#set(user, password, { type: 'grant', kind: 'passwordReset', hash: secretHash }, { ...origin, actor: asUser(user) });
  }

  async #set(user: FoundUser, password: string, by: PasswordProof, origin: Origin, keep: string | null = null): Promise<number> {
    if (!signsInByPassword(user)) throw new Refusal('invalidState', 'This user does not sign in by password: no password can be set.');
    const errors = [...passwordFaults(password, user.userName)];
    for (const known of [user.passwordHash, ...user.formerPasswords]) {
      if (known !== null && errors.length === 0 && (await this.signIn.compare(password, known)))
        errors.push({ path: 'password', expected: 'none of the last 5 passwords', message: 'password was used before' });
    }
    if (errors.length > 0) throw new Refusal('validationError', 'The new password does not meet the rules: see `errors`.', { errors });
    const passwordHash = await this.signIn.compute(() => hashPassword(password));
    const { outcome, generation } = await this.signIn.parts.accounts.take(user, { type: 'passwordSet', passwordHash, by, keep }, origin);
    if (outcome === 'wrong') throw WRONG();
    return generation;
  }
}

const signsInByPassword = ({ auths }: FoundUser): boolean => auths.some(({ authType }) => authType === 'basic');
