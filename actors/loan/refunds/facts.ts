import type { LoanRefund } from './refund.js';

/** What the envelope gives a new refund is left out. */
export interface RefundMade {
  readonly refund: Omit<LoanRefund, 'createdAt' | 'updatedAt' | 'canceledAt' | 'originalCents'>;
}

export interface RefundChanged {
  readonly refundId: string;
  readonly changes: Partial<Omit<LoanRefund, 'id' | 'createdAt' | 'updatedAt' | 'canceledAt' | 'originalCents'>>;
}

export interface RefundTakenBack {
  readonly refundId: string;
  readonly caseId: string | null;
}

/** Facts about refunds; what they do to the ledger is a ledger fact of its own, which follows. */
export interface RefundFacts {
  readonly RefundMade: RefundMade;
  readonly RefundChanged: RefundChanged;
  readonly RefundTakenBack: RefundTakenBack;
}
