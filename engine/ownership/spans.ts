import type { Day } from '../calendar/index.js';

/** New owners of a loan from a day on; null: from its beginning. */
interface OwnerChange<Owner> {
  readonly effectiveDay: Day | null;
  readonly owners: readonly Owner[];
}

/** Owners of a loan through some days: from a day (null: the beginning) until the day before `until` (null: no end is known). */
export interface OwnershipSpan<Owner> {
  readonly from: Day | null;
  readonly until: Day | null;
  readonly owners: readonly Owner[];
}

/**
 * Who owns a loan when. `changes` are in the order of recording: each replaces the owners from its day on, those of changes that were
 * recorded earlier and begin later included.
 */
export function ownershipSpans<Owner>(changes: readonly OwnerChange<Owner>[]): readonly OwnershipSpan<Owner>[] {
  const kept: OwnerChange<Owner>[] = [];
  for (const change of changes) {
    while (startOf(kept.at(-1)) >= startOf(change) && kept.length > 0) kept.pop();
    kept.push(change);
  }
  return kept.map(({ effectiveDay, owners }, at) => ({ from: effectiveDay, until: kept[at + 1]?.effectiveDay ?? null, owners }));
}

const startOf = (change: OwnerChange<unknown> | undefined): number => change?.effectiveDay ?? -Infinity;

/** The owners on a day; before the first known day those of the first. Nobody: the lender owns the loan alone. */
export function ownersOn<Owner>(spans: readonly OwnershipSpan<Owner>[], day: Day): readonly Owner[] {
  const current = spans.findLast(({ from }) => from === null || from <= day) ?? spans[0];
  return current?.owners ?? [];
}
