import { must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec, DecideEnv, EvolveEnv, QuerySpec, CommandContext, QueryContext } from '../../kernel/actor.js';
import type { Fact, FactDraft } from '../../kernel/fact.js';
import { putRecord, type ResourceRecord } from '../../kernel/resources/index.js';
import type { AuthType, AuthValueType } from '../profile.js';
import {
  type Account,
  type Grant,
  NEVER_SIGNED_IN,
  SIGN_IN_LIMITS,
  type SignIn,
  type SignInStep,
  type StepResult,
  takeStep,
} from '../sign-in.js';
import type { CompanyState } from '../state.js';
import { permissionsOf } from './roles.js';
import { type User, USER, type UserAuth, userOf, usersOf } from './user.js';

/** The key that signs tokens of a company's sessions. It is sealed with the company's data key, and that with the master key. */
export interface TokenKey {
  readonly id: string;
  readonly sealed: Uint8Array;
  /** Machine time in milliseconds. */
  readonly madeAt: number;
}

/** What the gateway sends: the time, and a random secret, which a deterministic decision cannot generate. */
export interface TokenKeyBody {
  readonly secret: string;
  readonly at: number;
}

/** An opened key, as the gateway uses it. It never leaves the service. */
export interface OpenTokenKey {
  readonly id: string;
  readonly secret: string;
  readonly madeAt: number;
}

const contextOf = (keyId: string): string => `token-key/${keyId}`;

/** The new key, and former ones that unexpired tokens may be signed with. */
const withTokenKey = (keys: readonly TokenKey[], key: TokenKey): readonly TokenKey[] => [
  ...keys.filter((_known, index) => (keys[index + 1] ?? key).madeAt + SIGN_IN_LIMITS.tokenKeyBelievedMs > key.madeAt),
  key,
];

export const isFresh = ({ madeAt }: { readonly madeAt: number }, at: number): boolean => at < madeAt + SIGN_IN_LIMITS.tokenKeyMs;

const opened = (state: CompanyState, env: EvolveEnv): readonly OpenTokenKey[] =>
  state.tokenKeys.flatMap(({ id, sealed, madeAt }) => {
    const secret = env.open(state.id, sealed, contextOf(id));
    return secret === undefined ? [] : [{ id, madeAt, secret }]; // undefined: the company's data key was lost
  });

/**
 * Internal, without a route. Makes a new key when the newest one is older than `tokenKeyMs`; if two gateways call this at the same
 * time, only one key is made.
 */
export const tokenKeyCommands: readonly CommandSpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'tokenKey.make',
    place: { on: 'target' },
    catchesUp: false,
    decide({ state, body, env }: CommandContext<CompanyState, TokenKeyBody>) {
      const { secret, at } = body;
      const newest = state.tokenKeys.at(-1);
      const facts: FactDraft[] = [];
      if (!newest || !isFresh(newest, at) || env.open(state.id, newest.sealed, contextOf(newest.id)) === undefined) {
        env.createKey(state.id);
        const id = env.newId('SK');
        const key: TokenKey = { id, sealed: env.seal(state.id, secret, contextOf(id)), madeAt: at };
        facts.push({ type: 'TokenKeyMade', body: { key } });
      }
      return { facts, reply: () => ({ data: undefined }) };
    },
  },
];

export const tokenKeyQueries: readonly QuerySpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'tokenKey.list',
    on: 'target',
    read: ({ state, env }) => opened(state, env),
  },
];

/** Facts about signing in and out. Their envelopes have the caller's address. */
export interface SignInFacts {
  /** `step`: what happened; `signIn`: the state of the sign-in after it. */
  readonly SignInRecorded: { readonly userId: string; readonly step: SignInStep['type']; readonly signIn: SignIn };
  /** All sessions of the user end except the kept one. `passwordHash` is the new password, if it was changed. */
  readonly SessionsEnded: { readonly userId: string; readonly generation: number; readonly passwordHash: string | null };
  readonly TokenKeyMade: { readonly key: TokenKey };
}

type Apply = { [Type in keyof SignInFacts]: (state: CompanyState, body: SignInFacts[Type], fact: Fact) => void };

export const APPLY_TO_SIGN_INS: Apply = {
  SignInRecorded(state, { userId, signIn }) {
    state.signIns = new Map(state.signIns).set(userId, signIn);
  },
  SessionsEnded(state, { userId, generation, passwordHash }) {
    const user = must(usersOf(state).get(userId), `sessions of the unknown user ${userId} ended`);
    putRecord(state, USER, { ...user, stored: { ...user.stored, generation, passwordHash } });
  },
  TokenKeyMade(state, { key }) {
    state.tokenKeys = withTokenKey(state.tokenKeys, key);
  },
};

/** A step as the gateway sends it; `at` is machine time in milliseconds. */
export interface TakeStepBody {
  readonly step: SignInStep;
  readonly at: number;
  /** The secret of a new authenticator; it is sealed before it is recorded. */
  readonly secret?: string;
}

/** The result of a step. Sessions of this generation remain valid. */
export interface StepTaken {
  readonly outcome: StepResult['outcome'];
  readonly generation: number;
  readonly lockedUntil: number | null;
}

/** The user who signs in, as given in the request. */
export interface WhoSignsIn {
  readonly userType: string;
  readonly username: string;
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
}

/** The stored credentials, with which the gateway compares the given ones. They never leave the service. */
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
    catchesUp: false,
    decide({ state, body, command, env }: CommandContext<CompanyState, TakeStepBody>) {
      const userId = command.params['userId'] ?? '';
      const user = usersOf(state).get(userId) ?? refuse('notFound', `There is no user ${userId}.`);
      const account = accountOf(state, user);
      if (body.secret !== undefined) env.createKey(state.id);
      const { result, generation } = stepOf(state, account, withSealedSecret(env, { ownerId: state.id, userId }, body));
      const { outcome, signIn, passwordHash = account.passwordHash } = result;
      const facts: FactDraft[] = [];
      if (signIn) facts.push(draft('SignInRecorded', { userId, step: body.step.type, signIn }));
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

/** Takes a step under the company's rules, and returns the generation of the sessions that remain valid. */
export function stepOf(
  { profile }: CompanyState,
  account: Account,
  { step, at }: TakeStepBody,
): { readonly result: StepResult; readonly generation: number } {
  const { maxFailedLogins, lockoutMinutes } = must(profile, 'a company with users has a profile').config.auth;
  const result = takeStep(account, step, { at, maxFailures: maxFailedLogins, lockoutMs: lockoutMinutes * MINUTE_MS });
  return { result, generation: account.generation + (result.endsSessions ? 1 : 0) };
}

/** The owner of the data key that seals the secret of a user's authenticator. */
interface SecretOwner {
  readonly ownerId: string;
  readonly userId: string;
}

const secretContext = (userId: string): string => `authenticator/${userId}`;

export function withSealedSecret(env: DecideEnv, { ownerId, userId }: SecretOwner, { step, at, secret }: TakeStepBody): TakeStepBody {
  if (step.type !== 'authenticatorAsked' || secret === undefined) return { step, at };
  return { step: { ...step, sealed: env.seal(ownerId, secret, secretContext(userId)) }, at };
}

/** Null if the user has no authenticator or the owner was erased. */
export function openAuthenticator(env: EvolveEnv, { ownerId, userId }: SecretOwner, { authenticator }: SignIn): OpenAuthenticator | null {
  const secret = authenticator == null ? undefined : env.open(ownerId, authenticator.sealed, secretContext(userId));
  return secret === undefined || authenticator == null ? null : { secret, isConfirmed: authenticator.isConfirmed };
}

const draft = <Type extends keyof SignInFacts>(type: Type, body: SignInFacts[Type]): FactDraft => ({ type, body });

export const signInQueries: readonly QuerySpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'user.find',
    on: 'target',
    read: ({ state, query, env }: QueryContext<CompanyState, WhoSignsIn>) => credentialsOf(env, state, userNamed(state, query)),
  },
  {
    kind: 'company',
    type: 'user.credentials',
    on: 'target',
    read: ({ state, request, env }) => credentialsOf(env, state, userOf(state, request.params['userId'] ?? '')),
  },
];

/** Null if there is no such user. */
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

/** Finds the user by a sign-in value that no other user has, else by the unique user name. */
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

/** Users by their sign-in values. The index is rebuilt when a user has changed. */
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
