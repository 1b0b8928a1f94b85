import { type Actor, createActor } from 'xstate';
import { actorLogic, type FactEvent } from '../../actors/kernel/actor-logic.js';
import type { ActorDefinition, ActorModule } from '../../actors/kernel/actor.js';
import { must } from '../../engine/index.js';

/** The results of an actor of XState and of the same actor on the shard. */
export interface Compared {
  readonly kind: string;
  readonly fact: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly expected: unknown;
  readonly actual: unknown;
}

interface Beside<State> {
  /** A second instance of the module, for the actors of XState, since some modules keep an index of their engine. */
  readonly again: ActorModule;
  /** Whether the stored parts of an actor are complete. */
  rests?(state: State): boolean;
  /** The part of the state that must be equal, in addition to the state of the machine. */
  shown(state: State): unknown;
}

/**
 * A module whose actors run a second time: whenever a live shard applies a fact, an actor of XState is created from the snapshot before
 * it and gets the fact. The results of both are recorded to be compared.
 */
export function runningBeside<State>(module: ActorModule, { again, rests = () => true, shown }: Beside<State>) {
  const definition = module.definition as ActorDefinition<State>;
  const twin = again.definition as ActorDefinition<State>;
  const lifecycle = must(definition.lifecycle, 'a family with a statechart');
  const compared: Compared[] = [];
  let running: Actor<ReturnType<typeof actorLogic<State>>> | null = null;
  const twice: ActorDefinition<State> = {
    ...definition,
    evolve(state, fact, emit, env) {
      if (emit === null) {
        definition.evolve(state, fact, emit, env);
        return;
      }
      const logic = actorLogic(twin, env);
      if (running === null || rests(state)) {
        const input = { id: fact.id, tenant: fact.tenant };
        const fresh = createActor(logic, { input }).getSnapshot();
        const stored = structuredClone(logic.getPersistedSnapshot({ ...fresh, actor: definition.clone(state) }));
        running = createActor(logic, { input, snapshot: stored }).start();
      }
      const before = running.getSnapshot().value;
      const event: FactEvent = { type: fact.type, fact };
      running.send(event);
      definition.evolve(state, fact, emit, env);
      const { value, actor } = running.getSnapshot();
      if (!rests(state)) return;
      const { value: expected } = lifecycle.at(state, env);
      const { kind } = definition;
      compared.push({ kind, fact: fact.type, before, after: value, expected: [expected, shown(state)], actual: [value, shown(actor)] });
    },
  };
  return { module: { ...module, definition: twice as ActorDefinition<unknown> }, compared };
}
