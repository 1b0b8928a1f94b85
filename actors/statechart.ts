import { assert } from '../engine/index.js';

/** What a machine of XState tells of its moves. */
interface Machine {
  readonly id: string;
  readonly states: Readonly<Record<string, { readonly on: object }>>;
}

interface Transition {
  readonly target?: readonly { readonly key: string }[] | undefined;
}

/** The moves of a statechart, taken from it once: asking costs a look-up. */
export class Chart<State extends string, Move extends string> {
  readonly #id: string;
  readonly #moves: ReadonlyMap<string, ReadonlyMap<string, State | null>>;

  constructor({ id, states }: Machine) {
    this.#id = id;
    this.#moves = new Map(
      Object.entries(states).map(([state, { on }]) => [
        state,
        new Map(Object.entries(on).map(([move, found]) => [move, targetOf<State>(found)])),
      ]),
    );
  }

  allows(state: State, move: Move): boolean {
    return this.#moves.get(state)?.has(move) ?? false;
  }

  /** The state after a move that the state allows; a transition without a target leaves it as it is. */
  after(state: State, move: Move): State {
    const target = this.#moves.get(state)?.get(move);
    assert(target !== undefined, `a ${state} ${this.#id} cannot ${move}`);
    return target ?? state;
  }

  /** Whether nothing more can happen. */
  isOver(state: State): boolean {
    return (this.#moves.get(state)?.size ?? 0) === 0;
  }
}

const targetOf = <State extends string>(transitions: unknown): State | null =>
  ((transitions as readonly Transition[])[0]?.target?.[0]?.key ?? null) as State | null;
