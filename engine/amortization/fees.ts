import { type Cents, cents, ZERO } from '../money/index.js';
import type { FeeTerms, ScheduleRow } from './types.js';

export interface RowsWithFees {
  readonly rows: readonly ScheduleRow[];
  readonly separateFeeCents: Cents;
}

/** Puts the origination fee and the service fee on top of the rows. */
export function addFees(rows: readonly ScheduleRow[], fees: FeeTerms | null): RowsWithFees {
  if (fees === null || rows.length === 0) return { rows, separateFeeCents: ZERO };
  const separateFeeCents = fees.originationLogic === 'separate' ? fees.originationCents : ZERO;
  const isInRows = fees.originationLogic !== 'separate' && fees.originationCents !== 0;
  if (!isInRows && fees.perRowCents === 0) return { rows, separateFeeCents };
  return {
    rows: rows.map((row, position) => {
      const feeCents = cents(originationShare(fees, position, rows.length) + fees.perRowCents);
      return { ...row, feeCents, amountCents: cents(row.amountCents + feeCents) };
    }),
    separateFeeCents,
  };
}

/** What a row bears of an origination fee. `spread`: equal shares rounded down, the remainder in the last row. */
export function originationShare({ originationCents, originationLogic }: OriginationFeeTerms, row: number, rowCount: number): number {
  switch (originationLogic) {
    case 'separate':
      return 0;
    case 'firstPayment':
      return row === 0 ? originationCents : 0;
    case 'spread': {
      const share = Math.floor(originationCents / rowCount);
      return row === rowCount - 1 ? originationCents - share * (rowCount - 1) : share;
    }
  }
}

type OriginationFeeTerms = Pick<FeeTerms, 'originationCents' | 'originationLogic'>;
