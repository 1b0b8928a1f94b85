import type { Day, LateFeeTerms, LedgerFact, LineFact } from '../../engine/index.js';
import type { AdvanceFacts } from './advances/evolve.js';
import type { AutopayFacts } from './autopay/facts.js';
import type { DrawFacts } from './draws/evolve.js';
import type { FeeFacts } from './fees/evolve.js';
import type { RecurringTrigger } from './fees/recurring.js';
import type { LineFacts } from './line/evolve.js';
import type { LineContract } from './line/state.js';
import type { LoanStatus } from './machine.js';
import type { MigrationFacts } from './migration/evolve.js';
import type { ModificationFacts } from './modifications/evolve.js';
import type { PromiseFacts } from './promises/evolve.js';
import type { PromoFacts } from './promo-programs/evolve.js';
import type { PurchaseFacts } from './purchases/evolve.js';
import type { RateFacts } from './rates/evolve.js';
import type { RefundFacts } from './refunds/evolve.js';
import type { Contract, LoanRecord } from './state.js';
import type { StatementFacts } from './statements/evolve.js';
import type { ChargebackFacts } from './transactions/chargebacks/evolve.js';
import type { TransactionFacts } from './transactions/evolve.js';

/** The bodies of a loan's facts by their type. Past tense; the envelope tells who, when and why. */
export interface LoanFacts
  extends AdvanceFacts,
    AutopayFacts,
    ChargebackFacts,
    DrawFacts,
    FeeFacts,
    LineFacts,
    MigrationFacts,
    ModificationFacts,
    PromiseFacts,
    PromoFacts,
    PurchaseFacts,
    RateFacts,
    RefundFacts,
    StatementFacts,
    TransactionFacts {
  readonly LoanCreated: LoanCreated;
  readonly LoanUpdated: LoanUpdated;
  readonly LoanActivated: LoanActivated;
  readonly LineActivated: LineActivated;
  readonly LoanCanceled: LoanCanceled;
  readonly LoanClosed: LoanClosed;
  readonly LoanReplayed: LoanReplayed;
  /** A fact of the ledger: its type, time and place in the order of recording come from the envelope. */
  readonly LedgerChanged: LedgerChanged;
  /** The daily work up to a day was done, in the state that `digest` sums up. */
  readonly CaughtUp: CaughtUp;
}

export type LoanFactType = keyof LoanFacts;

/** What a new loan's record lacks is in the envelope: the stamp. */
export type LoanCreated = Omit<LoanRecord, 'createdStamp'>;

/** The fields that changed, with their new values. */
export type LoanUpdated = Partial<
  Pick<
    LoanRecord,
    | 'externalId'
    | 'areExternalIdsFree'
    | 'servicedBy'
    | 'newDrawsAllowed'
    | 'isClosed'
    | 'nickname'
    | 'declineReason'
    | 'chargedOffReason'
    | 'labels'
    | 'additionalPeople'
    | 'metaData'
    | 'muteLoanNotices'
    | 'atOrigination'
    | 'loanTypeId'
    | 'assetType'
    | 'assetDisplayName'
  >
> & { readonly status?: LoanStatus };

export interface LoanActivated {
  readonly contract: Contract;
  readonly lateFees: readonly LateFeeTerms[];
  /** Of the product's index, as the contract has it. */
  readonly indexStamp: number;
  readonly recurring: readonly RecurringTrigger[];
  /** The business day of the recording: a past activation is computed up to it. */
  readonly recordedDay: Day;
}

/** The same of a line of credit. */
export interface LineActivated extends Omit<LoanActivated, 'contract'> {
  readonly contract: LineContract;
}

/** A replay was asked for: `from` to `through` are computed under today's version and late fees. */
export interface LoanReplayed {
  readonly from: Day;
  readonly through: Day;
  readonly version: number;
  readonly lateFees: readonly LateFeeTerms[];
  readonly reason: string | null;
  readonly caseId: string | null;
}

/** No further advances, for good. */
export interface LoanClosed {
  readonly day: Day;
  readonly reason: string | null;
  readonly description: string;
  readonly isRequestedByBorrower: boolean;
  readonly caseId: string | null;
}

export interface LoanCanceled {
  /** The external ids of the loan and of all that hangs on it may be used again. */
  readonly isFreeingExternalIds: boolean;
  readonly cancellationReason: string | null;
  readonly metro2AccountStatus: string | null;
  readonly caseId: string | null;
  readonly day: Day;
}

/** A ledger fact without its place: the envelope carries effective time, sequence and the day of recording. */
export type LedgerChange<Fact extends LedgerFact | LineFact = LedgerFact> = Fact extends LedgerFact | LineFact
  ? Omit<Fact, 'effective' | 'sequence' | 'recordedDay'>
  : never;

export interface LedgerChanged {
  /** Of an installment loan, or of a line of credit. */
  readonly change: LedgerChange<LedgerFact | LineFact>;
  /** The loan's business day on which it was recorded. */
  readonly recordedDay: Day;
  readonly caseId: string | null;
  /** What the order gave as its reason, for the events. */
  readonly reason: string | null;
  /** Of a fact that has another reason, or none: what somebody wrote. */
  readonly writtenReason?: string | null;
}

export interface CaughtUp {
  readonly through: Day;
}
