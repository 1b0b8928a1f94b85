import { type Fault, Refusal } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

/** The content of a query string or a form: texts, lists, and objects of those. */
export type UrlEncodedValue = string | UrlEncodedValue[] | UrlEncodedObject;
export interface UrlEncodedObject {
  [name: string]: UrlEncodedValue;
}

/** Names and values of `a=1&b=2` in their order. Throws `Refusal` on broken percent-encoding and too many names. */
function parsePairs(text: string, where: string): (readonly [string, string])[] {
  if (text === '') return [];
  const parts = text.split('&');
  if (parts.length > LIMITS.formNames)
    throw malformed(where, `at most ${LIMITS.formNames} names`, `it has more than ${LIMITS.formNames} names`);
  const pairs: (readonly [string, string])[] = [];
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals), where);
    pairs.push([name, equals < 0 ? '' : decode(part.slice(equals + 1), where)]);
  }
  return pairs;
}

/** A query string as an object: a name that comes again, or ends in `[]`, makes a list. */
export function parseQuery(text: string): UrlEncodedObject {
  const query: UrlEncodedObject = {};
  for (const [name, value] of parsePairs(text, 'query')) {
    const isList = name.endsWith('[]');
    const key = isList ? name.slice(0, -2) : name;
    assertName(key, 'query');
    addValue(query, key, value, isList);
  }
  return query;
}

/**
 * A form as an object: dots make nested objects (`address.city=X`), `key[]` and repeated keys make lists,
 * `key[0].name=X` fills a list of objects.
 */
export function parseUrlEncoded(text: string): UrlEncodedObject {
  const fields: UrlEncodedObject = {};
  for (const [name, value] of parsePairs(text, 'body')) setField(fields, name, value);
  return fields;
}

const SEGMENT = /^([^.[\]]+)((?:\[\d{0,4}\])*)$/;

function setField(fields: UrlEncodedObject, name: string, value: string): void {
  const path: (string | number)[] = [];
  const segments = name.split('.');
  for (const [index, segment] of segments.entries()) {
    const match = SEGMENT.exec(segment);
    if (!match) throw malformed('body', 'names such as a.b, a[] and a[0].b', `the name ${name.slice(0, 60)} is malformed`);
    path.push(match[1] ?? '');
    assertName(match[1] ?? '', 'body');
    const brackets = match[2] ?? '';
    if (brackets === '[]' && index === segments.length - 1) path.push(-1);
    else for (const [, digits] of brackets.matchAll(/\[(\d*)\]/g)) path.push(indexOf(digits ?? '', name));
  }
  if (path.length > LIMITS.bodyDepth) throw malformed('body', `at most ${LIMITS.bodyDepth} levels`, 'it is nested too deeply');
  put(fields, path, value, name);
}

function indexOf(digits: string, name: string): number {
  const index = digits === '' ? -1 : Number(digits);
  if (index >= 0 && index <= LIMITS.formIndex) return index;
  throw malformed(
    'body',
    `an index from 0 to ${LIMITS.formIndex}`,
    `the index in ${name.slice(0, 60)} must be a number from 0 to ${LIMITS.formIndex}`,
  );
}

/** Walks along the path and creates missing objects and lists; -1 appends to a list. */
function put(root: UrlEncodedObject, path: readonly (string | number)[], value: string, name: string): void {
  let holder: UrlEncodedObject | UrlEncodedValue[] = root;
  for (const [depth, step] of path.entries()) {
    const next = path[depth + 1];
    if (next === undefined) {
      if (Array.isArray(holder)) holder[step === -1 ? holder.length : Number(step)] = value;
      else addValue(holder, String(step), value, false);
      return;
    }
    const known: UrlEncodedValue | undefined = Array.isArray(holder) ? holder[Number(step)] : own(holder, String(step));
    const inner: UrlEncodedValue = known ?? (typeof next === 'number' ? [] : {});
    if (typeof inner === 'string' || Array.isArray(inner) !== (typeof next === 'number')) {
      throw mixedUse(name);
    }
    if (Array.isArray(holder)) holder[Number(step)] = inner;
    else holder[String(step)] = inner;
    holder = inner;
  }
}

function addValue(holder: UrlEncodedObject, key: string, value: string, isList: boolean): void {
  const known = own(holder, key);
  if (known === undefined) holder[key] = isList ? [value] : value;
  else if (Array.isArray(known)) known.push(value);
  else if (typeof known === 'string') holder[key] = [known, value];
  else throw mixedUse(key);
}

const mixedUse = (name: string): Refusal =>
  malformed(
    'body',
    'each name used for a value, a list or an object',
    `the name ${name.slice(0, 60)} is used both for a value and for a list or an object`,
  );

const own = (holder: UrlEncodedObject, key: string): UrlEncodedValue | undefined => (Object.hasOwn(holder, key) ? holder[key] : undefined);

function assertName(name: string, where: string): void {
  if (name === '' || name === '__proto__')
    throw malformed(where, 'names that are not empty and not __proto__', 'a name is empty or __proto__');
}

function decode(text: string, where: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (cause) {
    throw malformed(where, 'percent-encoded UTF-8', 'the percent-encoding is not valid', cause);
  }
}

function malformed(path: string, expected: string, message: string, cause?: unknown): Refusal {
  const errors: Fault[] = [{ path, expected, message }];
  return new Refusal('badRequest', `The ${path === 'query' ? 'query string' : 'form'} is malformed: ${message}.`, { errors, cause });
}
