import { Drop, toValue } from 'liquidjs';
import { TEMPLATE_LIMITS } from './limits.js';
import { failLimit } from './template-error.js';

/** HTML that the service made itself, or that was escaped already: printed as it is. To the library it is its text. */
export class Markup extends Drop {
  constructor(readonly html: string) {
    super();
  }

  override valueOf(): string {
    return this.html;
  }
}

/** What templates compute with. */
export type Value = undefined | null | boolean | number | string | Markup | readonly Value[] | PlainObject;

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

/**
 * A copy of plain data, with objects that have no prototype: nothing else of a context reaches the library, no function, no getter, no
 * instance of a class, since it would call them or iterate over them.
 */
export function plainCopy(context: object): PlainObject {
  let count = 0;
  const copied = (value: unknown, depth: number): Value => {
    count++;
    if (count > TEMPLATE_LIMITS.contextValues) failLimit('The variables are too many.');
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || value instanceof Markup) return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    if (depth > TEMPLATE_LIMITS.contextDepth) return undefined;
    if (isList(value)) return value.map((item) => copied(item, depth + 1));
    return isObject(value) ? objectOf(value, depth + 1) : undefined;
  };
  const objectOf = (from: object, depth: number): PlainObject => {
    const copy = Object.create(null) as Record<string, Value>;
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
      const value = CLOSED_NAMES.has(key) || property.enumerable !== true ? undefined : copied(property.value, depth);
      if (value !== undefined) copy[key] = value;
    }
    return copy;
  };
  return objectOf(context, 0);
}

/** What the library hands to a filter: of its own objects only nothing and the empty text are values. */
export function plainOf(value: unknown): Value {
  if (value instanceof Markup || isList(value) || isObject(value)) return value;
  const plain: unknown = toValue(value);
  if (plain === null || plain === '' || typeof plain === 'boolean' || typeof plain === 'number') return plain;
  return typeof plain === 'string' && typeof value === 'string' ? plain : undefined;
}

/** An own property of plain data, an item of a list, a character of a text; `size` of all of them, `first` and `last` of a list. */
export function propertyOf(of: Value, key: unknown): Value {
  if (of instanceof Markup) return propertyOf(of.html, key);
  if (isList(of) || typeof of === 'string') {
    if (key === 'size') return of.length;
    if (typeof key === 'number' && Number.isInteger(key)) return of.at(key);
    if (key === 'first') return of.at(0);
    return key === 'last' ? of.at(-1) : undefined;
  }
  if (!isObject(of) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
  const property = CLOSED_NAMES.has(String(key)) ? undefined : Object.getOwnPropertyDescriptor(of, key);
  if (property !== undefined) return property.value as Value;
  return key === 'size' ? Object.keys(of).length : undefined;
}

/** As printed: nothing for what is empty, and for what has no text of its own; the texts of a list's items one behind the other. */
export function textOf(value: Value): string {
  if (!isList(value)) return scalarText(value);
  const texts: string[] = [];
  let length = 0;
  for (const item of value) {
    const text = textOf(item);
    length += text.length;
    if (length > TEMPLATE_LIMITS.outputLength) failLimit('The text is too long.');
    texts.push(text);
  }
  return texts.join('');
}

function scalarText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return decimalText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
    case 'function':
    case 'object':
    case 'symbol':
    case 'undefined':
    default:
      return value instanceof Markup ? value.html : '';
  }
}

/** Digits without an exponent. */
export const decimalText = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text;
};

/** Characters that have to be looked at to read all of it. */
export function weightOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Markup) return value.html.length;
  if (!isList(value)) return 0;
  let weight = 0;
  for (const item of value) {
    weight += TEMPLATE_LIMITS.stepCost + weightOf(item);
    if (weight > TEMPLATE_LIMITS.cost) break;
  }
  return weight;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
