import type { Account } from './lines.js';
import type { Parts } from './parts.js';

export type CreditSponsor = 'lender' | 'merchant' | 'investor' | 'serviceOperator';

/**
 * What has happened to a loan, in the words of the general ledger. Amounts are cents as the loan's ledger has split them. `counter`: the
 * account on the other side, which depends on who holds the money.
 */
export type AccountingEvent =
  | { readonly type: 'advance'; readonly amount: number; readonly feeWithheld: number; readonly feeKind: string; readonly counter: Account }
  /** A fee that joins principal. */
  | { readonly type: 'financedFee'; readonly amount: number; readonly feeKind: string }
  /** An origination fee that is owed beside principal. */
  | { readonly type: 'originationFee'; readonly amount: number }
  /** Of a charged-off loan: the claim that stays rises or falls, beside what else happens. */
  | { readonly type: 'claim'; readonly principal: number; readonly interest: number; readonly fees: number }
  | { readonly type: 'feeKeptAtDisbursement'; readonly amount: number; readonly feeKind: string }
  /** `of`: what is earned over time. */
  | { readonly type: 'amortization'; readonly amount: number; readonly of: 'originationFee' | 'membershipFee' | 'merchantDiscount' }
  | { readonly type: 'accrual'; readonly amount: number; readonly isNonaccrual?: boolean }
  | { readonly type: 'interestRounding'; readonly amount: number }
  | { readonly type: 'interestWaived'; readonly amount: number }
  | { readonly type: 'capitalization'; readonly parts: Parts }
  | { readonly type: 'feeCharged'; readonly amount: number; readonly feeKind: string }
  /** A fee is lower: what was not paid of it, and what is given back as the borrower's credit. */
  | { readonly type: 'feeLowered'; readonly feeKind: string; readonly parts: Parts }
  | {
      readonly type: 'payment';
      readonly parts: Parts;
      readonly counter: Account;
      /** Absent: the rule of payments. */
      readonly rule?: 'purchaseRefund';
      readonly isNonaccrual?: boolean;
    }
  /** Money of a payment was returned to the payer. */
  | { readonly type: 'takenBack'; readonly parts: Parts; readonly counter: Account }
  | { readonly type: 'settledAtBank'; readonly amount: number; readonly netFee: number; readonly from: Account; readonly bank: Account }
  | { readonly type: 'processingFee'; readonly amount: number; readonly bank: Account }
  | {
      readonly type: 'serviceCredit';
      readonly parts: Parts;
      readonly creditType: string;
      readonly sponsor: CreditSponsor;
      readonly investor?: string;
    }
  | { readonly type: 'smallBalanceForgiven'; readonly parts: Parts }
  /** Installments paid out of interest income. */
  | { readonly type: 'interestRefund'; readonly parts: Parts }
  | { readonly type: 'refund'; readonly parts: Parts; readonly atFault: 'merchant' | 'serviceOperator' | 'loanOwner' }
  /** Interest and fees that were paid are returned to the borrower. */
  | {
      readonly type: 'paidBack';
      readonly interest: number;
      readonly fees: number;
      readonly atFault: 'merchant' | 'serviceOperator' | 'loanOwner';
    }
  | { readonly type: 'reimbursement'; readonly parts: Parts; readonly counter: Account }
  | {
      readonly type: 'chargeOff';
      readonly parts: Parts;
      /** Of the interest: accrued in earlier years. */
      readonly priorYearInterest: number;
      readonly deferredFees: number;
      readonly isFraud: boolean;
    }
  | { readonly type: 'nonaccrual'; readonly interest: number; readonly priorYearInterest: number }
  | {
      readonly type: 'promoExercised';
      /** Accrued and not paid. */
      readonly unpaid: number;
      /** Paid interest that now lowers principal, and that is the borrower's. */
      readonly toPrincipal: number;
      readonly toCredit: number;
    }
  /** The whole loan moves from the general ledger of one owner to those of another, at book value. */
  | {
      readonly type: 'moveToOwner';
      readonly from: string;
      readonly to: string;
      readonly carrying: { readonly principal: number; readonly interest: number; readonly fees: number };
    }
  | {
      readonly type: 'purchaseSettled';
      readonly amount: number;
      readonly payable: Account;
      readonly discount: number;
      readonly reserve: number;
    }
  /** The lender pays out less than it lends. */
  | { readonly type: 'merchantDiscount'; readonly amount: number; readonly isDeferred: boolean }
  | { readonly type: 'purchaseDisputed'; readonly amount: number }
  | { readonly type: 'disputeWon'; readonly amount: number; readonly from: Account }
  | { readonly type: 'moved'; readonly amount: number; readonly from: Account; readonly to: Account; readonly rule: MoveRule }
  | { readonly type: 'migrated'; readonly parts: Parts; readonly deferredFees: number }
  | { readonly type: 'unusedCommitment'; readonly amount: number };

/** Rules that move an amount between two accounts. */
type MoveRule =
  | 'agencyCommission'
  | 'agencyRemittance'
  | 'bankTakesDisputedPayment'
  | 'debtSold'
  | 'escheat'
  | 'checkStale'
  | 'costRecoveryEnded'
  | 'merchantDiscountLost'
  | 'merchantPayout'
  | 'merchantReserveHeld'
  | 'merchantReserveNetted'
  | 'merchantReserveReleased'
  | 'nonaccrualCapitalized'
  | 'overpaidApplied'
  | 'payoutReturned'
  | 'payoutSettledAtBank'
  | 'receiptIdentified'
  | 'servicingFee'
  | 'settlement'
  | 'settlementFailed'
  | 'settlementReturned'
  | 'unidentifiedReceipt'
  | 'unidentifiedRefused';
