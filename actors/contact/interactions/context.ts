import { tokenOf } from '../../borrower/index.js';
import { resolveId } from '../../kernel/any-id.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandRequest, CommandSpec, Decision, DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type Reader } from './reader.js';
import type { WriteInteractionQuery } from './types.js';
import { ownerOf } from './sealing.js';
import type { InteractionState } from './state.js';
import { interactionView, searchableView } from './view.js';

export type Context = CommandContext<InteractionState>;

/** A command on an interaction of the borrower whom the path names, if it names one. */
export const onInteraction = (type: string, decide: (context: Context) => readonly FactDraft[]): CommandSpec<InteractionState> => ({
  kind: 'interaction',
  type,
  place: { on: 'target' },
  decide(context) {
    requirePerson(context.state, context.command.params['personId'], context.env);
    return showing(context, context.state.personId, decide(context));
  },
});

/** 404 for an interaction of another borrower than the path's. */
export function requirePerson({ id, tenant, personId }: InteractionState, anyId: string | undefined, env: EvolveEnv): void {
  if (anyId === undefined || resolveId(env, tenant, 'person', anyId) === personId) return;
  refuse('notFound', `There is no interaction ${id} of this borrower.`);
}

/** A decision that answers the interaction, sealed with the key of its owner where it is kept for retries. */
export const showing = (
  { id, env, command }: Context,
  personId: string | null,
  facts: readonly FactDraft[],
): Decision<InteractionState> => ({
  facts,
  reply: (after) => ({ data: shown(after, env, command, newTaskIn(facts)), sealedFor: ownerOf(id, personId) }),
});

const newTaskIn = (facts: readonly FactDraft[]): string | undefined =>
  facts.find(({ type, target }) => type === 'TaskCreated' && target?.kind === 'task')?.target?.id;

const writerOf = ({ permissions, actor }: CommandRequest): Reader => ({ permissions, userId: actor.userId ?? null, isBorrower: false });

function shown(after: InteractionState, env: DecideEnv, command: CommandRequest, newTaskId: string | undefined): unknown {
  const { searchable = false } = (command.query ?? {}) as WriteInteractionQuery;
  const reader = writerOf(command);
  if (searchable) return searchableView(after, env, reader);
  return interactionView(after, env, { reader, newTaskId, contactToken: ({ personId, id }) => tokenOf(personId, id) });
}

export function refuseTaken(env: DecideEnv, externalId: string | null | undefined, ownId: string): void {
  if (externalId == null) return;
  const holder = env.findExternal(env.tenant, 'interaction', externalId);
  if (holder === undefined || holder === ownId) return;
  refuse('duplicate', `Another interaction (${holder}) has this externalId.`, {
    errors: [{ path: 'externalId', expected: 'an id that no other interaction has', message: 'taken already' }],
  });
}
