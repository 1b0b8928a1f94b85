import { assert, type Channel, implicitTheme, mayMove, must, namesOf } from '../../../engine/index.js';
import { companyOf, type TaskType, zoneOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { CommandSpec, DecideEnv } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { contactAsks, type InteractionOfTask } from '../questions.js';
import { drafted, refuseFaults } from './draft.js';
import { fact } from './evolve.js';
import {
  disconnection,
  type Feedback,
  feedbackRecorded,
  reasonEffects,
  sendMoved,
  type SendMoved,
  sendRecorded,
  type SentMessage,
} from './recording.js';
import { type ChangeableFields, type InteractionFields, type InteractionState, NOTHING_SAID } from './state.js';
import type { CreateInteractionRequest, UpdateInteractionRequest } from './types.js';
import { type Context, maySeeContent, onInteraction, refuseTaken, SENSITIVE, withInteractionReply } from './view.js';

/** The task of an agent when the window of a planned contact begins. */
const PLANNED_TASKS: Readonly<Record<Channel, TaskType>> = {
  voice: 'makeScheduledCall',
  text: 'replyToNewText',
  chat: 'replyToNewWebChat',
  email: 'replyToNewConvo',
  mail: 'replyToNewConvo',
  gui: 'replyToNewConvo',
  document: 'replyToNewConvo',
  fax: 'replyToNewConvo',
};

export const plannedTask = (env: DecideEnv, state: InteractionState): readonly FactDraft[] =>
  ask(env, contactAsks.taskAbout, state, PLANNED_TASKS[state.channel]);

/** The window is over or the contact was canceled: tasks that no agent has begun end. */
export const plannedTaskEnded = (env: DecideEnv, { id }: Pick<InteractionOfTask, 'id'>, reason: string): readonly FactDraft[] =>
  ask(env, contactAsks.tasksEnded, id, reason);

/** `POST /people/{personId}/interactions`: records a contact that took place outside this service. Sends nothing and emits no event. */
export const createInteraction: CommandSpec<InteractionState, CreateInteractionRequest> = {
  kind: 'interaction',
  type: 'interaction.create',
  place: { on: 'beside', kind: 'person' },
  decide(context) {
    const { env, id, besideId, body } = context;
    const personId = must(besideId, 'an interaction is created with a borrower');
    const { channel, direction = 'outbound', ...said } = body;
    if (direction === 'outbound') requireCase(context, said.caseId);
    const recorded = newFields(env, { id, personId, channel, direction, isExternal: true, said });
    return withInteractionReply(context, personId, [
      fact('InteractionRecorded', recorded),
      ...disconnection(env, recorded, null),
      ...reasonEffects(env, recorded, null),
    ]);
  },
};

/** If the company requires it, an agent must name the case for which a borrower was contacted. */
function requireCase({ env, command }: Context, caseId: string | null | undefined): void {
  if (command.actor.type !== 'user' || caseId != null || companyOf(env, env.tenant).profile?.forceCaseIdOnAgentActions !== true) return;
  refuse('caseRequired', '`caseId` is required for this interaction.', {
    errors: [{ path: 'caseId', expected: 'the id of a case', message: 'is missing' }],
  });
}

export interface NewInteraction {
  readonly id: string;
  readonly personId: string | null;
  readonly channel: CreateInteractionRequest['channel'];
  readonly direction: NonNullable<CreateInteractionRequest['direction']>;
  readonly isExternal: boolean;
  readonly said: Omit<CreateInteractionRequest, 'channel' | 'direction'>;
}

/** The fields of a new interaction, from a body. */
export function newFields(env: DecideEnv, { id, personId, channel, direction, isExternal, said }: NewInteraction): InteractionFields {
  env.today(zoneOf(companyOf(env, env.tenant))); // starts the tenant's calendar, which the moments of windows need
  refuseTaken(env, said.externalId, id);
  const blank: InteractionFields = {
    ...NOTHING_SAID,
    channel,
    direction,
    personId,
    isExternal,
    status: direction === 'outbound' ? 'attempted' : 'succeeded',
    templateVersionId: null,
    supercaseBulkOperationId: null,
  };
  return { ...blank, ...drafted(env, { id, personId }, blank, said) };
}

/*
 * Internal, without a route. A send that is decided on another actor records the facts of `recording.ts` with its own instead.
 */

const ofService = <Body>(
  type: string,
  place: CommandSpec<InteractionState, Body>['place'],
  decide: (context: Context<Body>) => ReturnType<typeof feedbackRecorded>,
): CommandSpec<InteractionState, Body> => ({
  kind: 'interaction',
  type,
  place,
  decide(context) {
    assert(context.command.actor.type === 'system', `${type} is a command of the service`);
    return { facts: decide(context), reply: ({ id, status, statusDetails }) => ({ data: { interactionId: id, status, statusDetails } }) };
  },
});

export const serviceCommands: readonly CommandSpec<InteractionState>[] = [
  ofService('interaction.recordSend', { on: 'beside', kind: 'person' }, ({ env, id, body, besideId }: Context<SentMessage>) => {
    const message = body;
    assert(message.personId === must(besideId, 'a message has a recipient'), 'the message is recorded with its borrower');
    return [sendRecorded(env, id, message)];
  }),
  ofService('interaction.moveSend', { on: 'target' }, ({ env, state, body }: Context<SendMoved>) => [sendMoved(env, state, body)]),
  ofService('interaction.feedback', { on: 'target' }, ({ env, state, body }: Context<Feedback>) => feedbackRecorded(env, state, body)),
];

/** `PUT …/interactions/{interactionId}`: absent fields are unchanged, null clears. */
export const updateInteraction = onInteraction('interaction.update', (context: Context<UpdateInteractionRequest>) => {
  const { state, env, id } = context;
  const body = context.body;
  const { channel: _channel, direction: _direction, personId: _person, ...said } = body;
  refuseFaults([...fixedFaults(env, state, body), ...(state.isExternal ? [] : faultsOfOwn(state, body))]);
  refuseUnseen(context, body);
  refuseTaken(env, said.externalId, id);
  requireMove(state, body.status);
  const after = drafted(env, { id, personId: state.personId }, state, said);
  const changes = changesOf(state, after);
  if (Object.keys(changes).length === 0) return [];
  const ended =
    state.status === 'scheduled' && after.status !== 'scheduled' && after.status !== 'attempted'
      ? plannedTaskEnded(env, state, 'interactionCalledOff')
      : [];
  const used = { ...after, personId: state.personId };
  return [
    fact('InteractionChanged', { changes }),
    ...ended,
    ...disconnection(env, used, state),
    ...reasonEffects(env, { ...used, direction: state.direction, channel: state.channel }, state),
  ];
});

/** `POST /interactions/{interactionId}/cancel`: cancels a planned contact. */
export const cancelInteraction = onInteraction('interaction.cancel', ({ state, env }) => {
  requireMove(state, 'canceled');
  if (state.status === 'canceled') refuse('invalidTransition', `The interaction ${state.id} is canceled.`);
  return [
    fact('InteractionChanged', { changes: { status: 'canceled', statusDetails: null } }),
    ...plannedTaskEnded(env, state, 'interactionCalledOff'),
  ];
});

/** `DELETE …`: deletes an external record. Limits of contacts no longer count it. */
export const deleteInteraction = onInteraction('interaction.delete', ({ state, env }) => {
  if (!state.isExternal) refuse('badRequest', `The interaction ${state.id} was created by the service and cannot be deleted.`);
  return [fact('InteractionDeleted', {}), ...plannedTaskEnded(env, state, 'interactionDeleted')];
});

function requireMove({ id, status }: InteractionState, to: InteractionState['status'] | undefined): void {
  if (to === undefined || to === status || mayMove(status, to, 'caller')) return;
  refuse('invalidTransition', `The interaction ${id} is ${status} and cannot become ${to}.`);
}

/** Channel, direction and borrower of an external record cannot be changed. */
function fixedFaults(
  env: DecideEnv,
  state: InteractionState,
  { channel, direction, personId }: UpdateInteractionRequest,
): readonly Fault[] {
  const named = personId === undefined ? state.personId : personId && (resolveId(env, env.tenant, 'person', personId) ?? personId);
  const said = { channel: channel ?? state.channel, direction: direction ?? state.direction, personId: named };
  return (['channel', 'direction', 'personId'] as const)
    .filter((path) => said[path] !== state[path])
    .map((path): Fault => ({ path, expected: String(state[path]), message: `\`${path}\` cannot be changed.` }));
}

/** Fields that can be changed of an interaction that the service made. */
const OF_OWN: ReadonlySet<string> = new Set([
  'channel',
  'direction',
  'personId',
  'agentOutcome',
  'theme',
  'caseId',
  'loanId',
  'loanIds',
  'metaData',
  'sensitive',
  'sensitiveBorrowerOnly',
  'previousInteractionId',
  'statusDetails',
]);

function faultsOfOwn({ subject }: InteractionState, body: UpdateInteractionRequest): readonly Fault[] {
  const beyond = Object.entries(body)
    .filter(([path, value]) => value !== undefined && !OF_OWN.has(path))
    .map(([path]) => path);
  const implied =
    body.theme !== undefined && subject !== null && implicitTheme(subject) !== null && body.theme !== implicitTheme(subject)
      ? ['theme']
      : [];
  return [...beyond, ...implied].map(
    (path): Fault => ({
      path,
      expected: 'nothing: the interaction was created by the service',
      message: `\`${path}\` cannot be changed on an interaction that the service created.`,
    }),
  );
}

/** A caller who may not read a sensitive content cannot remove the mark. */
function refuseUnseen({ state, env, command }: Context, { sensitive, sensitiveBorrowerOnly }: UpdateInteractionRequest): void {
  const opens = (state.sensitive && sensitive === false) || (state.sensitiveBorrowerOnly && sensitiveBorrowerOnly === false);
  if (!opens || maySeeContent(state, env, { permissions: command.permissions, userId: command.actor.userId ?? null, isBorrower: false }))
    return;
  refuse('permissionDenied', 'To make an interaction no longer sensitive you need the permission to read sensitive interactions.', {
    extra: { permission: SENSITIVE },
  });
}

function changesOf(before: ChangeableFields, after: ChangeableFields): Partial<ChangeableFields> {
  const changed = namesOf(after).filter((field) => !isSame(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, after[field]]));
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other));
