import type { Cents, Day } from '../../../engine/index.js';

export interface RemittanceFacts {
  readonly PaymentsRemitted: PaymentsRemitted;
  readonly RemittanceStatusChanged: RemittanceStatusChanged;
}

/** What a settlement pays an investor of the loan's payments. It counts as paid until the settlement has failed or was canceled. */
export interface PaymentsRemitted {
  readonly settlementId: string;
  readonly investorId: string;
  /** The last effective day of payments that it covers. */
  readonly through: Day;
  readonly lines: readonly RemittedLine[];
  /** What becomes of the transfer is recorded by `RemittanceStatusChanged`; absent in facts of earlier releases. */
  readonly isTransferRecorded?: true;
}

/**
 * The transfer of a settlement has left, has arrived, or has failed or come back. The moment is that of the fact, so that the books of a
 * closed day do not depend on what becomes of the settlement later.
 */
export interface RemittanceStatusChanged {
  readonly settlementId: string;
  readonly investorId: string;
  readonly status: 'initiated' | 'succeeded' | 'failed' | 'canceled';
  /** The settlements whose lines on this loan the transfer pays: its own, and those that were carried into it. */
  readonly pays: readonly string[];
}

/** The same in the state of the loan. */
export interface RecordedRemittanceStatus extends RemittanceStatusChanged {
  /** Milliseconds of the company's clock. */
  readonly recordedAt: number;
}

/**
 * What one payment has changed for the investor since it was last settled: differences, so that a payment that has failed since, or is
 * allocated otherwise by a replay, is corrected, and nothing is paid twice.
 */
export interface RemittedLine extends Parts {
  readonly transactionId: string;
  readonly effectiveDay: Day;
}

/** An owner's part of a payment. */
export interface Parts {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  /** Its part of the fee that the processor keeps from the payment. */
  readonly processingFeeCents: Cents;
}

export interface Remittance extends PaymentsRemitted {
  /** Milliseconds of the company's clock. */
  readonly recordedAt: number;
}
