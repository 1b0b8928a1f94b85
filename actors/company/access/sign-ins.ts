import { must } from '../../../engine/index.js';
import type { ResourceRecord } from '../../kernel/resources/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec, DecideEnv, EvolveEnv, QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type Account, type Grant, NEVER_SIGNED_IN, type SignIn, type SignInStep, type StepResult, takeStep } from '../sign-in/index.js';
import type { AuthType, AuthValueType } from '../profile.js';
import type { CompanyState } from '../state.js';
import { permissionsOf } from './granting.js';
import type { SignInFacts } from './sign-in-facts.js';
import { type User, type UserAuth, userOf, usersOf } from './user.js';

/** What the gateway sends of a step; `at` is machine time in milliseconds. */
export interface TakeStepBody {
  readonly step: SignInStep;
  readonly at: number;
  /** Of a new authenticator: sealed before anything is recorded. */
  readonly secret?: string;
}

/** What the gateway learns of it; the sessions of the generation are those that live on. */
export interface StepTaken {
  readonly outcome: StepResult['outcome'];
  readonly generation: number;
  readonly lockedUntil: number | null;
}

/** Who signs in, as they write it. */
export interface WhoSignsIn {
  readonly userType: string;
  readonly username: string;
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
}

/** What the gateway compares what is shown with. It never leaves the service. */
export interface Credentials {
  readonly userId: string;
  readonly userName: string;
  readonly userType: 'agent' | 'api' | 'borrower';
  readonly isActive: boolean;
  readonly passwordHash: string | null;
  readonly formerPasswords: readonly string[];
  readonly generation: number;
  readonly auths: readonly UserAuth[];
  readonly lockedUntil: number | null;
  readonly grants: readonly Grant[];
  readonly authenticator: OpenAuthenticator | null;
  readonly permissions: readonly string[];
}

/** The secret in base 32. */
export interface OpenAuthenticator {
  readonly secret: string;
  readonly isConfirmed: boolean;
}

export const accountOf = (state: CompanyState, { id, stored }: ResourceRecord<User>): Account => ({
  passwordHash: stored.passwordHash,
  generation: stored.generation,
  signIn: state.signIns.get(id) ?? NEVER_SIGNED_IN,
});

const MINUTE_MS = 60_000;

export const signInCommands: readonly CommandSpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'user.takeStep',
    place: { on: 'target' },
    catchUpFirst: false,
    decide({ state, body, command, env }) {
      const userId = command.params['userId'] ?? '';
      const user = usersOf(state).get(userId) ?? refuse('notFound', `There is no user ${userId}.`);
      const account = accountOf(state, user);
      if ((body as TakeStepBody).secret !== undefined) env.createKey(state.id);
      const { result, generation } = stepOf(state, account, withSealedSecret(env, { ownerId: state.id, userId }, body as TakeStepBody));
      const { outcome, signIn, passwordHash = account.passwordHash } = result;
      const facts: FactDraft[] = [];
      if (signIn) facts.push(draft('SignInRecorded', { userId, step: (body as TakeStepBody).step.type, signIn }));
      if (generation !== account.generation) facts.push(draft('SessionsEnded', { userId, generation, passwordHash }));
      const taken = (after: CompanyState): StepTaken => ({
        outcome,
        generation,
        lockedUntil: accountOf(after, must(usersOf(after).get(userId), 'the user stays')).signIn.lockedUntil,
      });
      return { facts, reply: (after) => ({ data: taken(after) }) };
    },
  },
];

/** Takes a step under the company's rules, and tells the generation of the sessions that live on. */
export function stepOf(
  { profile }: CompanyState,
  account: Account,
  { step, at }: TakeStepBody,
): { readonly result: StepResult; readonly generation: number } {
  const { maxFailedLogins, lockoutMinutes } = must(profile, 'a company with users has a profile').config.auth;
  const result = takeStep(account, step, { at, maxFailures: maxFailedLogins, lockoutMs: lockoutMinutes * MINUTE_MS });
  return { result, generation: account.generation + (result.endsSessions ? 1 : 0) };
}

/** Whose data key seals what a user shares with an authenticator. */
interface SecretPlace {
  readonly ownerId: string;
  readonly userId: string;
}

const secretContext = (userId: string): string => `authenticator/${userId}`;

export function withSealedSecret(env: DecideEnv, { ownerId, userId }: SecretPlace, { step, at, secret }: TakeStepBody): TakeStepBody {
  if (step.type !== 'authenticatorAsked' || secret === undefined) return { step, at };
  return { step: { ...step, sealed: env.seal(ownerId, secret, secretContext(userId)) }, at };
}

/** Null where there is none, or where the owner was erased. */
export function openAuthenticator(env: EvolveEnv, { ownerId, userId }: SecretPlace, { authenticator }: SignIn): OpenAuthenticator | null {
  const secret = authenticator == null ? undefined : env.open(ownerId, authenticator.sealed, secretContext(userId));
  return secret === undefined || authenticator == null ? null : { secret, isConfirmed: authenticator.isConfirmed };
}

const draft = <Type extends keyof SignInFacts>(type: Type, body: SignInFacts[Type]): FactDraft => ({ type, body });

export const signInQueries: readonly QuerySpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'user.find',
    on: 'target',
    read: ({ state, query, env }) => credentialsOf(env, state, userNamed(state, query as WhoSignsIn)),
  },
  {
    kind: 'company',
    type: 'user.credentials',
    on: 'target',
    read: ({ state, request, env }) => credentialsOf(env, state, userOf(state, request.params['userId'] ?? '')),
  },
];

/** Null where there is nobody. */
function credentialsOf(env: EvolveEnv, state: CompanyState, user: ResourceRecord<User> | undefined): Credentials | null {
  if (!user) return null;
  const { userName, type: userType, status, passwordHash, generation, auths } = user.stored;
  const { signIn } = accountOf(state, user);
  const { formerPasswords, lockedUntil, grants } = signIn;
  const authenticator = openAuthenticator(env, { ownerId: state.id, userId: user.id }, signIn);
  const isActive = status === 'active' && state.profile?.status === 'active';
  return {
    userId: user.id,
    userName,
    userType,
    isActive,
    passwordHash,
    formerPasswords,
    generation,
    auths,
    lockedUntil,
    grants,
    authenticator,
    permissions: [...permissionsOf(state, user.stored)],
  };
}

/** By a way to sign in that nobody else has, else by the user name, which is its user's alone. */
function userNamed(state: CompanyState, { userType, username, authType, authValueType }: WhoSignsIn): ResourceRecord<User> | undefined {
  const users = usersOf(state);
  const index = indexOf(users);
  const sharing = index.get(wayOf(userType, authType, authValueType, username)) ?? [];
  const [only] = sharing.length === 1 ? sharing : (index.get(wayOf(userType, NAME, NAME, username)) ?? []);
  return only === undefined ? undefined : users.get(only);
}

const NAME = 'userName';

const wayOf = (...parts: readonly string[]): string => JSON.stringify(parts).toLowerCase();

type Users = ReadonlyMap<string, ResourceRecord<User>>;

/** Users by their ways to sign in, made anew when one of them has changed. */
const indexes = new WeakMap<Users, ReadonlyMap<string, readonly string[]>>();

function indexOf(users: Users): ReadonlyMap<string, readonly string[]> {
  const known = indexes.get(users);
  if (known) return known;
  const index = new Map<string, string[]>();
  const put = (way: string, id: string): void => void index.set(way, [...(index.get(way) ?? []), id]);
  for (const {
    id,
    stored: { type, userName, auths },
  } of users.values()) {
    put(wayOf(type, NAME, NAME, userName), id);
    for (const way of new Set(auths.map(({ authType, authValueType, value }) => wayOf(type, authType, authValueType, value)))) put(way, id);
  }
  indexes.set(users, index);
  return index;
}
