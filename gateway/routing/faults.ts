import { fieldOf } from '../../engine/index.js';
import type { Fault } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { SchemaCollection } from './schema.js';

/** A fault as typia reports it. */
interface ReportedFault {
  /** `$input.fees[0].amount` */
  readonly path: string;
  readonly expected: string;
  readonly value?: unknown;
}

type Validation<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly data?: unknown; readonly errors: readonly ReportedFault[] };

/**
 * A type of the interface at run time: its validator and its schema. typia compiles both from the type, which must be concrete where they
 * are written:
 *
 *     body: { validate: typia.misc.createValidatePrune<FreezeLoan>(), schemas: typia.json.schemas<[FreezeLoan], '3.1'>() },
 *
 * `createValidatePrune` removes properties that the type does not have.
 */
export interface Checked<T> {
  readonly validate: (input: unknown) => Validation<T>;
  readonly schemas: SchemaCollection;
}

/**
 * Describes in plain English what a validator expected. typia names TypeScript types, which callers do not know: tags become bounds, and
 * the names of types become "a list" or "an object". Texts in quotes stay as they are.
 */
export function inEnglish(expected: string): string {
  const quoted: string[] = [];
  const bare = expected.replace(QUOTED, (text) => `${MARK}${quoted.push(text) - 1}${MARK}`);
  const named = TABLE.reduce((text, [pattern, english]) => text.replace(pattern, english), OUTERMOST.reduce(withoutInside, bare));
  const textAt = (index: string): string => quoted[Number(index)] ?? '';
  return named
    .replace(PARENTHESES, '')
    .replace(PATTERN, (_, index: string) => ` matching ${String(JSON.parse(textAt(index)))}`)
    .replace(MARKED, (_, index: string) => textAt(index))
    .replaceAll(`${ANY_ID} of at most 300 characters`, ID_IN_ENGLISH)
    .replaceAll(ANY_ID, ID_IN_ENGLISH);
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const MARK = '\u0000';
const MARKED = /\0(\d+)\0/g;
const PATTERN = / & Pattern<\0(\d+)\0>/g;
/** The pattern of ids in requests (base.md, AnyId), which callers would not recognize. */
const ANY_ID = 'a string matching ^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\\d+';
const ID_IN_ENGLISH = 'an id, or ext- and an external id';
/** Around alternatives, which are clear without them. */
const PARENTHESES = /[()]/g;

/** Types in brackets, whose inside callers do not know, and what to call them instead. */
const OUTERMOST: readonly { readonly opens: RegExp; readonly open: string; readonly close: string; readonly english: string }[] = [
  { opens: /\b(?:Readonly)?Array</, open: '<', close: '>', english: 'a list' },
  {
    opens:
      /\b(?!(?:Exclusive)?(?:Minimum|Maximum)<|M(?:in|ax)(?:Length|Items)<|UniqueItems<|Decimals<|Type<|Format<|Default<|Pattern<)[A-Z]\w*</,
    open: '<',
    close: '>',
    english: 'an object',
  },
  { opens: /\{/, open: '{', close: '}', english: 'an object' },
];

function withoutInside(text: string, { opens, open, close, english }: (typeof OUTERMOST)[number]): string {
  let rest = text;
  for (let found = opens.exec(rest); found !== null; found = opens.exec(rest)) {
    const begin = found.index + found[0].length;
    let depth = 1;
    let end = begin;
    for (; depth > 0 && end < rest.length; end += 1) depth += Number(rest[end] === open) - Number(rest[end] === close);
    rest = rest.slice(0, found.index) + english + rest.slice(end);
  }
  return rest;
}

/** Applied in this order: later rows match what earlier rows leave. */
const TABLE: readonly (readonly [RegExp, string])[] = [
  [/ \| undefined\b|\bundefined \| /g, ''],
  [/ ?& Default<[^>]*>/g, ''],
  [/\bnumber & Type<[^>]*>/g, 'a whole number'],
  [/ ?& Decimals<100, 0\.01>/g, ' with at most 2 decimals'],
  [/ ?& Decimals<100000000, [^>]*>/g, ' with at most 8 decimals'],
  // The narrower bound of two is named last.
  [/ ?& Maximum<[^>]*>(?=[^|)]*& Maximum<)/g, ''],
  [/ ?& Minimum<[^>]*>(?=[^|)]*& Minimum<)/g, ''],
  [/ ?& Minimum<([^>]*)> & Maximum<([^>]*)>/g, ' of $1 to $2'],
  [/ ?& Maximum<([^>]*)> & Minimum<([^>]*)>/g, ' of $2 to $1'],
  [/ ?& Minimum<([^>]*)>/g, ' of at least $1'],
  [/ ?& ExclusiveMinimum<([^>]*)> & Maximum<([^>]*)>/g, ' above $1 and at most $2'],
  [/ ?& Maximum<([^>]*)>/g, ' of at most $1'],
  [/ ?& ExclusiveMinimum<([^>]*)>/g, ' above $1'],
  [/ ?& ExclusiveMaximum<([^>]*)>/g, ' below $1'],
  [/ ?& MinLength<([^>]*)> & MaxLength<([^>]*)>/g, ' of $1 to $2 characters'],
  [/ ?& MaxLength<([^>]*)> & MinLength<([^>]*)>/g, ' of $2 to $1 characters'],
  [/ ?& MinLength<1>/g, ' that is not empty'],
  [/ ?& MinLength<([^>]*)>/g, ' of at least $1 characters'],
  [/ ?& MaxLength<([^>]*)>/g, ' of at most $1 characters'],
  [/ ?& MinItems<([^>]*)> & MaxItems<([^>]*)>/g, ' of $1 to $2 items'],
  [/ ?& MinItems<1>/g, ' that is not empty'],
  [/ ?& MinItems<([^>]*)>/g, ' of at least $1 items'],
  [/ ?& MaxItems<([^>]*)>/g, ' of at most $1 items'],
  [/ ?& UniqueItems(?:<[^>]*>)?/g, ' without repetitions'],
  [/\bstring & Format<\0\d+\0>/g, 'an e-mail address'],
  [/\bWords\b/g, 'a list'],
  [/\b(?:__type|(?!CalendarDate\b|Instant\b|Pattern\b)[A-Z]\w*)/g, 'an object'],
  [/\b(object|list)\.o\d+\b/g, '$1'],
  [/\ban object(?: [&|] an object)+/g, 'an object'],
  [/string & \(CalendarDate \| Instant\)/g, 'a date YYYY-MM-DD that exists, or an ISO 8601 date-time with Z or an offset'],
  [/string & CalendarDate/g, 'a date YYYY-MM-DD that exists'],
  [/string & Instant/g, 'an ISO 8601 date-time with Z or an offset'],
  [/(?<!whole )\bnumber\b/g, 'a number'],
  [/\bstring\b/g, 'a string'],
  [/\bboolean\b/g, 'true or false'],
  [/ \| /g, ' or '],
];

export type Validated =
  | { readonly type: 'valid'; readonly value: unknown }
  | { readonly type: 'faulty'; readonly faults: readonly Fault[] };

/** Checks a value. `where` names the value itself in a fault that is not of a part of it. */
export function validate(checked: Checked<unknown>, input: unknown, where: 'body' | 'query'): Validated {
  const result = checked.validate(input);
  if (result.success) return { type: 'valid', value: result.data };
  const faults = result.errors.slice(0, LIMITS.faults).map(({ path, expected, value }): Fault => {
    const name = path.replace(/^\$input\.?/, '').replace(/\["([^"]+)"\]/g, '.$1') || where;
    const wanted = inEnglish(expected);
    return { path: name, expected: wanted, message: value === undefined ? `${name} is missing` : `${name} must be ${wanted}` };
  });
  return { type: 'faulty', faults };
}

/** Checks each `metaData` of a body, since typia cannot count the keys of an object. No more faults than a reply lists. */
export function metaDataFaults(body: unknown): readonly Fault[] {
  const faults: Fault[] = [];
  if (body !== null && typeof body === 'object') findMetaData(body, { of: null, key: '' }, faults);
  return faults;
}

/** A step of the path to an object in a body. The text of the path is made only for faults. */
interface Step {
  readonly of: Step | null;
  readonly key: string | number;
}

function findMetaData(holder: object, at: Step, faults: Fault[]): void {
  if (Array.isArray(holder)) {
    for (let index = 0; index < holder.length && faults.length < LIMITS.faults; index++) {
      const value: unknown = holder[index];
      if (value !== null && typeof value === 'object') findMetaData(value, { of: at, key: index }, faults);
    }
    return;
  }
  for (const key in holder) {
    if (faults.length >= LIMITS.faults) return;
    const value = fieldOf(holder, key);
    if (value === null || typeof value !== 'object') continue;
    const step = { of: at, key };
    if (key === 'metaData' || key === 'metadata') faults.push(...tooMuchMetaData(value, pathOf(step)));
    else findMetaData(value, step, faults);
  }
}

function pathOf({ of, key }: Step): string {
  if (of === null) return '';
  const before = pathOf(of);
  if (typeof key === 'number') return `${before}[${key}]`;
  return before === '' ? key : `${before}.${key}`;
}

function tooMuchMetaData(value: object, path: string): readonly Fault[] {
  const keys = Object.keys(value);
  const faults: Fault[] = [];
  if (keys.length > LIMITS.metaDataKeys) {
    const expected = `at most ${LIMITS.metaDataKeys} keys`;
    faults.push({ path, expected, message: `${path} has ${keys.length} keys and must have ${expected}` });
  }
  if (keys.some((key) => key.length > LIMITS.metaDataKeyLength)) {
    const expected = `keys of at most ${LIMITS.metaDataKeyLength} characters`;
    faults.push({ path, expected, message: `${path} must have ${expected}` });
  }
  return faults;
}
