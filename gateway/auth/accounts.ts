import { randomUUID } from 'node:crypto';
import {
  type Agent,
  type CompanyState,
  type Credentials,
  hashOfName,
  investorsSeenBy,
  type Mode,
  type PortalSession,
  type QueryRequest,
  Refusal,
  type ShownSession,
  type SignInStep,
  type StepTaken,
  type TakeStepBody,
  type Tenant,
  type WhoSignsIn,
} from '../../actors/index.js';
import { type AnswerOf, ask, execute, dataOf } from '../answers.js';
import type { EngineCalls } from '../engine-calls.js';
import { BORROWER_PERMISSIONS } from './borrower-limits.js';
import type { Companies } from './key-directory.js';

/** The address, request and user of an attempt to sign in. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  readonly actor: Agent;
}

/** A user with its company and mode. */
export interface FoundUser extends Credentials {
  readonly tenant: Tenant;
  /** The user sees only the loans of these investors; absent: all loans. */
  readonly investorIds?: readonly string[];
}

const NO_PERMISSIONS: ReadonlySet<string> = new Set();

/** Finds users for sign-in, and records the steps of each sign-in with the actor that keeps the user. */
export class Accounts {
  constructor(
    private readonly engine: EngineCalls,
    private readonly companies: Companies,
    private readonly nowMs: () => number,
  ) {}

  company(tenant: Tenant): CompanyState | undefined {
    const state = this.companies.stateOf<CompanyState>(tenant, 'company', tenant.company);
    return state?.profile?.status === 'active' ? state : undefined;
  }

  tenants(): readonly Tenant[] {
    return this.companies.tenants().filter((tenant) => this.company(tenant) !== undefined);
  }

  async named(tenant: Tenant, who: WhoSignsIn): Promise<FoundUser | null> {
    if (who.userType === 'borrower')
      return this.#found(tenant, await this.#askOf(tenant, 'portalUser.credentials', `ext-${hashOfName(who.username)}`, {}));
    return this.#found(tenant, await this.#ask(tenant, 'user.find', {}, who));
  }

  async byId(tenant: Tenant, userId: string): Promise<FoundUser | null> {
    if (!this.company(tenant)) return null;
    return this.#found(
      tenant,
      (await this.#ask(tenant, 'user.credentials', { userId }, {})) ??
        (userId.startsWith('ext-') ? null : await this.#askOf(tenant, 'portalUser.credentials', userId, {})),
    );
  }

  /** The borrower behind a session that is still good; null where it has ended. */
  portalSession(tenant: Tenant, userId: string, shown: ShownSession): Promise<PortalSession | null> {
    return this.#askOf(tenant, 'portalUser.session', userId, shown);
  }

  async take(
    { tenant, userId, userType }: Pick<FoundUser, 'tenant' | 'userId' | 'userType'>,
    step: SignInStep,
    { address, requestId, actor }: Origin,
    secret?: string,
  ): Promise<StepTaken> {
    const body: TakeStepBody = { step, at: this.nowMs(), ...(secret === undefined ? {} : { secret }) };
    const command =
      userType === 'borrower'
        ? ({ type: 'portalUser.takeStep', target: userId } as const)
        : ({ type: 'user.takeStep', target: tenant.company } as const);
    const { data } = await execute(this.engine, {
      ...tenant,
      ...command,
      params: userType === 'borrower' ? {} : { userId },
      commandId: randomUUID(),
      body,
      actor,
      permissions: NO_PERMISSIONS,
      address,
      requestId,
    });
    const taken = dataOf(data);
    if (taken.outcome === 'locked') throw lockedOut(taken.lockedUntil ?? 0, this.nowMs());
    if (taken.outcome === 'changed') throw new Refusal('conflict', 'The password was changed during this request. Sign in again.');
    if (taken.outcome === 'tooMany')
      throw new Refusal('rateLimited', 'Too many codes were sent to this user. Try again in one hour.', { retryAfterSeconds: 3_600 });
    return taken;
  }

  #found(tenant: Tenant, known: Credentials | null): FoundUser | null {
    if (!known?.isActive) return null;
    if (known.userType === 'borrower') return { ...known, tenant, permissions: [...BORROWER_PERMISSIONS] };
    const company = this.company(tenant);
    const investorIds = company && investorsSeenBy(company, known.userId);
    return { ...known, tenant, ...(investorIds === undefined ? {} : { investorIds }) };
  }

  /** Null where there is no such user. */
  async #askOf<const Type extends 'portalUser.credentials' | 'portalUser.session'>(
    tenant: Tenant,
    type: Type,
    target: string,
    query: unknown,
  ): Promise<AnswerOf<Type> | null> {
    try {
      return await ask(this.engine, { ...tenant, type, target, params: {}, query, permissions: NO_PERMISSIONS });
    } catch (cause) {
      if (cause instanceof Refusal && cause.errorType === 'notFound') return null;
      throw cause;
    }
  }

  #ask(
    tenant: Tenant,
    type: 'user.find' | 'user.credentials',
    params: QueryRequest['params'],
    query: unknown,
  ): Promise<Credentials | null> {
    return ask(this.engine, { ...tenant, type, target: tenant.company, params, query, permissions: NO_PERMISSIONS });
  }
}

/** The user as the actor of its own sign-in. */
export const asUser = ({ userId }: Pick<FoundUser, 'userId'>): Agent => ({ type: 'user', id: userId, userId });

export const lockedOut = (until: number, now: number): Refusal =>
  new Refusal('accountLocked', 'This login is locked after too many failed attempts. Try again after the time in Retry-After.', {
    retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)),
  });

/** A code that is sent to an address of the user: who repeats it has access to that address. */
export interface CodeMessage {
  readonly company: string;
  readonly mode: Mode;
  readonly channel: 'email' | 'text';
  readonly destination: string;
  readonly purpose: 'signIn' | 'secondFactor' | 'passwordReset' | 'contactConfirmation';
  /** Six digits, or the token of a password reset. */
  readonly code: string;
}

/** Sends codes to users by e-mail or text. A lender connects its own. */
export interface CodeSender {
  /** Whether codes of this mode can be sent. */
  sends(mode: Mode): boolean;
  send(message: CodeMessage): Promise<void>;
}

/** Used where no sender is connected: codes of the test mode are written to the log, codes of the live mode are refused. */
export const logSender = (log: (message: CodeMessage) => void): CodeSender => ({
  sends: (mode) => mode === 'test',
  send: async (message) => log(message),
});

export const NO_SENDER: CodeSender = { sends: () => false, send: () => Promise.resolve() };
