/** An event of a published vector: the ledger's parts at that moment are given in `split`. */
export interface VectorEvent {
  readonly n: number;
  readonly type: string;
  readonly effectiveDate: string;
  readonly knownOn: string;
  readonly amount?: number;
  readonly split?: Readonly<Partial<Record<SplitPart, number>>>;
  readonly reverses?: number;
  readonly ofPayment?: number;
  readonly feeKind?: string;
  readonly percent?: string;
  readonly feeWithheld?: number;
  readonly originationFee?: number;
  readonly principal?: number;
  readonly annualRate?: string;
  readonly from?: string;
  readonly through?: string;
  readonly due?: string;
  readonly unpaid?: number;
  readonly period?: number;
  readonly accrualStatus?: string;
  readonly collectedBy?: string;
  readonly fromUnapplied?: boolean;
  readonly owners?: readonly { readonly investor: string; readonly share: string }[];
  readonly creditType?: string;
  readonly sponsor?: 'lender' | 'merchant';
  readonly share?: string;
  readonly priceRatio?: string;
  readonly to?: string;
  readonly investor?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly processingFee?: number;
  readonly mdrRate?: string;
  readonly reserveRate?: string;
  readonly atFaultParty?: 'merchant' | 'loanOwner';
}

export type SplitPart =
  | 'principal'
  | 'interest'
  | 'fees'
  | 'interestAndFees'
  | 'credit'
  | 'interestOfPriorYear'
  | 'chargedOff'
  | 'chargedOffPrincipal'
  | 'chargedOffInterest'
  | 'paidInterest'
  | 'paidFees'
  | 'accruedUnpaid'
  | 'toPrincipal';

export interface VectorLine {
  readonly account: string;
  readonly debit?: number;
  readonly credit?: number;
  readonly owner?: string;
}

interface VectorEntry {
  readonly event: number;
  readonly bookedOn: string;
  readonly effectiveDate: string;
  readonly effectiveThrough?: string;
  readonly corrects?: number;
  readonly priorYear?: boolean;
  readonly sumOfDays?: number;
  readonly lines: readonly VectorLine[];
}

export interface JournalVector {
  readonly id: string;
  readonly title: string;
  readonly basis: 'accrual' | 'cash';
  readonly settings?: Readonly<Record<string, unknown>> | null;
  readonly inputs: {
    readonly balancesBefore?: Readonly<Record<string, number>>;
    readonly events: readonly VectorEvent[];
  };
  readonly expected: {
    readonly entries: readonly VectorEntry[];
    readonly balances?: Readonly<Record<string, number>>;
    readonly notListed?: readonly string[];
  };
}
