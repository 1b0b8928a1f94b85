import { isPermitted, type PasswordProof, Refusal, type Tenant } from '../../actors/index.js';
import type { Caller } from '../routing/route.js';
import { asUser, type FoundUser, lockedOut, type Origin } from './accounts.js';
import { doorsOf, userAt } from './addresses.js';
import { BORROWER_PERMISSIONS } from './borrower-limits.js';
import { newGrant } from './grants.js';
import { hashPassword, passwordFaults } from './passwords.js';
import type { PasswordBody, WhereQuery } from './sign-in-bodies.js';
import { type SignInDesk, wayTo, WRONG } from './sign-in-desk.js';

type Reach = Pick<FoundUser, 'permissions' | 'investorIds' | 'userType'>;

/** Who sets the credentials of a user could act as that user: nobody does that for somebody who may do or see more. */
export function assertMayActAs(
  { permissions: own, investorIds: ownInvestors }: Caller,
  { permissions, investorIds, userType }: Reach,
): void {
  const beyond = permissions.find((name) => !isPermitted(own, name));
  if (beyond !== undefined)
    throw new Refusal('permissionDenied', `The user has a permission that you lack: ${beyond}.`, { extra: { permission: beyond } });
  if (ownInvestors === undefined) return;
  // A borrower sees all loans of its own, whoever they belong to.
  if (userType === 'borrower' || investorIds === undefined || !investorIds.every((id) => ownInvestors.includes(id)))
    throw new Refusal('permissionDenied', 'The user sees loans of investors that you do not see.');
}

/** The same for the users of borrowers: who makes one, or says how it signs in, could act as that borrower. */
export const assertMayActForBorrowers = (caller: Caller): void =>
  assertMayActAs(caller, { permissions: [...BORROWER_PERMISSIONS], userType: 'borrower' });

const MAY_SET_OTHERS = 'user:update.password';

/** Where passwords are set: by whoever knows the one before, has a token for it, or may do so for others. */
export class PasswordDesk {
  constructor(private readonly desk: SignInDesk) {}

  /** `POST /auth/password`: signs in without a credential (the token is answered), and sets a password with one. */
  async change(caller: Caller | null, where: WhereQuery, body: PasswordBody, origin: Origin): Promise<string | null> {
    const { username, password, currentPassword, exchangeToken } = body;
    if (exchangeToken !== undefined && password !== undefined) {
      const { user, secretHash } = await this.desk.grantee('exchange', exchangeToken);
      const generation = await this.#set(
        user,
        password,
        { type: 'grant', kind: 'exchange', hash: secretHash },
        { ...origin, actor: asUser(user) },
      );
      return this.desk.tokenFor({ user, userType: user.userType, generation });
    }
    if (caller === null || exchangeToken !== undefined) return this.desk.signIn(where, body, origin);
    if (password === undefined)
      throw new Refusal('validationError', 'Send the new password.', {
        errors: [{ path: 'password', expected: 'the new password', message: 'password is missing' }],
      });
    const own = await this.#ownUser(caller);
    if (username === undefined || (own !== null && username.toLowerCase() === own.userName.toLowerCase()))
      await this.#changeOwn(caller, own, currentPassword, password, origin);
    else await this.#changeOther(caller, { ...where, companyId: caller.company, mode: caller.mode }, username, password, origin);
    return null;
  }

  async #ownUser({ company, mode, userId }: Caller): Promise<FoundUser | null> {
    return userId === null ? null : this.desk.parts.accounts.byId({ company, mode }, userId);
  }

  /** Whoever holds the token may not guess on for ever. */
  async #changeOwn(
    { session }: Caller,
    user: FoundUser | null,
    currentPassword: string | undefined,
    password: string,
    origin: Origin,
  ): Promise<void> {
    if (!session || session.isShortLived || user === null) throw new Refusal('unauthenticated', 'This takes the token of a session.');
    if (user.lockedUntil !== null && user.lockedUntil > this.desk.parts.nowMs()) throw lockedOut(user.lockedUntil, this.desk.parts.nowMs());
    const verified = user.passwordHash;
    if (currentPassword === undefined || verified === null || !(await this.desk.compare(currentPassword, verified))) {
      if (currentPassword !== undefined) await this.desk.parts.accounts.take(user, { type: 'failed' }, origin);
      throw new Refusal('validationError', 'The current password is not right.', {
        errors: [{ path: 'currentPassword', expected: 'the password in force', message: 'is not right' }],
      });
    }
    await this.#set(user, password, { type: 'password', verified }, origin, session.jti);
  }

  async #changeOther(caller: Caller, where: WhereQuery, username: string, password: string, origin: Origin): Promise<void> {
    if (!isPermitted(caller.permissions, MAY_SET_OTHERS))
      throw new Refusal('permissionDenied', `The permission ${MAY_SET_OTHERS} is missing.`, { extra: { permission: MAY_SET_OTHERS } });
    const found = await userAt(this.desk.parts.accounts, doorsOf(this.desk.parts.accounts, where), username);
    if (!found) throw new Refusal('notFound', 'There is no active user of this name.');
    assertMayActAs(caller, found.user);
    await this.#set(found.user, password, { type: 'permission' }, origin);
  }

  /** Sends a token to set a password with. What is answered is the same whether anybody is meant or not, and as fast. */
  async requestReset(where: WhereQuery, username: string, origin: Origin): Promise<void> {
    this.desk.assertSends(where.mode ?? 'live');
    await this.desk.assertFewSent(`reset/${where.companyId ?? where.domain ?? ''}/${username.toLowerCase()}`, origin);
    const { accounts } = this.desk.parts;
    const found = await userAt(accounts, doorsOf(accounts, where), username);
    const way = found && wayTo(found.user);
    if (way && signsInByPassword(found.user)) void this.desk.later(this.#sendReset(found.user, way, origin));
  }

  async #sendReset(user: FoundUser, way: NonNullable<ReturnType<typeof wayTo>>, origin: Origin): Promise<void> {
    const tenant: Tenant = user.tenant;
    const { text, secretHash } = newGrant('passwordReset', tenant, user.userId);
    await this.desk.parts.accounts.take(user, { type: 'granted', kind: 'passwordReset', hash: secretHash }, origin);
    await this.desk.parts.codes.send({ ...tenant, ...way, purpose: 'passwordReset', code: text });
  }

  async reset(token: string, password: string, origin: Origin): Promise<void> {
    const { user, secretHash } = await this.desk.grantee('passwordReset', token);
    await this.#set(user, password, { type: 'grant', kind: 'passwordReset', hash: secretHash }, { ...origin, actor: asUser(user) });
  }

  async #set(user: FoundUser, password: string, by: PasswordProof, origin: Origin, keep: string | null = null): Promise<number> {
    if (!signsInByPassword(user)) throw new Refusal('invalidState', 'The user does not sign in by password.');
    const errors = [...passwordFaults(password, user.userName)];
    for (const known of [user.passwordHash, ...user.formerPasswords]) {
      if (known !== null && errors.length === 0 && (await this.desk.compare(password, known)))
        errors.push({ path: 'password', expected: 'none of the last 5', message: 'was used before' });
    }
    if (errors.length > 0) throw new Refusal('validationError', 'The password is not good enough.', { errors });
    const passwordHash = await this.desk.compute(() => hashPassword(password));
    const { outcome, generation } = await this.desk.parts.accounts.take(user, { type: 'passwordSet', passwordHash, by, keep }, origin);
    if (outcome === 'wrong') throw WRONG();
    return generation;
  }
}

const signsInByPassword = ({ auths }: FoundUser): boolean => auths.some(({ authType }) => authType === 'basic');
