import { isExactNumber } from '../wire/json.js';
import type { UrlEncodedValue } from '../wire/url-encoded.js';
import { referredIn, type Schema, type SchemaCollection } from './schema.js';

/** Converts texts of a query or a form to the types of a schema. A text that does not fit stays text, for the validator to refuse. */
export type Coercion = (value: UrlEncodedValue) => unknown;

/** How lists are written: `a,b` and `[a, b]` in a query; a form repeats the name. */
export type ListStyle = 'commas' | 'repeated';

export function coercion(collection: SchemaCollection, style: ListStyle): Coercion {
  const { schemas = {} } = collection.components;
  const known = new Map<string, Coercion>();

  function build(schema: Schema | undefined): Coercion {
    if (!schema) return keep;
    if (schema.$ref !== undefined) return named(schema.$ref);
    if (schema.oneOf) return firstFitting(withoutGuesses(schema.oneOf, resolve).map((option) => build(option)));
    if (schema.const !== undefined) return constant(schema.const);
    switch (schema.type) {
      case 'number':
      case 'integer':
        return toNumber;
      case 'boolean':
        return toBoolean;
      case 'null':
        return style === 'commas' ? nullFromQuery : nullFromEmpty;
      case 'array':
        return toList(build(schema.items), style);
      case 'object':
        return toObject(schema, build);
      case undefined:
      default:
        return keep;
    }
  }

  /** Types may contain themselves, so a name is built when it is first met in a value. */
  function named(reference: string): Coercion {
    return (value) => {
      const built = known.get(reference) ?? build(resolve({ $ref: reference }));
      known.set(reference, built);
      return built(value);
    };
  }

  function resolve(schema: Schema): Schema {
    const found = schema.$ref === undefined ? undefined : referredIn(schemas, schema.$ref);
    return found ? resolve(found) : schema;
  }

  return build(collection.schemas[0]);
}

const keep: Coercion = (value) => value;

const NUMBER = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

const toNumber: Coercion = (value) => (typeof value === 'string' && NUMBER.test(value) && isExactNumber(value) ? Number(value) : value);

const toBoolean: Coercion = (value) => (value === 'true' ? true : value === 'false' ? false : value);

/** The empty text: a form has no other way to write null. */
const nullFromEmpty: Coercion = (value) => (value === '' ? null : value);

/** In a query `null` is null, too: `managedByService=null`. */
const nullFromQuery: Coercion = (value) => (value === 'null' ? null : nullFromEmpty(value));

const constant =
  (wanted: unknown): Coercion =>
  (value) =>
    value === String(wanted) ? wanted : value;

/** Where a string is allowed the text stays a string: `5` in a string-or-number is not a number. */
function withoutGuesses(options: readonly Schema[], resolve: (schema: Schema) => Schema): readonly Schema[] {
  const resolved = options.map((option) => ({ option, type: resolve(option).type }));
  if (!resolved.some(({ type }) => type === 'string')) return options;
  return resolved.filter(({ type }) => type !== 'number' && type !== 'integer' && type !== 'boolean').map(({ option }) => option);
}

/** The result of the first alternative that converts the text. */
function firstFitting(alternatives: readonly Coercion[]): Coercion {
  return (value) => {
    for (const alternative of alternatives) {
      const coerced = alternative(value);
      if (coerced !== value) return coerced;
    }
    return value;
  };
}

function toList(item: Coercion, style: ListStyle): Coercion {
  return (value) => {
    if (Array.isArray(value))
      return value.flatMap((part) => (style === 'commas' && typeof part === 'string' ? split(part) : [part])).map(item);
    if (typeof value !== 'string') return value;
    return (style === 'commas' ? split(value) : [value]).map(item);
  };
}

/** `a,b` or `[a, b]`; the empty text is the empty list. */
function split(text: string): string[] {
  const inner = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1] ?? text;
  return inner.trim() === '' ? [] : inner.split(',').map((part) => part.trim());
}

function toObject(schema: Schema, build: (schema: Schema | undefined) => Coercion): Coercion {
  const properties = new Map(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, build(property)]));
  const others = typeof schema.additionalProperties === 'object' ? build(schema.additionalProperties) : keep;
  return (value) => {
    if (typeof value === 'string' || Array.isArray(value)) return value;
    const coerced: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(value)) coerced[name] = (properties.get(name) ?? others)(property);
    return coerced;
  };
}
