/** Whether a value is an object with named fields, whatever they hold. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The fields of a value of which nothing is known: none where it is no object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : NO_FIELDS);

const NO_FIELDS = {};

/** A field of a value of which nothing is known: undefined where it has none. */
export const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** A text among the fields of a value of which nothing is known. */
export function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : undefined;
}

/** A list of objects among the fields of a value of which nothing is known; empty where there is none. */
export function recordsIn(value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field.filter((one) => isRecord(one)) : [];
}

/** A table with a row for each of the names. */
export function tableOf<Name extends string | number, Row>(
  names: readonly Name[],
  rowOf: (name: Name, at: number) => Row,
): Readonly<Record<Name, Row>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has been given its row
  return Object.fromEntries(names.map((name, at) => [name, rowOf(name, at)])) as Record<Name, Row>;
}

/** The names of a table that is written out in the source: the compiler knows each of them. */
export function namesOf<Name extends string>(table: { readonly [Each in Name]?: unknown }): readonly Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a table of the source has no names beside those of its type
  return Object.keys(table) as Name[];
}

/**
 * A text that the service has written itself as JSON, in the shape in which it was written, which is not checked again. Never one of a
 * caller, a file or another system.
 */
export function ownJson<Written>(text: string): Written {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was written is read
  return JSON.parse(text) as Written;
}
