import typia from 'typia';
import { type DateTimeText, millisecondsOf } from '../../actors/index.js';
import { dayAt, formatDay, isRecord } from '../../engine/index.js';
import { once } from '../once.js';
import { type NamedSchemas, referredIn, type Schema, type SchemaCollection } from './schema.js';

/*
 * A date-time is accepted in place of a date: it becomes its day in the product's zone. The dates of a type are found in its schema, once
 * for each route.
 */

/** The dates in one value of a query or body; alternatives are merged. */
interface DateSchema {
  /** The value is a date, and no other text. */
  readonly isDate: boolean;
  readonly properties: ReadonlyMap<string, () => DateSchema>;
  /** Of the items of a list, or of values under free names. */
  readonly inside: (() => DateSchema) | null;
}

/** A date-time of a request that means a day. */
interface FoundDateTime {
  /** Replaces it by its day in a zone. */
  replace(zone: string): void;
}

/** Finds date-times of a parsed query or body where its type has dates. */
export type DateTimes = (value: unknown) => readonly FoundDateTime[];

export function dateTimesOf(collection: SchemaCollection): DateTimes {
  const { schemas = {} } = collection.components;
  const root = once(() => dateSchemaOf(collection.schemas.slice(0, 1), schemas));
  return (value) => {
    const found: FoundDateTime[] = [];
    findDateTimes(value, root(), found);
    return found;
  };
}

function dateSchemaOf(schemas: readonly Schema[], named: NamedSchemas): DateSchema {
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
    properties: new Map([...properties].map(([name, options]) => [name, once(() => dateSchemaOf(options, named))])),
    inside: insides.length === 0 ? null : once(() => dateSchemaOf(insides, named)),
  };
}

function alternativesOf(schema: Schema, named: NamedSchemas): readonly Schema[] {
  const found = schema.$ref === undefined ? undefined : referredIn(named, schema.$ref);
  if (found !== undefined) return alternativesOf(found, named);
  const options = schema.oneOf ?? schema.anyOf;
  return options === undefined ? [schema] : options.flatMap((option) => alternativesOf(option, named));
}

const isDateTime = typia.createIs<DateTimeText>();

function findDateTimes(value: unknown, { properties, inside }: DateSchema, found: FoundDateTime[]): void {
  if (!isRecord(value)) return;
  for (const name of Object.keys(value)) {
    const schemaOf = (Array.isArray(value) ? undefined : properties.get(name)) ?? inside;
    if (schemaOf === null) continue;
    const part = value[name];
    if (typeof part !== 'string') findDateTimes(part, schemaOf(), found);
    else if (schemaOf().isDate && isDateTime(part)) {
      found.push({ replace: (zone) => void Object.assign(value, { [name]: formatDay(dayAt(zone, millisecondsOf(part))) }) });
    }
  }
}
