import type { Fault } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

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

/** JSON schemas of one type, as `typia.json.schemas<[T], '3.1'>()` makes them. */
export interface SchemaCollection {
  readonly version: '3.1';
  readonly components: { readonly schemas?: Readonly<Record<string, unknown>> };
  readonly schemas: readonly unknown[];
}

/**
 * A type of the wire at run time: its validator and its schema. typia compiles both from the type, which must be
 * concrete where they are written:
 *
 *     body: { validate: typia.misc.createValidatePrune<FreezeLoan>(), schemas: typia.json.schemas<[FreezeLoan], '3.1'>() },
 *
 * `createValidatePrune` takes properties off that the type does not name: unknown ones are ignored.
 */
export interface Checked<T> {
  readonly validate: (input: unknown) => Validation<T>;
  readonly schemas: SchemaCollection;
}

/**
 * Words for what a validator expected. typia names TypeScript types, which nobody outside knows: tags become bounds in words, lists and
 * objects are called so instead of by the names of their types, and texts in quotes stay as they are.
 */
export function inWords(expected: string): string {
  const quoted: string[] = [];
  const bare = expected.replace(QUOTED, (text) => `${MARK}${quoted.push(text) - 1}${MARK}`);
  const named = TABLE.reduce((text, [pattern, words]) => text.replace(pattern, words), OUTERMOST.reduce(withoutInside, bare));
  const textAt = (place: string): string => quoted[Number(place)] ?? '';
  return named
    .replace(PARENTHESES, '')
    .replace(PATTERN, (_, place: string) => ` matching ${JSON.parse(textAt(place)) as string}`)
    .replace(PLACE, (_, place: string) => textAt(place))
    .replaceAll(`${ANY_ID} of at most 300 characters`, ID_IN_WORDS)
    .replaceAll(ANY_ID, ID_IN_WORDS);
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const MARK = '\u0000';
const PLACE = /\0(\d+)\0/g;
const PATTERN = / & Pattern<\0(\d+)\0>/g;
/** What ids in requests look like (base.md, AnyId), whose text tells nobody anything. */
const ANY_ID = 'string matching ^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\\d+';
const ID_IN_WORDS = 'an id, or ext- and an external id';
/** They stand around alternatives, which nobody reads otherwise without them. */
const PARENTHESES = /[()]/g;

/** Brackets whose inside tells nobody anything, and what they are called without it. */
const OUTERMOST: readonly { readonly opens: RegExp; readonly open: string; readonly close: string; readonly words: string }[] = [
  { opens: /\b(?:Readonly)?Array</, open: '<', close: '>', words: 'a list' },
  {
    opens: /\b(?!(?:Exclusive)?(?:Minimum|Maximum)<|M(?:in|ax)(?:Length|Items)<|Decimals<|Type<|Format<|Default<|Pattern<)[A-Z]\w*</,
    open: '<',
    close: '>',
    words: 'an object',
  },
  { opens: /\{/, open: '{', close: '}', words: 'an object' },
];

function withoutInside(text: string, { opens, open, close, words }: (typeof OUTERMOST)[number]): string {
  let rest = text;
  for (let found = opens.exec(rest); found !== null; found = opens.exec(rest)) {
    const begin = found.index + found[0].length;
    let depth = 1;
    let end = begin;
    for (; depth > 0 && end < rest.length; end += 1) depth += Number(rest[end] === open) - Number(rest[end] === close);
    rest = rest.slice(0, found.index) + words + rest.slice(end);
  }
  return rest;
}

/** In this order: what the later rows look for is what the earlier ones leave. */
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
  [/\bstring & Format<\0\d+\0>/g, 'an e-mail address'],
  [/\bWords\b/g, 'a list'],
  [/\b(?:__type|(?!CalendarDate\b|Instant\b|Pattern\b)[A-Z]\w*)/g, 'an object'],
  [/\b(object|list)\.o\d+\b/g, '$1'],
  [/\ban object(?: [&|] an object)+/g, 'an object'],
  [/string & \(CalendarDate \| Instant\)/g, 'a date YYYY-MM-DD that exists, or an ISO 8601 date-time with Z or an offset'],
  [/string & CalendarDate/g, 'a date YYYY-MM-DD that exists'],
  [/string & Instant/g, 'an ISO 8601 date-time with Z or an offset'],
];

export type Validated =
  | { readonly type: 'valid'; readonly value: unknown }
  | { readonly type: 'faulty'; readonly faults: readonly Fault[] };

/** Checks a value; `where` is told when the value itself, not a part of it, is wrong. */
export function validate(checked: Checked<unknown>, input: unknown, where: 'body' | 'query'): Validated {
  const result = checked.validate(input);
  if (result.success) return { type: 'valid', value: result.data };
  const faults = result.errors.slice(0, LIMITS.faults).map(({ path, expected, value }): Fault => {
    const place = path.replace(/^\$input\.?/, '').replace(/\["([^"]+)"\]/g, '.$1') || where;
    const wanted = inWords(expected);
    return { path: place, expected: wanted, message: value === undefined ? `${place} is missing` : `${place} must be ${wanted}` };
  });
  return { type: 'faulty', faults };
}

/** typia cannot count the keys of an object, so each `metaData` of a body is looked at here. No more faults than a reply lists. */
export function metaDataFaults(body: unknown): readonly Fault[] {
  const faults: Fault[] = [];
  if (body !== null && typeof body === 'object') findMetaData(body, { of: null, key: '' }, faults);
  return faults;
}

/** Where an object stands in a body; put into words for the few that are at fault. */
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
    const value = (holder as Readonly<Record<string, unknown>>)[key];
    if (value === null || typeof value !== 'object') continue;
    const place = { of: at, key };
    if (key === 'metaData' || key === 'metadata') faults.push(...tooMuchMetaData(value, pathOf(place)));
    else findMetaData(value, place, faults);
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
    faults.push({ path, expected: `at most ${LIMITS.metaDataKeys} keys`, message: `${path} has ${keys.length} keys` });
  }
  if (keys.some((key) => key.length > LIMITS.metaDataKeyLength)) {
    const expected = `keys of at most ${LIMITS.metaDataKeyLength} characters`;
    faults.push({ path, expected, message: `${path} has a longer key` });
  }
  return faults;
}
