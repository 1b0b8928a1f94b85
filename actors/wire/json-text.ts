import { assert } from '../../engine/index.js';

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
export const textOf = (value: unknown): string => (typeof value === 'object' && value !== null ? keptTexts.get(value) : undefined) ?? toJsonText(value);

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
    default:
      assert(false, `a reply holds a ${typeof value}`);
  }
}

function objectText(value: object | null): string {
  if (value === null) return 'null';
  if (value instanceof Decimal || value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Date) return `"${value.toISOString()}"`;
  let text = '{';
  for (const key in value) {
    const property: unknown = (value as Record<string, unknown>)[key];
    if (property === undefined) continue;
    text += (text.length > 1 ? ',' : '') + keyText(key) + toJsonText(property);
  }
  return `${text}}`;
}

/** `"key":`. The names of the interface's fields are few; those that callers choose may fill the table, which is emptied then. */
function keyText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${toJsonText(key)}:`;
  if (key.length > MAX_KEPT_KEY_LENGTH) return text;
  if (keyTexts.size >= MAX_KEY_TEXTS) keyTexts.clear();
  keyTexts.set(key, text);
  return text;
}

const MAX_KEY_TEXTS = 8_192;
const MAX_KEPT_KEY_LENGTH = 100;
const keyTexts = new Map<string, string>();

function arrayText(values: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < values.length; index++) text += (index > 0 ? ',' : '') + toJsonText(values[index]);
  return `${text}]`;
}
