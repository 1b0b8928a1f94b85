import type { Mistake } from './mistakes.js';

/* What an entry of the mistakes that change nothing says, and the reasons that several of them share. */

export interface Equivalent {
  readonly file: string;
  readonly kind: Mistake['kind'];
  readonly before: string;
  readonly after: string;
  /** What the compiled line contains, with a line break before it. */
  readonly within: string;
  readonly reason: string;
}

export function equivalent(
  ...[file, kind, before, after, within, reason]: readonly [string, Mistake['kind'], string, string, string, string]
): Equivalent {
  return { file, kind, before, after, within, reason };
}

export const SAME_OF_EQUALS = 'Of two equal amounts either is the same.';
export const PAST_THE_END = 'One place further nothing stands, and that is passed by.';
export const ONLY_SLOWER = 'The general course is taken in place of the short one: the same figures, only later.';
export const SAME_PRODUCT = 'Rate and days are multiplied with each other, in either order.';
export const NOTHING_TO_MOVE = 'Where nothing is due nothing moves: the day is only looked at.';
export const ONE_OF_EACH = 'There is one of each: the first and the last are the same.';
