import type { LedgerLine } from './ledger-lines.js';

/** A line that one of two ledgers has alone. */
export interface ChangedLine {
  readonly in: 'before' | 'after';
  readonly line: LedgerLine;
}

/**
 * What differs between two ledgers of a loan: lines of one that the other has not, in effective order, those of the earlier
 * first. Where a line stands and what the balance is after it do not count: both follow from the lines before.
 */
export function compareLines(before: readonly LedgerLine[], after: readonly LedgerLine[]): readonly ChangedLine[] {
  const surplus = new Map<string, number>();
  for (const line of before) surplus.set(keyOf(line), (surplus.get(keyOf(line)) ?? 0) + 1);
  const added: ChangedLine[] = [];
  for (const line of after) {
    const left = surplus.get(keyOf(line)) ?? 0;
    if (left > 0) surplus.set(keyOf(line), left - 1);
    else added.push({ in: 'after', line });
  }
  const removed: ChangedLine[] = [];
  for (const line of [...before].reverse()) {
    const left = surplus.get(keyOf(line)) ?? 0;
    if (left === 0) continue;
    surplus.set(keyOf(line), left - 1);
    removed.push({ in: 'before', line });
  }
  return [...removed, ...added].sort(
    (a, b) => timeOf(a.line).localeCompare(timeOf(b.line)) || (a.in === b.in ? 0 : a.in === 'before' ? -1 : 1),
  );
}

const timeOf = ({ effectiveDate, effectiveTime }: LedgerLine): string => `${effectiveDate} ${effectiveTime}`;

function keyOf({ effectiveDate, effectiveTime, entryType, fact, movements }: LedgerLine): string {
  return JSON.stringify([effectiveDate, effectiveTime, entryType, fact?.number ?? null, movements]);
}
