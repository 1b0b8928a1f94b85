import type { Data } from '../../harness.js';

export interface Row {
  readonly date: string;
  readonly status: string;
  readonly amount: number;
  readonly principalAmount: number;
  readonly interestAmount: number;
  readonly isDeferred: boolean;
  readonly isForcedAmount: boolean;
}

/** The rows of a schedule's reply. */
export const rowsOf = (reply: Data): readonly Row[] => reply['schedule'] as readonly Row[];

/** 1,200.00 at 18 % in twelve months: eleven rows of 110.03 and the rest. */
export const SMALL = {
  atOrigination: { amountFinanced: 1_200, duration: 12, interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }] },
};
