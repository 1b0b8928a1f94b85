import type { Purchase, PurchaseVoided } from '../../../engine/index.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import type { PurchaseDispute, PurchaseRecord } from './purchase.js';

/** What the envelope gives a new purchase is left out. */
export type NewPurchase = Omit<PurchaseRecord, 'createdStamp' | 'createdAt' | 'updatedAt' | 'authorizedAt' | 'settledAt' | 'createdBy'> & {
  /** Of the authorization that it settles. */
  readonly authorizedBefore: number | null;
};

export interface PurchaseMade {
  readonly purchase: NewPurchase;
}

/** The fields that change, with their new values; a status that leads to money is followed by a fact of the ledger. */
export interface PurchaseChanged {
  readonly purchaseId: string;
  readonly changes: Partial<
    Pick<
      PurchaseRecord,
      'status' | 'amountCents' | 'externalId' | 'details' | 'declineReason' | 'effective' | 'refundPayment' | 'refundTransactionId'
    >
  >;
  readonly caseId: string | null;
}

/** The ledger counts the purchase from its effective time. */
export interface PurchasePosted extends LedgerChanged {
  readonly purchaseId: string;
  readonly change: LedgerChange<Purchase>;
}

/** The ledger counts it no more, as if it never had. */
export interface PurchaseUnposted extends LedgerChanged {
  readonly purchaseId: string;
  readonly change: LedgerChange<PurchaseVoided>;
}

type NewDispute = Pick<
  PurchaseDispute,
  'id' | 'purchase' | 'externalId' | 'caseId' | 'status' | 'disputedCents' | 'reason' | 'refundPurchaseId' | 'metaData'
>;

export interface DisputeOpened {
  readonly dispute: NewDispute;
}

export interface DisputeChanged {
  readonly disputeId: string;
  readonly changes: Partial<Pick<PurchaseDispute, 'status' | 'externalId' | 'reason' | 'metaData' | 'repostedPurchaseId'>>;
  readonly caseId: string | null;
}

/** Facts about purchases and disputes over them. */
export interface PurchaseFacts {
  readonly PurchaseMade: PurchaseMade;
  readonly PurchaseChanged: PurchaseChanged;
  readonly PurchasePosted: PurchasePosted;
  readonly PurchaseUnposted: PurchaseUnposted;
  readonly DisputeOpened: DisputeOpened;
  readonly DisputeChanged: DisputeChanged;
}
