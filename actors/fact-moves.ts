import type { AnyStateMachine } from 'xstate';
import { type InspectedMachine, isInspected, type ReportedMove } from './event-moves.js';
import type { ActorDefinition, ActorModule } from './kernel/actor.js';
import type { Fact } from './kernel/fact.js';

/** A move of an actor's statechart, and the fact that made it. */
export interface FactMove extends ReportedMove {
  readonly fact: Pick<Fact, 'sequence' | 'type' | 'stamp'>;
}

/**
 * Modules whose actors report the moves of their statecharts while facts are applied to them: loans, borrowers, interactions, cases, tasks
 * and workflows. Each actor is reported with its first fact, too, without a former status.
 */
export const watchingMoves = (modules: readonly ActorModule[], see: (move: FactMove) => void): readonly ActorModule[] =>
  modules.map((module) => {
    const { kind } = module.definition;
    return isInspected(kind) ? { ...module, definition: watching(module.definition, kind, see) } : module;
  });

function watching<State>(
  definition: ActorDefinition<State>,
  machine: InspectedMachine,
  see: (move: FactMove) => void,
): ActorDefinition<State> {
  const { lifecycle } = definition;
  if (lifecycle === undefined) return definition;
  const known = new Set<string>();
  return {
    ...definition,
    evolve(state, fact, emit, env) {
      const { id } = fact;
      const before = lifecycle.at(state, env);
      definition.evolve(state, fact, emit, env);
      const { value: to } = lifecycle.at(state, env);
      const isFirst = !known.has(id);
      if (!isFirst && before.value === to) return;
      known.add(id);
      const from = isFirst ? [] : [before.value];
      const context = !isFirst && isGuarded(lifecycle.machine, before.value) ? { context: before.context ?? {} } : {};
      see({ machine, id, from, to, ...context, fact });
    },
  };
}

/** Whether a move from a state depends on the context. */
const isGuarded = ({ states }: AnyStateMachine, state: string): boolean =>
  [...(states[state]?.transitions.values() ?? [])].flat().some(({ guard }) => guard !== undefined);
