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
