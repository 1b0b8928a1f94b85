import { type Cents, cents, ZERO } from '../money/index.js';
import type { FeeTerms, ScheduleRow } from './types.js';

export interface RowsWithFees {
  readonly rows: readonly ScheduleRow[];
  readonly separateFeeCents: Cents;
}

/** Puts the origination fee and the service fee on top of the rows (servicing-behaviour 3.6, loan-terms 12.6). */
export function addFees(rows: readonly ScheduleRow[], fees: FeeTerms | null): RowsWithFees {
  if (fees === null || rows.length === 0) return { rows, separateFeeCents: ZERO };
  const separateFeeCents = fees.originationLogic === 'separate' ? fees.originationCents : ZERO;
  const isInRows = fees.originationLogic !== 'separate' && fees.originationCents !== 0;
  if (!isInRows && fees.perRowCents === 0) return { rows, separateFeeCents };
  const shares = originationShares(fees, rows.length);
  return {
    rows: rows.map((row, position) => {
      const feeCents = cents((shares[position] ?? 0) + fees.perRowCents);
      return { ...row, feeCents, amountCents: cents(row.amountCents + feeCents) };
    }),
    separateFeeCents,
  };
}

/** `spread`: equal shares rounded down, the remainder in the last row. */
function originationShares(fees: FeeTerms, rowCount: number): readonly number[] {
  switch (fees.originationLogic) {
    case 'separate':
      return [];
    case 'firstPayment':
      return [fees.originationCents];
    case 'spread': {
      const share = Math.floor(fees.originationCents / rowCount);
      const shares = Array.from({ length: rowCount }, () => share);
      shares[rowCount - 1] = fees.originationCents - share * (rowCount - 1);
      return shares;
    }
  }
}
