import { applyRow, type FactTable } from '../kernel/fact-table.js';
import { createHash } from 'node:crypto';
import type { tags } from 'typia';
import { must } from '../../engine/index.js';
import {
  type AuthType,
  type AuthValueType,
  companyOf,
  type Credentials,
  isLiving,
  NEVER_SIGNED_IN,
  openAuthenticator,
  type SignIn,
  type SignInStep,
  stepOf,
  type StepTaken,
  type TakeStepBody,
  type UserAuth,
  type UserView,
  withSealedSecret,
} from '../company/index.js';
import { refuse, refuseProperty } from '../errors.js';
import {
  actorModule,
  type ActorModule,
  type CatalogRow,
  type CommandContext,
  type CommandSpec,
  type DecideEnv,
  type Decision,
  type EvolveEnv,
  type QueryEnv,
  type QuerySpec,
  type QueryOf,
  type QueryContext,
} from '../kernel/actor.js';
import type { Fact, FactDraft, Tenant } from '../kernel/fact.js';
import { DEFAULT_LIMIT, type PageQuery } from '../list-order.js';
import type { ListResult, LongExternalId, ShortText } from '../wire.js';
import type { PersonView } from './decide.js';
import { contextOf, personalOf, shownUser } from './shown-user.js';
import { isReachable, type PersonFacts, type PersonState } from './state.js';
import { personWithoutUser, type ViewEnv } from './views.js';

interface AuthBody {
  readonly authType: AuthType;
  readonly authValueType: AuthValueType;
  readonly value: ShortText & tags.MinLength<1>;
}

export interface PortalUserCreateBody {
  readonly externalId?: LongExternalId | null;
  readonly status?: 'active' | 'inactive';
  /** The borrower signs in with this name. It is an e-mail address if the company requires that. */
  readonly userName: string & tags.MinLength<1> & tags.MaxLength<100>;
  readonly auths: readonly AuthBody[] & tags.MinItems<1> & tags.MaxItems<10>;
  /** Only with `authType` basic. Write only. */
  readonly password?: string & tags.MaxLength<1000>;
}

/** The body as the route sends it, with a hash in place of the password. */
type PortalUserCreateCommand = Omit<PortalUserCreateBody, 'password'> & { readonly passwordHash?: string };

type PortalUserUpdateBody = Partial<Omit<PortalUserCreateBody, 'password'>>;

interface PortalUserListQuery extends PageQuery {
  readonly status?: 'active' | 'inactive';
}

/** The user without its owner. */
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

/** The portal user of a borrower: an actor on the borrower's shard, sealed with the borrower's key. */
export interface PortalUserState {
  readonly id: string;
  readonly tenant: Tenant;
  personId: string;
  externalId: string | null;
  /** Hash of the user name, by which the user is found; the name itself is personal data. Empty after the borrower was deleted. */
  nameHash: string;
  /** `PersonalPart` as JSON. */
  sealed: Uint8Array;
  status: 'active' | 'inactive';
  passwordHash: string | null;
  generation: number;
  signIn: SignIn;
  /** Once at least. */
  hasSignedIn: boolean;
  createdAt: number;
  updatedAt: number | null;
  /** Microseconds; 0 before the user exists. */
  createdStamp: number;
  updatedStamp: number;
}

export interface PersonalPart {
  readonly userName: string;
  readonly auths: readonly UserAuth[];
}

type PortalUserFields = Pick<PortalUserState, 'externalId' | 'nameHash' | 'sealed' | 'status' | 'passwordHash' | 'generation'>;

/** What can happen to a portal user. */
interface PortalUserFacts {
  readonly PortalUserCreated: PortalUserFields & { readonly personId: string };
  readonly PortalUserChanged: PortalUserFields;
  readonly SignInRecorded: { readonly step: SignInStep['type']; readonly signIn: SignIn };
  /** The borrower was deleted or erased: another user may have the name. */
  readonly PortalUserNameFreed: Readonly<Record<string, never>>;
  readonly SessionsEnded: { readonly generation: number; readonly passwordHash: string | null };
}

const newPortalUser = (id: string, tenant: Tenant): PortalUserState => ({
  id,
  tenant,
  personId: '',
  externalId: null,
  nameHash: '',
  sealed: new Uint8Array(),
  status: 'active',
  passwordHash: null,
  generation: 0,
  signIn: NEVER_SIGNED_IN,
  hasSignedIn: false,
  createdAt: 0,
  updatedAt: null,
  createdStamp: 0,
  updatedStamp: 0,
});

/** User names are unique without regard to case. */
export const hashOfName = (userName: string): string => createHash('sha256').update(userName.toLowerCase()).digest('hex');

const APPLY: FactTable<PortalUserState, PortalUserFacts> = {
  PortalUserCreated(state, body, { businessAt, stamp }) {
    Object.assign(state, body, { createdAt: businessAt, createdStamp: stamp });
  },
  PortalUserChanged(state, body, { businessAt }) {
    Object.assign(state, body, { updatedAt: businessAt });
  },
  SignInRecorded(state, { step, signIn }) {
    state.signIn = signIn;
    if (step === 'signedIn') state.hasSignedIn = true;
  },
  PortalUserNameFreed(state) {
    state.nameHash = '';
  },
  SessionsEnded(state, { generation, passwordHash }) {
    Object.assign(state, { generation, passwordHash });
  },
};

function evolvePortalUser(state: PortalUserState, fact: Fact): void {
  applyRow(APPLY, state, fact);
  state.updatedStamp = fact.stamp;
}

const portalUserView = (state: PortalUserState, env: EvolveEnv & ViewEnv): PortalUserView => ({
  ...shownUser(state, env),
  person: personWithoutUser(must(env.read<PersonState>('person', state.personId), 'a user is created with a borrower'), env),
});

/** The owner of a token that is still valid. It is used within the service only. */
export interface PortalSession {
  readonly personId: string;
  readonly personExternalId: string | null;
}

/** The session of a token, as replies show it. */
export interface ShownSession {
  readonly jti: string;
  readonly generation: number;
}

const portalUserQueries: readonly QuerySpec<PortalUserState>[] = [
  { kind: 'portalUser', type: 'portalUser.get', on: 'target', read: ({ state, env }) => portalUserView(ofReachable(state, env), env) },
  {
    kind: 'portalUser',
    type: 'portalUser.list',
    on: 'tenant',
    read({ query, env }: QueryOf<PortalUserListQuery>): ListResult {
      const { status, limit = DEFAULT_LIMIT, ...cursor } = query;
      const page = env.list('portalUser', {
        matches: ({ fields, parentId }) =>
          (status === undefined || fields['status'] === status) && parentId !== null && env.hasRow('person', parentId),
        limit,
        ...cursor,
      });
      const users = page.rows.map(({ id }) => must(env.stateOf<PortalUserState>('portalUser', id), `the listed user ${id}`));
      const items = users.map((user) => portalUserView(user, env));
      return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  },
  { kind: 'portalUser', type: 'portalUser.credentials', on: 'target', read: ({ state, env }) => credentialsOf(state, env) },
  {
    kind: 'portalUser',
    type: 'portalUser.session',
    on: 'target',
    read({ state, query, env }: QueryContext<PortalUserState, ShownSession>): PortalSession | null {
      const person = isActive(state, env) && isLiving(state, query) ? env.read<PersonState>('person', state.personId) : undefined;
      return person ? { personId: person.id, personExternalId: person.externalId } : null;
    },
  },
];

/** Whether the borrower of the user was not deleted. */
function hasReachable({ personId }: PortalUserState, env: EvolveEnv): boolean {
  const person = env.read<PersonState>('person', personId);
  return person !== undefined && isReachable(person);
}

/** The user; refuses with 404 that of a deleted borrower. */
const ofReachable = (state: PortalUserState, env: EvolveEnv): PortalUserState =>
  hasReachable(state, env) ? state : refuse('notFound', `There is no user ${state.id}.`);

/** Whether the user may sign in: the user and the company are active, and the borrower was not deleted. */
const isActive = (state: PortalUserState, env: QueryEnv): boolean =>
  state.status === 'active' && hasReachable(state, env) && companyOf(env, env.tenant).profile?.status === 'active';

function credentialsOf(state: PortalUserState, env: QueryEnv): Credentials | null {
  const { id: userId, personId: ownerId, passwordHash, generation, signIn } = state;
  const { formerPasswords, lockedUntil, grants } = signIn;
  const authenticator = openAuthenticator(env, { ownerId, userId }, signIn);
  const personal = personalOf(env, state);
  return (
    personal && {
      userId,
      ...personal,
      userType: 'borrower',
      isActive: isActive(state, env),
      passwordHash,
      formerPasswords,
      generation,
      lockedUntil,
      grants,
      authenticator,
      permissions: [],
    }
  );
}

type Context<Body = unknown> = CommandContext<PortalUserState, Body>;

const fact = <Type extends keyof PortalUserFacts>(type: Type, body: PortalUserFacts[Type]): FactDraft => ({ type, body });

const portalUserCommands: readonly CommandSpec<PortalUserState>[] = [
  {
    kind: 'portalUser',
    type: 'portalUser.create',
    place: { on: 'beside', kind: 'person' },
    decide(context: CommandContext<PortalUserState, PortalUserCreateCommand>) {
      const { id, env } = context;
      const personId = must(context.besideId, 'a user is created with a borrower');
      const { externalId = null, status = 'active', userName, auths, passwordHash = null } = context.body;
      if (must(env.read<PersonState>('person', personId), personId).userId !== null)
        refuse('duplicate', `The borrower ${personId} already has a user.`);
      refuseTakenName(env, hashOfName(userName), id);
      if (passwordHash !== null && !auths.some(({ authType }) => authType === 'basic'))
        refuseProperty(
          'password',
          'nothing, unless `auths` has authType basic',
          '`password` can only be set with an entry of authType basic in `auths`.',
        );
      const fields: PortalUserFields = {
        externalId,
        nameHash: hashOfName(userName),
        sealed: sealed(env, personId, id, { userName, auths }),
        status,
        passwordHash,
        generation: 0,
      };
      const given: PersonFacts['PortalUserGiven'] = { userId: id };
      return withUserReply(context, personId, [
        fact('PortalUserCreated', { personId, ...fields }),
        { type: 'PortalUserGiven', body: given, target: { kind: 'person', id: personId } },
      ]);
    },
  },
  {
    kind: 'portalUser',
    type: 'portalUser.update',
    place: { on: 'target' },
    decide: (context: CommandContext<PortalUserState, PortalUserUpdateBody>) => changing(context, context.body),
  },
  {
    kind: 'portalUser',
    type: 'portalUser.deactivate',
    place: { on: 'target' },
    decide: (context) => changing(context, { status: 'inactive' }),
  },
  {
    kind: 'portalUser',
    type: 'portalUser.takeStep',
    place: { on: 'target' },
    decide({ id: userId, state, body, env }: CommandContext<PortalUserState, TakeStepBody>) {
      const step = withSealedSecret(env, { ownerId: state.personId, userId }, body);
      const {
        result: { outcome, signIn, passwordHash = state.passwordHash },
        generation,
      } = stepOf(companyOf(env, env.tenant), state, step);
      const facts: FactDraft[] = [];
      if (signIn) facts.push(fact('SignInRecorded', { step: body.step.type, signIn }));
      if (generation !== state.generation) facts.push(fact('SessionsEnded', { generation, passwordHash }));
      return {
        facts,
        reply(after) {
          const taken: StepTaken = { outcome, generation, lockedUntil: after.signIn.lockedUntil };
          return { data: taken };
        },
      };
    },
  },
];

function changing(context: Context, { userName, auths, externalId, status }: PortalUserUpdateBody): Decision<PortalUserState> {
  const { id, env } = context;
  const state = ofReachable(context.state, env);
  const before = personalOf(env, state) ?? refuse('notFound', `There is no user ${id}.`);
  const personal: PersonalPart = { userName: userName ?? before.userName, auths: auths ?? before.auths };
  const nameHash = hashOfName(personal.userName);
  refuseTakenName(env, nameHash, id);
  const isLeaving = status === 'inactive' && state.status === 'active';
  const fields: PortalUserFields = {
    nameHash,
    sealed: sealed(env, state.personId, id, personal),
    externalId: externalId === undefined ? state.externalId : externalId,
    status: status ?? state.status,
    passwordHash: state.passwordHash,
    generation: state.generation + (isLeaving ? 1 : 0),
  };
  return withUserReply(context, state.personId, [fact('PortalUserChanged', fields)]);
}

/** Refuses a user name that another borrower has, since portal users are found by their names. */
function refuseTakenName(env: DecideEnv, nameHash: string, ownId: string): void {
  const holder = env.findExternal(env.tenant, 'portalUser', nameHash);
  if (holder === undefined || holder === ownId) return;
  refuse('duplicate', `\`userName\` is already used by the user ${holder}.`, {
    errors: [{ path: 'userName', expected: 'a name that is not in use', message: 'is already in use' }],
  });
}

const sealed = (env: DecideEnv, personId: string, id: string, personal: PersonalPart): Uint8Array =>
  env.seal(personId, JSON.stringify(personal), contextOf(id));

const withUserReply = ({ env }: Context, personId: string, facts: readonly FactDraft[]): Decision<PortalUserState> => ({
  facts,
  reply: (after) => ({ data: portalUserView(after, env), sealedFor: personId }),
});

/** What frees the name of the user of a borrower who is deleted or erased. */
export const userNameFreed = (userId: string | null): readonly FactDraft[] =>
  userId === null ? [] : [{ ...fact('PortalUserNameFreed', {}), target: { kind: 'portalUser', id: userId } }];

/** Fields that callers choose. The digest of the name is one: on disk it appears only as a keyed digest. */
const PERSONAL: ReadonlySet<string> = new Set(['externalId', 'nameHash', 'passwordHash']);

/** Portal users, each on the shard of its borrower. */
export const portalUserModule: ActorModule = actorModule<PortalUserState>({
  definition: {
    kind: 'portalUser',
    prefix: 'UR',
    initial: newPortalUser,
    evolve: evolvePortalUser,
    clone: (state) => ({ ...state }),
    personal: { names: PERSONAL, refused: PERSONAL, ownerOf: ({ personId }) => personId },
    row: rowOf,
    pack: (state) => state,
    unpack: (packed: PortalUserState) => packed,
  },
  commands: portalUserCommands,
  queries: portalUserQueries,
});

/** Found by the hash of its name, unless the name was freed. */
function rowOf({ id, personId, nameHash, status, createdStamp, updatedStamp }: PortalUserState): CatalogRow | null {
  const externalId = nameHash === '' ? null : nameHash;
  return createdStamp === 0 ? null : { id, externalId, createdStamp, updatedStamp, parentId: personId, fields: { status } };
}
