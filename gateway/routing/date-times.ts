import typia from 'typia';
import { type DateTimeText, millisecondsOf } from '../../actors/index.js';
import { dayAt, formatDay } from '../../engine/index.js';
import { once } from '../call-context.js';
import type { SchemaCollection } from './faults.js';

/*
 * A date-time is taken where a date is asked for, as the day in the product's zone. Where a type asks for
 * dates is read from its schema, once for each route.
 */

/** The parts of JSON Schema that say where a date stands. */
interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** What may stand at one place of a body; alternatives are merged. */
interface Place {
  /** A date, and no other text. */
  readonly isDate: boolean;
  readonly properties: ReadonlyMap<string, () => Place>;
  /** What an item of a list is, or a value under a name that is free. */
  readonly inside: (() => Place) | null;
}

/** A date-time of a body that stands for a day. */
interface FoundDateTime {
  /** Puts the day in a zone in its place. */
  replace(zone: string): void;
}

/** Finds date-times of a parsed body where its type asks for dates. */
export type DateTimes = (body: unknown) => readonly FoundDateTime[];

export function dateTimesOf(collection: SchemaCollection): DateTimes {
  const schemas = (collection.components.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const root = once(() => placeOf([(collection.schemas[0] ?? {}) as Schema], schemas));
  return (body) => {
    const found: FoundDateTime[] = [];
    look(body, root(), found);
    return found;
  };
}

function placeOf(schemas: readonly Schema[], named: Readonly<Record<string, Schema>>): Place {
  const alternatives = schemas.flatMap((schema) => alternativesOf(schema, named));
  const texts = alternatives.filter(({ type }) => type === 'string');
  const properties = new Map<string, Schema[]>();
  for (const alternative of alternatives) {
    for (const [name, schema] of Object.entries(alternative.properties ?? {}))
      properties.set(name, [...(properties.get(name) ?? []), schema]);
  }
  const insides = alternatives.flatMap(({ items, additionalProperties }) => [
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]);
  return {
    isDate: texts.length > 0 && texts.every(({ format }) => format === 'date'),
    properties: new Map([...properties].map(([name, options]) => [name, once(() => placeOf(options, named))])),
    inside: insides.length === 0 ? null : once(() => placeOf(insides, named)),
  };
}

function alternativesOf(schema: Schema, named: Readonly<Record<string, Schema>>): readonly Schema[] {
  const found = schema.$ref === undefined ? undefined : named[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
  if (found !== undefined) return alternativesOf(found, named);
  const options = schema.oneOf ?? schema.anyOf;
  return options === undefined ? [schema] : options.flatMap((option) => alternativesOf(option, named));
}

const isDateTime = typia.createIs<DateTimeText>();

function look(value: unknown, { properties, inside }: Place, found: FoundDateTime[]): void {
  if (value === null || typeof value !== 'object') return;
  const holder = value as Record<string, unknown>;
  for (const name of Object.keys(holder)) {
    const place = (Array.isArray(value) ? undefined : properties.get(name)) ?? inside;
    if (place === null) continue;
    const part = holder[name];
    if (typeof part !== 'string') look(part, place(), found);
    else if (place().isDate && isDateTime(part)) {
      found.push({ replace: (zone) => void (holder[name] = formatDay(dayAt(zone, millisecondsOf(part)))) });
    }
  }
}
