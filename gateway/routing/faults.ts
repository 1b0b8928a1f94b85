import type { Fault } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { Checked } from './checked.js';
import { inWords } from './expected-words.js';

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

/** typia cannot count the keys of an object, so each `metaData` of a body is looked at here. */
export function metaDataFaults(body: unknown, path = ''): readonly Fault[] {
  if (body === null || typeof body !== 'object') return NO_FAULTS;
  let faults = NO_FAULTS;
  for (const key in body) {
    const value = (body as Readonly<Record<string, unknown>>)[key];
    if (value === null || typeof value !== 'object') continue;
    const place = Array.isArray(body) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = key === 'metaData' || key === 'metadata' ? tooMuchMetaData(value, place) : metaDataFaults(value, place);
    if (found.length > 0) faults = [...faults, ...found];
  }
  return faults;
}

const NO_FAULTS: readonly Fault[] = [];

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
