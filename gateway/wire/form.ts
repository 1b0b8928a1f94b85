import { type Fault, Refusal } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

/** What a query string or a form carries: texts, lists of texts, and objects of those. */
export type FormValue = string | FormValue[] | FormObject;
export interface FormObject {
  [name: string]: FormValue;
}

/** Names and values of `a=1&b=2` in their order. Throws `Refusal` on broken percent-encoding and too many names. */
function parsePairs(text: string, where: string): (readonly [string, string])[] {
  if (text === '') return [];
  const parts = text.split('&');
  if (parts.length > LIMITS.formNames) throw malformed(where, `at most ${LIMITS.formNames} names`, 'too many names');
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
export function parseQuery(text: string): FormObject {
  const query: FormObject = {};
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
export function parseForm(text: string): FormObject {
  const form: FormObject = {};
  for (const [name, value] of parsePairs(text, 'body')) place(form, name, value);
  return form;
}

const SEGMENT = /^([^.[\]]+)((?:\[\d{0,4}\])*)$/;

function place(form: FormObject, name: string, value: string): void {
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
  if (path.length > LIMITS.bodyDepth) throw malformed('body', `at most ${LIMITS.bodyDepth} levels`, 'nested too deeply');
  put(form, path, value, name);
}

function indexOf(digits: string, name: string): number {
  const index = digits === '' ? -1 : Number(digits);
  if (index >= 0 && index <= LIMITS.formIndex) return index;
  throw malformed('body', `an index from 0 to ${LIMITS.formIndex}`, `the index in ${name.slice(0, 60)} is wrong`);
}

/** Walks along the path, making what is missing; -1 appends to a list. */
function put(root: FormObject, path: readonly (string | number)[], value: string, name: string): void {
  let holder: FormObject | FormValue[] = root;
  for (const [depth, step] of path.entries()) {
    const next = path[depth + 1];
    if (next === undefined) {
      if (Array.isArray(holder)) holder[step === -1 ? holder.length : Number(step)] = value;
      else addValue(holder, String(step), value, false);
      return;
    }
    const known: FormValue | undefined = Array.isArray(holder) ? holder[Number(step)] : own(holder, String(step));
    const inner: FormValue = known ?? (typeof next === 'number' ? [] : {});
    if (typeof inner === 'string' || Array.isArray(inner) !== (typeof next === 'number')) {
      throw malformed('body', 'a name used in one way', `the name ${name.slice(0, 60)} contradicts another`);
    }
    if (Array.isArray(holder)) holder[Number(step)] = inner;
    else holder[String(step)] = inner;
    holder = inner;
  }
}

function addValue(holder: FormObject, key: string, value: string, isList: boolean): void {
  const known = own(holder, key);
  if (known === undefined) holder[key] = isList ? [value] : value;
  else if (Array.isArray(known)) known.push(value);
  else if (typeof known === 'string') holder[key] = [known, value];
  else throw malformed('body', 'a name used in one way', `the name ${key.slice(0, 60)} contradicts another`);
}

const own = (holder: FormObject, key: string): FormValue | undefined => (Object.hasOwn(holder, key) ? holder[key] : undefined);

function assertName(name: string, where: string): void {
  if (name === '' || name === '__proto__') throw malformed(where, 'other names', 'a name is empty or not allowed');
}

function decode(text: string, where: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (cause) {
    throw malformed(where, 'percent-encoded UTF-8', 'the percent-encoding is broken', cause);
  }
}

function malformed(path: string, expected: string, message: string, cause?: unknown): Refusal {
  const errors: Fault[] = [{ path, expected, message }];
  return new Refusal('badRequest', `The ${path === 'query' ? 'query string' : 'form'} is malformed: ${message}.`, { errors, cause });
}
