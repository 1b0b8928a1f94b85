import type { CatalogRow, ReadPart } from './actor.js';
import type { Fact } from './fact.js';

/*
 * The runtime keeps states, parts, facts and rows of all kinds of actors without their types. These functions give them back to the domain
 * of their kind, which has made them; nothing is checked again, since a start reads millions of them.
 */

/** The state of an actor. The reader names its kind, and takes the type from the domain that defines that kind. */
export function stateAs<State>(state: unknown): State | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module of the kind has made it
  return state as State | undefined;
}

/** The value of a part, in the type in which `parts` of the kind gives it: that value is stored, and read as it is. */
export function partOf<Value>(read: ReadPart, name: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module of the kind has given the part of this name
  return read(name) as Value;
}

/**
 * The body of a fact, for the row of a table that was found by the fact's type. Such a table has a row for each type, written for the body
 * with which `decide` records that type; the compiler cannot follow this, since the type of a fact from the journal may be any text.
 */
export function bodyForRow({ body }: Pick<Fact, 'body'>): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row is written for the body of this type of fact
  return body as never;
}

/** All fields of a row of the list index, as `row` of the kind's definition writes them. */
export function rowFieldsOf<Fields>({ fields }: Pick<CatalogRow, 'fields'>): Fields {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module of the kind has written them
  return fields as Fields;
}
