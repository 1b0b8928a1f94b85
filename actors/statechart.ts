import { type AnyMachineSnapshot, type AnyStateMachine, type EventObject, transition } from 'xstate';
import { assert, fieldsOf, must } from '../engine/index.js';

/**
 * A transition that is allowed in a state and does not change it. It has an action, since XState's `can` denies a transition without
 * target and action.
 */
export const STAYS = { actions: () => undefined };

/** What the compiler knows of the events and the context of a machine: XState reads only the type. */
export const moves = <Move extends string, Context extends object = object>(): {
  readonly events?: { readonly type: Move };
  readonly context?: Context;
} => ({});

/**
 * The transitions of a machine as a table. XState computes each state and move once, on the persisted snapshot of that state and when it
 * is asked for first, so that later calls cost two look-ups. Guards that read the context get the initial one.
 */
export class Chart<State extends string, Move extends string> {
  readonly #states: readonly State[];
  readonly #rows = new Map<State, ReadonlyMap<Move, State>>();

  constructor(readonly machine: AnyStateMachine) {
    this.#states = statesOf<State>(machine);
  }

  allows(state: State, move: Move): boolean {
    return this.#rowOf(state).has(move);
  }

  /** The state to which a move leads; undefined when the state does not allow it. */
  target(state: State, move: Move): State | undefined {
    return this.#rowOf(state).get(move);
  }

  /** The state after a move that the state allows. */
  after(state: State, move: Move): State {
    const target = this.target(state, move);
    assert(target !== undefined, `a ${state} ${this.machine.id} cannot ${move}`);
    return target;
  }

  /** The first move that leads from one state to another; undefined if none does. `context` is for guards that need one. */
  moveBetween(from: State, to: State, context?: object): Move | undefined {
    const row = context === undefined ? this.#rowOf(from) : rowOf<State, Move>(persistedAt(this.machine, from, context));
    for (const [move, target] of row) if (target === to && to !== from) return move;
    return undefined;
  }

  /** The move that leads to a state, from any state; if several do, the first of them. */
  moveTo(to: State): Move | undefined {
    for (const from of this.#states) {
      const move = this.moveBetween(from, to);
      if (move !== undefined) return move;
    }
    return undefined;
  }

  /** The states that allow a move, in the order of the machine. */
  statesFor(move: Move): readonly State[] {
    return this.#states.filter((state) => this.allows(state, move));
  }

  /** The other states to which a move leads, each once, in the order of the machine. */
  nextStates(state: State): readonly State[] {
    return [...new Set(this.#rowOf(state).values())].filter((next) => next !== state);
  }

  /** Whether nothing more can happen. */
  isOver(state: State): boolean {
    return this.#rowOf(state).size === 0;
  }

  #rowOf(state: State): ReadonlyMap<Move, State> {
    const known = this.#rows.get(state);
    if (known !== undefined) return known;
    assert(this.#states.includes(state), `a ${this.machine.id} is never ${state}`);
    const row = rowOf<State, Move>(persistedAt(this.machine, state));
    this.#rows.set(state, row);
    return row;
  }
}

/** The snapshot of a stored actor, as XState would restore it. */
export const persistedAt = (machine: AnyStateMachine, state: string, context: object = {}): AnyMachineSnapshot =>
  machine.resolveState({ value: state, context: { ...fieldsOf(machine.config.context), ...context } });

/** The states of a machine in the order of its definition. */
export const statesOf = <State extends string>(machine: AnyStateMachine): readonly State[] => declared<State>(Object.keys(machine.states));

/** Names of states or moves that stand in the definition of a machine, in the type that its module declares for them. */
function declared<Name extends string>(names: readonly string[]): readonly Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a machine has no other names than those of its definition
  return names as readonly Name[];
}

/** In the order of the state's definition, which decides between two moves to the same state. */
function rowOf<State extends string, Move extends string>(before: AnyMachineSnapshot): ReadonlyMap<Move, State> {
  const { machine } = before;
  const states = statesOf<State>(machine);
  const allowed = declared<Move>(machine.states[String(before.value)]?.ownEvents ?? []);
  return new Map(allowed.flatMap((move) => decided(machine, before, move, states)));
}

function decided<State extends string, Move extends string>(
  machine: AnyStateMachine,
  before: AnyMachineSnapshot,
  move: Move,
  states: readonly State[],
): readonly (readonly [Move, State])[] {
  const event: EventObject = { type: move };
  if (!before.can(event)) return [];
  const [after] = transition(machine, before, event);
  const state = states.find((each) => each === after.value);
  return [[move, must(state, `${machine.id} has the state in which ${move} ends`)]];
}
