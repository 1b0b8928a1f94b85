import type { FilterImplOptions } from 'liquidjs';
import { DATA_FILTERS } from './data-filters.js';
import type { Filter } from './filter.js';
import { FORMAT_FILTERS } from './format-filters.js';
import { contextOf, renderingOf } from './rendering.js';
import { TEXT_FILTERS } from './text-filters.js';
import { plainOf } from './values.js';

/** Those that the interface lists, and what else of Liquid can be bounded. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map([...TEXT_FILTERS, ...DATA_FILTERS, ...FORMAT_FILTERS]);

/** As the library calls it: a step of the rendering, over plain values. */
export function metered({ apply }: Filter): FilterImplOptions {
  return function (this: unknown, value: unknown, ...args: readonly unknown[]): unknown {
    const context = contextOf(this);
    const rendering = renderingOf(context);
    rendering.step();
    return apply(plainOf(value), args.map(plainOf), { context, rendering, self: this });
  };
}
