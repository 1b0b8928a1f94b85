import { TEMPLATE_LIMITS } from './limits.js';

/** HTML that the service made itself, or that was escaped already: printed as it is. */
export class Markup {
  constructor(readonly html: string) {}
}

/** What nobody gave, and how the template calls it. */
export class Missing {
  constructor(readonly name: string) {}
}

/** What templates compute with. Everything else that a context may hold, functions and instances of classes above all, reads as missing. */
export type Value = null | boolean | number | string | Markup | Missing | readonly Value[] | PlainObject;

export interface PlainObject {
  readonly [key: string]: Value;
}

/** Names through which JavaScript leads out of plain data. No own property under them is read either. */
const CLOSED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value);

export function isObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A value of the context as templates see it. */
export function valueOf(value: unknown, name: string): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || isNumber(value)) return value;
  return value instanceof Markup || value instanceof Missing || isList(value) || isObject(value) ? value : new Missing(name);
}

/** An own property of plain data, an item of a list, a character of a text; missing otherwise. Never what lies behind a prototype. */
export function attributeOf(of: Value, key: Value, name: string): Value {
  if (isObject(of) && !isList(of)) return typeof key === 'string' || isNumber(key) ? ownProperty(of, String(key), name) : new Missing(name);
  if (!isNumber(key) || !(isList(of) || typeof of === 'string')) return new Missing(name);
  const item: unknown = of[key < 0 ? of.length + key : key];
  return valueOf(item, name);
}

export function ownProperty(of: object, key: string, name: string): Value {
  if (CLOSED_NAMES.has(key)) return new Missing(name);
  const property = Object.getOwnPropertyDescriptor(of, key);
  return property !== undefined && 'value' in property ? valueOf(property.value, name) : new Missing(name);
}

/** As printed: nothing for what is empty, and for what has no text of its own; the texts of a list's items. */
export function textOf(value: Value): string {
  return isList(value) ? listText(value) : scalarText(value);
}

/** Ends behind the item with which it is too long: whoever takes it refuses it then. */
function listText(items: readonly Value[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = scalarText(item);
    length += text.length + SEPARATOR.length;
    texts.push(text);
    if (length > TEMPLATE_LIMITS.outputLength) break;
  }
  return texts.join(SEPARATOR);
}

const SEPARATOR = ', ';

function scalarText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return decimalText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return value instanceof Markup ? value.html : '';
  }
}

/** Digits without an exponent. */
export const decimalText = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text;
};

/** Empty texts, lists and objects, zero and what is missing count as no. */
export function isTrue(value: Value): boolean {
  if (value instanceof Markup) return value.html !== '';
  if (value instanceof Missing || value === null) return false;
  if (isList(value)) return value.length > 0;
  if (isObject(value)) {
    for (const key in value) if (Object.hasOwn(value, key)) return true;
    return false;
  }
  return Boolean(value);
}

/** Numbers and texts by what they say; lists and objects only as the same one. */
export const isEqual = (left: Value, right: Value): boolean => bare(left) === bare(right);

function bare(value: Value): unknown {
  if (value instanceof Markup) return value.html;
  return value instanceof Missing ? null : value;
}

/** How many steps it takes to read it. */
export function weightOf(value: Value): number {
  const length = typeof value === 'string' ? value.length : value instanceof Markup ? value.html.length : 0;
  return length / TEMPLATE_LIMITS.charactersAStep;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
