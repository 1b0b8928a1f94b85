import type { Cents, Day, LateFeeTerms, LedgerFact, LineFact, Payment } from '../../engine/index.js';
import type { Agent } from '../kernel/fact.js';
import type { AdvanceFacts } from './advances/advance.js';
import type { AutopayFacts } from './autopay/facts.js';
import type { CardFacts } from './cards/index.js';
import type { CollectionFacts, CommissionFacts } from './collection/index.js';
import type { CreditReportingFacts } from './credit-reporting/evolve.js';
import type { DrawFacts } from './draws/evolve.js';
import type { FeeFacts } from './fees/evolve.js';
import type { RecurringTrigger } from './fees/recurring.js';
import type { FactCodec } from './ledger/fact-list.js';
import type { LineContract, StoredLineFact } from './line/ledger.js';
import type { LineFacts } from './line/limits.js';
import type { LoanStatus } from './machine.js';
import type { MigrationFacts } from './migration/evolve.js';
import type { ModificationFacts } from './modifications/evolve.js';
import type { OwnerFacts } from './owners/index.js';
import type { MerchantDiscountFacts } from './payouts/merchant-discount.js';
import type { MerchantReserveFacts } from './payouts/merchant-reserve.js';
import type { PayoutFacts } from './payouts/facts.js';
import type { PromiseFacts } from './promises/evolve.js';
import type { PromoFacts } from './promo-programs/evolve.js';
import type { PurchaseFacts } from './purchases/evolve.js';
import type { RateFacts } from './rates/evolve.js';
import type { RemittanceFacts } from './remittances/index.js';
import type { RefundFacts } from './refunds/evolve.js';
import type { Contract, LoanRecord, StoredLedgerFact } from './state.js';
import type { StatementFacts } from './statements/evolve.js';
import type { ChargebackFacts } from './transactions/chargebacks/record.js';
import type { TransactionFacts } from './transactions/evolve.js';

/** The bodies of a loan's facts by their type. Types are in the past tense; the envelope says who, when and why. */
export interface LoanFacts
  extends AdvanceFacts,
    AutopayFacts,
    ChargebackFacts,
    CardFacts,
    CollectionFacts,
    CommissionFacts,
    CreditReportingFacts,
    DrawFacts,
    FeeFacts,
    LineFacts,
    MerchantDiscountFacts,
    MerchantReserveFacts,
    MigrationFacts,
    ModificationFacts,
    OwnerFacts,
    PayoutFacts,
    PromiseFacts,
    PromoFacts,
    PurchaseFacts,
    RateFacts,
    RefundFacts,
    RemittanceFacts,
    StatementFacts,
    TransactionFacts {
  readonly LoanCreated: LoanCreated;
  readonly LoanUpdated: LoanUpdated;
  readonly LoanActivated: LoanActivated;
  readonly LineActivated: LineActivated;
  readonly LoanCanceled: LoanCanceled;
  readonly LoanClosed: LoanClosed;
  readonly LoanReplayed: LoanReplayed;
  /** A fact of the ledger. The envelope has its effective time; its sequence is the loan's own count. */
  readonly LedgerChanged: LedgerChanged;
  /** The daily work up to a day is done. */
  readonly CaughtUp: CaughtUp;
}

export type LoanFactType = keyof LoanFacts;

/** The record of a new loan; its stamp is in the envelope. */
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
  /** Stamp of the product's index values that the contract uses. */
  readonly indexStamp: number;
  readonly recurring: readonly RecurringTrigger[];
  /** The business day of the recording: a past activation is computed up to it. */
  readonly recordedDay: Day;
}

/** The activation of a line of credit. */
export interface LineActivated extends Omit<LoanActivated, 'contract'> {
  readonly contract: LineContract;
}

/** A replay: `from` to `through` are computed under today's version and late fees. */
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
  /** The external ids of the loan and of its parts may be used again. */
  readonly isFreeingExternalIds: boolean;
  readonly cancellationReason: string | null;
  readonly metro2AccountStatus: string | null;
  readonly caseId: string | null;
  readonly day: Day;
}

/** A ledger fact without effective time, sequence and day of recording, which follow from the envelope and the body. */
export type LedgerChange<Fact extends LedgerFact | LineFact = LedgerFact> = Fact extends LedgerFact | LineFact
  ? Omit<Fact, 'effective' | 'sequence' | 'recordedDay'>
  : never;

export interface LedgerChanged {
  /** Of an installment loan, or of a line of credit. */
  readonly change: LedgerChange<LedgerFact | LineFact>;
  /** The loan's business day on which it was recorded. */
  readonly recordedDay: Day;
  readonly caseId: string | null;
  /** The reason that the order gave, for the events. */
  readonly reason: string | null;
  /** Free text of the caller, if the fact has another reason, or none. */
  readonly writtenReason?: string | null;
}

export interface CaughtUp {
  readonly through: Day;
}

/*
 * The facts of a ledger in a snapshot: arrays of values in a fixed order. A fact's sequence is its index in the list, from 1.
 */

export type PackedAgent = readonly [type: Agent['type'], id: string, userId: string | null];

type Head = readonly [recordedAt: number, by: PackedAgent, caseId: string | null, day: Day, seconds: number, recordedDay: Day];

type PackedFact = readonly [...head: Head, change: PackedPayment | LedgerChange];

/** Nearly all facts of a loan are payments. */
type PackedPayment = readonly [
  transaction: number,
  kind: Payment['kind'],
  amountCents: Cents,
  isPrepaymentEnabled: boolean | null,
  isProcessing: boolean,
];

type Placed = 'sequence' | 'effective' | 'recordedDay';

function packFact({ fact, recordedAt, by, caseId }: StoredLedgerFact): PackedFact {
  const { sequence: _place, effective, recordedDay, ...change } = fact;
  return [
    recordedAt,
    packAgent(by),
    caseId,
    effective.day,
    effective.seconds,
    recordedDay,
    fact.type === 'payment' && fact.principalOnlyCents === undefined ? packPayment(fact) : change,
  ];
}

const packPayment = (fact: Payment): PackedPayment => [
  fact.transaction,
  fact.kind,
  fact.amountCents,
  fact.isPrepaymentEnabled,
  fact.isProcessing,
];

/** A fact of a line of credit, whose facts are of many kinds. */
type PackedLineFact = readonly [...head: Head, change: LedgerChange<LineFact>];

function packLineFact({ fact, recordedAt, by, caseId }: StoredLineFact): PackedLineFact {
  const { sequence: _place, effective, recordedDay, ...change } = fact;
  return [recordedAt, packAgent(by), caseId, effective.day, effective.seconds, recordedDay, change];
}

function unpackLineFact([recordedAt, by, caseId, day, seconds, recordedDay, change]: PackedLineFact, index: number): StoredLineFact {
  const placed = { effective: { day, seconds }, sequence: index + 1, recordedDay };
  return { fact: { ...change, ...placed }, recordedAt, by: unpackAgent(by), caseId };
}

function unpackFact([recordedAt, by, caseId, day, seconds, recordedDay, change]: PackedFact, index: number): StoredLedgerFact {
  const placed = { effective: { day, seconds }, sequence: index + 1, recordedDay };
  const fact = isPayment(change) ? unpackPayment(change, placed) : { ...change, ...placed };
  return { fact, recordedAt, by: unpackAgent(by), caseId };
}

export const ledgerFacts: FactCodec<StoredLedgerFact> = {
  pack: packFact,
  unpack: (packed: PackedFact, index) => unpackFact(packed, index),
};

export const lineFacts: FactCodec<StoredLineFact> = {
  pack: packLineFact,
  unpack: (packed: PackedLineFact, index) => unpackLineFact(packed, index),
};

const isPayment = (change: PackedPayment | LedgerChange): change is PackedPayment => Array.isArray(change);

const unpackPayment = (packed: PackedPayment, { effective, sequence, recordedDay }: Pick<LedgerFact, Placed>): LedgerFact => ({
  type: 'payment',
  transaction: packed[0],
  kind: packed[1],
  amountCents: packed[2],
  isPrepaymentEnabled: packed[3],
  isProcessing: packed[4],
  effective,
  sequence,
  recordedDay,
});

export const packAgent = ({ type, id, userId }: Agent): PackedAgent => [type, id, userId ?? null];

/** Few agents write many facts: facts share one object for each agent. */
export function unpackAgent([type, id, userId]: PackedAgent): Agent {
  const key = `${type}/${id}/${userId ?? ''}`;
  const known = agents.get(key);
  if (known !== undefined) return known;
  if (agents.size >= MAX_AGENTS) agents.clear();
  const agent: Agent = userId === null ? { type, id } : { type, id, userId };
  agents.set(key, agent);
  return agent;
}

const MAX_AGENTS = 4_096;
const agents = new Map<string, Agent>();
