import { distance } from 'fastest-levenshtein';
import type { Fault } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import { once } from '../once.js';
import type { SchemaCollection } from './checked.js';

/*
 * A property or parameter that the interface does not know is refused: a misspelt `dateOfBirth` would
 * be data that is lost in silence. What a type knows is read from its schema, once for each route.
 */

/** The parts of JSON Schema that say which names there are. */
interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** What may stand at one place of a value. Alternatives are merged: a name is known when one of them knows it. */
interface Names {
  /** Null: no object can stand here, or one of any names. */
  readonly known: ReadonlyMap<string, () => Names> | null;
  /** Of an object whose names are free, what their values are; of a list, what its items are. */
  readonly inside: (() => Names) | null;
}

/** @param where what the value is, for the text of a fault */
export type UnknownNames = (value: unknown, where: 'body' | 'query') => readonly Fault[];

/**
 * Finds names that a type does not know; null: a route that takes nothing. Answers at most `LIMITS.faults` faults.
 * @param alsoKnown a type whose names pass as well: an object may be sent back as it was read, and what cannot be set is left out
 */
export function unknownNames(collection: SchemaCollection | null, alsoKnown: SchemaCollection | null = null): UnknownNames {
  if (collection === null) return (value, where) => faultsIn(value, NOTHING, '', where, []);
  const schemas = { ...alsoKnown?.components.schemas, ...collection.components.schemas } as Readonly<Record<string, Schema>>;
  const anyOf = [collection.schemas[0], ...(alsoKnown?.schemas ?? [])] as readonly Schema[];
  const root = once(() => namesOf({ anyOf }, schemas));
  return (value, where) => faultsIn(value, root(), '', where, []);
}

const NOTHING: Names = { known: new Map(), inside: null };

function namesOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): Names {
  const alternatives = alternativesOf(schema, schemas);
  const objects = alternatives.filter(
    ({ properties, additionalProperties }) => properties !== undefined || additionalProperties !== undefined,
  );
  const insides = alternatives.flatMap(({ items, additionalProperties }) => [
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]);
  const isFree =
    objects.length === 0 ||
    objects.some(({ additionalProperties }) => additionalProperties !== undefined && additionalProperties !== false);
  return {
    known: isFree ? null : knownIn(objects, schemas),
    inside: insides.length === 0 ? null : once(() => namesOf({ anyOf: insides }, schemas)),
  };
}

function knownIn(objects: readonly Schema[], schemas: Readonly<Record<string, Schema>>): ReadonlyMap<string, () => Names> {
  const found = new Map<string, Schema[]>();
  for (const { properties = {} } of objects) {
    for (const [name, schema] of Object.entries(properties)) found.set(name, [...(found.get(name) ?? []), schema]);
  }
  return new Map([...found].map(([name, anyOf]) => [name, once(() => namesOf({ anyOf }, schemas))]));
}

function alternativesOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): readonly Schema[] {
  const named = schema.$ref === undefined ? undefined : schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
  if (named !== undefined) return alternativesOf(named, schemas);
  const options = schema.oneOf ?? schema.anyOf;
  return options === undefined ? [schema] : options.flatMap((option) => alternativesOf(option, schemas));
}

function faultsIn(value: unknown, { known, inside }: Names, path: string, where: 'body' | 'query', faults: Fault[]): readonly Fault[] {
  if (value === null || typeof value !== 'object' || faults.length >= LIMITS.faults) return faults;
  if (Array.isArray(value)) {
    if (inside !== null) value.forEach((item, index) => faultsIn(item, inside(), `${path}[${index}]`, where, faults));
    return faults;
  }
  for (const [name, part] of Object.entries(value)) {
    const place = path === '' ? name : `${path}.${name}`;
    const names = known === null ? inside : known.get(name);
    if (names === undefined) faults.push(unknownAt(place, name, [...(known?.keys() ?? [])], where));
    else if (names !== null) faultsIn(part, names(), place, where, faults);
    if (faults.length >= LIMITS.faults) break;
  }
  return faults;
}

function unknownAt(path: string, name: string, known: readonly string[], where: 'body' | 'query'): Fault {
  const place = path.slice(0, LIMITS.shownNameLength);
  const what = where === 'query' ? 'parameter' : 'field';
  if (known.length === 0) return { path: place, expected: `no ${what}`, message: `${place} is not a ${what} of this operation` };
  const shown = name.slice(0, LIMITS.shownNameLength).toLowerCase();
  const nearest = known.reduce((best, each) => (distance(shown, each.toLowerCase()) < distance(shown, best.toLowerCase()) ? each : best));
  return {
    path: place,
    expected: `a known ${what}, such as ${nearest}`,
    message: `${place} is not a ${what} of this operation; the nearest is ${nearest}`,
  };
}
