import { Variable } from 'liquidjs';
import { LIBRARY } from './library.js';
import type { Template } from './template.js';

export interface References {
  /** What the template reads of its context: `loan.displayId`; sorted, each once. Variables that it sets itself are left out. */
  readonly variables: readonly string[];
  /** Templates that it names to be included or extended. */
  readonly templates: readonly string[];
}

export function referencesOf({ body, templates }: Template): References {
  const { globals } = LIBRARY.analyzeSync([...body], { partials: false });
  const paths = new Set(Object.values(globals).flat().map(pathOf));
  return { variables: [...paths].sort(), templates };
}

/** Up to the first property whose name is computed. */
function pathOf({ segments }: Variable): string {
  const computed = segments.findIndex((segment) => segment instanceof Variable);
  return segments.slice(0, computed < 0 ? undefined : computed).join('.');
}
