import type { Cents, Day, FeeCanceled, FeeCharged, LateFeeTerms, LedgerFact, LineFact, LineFeeCharged, RatesChanged } from '../../engine/index.js';
import type { EffectiveTime } from '../runtime/fact.js';
import type { LoanStatus } from './machine.js';
import type { RateRow } from './rate-rows.js';
import type { RecurringTrigger } from './recurring-fees.js';
import type { ChargedFee, Contract, LoanRecord } from './state.js';
import type { MigrationFacts } from './migration/facts.js';
import type { ModificationFacts } from './modifications/facts.js';
import type { PromiseFacts } from './promises/facts.js';
import type { PromoFacts } from './promo-programs/facts.js';
import type { AdvanceFacts } from './advances/facts.js';
import type { RefundFacts } from './refunds/facts.js';
import type { PurchaseFacts } from './purchases/facts.js';
import type { StatementFacts } from './statements/facts.js';
import type { LineContract } from './line/state.js';
import type { DrawFacts } from './draws/facts.js';
import type { LineFacts } from './line/facts.js';
import type { AutopayFacts } from './autopay/facts.js';
import type { ChargebackFacts } from './transactions/chargebacks/facts.js';
import type { TransactionFacts } from './transactions/facts.js';

/** The bodies of a loan's facts by their type. Past tense; the envelope tells who, when and why. */
export interface LoanFacts extends TransactionFacts, ChargebackFacts, AutopayFacts, ModificationFacts, PromiseFacts, StatementFacts, PromoFacts, RefundFacts, AdvanceFacts, MigrationFacts, DrawFacts, LineFacts, PurchaseFacts {
  readonly LoanCreated: LoanCreated;
  readonly LoanUpdated: LoanUpdated;
  readonly LoanActivated: LoanActivated;
  readonly LineActivated: LineActivated;
  readonly LoanCanceled: LoanCanceled;
  readonly LoanClosed: LoanClosed;
  readonly LateFeesTaken: LateFeesTaken;
  readonly RecurringFeesTaken: RecurringFeesTaken;
  readonly RecurringFeesDone: RecurringFeesDone;
  readonly LoanReplayed: LoanReplayed;
  /** A fact of the ledger: its type, time and place in the order of recording come from the envelope. */
  readonly LedgerChanged: LedgerChanged;
  readonly FeeCharged: FeeChargedBody;
  readonly FeeCanceled: FeeCanceledBody;
  readonly FeeScheduled: FeeScheduledBody;
  readonly ScheduledFeeCanceled: ScheduledFeeCanceledBody;
  readonly RatesSet: RatesSet;
  readonly IndexTaken: IndexTaken;
  readonly ScheduledFeeChanged: ScheduledFeeChangedBody;
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

/** The product's fee types ask for other recurring fees than before: what began up to a day is done with. */
export interface RecurringFeesTaken {
  readonly triggers: readonly RecurringTrigger[];
  readonly doneThrough: Day;
}

/** Periods and years that began up to a day were looked at; so many fees were charged for them in all. */
export interface RecurringFeesDone {
  readonly through: Day;
  readonly made: number;
}

/** The product's late fees changed: the loan takes them over from a day on. */
export interface LateFeesTaken {
  readonly from: Day;
  readonly lateFees: readonly LateFeeTerms[];
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
  readonly cancellationReason: string;
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
}

export interface FeeChargedBody extends LedgerChanged {
  readonly change: LedgerChange<FeeCharged | LineFeeCharged>;
  readonly details: FeeDetails;
}

/** A fee that is to be charged on a day to come. */
export interface FeeScheduledBody {
  readonly change: LedgerChange<FeeCharged | LineFeeCharged>;
  readonly details: FeeDetails;
  readonly at: EffectiveTime;
  readonly caseId: string | null;
}

export type FeeDetails = Pick<ChargedFee, 'id' | 'externalId' | 'category' | 'customDisplayName' | 'transactionId' | 'purchaseId' | 'period' | 'draw'>;

export interface FeeCanceledBody extends LedgerChanged {
  readonly change: LedgerChange<FeeCanceled>;
  /** The fee by hand; null for a late fee. */
  readonly feeId: string | null;
}

/** A fee that was canceled before it was charged. */
export interface ScheduledFeeCanceledBody {
  readonly feeId: string;
  readonly reason: string | null;
  readonly caseId: string | null;
}

/** Rates, caps and SCRA rates that are new or other than before, each as it is from now on. */
export interface RatesSet {
  readonly rows: readonly RateRow[];
  /** Null when no day costs more or less. */
  readonly change: LedgerChange<RatesChanged> | null;
  readonly recordedDay: Day;
  readonly caseId: string | null;
  readonly reason: string | null;
}

/** The product's index has other values: the loan takes them over, for days past and to come. */
export interface IndexTaken {
  readonly stamp: number;
  /** Null when no day of the loan costs more or less. */
  readonly change: LedgerChange<RatesChanged> | null;
  readonly recordedDay: Day;
}

/** The amount of a fee that is still to be charged. */
export interface ScheduledFeeChangedBody {
  readonly feeId: string;
  readonly amountCents: Cents;
  readonly caseId: string | null;
}

export interface CaughtUp {
  readonly through: Day;
}
