import { must } from '../../engine/index.js';
import { bodyForRow } from './erased.js';
import type { Emit } from './actor.js';
import type { Fact } from './fact.js';

/** How a state changes by each type of fact; `Facts` has the bodies by type. */
export type FactTable<State, Facts, Result = void> = {
  readonly [Type in keyof Facts]: (state: State, body: Facts[Type], fact: Fact, emit: Emit | null) => Result;
};

interface Stamped {
  updatedAt: number | null;
  updatedStamp: number;
}

/** Applies a fact by the table of its kind of actor. A fact without a row is a bug. */
export function applyRow<State, Facts, Result>(
  table: FactTable<State, Facts, Result>,
  state: State,
  fact: Fact,
  emit: Emit | null = null,
): Result {
  const rows: Readonly<Record<string, (state: State, body: never, fact: Fact, emit: Emit | null) => Result>> = table;
  return must(rows[fact.type], `no fact ${fact.type} is known here`)(state, bodyForRow(fact), fact, emit);
}

/** The same for an actor of which each fact is a change. */
export function applyFact<State extends Stamped, Facts>(
  table: FactTable<State, Facts>,
  state: State,
  fact: Fact,
  emit: Emit | null = null,
): void {
  applyRow(table, state, fact, emit);
  state.updatedStamp = fact.stamp;
  state.updatedAt = fact.businessAt;
}
