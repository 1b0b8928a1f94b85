import { type Context, filters } from 'liquidjs';
import { bounded, type Rendering } from './rendering.js';
import { textOf, type Value } from './values.js';

/** What a filter may know of the rendering. */
export interface FilterCall {
  readonly context: Context;
  readonly rendering: Rendering;
  /** What the library calls its own filters on. */
  readonly self: unknown;
}

export type Apply = (value: Value, args: readonly Value[], call: FilterCall) => unknown;

export interface Filter {
  /** How few and how many arguments it takes. */
  readonly arguments: readonly [least: number, most: number];
  /** The names of those that are given by name. */
  readonly named?: readonly string[];
  /** Put into templates by the service alone. */
  readonly isInner?: true;
  readonly apply: Apply;
}

/** A filter of the library. */
export function libraryFilter(name: string): (call: FilterCall, ...values: readonly unknown[]) => unknown {
  const filter: unknown = filters[name];
  if (typeof filter !== 'function') throw new Error(`the library has a filter ${name}`);
  return ({ self }, ...values) => Reflect.apply(filter, self, values) as unknown;
}

/** A text that is read: it counts. */
export function readText(value: Value, { rendering }: FilterCall): string {
  const text = bounded(textOf(value));
  rendering.spend(text.length);
  return text;
}
