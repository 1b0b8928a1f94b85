import type { Day } from '../calendar/index.js';
import type { Cents } from '../money/index.js';
import type { Role } from './chart.js';

export type Basis = 'accrual' | 'cash';

export const BASES: readonly Basis[] = ['accrual', 'cash'];

/** What an account can depend on besides its role. A mapping names some of them; absent: any. */
export interface Dimensions {
  readonly loanTypeId?: string;
  readonly currency?: string;
  readonly owner?: string;
  readonly feeKind?: string;
  readonly processor?: string;
  readonly instrumentKind?: string;
  readonly fundingAccount?: string;
  readonly state?: string;
  readonly accrualStatus?: 'accrual' | 'nonaccrual';
  readonly creditType?: string;
  readonly investor?: string;
  /** Of a memorandum of charged-off amounts. */
  readonly component?: 'principal' | 'interest' | 'fees';
}

export interface Line {
  readonly role: Role;
  readonly dimensions: Dimensions;
  /** A debit is positive, a credit negative. Never zero. */
  readonly amount: Cents;
  /** In whose general ledger the line is, if each owner has a general ledger of its own. */
  readonly owner?: string;
}

/** Lines that sum to zero, with the fact that caused them. */
export interface Entry {
  /** `GE-` and a hash of the key. */
  readonly id: string;
  /** Computed again it is the same: basis, loan, fact, corrected fact or period, rule, number within. */
  readonly key: string;
  readonly basis: Basis;
  /** The day on which the general ledger take it. */
  readonly accountingDate: Day;
  /** The day on which it has effect on the loan, or the first one. Never after the accounting date. */
  readonly effectiveDate: Day;
  /** The last day of a corrected span. */
  readonly effectiveThrough?: Day;
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
  readonly loanId: string;
  readonly drawId?: string;
  readonly factId: string;
  readonly factType: string;
  /** The posting rule. */
  readonly rule: string;
  /** The fact whose entries this one corrects. */
  readonly corrects?: string;
  /** The effective date is in an earlier year than the accounting date. */
  readonly priorYear: boolean;
  readonly actor?: string;
  readonly caseId?: string;
  readonly explanation?: string;
  readonly lines: readonly Line[];
}

/** Lines of one rule. An accounting event may follow several, each of which balances. */
export interface Posting {
  readonly rule: string;
  readonly lines: readonly Line[];
}
