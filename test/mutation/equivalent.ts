import type { Mistake } from './mistakes.js';

/*
 * Mistakes that change nothing: no input gives another figure. `npm run mutate` counts them apart. Each names its place by what stands there,
 * so that lines may move; an entry that means no place any more is refused.
 */

interface Equivalent {
  readonly file: string;
  readonly kind: Mistake['kind'];
  readonly before: string;
  readonly after: string;
  /** What the compiled line contains, where `before` stands several times in the file. */
  readonly within?: string;
  readonly reason: string;
}

export const EQUIVALENT: readonly Equivalent[] = [];

export const isEquivalent = (mistake: Mistake, { file, kind, before, after, within = '' }: Equivalent): boolean =>
  mistake.file === file && mistake.kind === kind && mistake.before === before && mistake.after === after && mistake.within.includes(within);
