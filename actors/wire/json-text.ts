import { assert } from '../../engine/index.js';
import { beginningOfObject, KIND, type Kind, stepTo } from './object-steps.js';

/** A number as its decimal text: printed into JSON digit by digit, so that `12.50` stays `12.50`. */
export class Decimal {
  constructor(readonly text: string) {}

  /** For `JSON.stringify` in logs and debuggers; replies go through `toJsonText`. */
  toJSON(): number {
    return Number(this.text);
  }
}

/** A value that is JSON text already, for replies that are sent again as they were. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** What a string must not hold to be printed between quotes as it is. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * `toJsonText`, remembered with an object as long as that lives: what is stored for retries is what is sent now. The
 * object must not change any more.
 */
export function keptText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return toJsonText(value);
  const kept = keptTexts.get(value) ?? toJsonText(value);
  keptTexts.set(value, kept);
  return kept;
}

const keptTexts = new WeakMap<object, string>();

/** The remembered text, or one made now. */
export const textOf = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? keptTexts.get(value) : undefined) ?? toJsonText(value);

/** JSON of a reply. Like `JSON.stringify` without indentation, but exact for `Decimal` and `JsonText`. */
export function toJsonText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
    case 'number':
      assert(Number.isFinite(value), 'a reply holds a number that JSON cannot say');
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'null';
    case 'object':
      return objectText(value);
    case 'bigint':
    case 'function':
    case 'symbol':
    default:
      assert(false, `a reply holds a ${typeof value}`);
  }
}

function objectText(value: object | null): string {
  if (value === null) return 'null';
  if (value instanceof Decimal || value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Date) return `"${value.toISOString()}"`;
  return propertiesText(value as Readonly<Record<string, unknown>>);
}

function propertiesText(object: Readonly<Record<string, unknown>>): string {
  let text = '';
  let place = beginningOfObject();
  for (const key in object) {
    const property = object[key];
    if (property === undefined) continue;
    const kind = kindOf(property);
    const { newest } = place;
    const step = newest !== null && newest.key === key && newest.kind === kind ? newest : stepTo(place, key, kind, toJsonText);
    if (kind === KIND.quoted) text += step.text + (property as string);
    else if (kind === KIND.other) text += step.text + toJsonText(property);
    ({ place } = step);
  }
  return `${text}${place.owed}}`;
}

function kindOf(value: unknown): Kind {
  if (value === null) return KIND.null;
  if (value === true) return KIND.true;
  if (value === false) return KIND.false;
  return typeof value === 'string' && !NEEDS_ESCAPE.test(value) ? KIND.quoted : KIND.other;
}

function arrayText(values: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < values.length; index++) text += (index > 0 ? ',' : '') + toJsonText(values[index]);
  return `${text}]`;
}
