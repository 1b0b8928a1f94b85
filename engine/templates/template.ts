import type { Template as Statement } from 'liquidjs';

/** A template that was read, made by `parseTemplate`. */
export interface Template {
  readonly body: readonly Statement[];
  /** Those that it includes or extends; sorted, each once. */
  readonly templates: readonly string[];
}
