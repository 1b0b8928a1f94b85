import { must } from '../../../engine/index.js';
import { companyOf, stepOf, type StepTaken, type TakeStepBody, withSealedSecret } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { PersonFacts } from '../facts.js';
import type { PersonState } from '../state.js';
import type { PortalUserCreateCommand, PortalUserUpdateBody } from './requests.js';
import { contextOf, personalOf } from './shown-user.js';
import { hashOfName, type PersonalPart, type PortalUserFacts, type PortalUserFields, type PortalUserState } from './state.js';
import { portalUserView } from './view.js';

type Context = CommandContext<PortalUserState>;

const fact = <Type extends keyof PortalUserFacts>(type: Type, body: PortalUserFacts[Type]): FactDraft => ({ type, body });

export const portalUserCommands: readonly CommandSpec<PortalUserState>[] = [
  {
    kind: 'portalUser',
    type: 'portalUser.create',
    place: { on: 'beside', kind: 'person' },
    decide(context) {
      const { id, env } = context;
      const personId = must(context.besideId, 'a user lies beside its borrower');
      const { externalId = null, status = 'active', userName, auths, passwordHash = null } = context.body as PortalUserCreateCommand;
      if (must(env.read<PersonState>('person', personId), personId).userId !== null)
        refuse('duplicate', `The borrower ${personId} has a user already.`);
      refuseTakenName(env, hashOfName(userName), id);
      if (passwordHash !== null && !auths.some(({ authType }) => authType === 'basic'))
        refuseProperty('password', 'nothing without an auth of authType basic', 'A password needs a basic way to sign in.');
      const fields: PortalUserFields = {
        externalId,
        nameHash: hashOfName(userName),
        sealed: sealed(env, personId, id, { userName, auths }),
        status,
        passwordHash,
        generation: 0,
      };
      const given: PersonFacts['PortalUserGiven'] = { userId: id };
      return showing(context, personId, [
        fact('PortalUserCreated', { personId, ...fields }),
        { type: 'PortalUserGiven', body: given, target: { kind: 'person', id: personId } },
      ]);
    },
  },
  {
    kind: 'portalUser',
    type: 'portalUser.update',
    place: { on: 'target' },
    decide: (context) => changing(context, context.body as PortalUserUpdateBody),
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
    decide({ id: userId, state, body, env }) {
      const step = withSealedSecret(env, { ownerId: state.personId, userId }, body as TakeStepBody);
      const {
        result: { outcome, signIn, passwordHash = state.passwordHash },
        generation,
      } = stepOf(companyOf(env, env.tenant), state, step);
      const facts: FactDraft[] = [];
      if (signIn) facts.push(fact('SignInRecorded', { step: (body as TakeStepBody).step.type, signIn }));
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
  const { id, state, env } = context;
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
  return showing(context, state.personId, [fact('PortalUserChanged', fields)]);
}

/** The name is a borrower's alone; users of borrowers are found by it. */
function refuseTakenName(env: DecideEnv, nameHash: string, ownId: string): void {
  const holder = env.findExternal(env.tenant, 'portalUser', nameHash);
  if (holder === undefined || holder === ownId) return;
  refuse('duplicate', `Another user (${holder}) has this userName.`, {
    errors: [{ path: 'userName', expected: 'a name that no other one has', message: 'taken already' }],
  });
}

const sealed = (env: DecideEnv, personId: string, id: string, personal: PersonalPart): Uint8Array =>
  env.seal(personId, JSON.stringify(personal), contextOf(id));

const showing = ({ env }: Context, personId: string, facts: readonly FactDraft[]): Decision<PortalUserState> => ({
  facts,
  reply: (after) => ({ data: portalUserView(after, env), sealedFor: personId }),
});
