import type { ActorLogic, Snapshot } from 'xstate';
import { fieldOf, fieldsOf, must } from '../../engine/index.js';
import { persistedAt } from '../statechart.js';
import type { ActorDefinition, EvolveEnv } from './actor.js';
import type { Agent, Fact, Tenant } from './fact.js';

type Kind<State> = Pick<ActorDefinition<State>, 'initial' | 'clone' | 'evolve' | 'pack' | 'unpack' | 'parts' | 'lifecycle'>;

/** The state of the actor's machine, and the actor itself. */
export type ActorSnapshot<State> = Snapshot<undefined> & { readonly value: string; readonly context: unknown; readonly actor: State };

/** A fact as an XState event. */
export interface FactEvent {
  readonly type: string;
  readonly fact: Fact;
}

export interface ActorInput {
  readonly id: string;
  readonly tenant: Tenant;
}

/**
 * A kind of actor as XState logic. A test or a tool runs the same actor from its stored snapshot, `createActor(logic, { snapshot })`, sends
 * it the facts of the journal, and gets the same state. `env` is what `evolve` may read. A shard runs no XState actors: it calls the same
 * functions on the stored states.
 */
export function actorLogic<State>(kind: Kind<State>, env: EvolveEnv): ActorLogic<ActorSnapshot<State>, FactEvent, ActorInput> {
  const lifecycle = must(kind.lifecycle, 'a kind of actor with a statechart');
  const snapshotOf = (actor: State): ActorSnapshot<State> => {
    const { value, context } = lifecycle.at(actor, env);
    const { context: asked, status } = persistedAt(lifecycle.machine, value, context);
    const rest = { value, context: asked, actor, error: undefined, output: undefined };
    return { ...rest, status: status === 'done' ? 'done' : 'active' };
  };
  return {
    getInitialSnapshot: (_scope, { id, tenant }) => snapshotOf(kind.initial(id, tenant)),
    transition(snapshot, event) {
      if (!('fact' in event)) return snapshot;
      const actor = kind.clone(snapshot.actor);
      kind.evolve(actor, event.fact, null, env);
      return snapshotOf(actor);
    },
    getPersistedSnapshot: (snapshot) => {
      const { actor, value, context, status } = snapshot;
      const parts = (kind.parts?.(actor) ?? []).map((part): readonly [string, object] => [part.name, part.value]);
      const rest = { value, context, error: undefined, output: undefined, packed: kind.pack(actor), parts: Object.fromEntries(parts) };
      return { ...rest, status: status === 'done' ? 'done' : 'active' };
    },
    restoreSnapshot(persisted) {
      const parts = fieldsOf(fieldOf(persisted, 'parts'));
      return snapshotOf(kind.unpack(fieldOf(persisted, 'packed'), (name) => parts[name]));
    },
  };
}

/** Who did something, as every reply shows it. */
export interface ActorView {
  /** The user of the key, or the part of the service. */
  readonly id: string;
  readonly name: string | null;
  readonly userType: 'borrower' | 'agent' | 'api' | 'system';
  /** A readable name. */
  readonly descriptor: string;
  readonly employee: { readonly id: string } | null;
}

const USER_TYPES = { user: 'agent', borrower: 'borrower', key: 'api', system: 'system' } as const satisfies Record<
  Agent['type'],
  ActorView['userType']
>;

const DESCRIPTORS = { user: 'User', borrower: 'Borrower', key: 'API key', system: 'Service' } as const satisfies Record<
  Agent['type'],
  string
>;

export const actorView = ({ type, id, userId }: Agent): ActorView => ({
  id: userId ?? id,
  name: null,
  userType: USER_TYPES[type],
  descriptor: `${DESCRIPTORS[type]} ${id}`,
  employee: null,
});
