import type { SchemaCollection } from '../../../gateway/index.js';
import type { Random } from './random.js';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly multipleOf?: number;
}

/** Values that have broken other programs. */
const ODDITIES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  0.5,
  0.1 + 0.2,
  1e13,
  9_999_999_999_999.99,
  -0.01,
  1e308,
  5e-324,
  2 ** 53,
  4_294_967_295,
  12.345,
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  'NaN',
  'x'.repeat(5_000),
  '\u0000',
  '\ud83d',
  '💥',
  '‮',
  "'; DROP TABLE loans; --",
  '${7*7}',
  '{{7*7}}',
  '../../etc/passwd',
  'ext-',
  'ext-ext-1',
  'ext-__proto__',
  '__proto__',
  'constructor',
  'toString',
  '2026-02-30',
  '2026-02-29',
  '0000-00-00',
  '9999-12-31',
  '2299-12-31',
  '1900-01-01',
  '2026-03-01T00:00:00Z',
  '2026-03-01T00:00:00+23:59',
  'LN-AAAA-AAAA',
  'BO-1111-1111',
  'XX-0000-0000',
  '99999999999999999999',
  [],
  [[]],
  [null],
  {},
  { constructor: 1 },
  { toString: 1 },
  { length: 1e9 },
  [1, 'a', null, {}],
];

const DATES = ['2025-12-31', '2026-01-15', '2026-02-28', '2026-03-02', '2026-03-03', '2026-04-15', '2026-06-30', '2027-01-31'];
const TEXTS = [
  'ada',
  'Elm Street',
  'Springfield',
  'IL',
  'US',
  '62701',
  'monthly',
  'regular',
  'note',
  'ada@example.com',
  '+12025550123',
  '021000021',
];

export interface Taste {
  readonly random: Random;
  /** Share of values that are odd instead of valid. */
  readonly oddness: number;
  /** Ids that the service has given so far. */
  readonly ids: readonly string[];
  /** Ids of a line of credit, by the names of the path parameters. */
  readonly line: Readonly<Record<string, string>>;
}

/** A value for a schema, sometimes an invalid one. */
export function valueFor(collection: SchemaCollection, taste: Taste): unknown {
  const named = (collection.components.schemas ?? {}) as Readonly<Record<string, Schema>>;
  return make(collection.schemas[0] as Schema, named, taste, 0);
}

export const oddity = ({ random }: Taste): unknown => random.pick(ODDITIES);

function make(schema: Schema, named: Readonly<Record<string, Schema>>, taste: Taste, depth: number): unknown {
  const { random, oddness } = taste;
  if (depth > 8 || random.chance(oddness)) return oddity(taste);
  const inner = (part: Schema): unknown => make(part, named, taste, depth + 1);
  if (schema.$ref !== undefined) return inner(named[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {});
  if (schema.oneOf) return inner(random.pick(schema.oneOf));
  if (schema.const !== undefined) return schema.const;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- schemas without a type give any value
  switch (schema.type) {
    case 'string':
      return textFor(schema, taste);
    case 'number':
    case 'integer':
      return numberFor(schema, random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: random.below(4) }, () => inner(schema.items ?? {}));
    case 'object':
      return objectFor(schema, inner, taste);
    default:
      return oddity(taste);
  }
}

function textFor(schema: Schema, { random, ids }: Taste): string {
  if (schema.format === 'date') return random.pick(DATES);
  if (schema.format === 'date-time') return `${random.pick(DATES)}T${random.pick(['00:00:00Z', '12:30:00-05:00', '23:59:59.999999Z'])}`;
  if (ids.length > 0 && (schema.pattern?.includes('ext-') || random.chance(0.3))) return random.pick(ids);
  const text = random.chance(0.1) ? 'y'.repeat(Math.min(schema.maxLength ?? 300, 2_000)) : random.pick(TEXTS);
  return text.slice(0, schema.maxLength ?? text.length).padEnd(schema.minLength ?? 0, 'z');
}

function numberFor({ minimum = 0, maximum = 10_000, multipleOf, type }: Schema, random: Random): number {
  if (random.chance(0.1)) return random.pick([minimum, maximum]);
  const value = minimum + random.next() * Math.min(maximum - minimum, random.pick([1, 40, 10_000]));
  if (type === 'integer' || multipleOf === undefined) return Math.floor(value);
  const scale = Math.round(1 / multipleOf);
  return Math.round(value * scale) / scale;
}

function objectFor(schema: Schema, inner: (part: Schema) => unknown, taste: Taste): Record<string, unknown> {
  const { random } = taste;
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isWanted = schema.required?.includes(name) ? !random.chance(taste.oddness) : random.chance(0.4);
    if (isWanted) made[name] = inner(property);
  }
  if (typeof schema.additionalProperties === 'object' && random.chance(0.5)) made[random.pick(TEXTS)] = inner(schema.additionalProperties);
  if (random.chance(taste.oddness)) made[random.pick(['unknown', 'constructor', 'hasOwnProperty', ''])] = oddity(taste);
  return made;
}
