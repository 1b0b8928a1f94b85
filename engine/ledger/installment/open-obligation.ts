import { accrueTo } from './accrue.js';
import { copyState, copyTotals } from './copies.js';
import { feeShareCents } from './demand.js';
import { interestFallingDue } from './fraction.js';
import type { LedgerState, OpenRow } from './state.js';

/** What the obligation of the open period asks for, without the fees that fall due with it: money ahead has met them or never does. */
export interface OpenDemand {
  /** A row of interest alone, with the amount that it is expected to ask for; null: another row. */
  readonly interestRow: OpenRow | null;
  readonly expectedCents: OpenRow['amountCents'];
  /** With its share of the origination fee, and before what was paid in advance is taken off. */
  readonly askedCents: number;
}

/** The row of the next due date that asks for anything; null: none is left. Before money is put into the balances. */
export function openDemandOf(state: LedgerState): OpenDemand | null {
  const row = openRow(state);
  if (row === undefined) return null;
  const isExpected = row.isInterestOnly === true && state.prepaidCents === 0;
  const expectedCents = isExpected ? expectedInterest(state, row) : row.amountCents;
  return { interestRow: isExpected ? row : null, expectedCents, askedCents: expectedCents + feeShareCents(state) };
}

function openRow({ rows, nextRow }: LedgerState): OpenRow | undefined {
  let at = nextRow;
  for (let row = rows[at]; row !== undefined && !asksForSomething(row); row = rows[at]) at += 1;
  return rows[at];
}

const asksForSomething = ({ isDeferred, isInterestOnly, amountCents }: OpenRow): boolean =>
  isDeferred !== true && (isInterestOnly === true || amountCents > 0);

/**
 * A row of interest alone asks for what has accrued on its day. Who pays ahead of it pays for the amount that is expected: from
 * then on that amount stands.
 */
export function fixInterestRow(state: LedgerState, { interestRow, expectedCents }: OpenDemand): void {
  if (interestRow === null || interestRow.amountCents === expectedCents) return;
  state.rows = state.rows.map((row) => (row === interestRow ? { ...row, amountCents: expectedCents } : row));
}

function expectedInterest(state: LedgerState, { date }: OpenRow): OpenRow['amountCents'] {
  const copy = copyState(state);
  copy.watcher = null;
  copy.totals = copyTotals(state.totals);
  accrueTo(copy, date);
  return interestFallingDue(copy) as OpenRow['amountCents'];
}
