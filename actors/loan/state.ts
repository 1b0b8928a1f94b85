import {
  assert,
  type Cents,
  type Day,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  type LineLedgerEvent,
  type LineState,
  must,
  type Rate,
} from '../../engine/index.js';
import type { FeeCategory } from '../company/index.js';
import { stateAs } from '../kernel/erased.js';
import type { Agent, EffectiveTime, Tenant } from '../kernel/fact.js';
import type { FactList } from './ledger/fact-list.js';
import type { PastSources, SettingsSources } from './ledger/settings.js';
import type { LoanStatus } from './machine.js';
import type { Migration } from './migration/migration.js';
import { type Modifications, NO_MODIFICATIONS } from './modifications/state.js';
import type { MetaData, Origination } from './origination/terms.js';
import type { AdditionalPerson } from './people/person.js';
import type { AutopayPlan } from './autopay/plan.js';
import { type CreditReporting, NO_CREDIT_REPORTING } from './credit-reporting/types.js';
import type { Chargeback } from './transactions/chargebacks/record.js';
import type { PromisePlan } from './promises/types.js';
import type { PromoProgram } from './promo-programs/program.js';
import type { LoanAdvance } from './advances/advance.js';
import type { LoanRefund } from './refunds/refund.js';
import type { RecurringFees } from './fees/recurring.js';
import type { StatementRecord } from './statements/record.js';
import type { RateRow } from './rates/rows.js';
import { Transactions } from './transactions/transactions.js';
import type { Draw } from './draws/draw.js';
import type { LineServicing } from './line/ledger.js';
import type { PurchaseDispute } from './purchases/posting.js';
import { type LoanCard, NO_CARDS } from './cards/types.js';
import { type LoanParties, NO_PARTIES } from './parties.js';
import type { MerchantDiscountKept } from './payouts/merchant-discount.js';
import { NO_PAYOUTS, type PayoutMove } from './payouts/facts.js';
import { Purchases } from './purchases/purchases.js';
import type { StatusesBefore } from './ledger/follow-move.js';

/**
 * The state of a loan. Records are never changed, only replaced: a copy for a preview or a pending query shares them, and copies only what
 * grows in place (`cloneLoan`).
 */
export interface LoanState {
  readonly id: string;
  readonly tenant: Tenant;
  /** Null before the first fact. */
  record: LoanRecord | null;
  lastUpdate: LastUpdate;
  /** Of an installment loan; null until it is activated. */
  servicing: Servicing | null;
  /** Of a line of credit; null until it is activated. */
  line: LineServicing | null;
  /** Of a line of credit, as the next two fields. In the order of recording. */
  draws: readonly Draw[];
  readonly purchases: Purchases;
  disputes: readonly PurchaseDispute[];
  readonly transactions: Transactions;
  /** Of all transactions, in the order of recording. */
  chargebacks: readonly Chargeback[];
  /** Promise-to-pay plans, oldest first; only the newest may be in force. */
  promises: readonly PromisePlan[];
  /** Autopay plans, oldest first; at most the newest is in force. */
  autopay: readonly AutopayPlan[];
  /** In the order of recording. */
  promoPrograms: readonly PromoProgram[];
  advances: readonly LoanAdvance[];
  refunds: readonly LoanRefund[];
  /** What banks have paid of the money that was sent, and brought back, in the order of recording. */
  payouts: readonly PayoutMove[];
  /** Null: the lender pays out all that it lends. */
  merchantDiscount: MerchantDiscountKept | null;
  /** Owners and others who are not borrowers. */
  parties: LoanParties;
  /** Changes of the schedule, and payment plans. */
  modifications: Modifications;
  /** Null for a loan that was made here. */
  migration: Migration | null;
  /** Replaced, never changed. */
  creditReporting: CreditReporting;
  /** Oldest first, without those that were detached. */
  cards: readonly LoanCard[];
  /** Every status that the loan has had, oldest first. */
  statusHistory: readonly StatusChange[];
  /** While the facts of one order are applied: the move of the ledger whose events are not emitted yet. Null at all other times. */
  pendingMove: PendingMove | null;
}

/** The ledger before an order whose events are emitted with its last fact. */
interface PendingMove {
  readonly ledger: LedgerState | LineState;
  readonly before: StatusesBefore;
  /** Ledger events since then that a comparison of the ledgers does not show. */
  readonly passed: readonly LineLedgerEvent[];
}

/** The last fact that counts as an update. Not part of the record, which would otherwise be replaced with each fact. */
interface LastUpdate {
  /** Machine time in microseconds. */
  readonly stamp: number;
  /** Milliseconds of the company's clock. */
  readonly at: number;
}

/** The fields of a loan apart from its ledger. */
export interface LoanRecord {
  readonly personId: string;
  readonly loanTypeId: string;
  readonly type: 'installment' | 'lineOfCredit';
  readonly assetType: string | null;
  readonly assetDisplayName: string | null;
  readonly currency: string;
  /** IANA time zone of the product, otherwise of the company; fixed when the loan is made. */
  readonly zone: string;
  readonly managedByService: boolean;
  /** First counter of the ids of periods, obligations and late fees. */
  readonly idBase: number;
  readonly externalId: string | null;
  /** The status while there is no ledger, and `canceled`; all other statuses are the ledger's. */
  readonly status: LoanStatus;
  readonly servicedBy: string;
  readonly newDrawsAllowed: boolean;
  readonly nickname: string | null;
  readonly isClosed: boolean;
  /** When and why it was closed; absent while it is not, and in snapshots of earlier releases. */
  readonly closing?: { readonly day: Day; readonly reason: string | null };
  readonly declineReason: DeclineReason | null;
  /** Set by an update while the loan is charged off; null: the reason of the charge-off itself. */
  readonly chargedOffReason: ChargedOffReason | null;
  readonly cancellationReason: string | null;
  /** The loan was canceled with all external ids: those of the loan and of its parts may be used again. */
  readonly areExternalIdsFree: boolean;
  readonly labels: readonly string[];
  readonly additionalPeople: readonly AdditionalPerson[];
  readonly metaData: MetaData | null;
  readonly muteLoanNotices: boolean;
  readonly atOrigination: Origination;
  readonly timestamps: LoanTimestamps;
  /** Machine time of the first fact, in microseconds: the order of lists. */
  readonly createdStamp: number;
}

type ChargedOffReason = 'term' | 'fraudulent' | 'bankruptcy' | 'legal';

export interface DeclineReason {
  readonly mainExternalReasonCode: string | null;
  readonly mainText: string | null;
  readonly mainScriptForRep: string | null;
  readonly subReasons: readonly DeclineSubReason[];
}

interface DeclineSubReason {
  readonly externalReasonCode: string | null;
  readonly reasonText: string | null;
  readonly scriptForRep: string | null;
}

/** Milliseconds of the company's clock. */
export interface LoanTimestamps {
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly originatedAt: number | null;
  readonly activatedAt: number | null;
  readonly frozenAt: number | null;
  readonly lastAmortizedAt: number | null;
  readonly acceleratedAt: number | null;
  readonly chargedOffAt: number | null;
  readonly paidOffAt: number | null;
  readonly closedAt: number | null;
  readonly canceledAt: number | null;
}

/** The servicing of an installment loan since its activation: contract, facts and ledger. */
export interface Servicing {
  readonly contract: Contract;
  /** When the activation was recorded, on the company's clock. */
  readonly recordedAt: number;
  /** The late fees that the loan has adopted from its product, and its replays. */
  sources: SettingsSources;
  /** Earlier sources, to show what was known before; in the order of recording. */
  sourcesBefore: readonly PastSources[];
  /** In the order of recording; a fact's sequence is its position, from 1. Only ever added to. */
  readonly facts: FactList<StoredLedgerFact>;
  fees: readonly ChargedFee[];
  /** Late fees that a replay removed: they stay readable as canceled, under their ids. */
  removedFees: readonly RemovedFee[];
  recurring: RecurringFees;
  /** In the order of recording. */
  statements: readonly StatementRecord[];
  /** Due dates up to this day have a statement, or passed before the loan was serviced here. */
  statedThrough: Day;
  /** All rates, once one was added or changed; null while they are those of origination. */
  rates: readonly RateRow[] | null;
  /** The stamp of the last edition of the product's index that the loan has applied. */
  indexStamp: number;
  summary: LedgerSummary;
  /** Moved forward in place by the engine. Null while it is not in memory: it is computed from the facts. */
  ledger: LedgerState | null;
}

/** A late fee that was published and that the ledger no longer has. */
export interface RemovedFee {
  readonly feeTypeId: string;
  readonly obligation: number;
  readonly chargeDay: Day;
  readonly amountCents: Cents;
  /** On the company's clock. */
  readonly removedAt: number;
  readonly caseId: string | null;
}

/** The servicing of a loan of either product. */
export type Activated = Servicing | LineServicing;

/** Values that lists, agendas and commands need while the ledger is not in memory. */
export interface LedgerSummary {
  readonly status: LoanStatus;
  /** The daily work of this day and of all before it is done. */
  readonly through: Day;
  /** The next day with work to do; null if there is none. */
  readonly nextDay: Day | null;
  readonly nextDueDay: Day | null;
  /** The last due date that has passed; null before the first. */
  readonly fallenDueDay: Day | null;
  /** The next due date, and the day of its statement; null if there is none. */
  readonly comingDueDay: Day | null;
  readonly comingStatementDay: Day | null;
  /** The first day of a line's current period. */
  readonly periodStartDay?: Day;
  /** The last due date of the schedule in force. */
  readonly endDay: Day | null;
  readonly isOverdue: boolean;
  /** The day from which days overdue count: the due date of the oldest overdue obligation, plus frozen days. Null while current. */
  readonly overdueSince: Day | null;
  readonly outstandingCents: Cents;
  readonly chargeOffReason: ChargedOffReason | null;
}

/** The terms of every computation, without the product's settings, which are a timeline of their own. */
export interface Contract {
  readonly terms: Omit<LedgerTerms, 'settings'>;
  readonly amortization: 'useAtOrigination' | 'reAmortize';
  readonly periodicPaymentCents: Cents;
  readonly totalInterestCents: Cents;
  readonly endDate: Day;
  readonly aprNominal: Rate;
  readonly aprEffective: Rate;
  readonly amountsValidation: AmountsValidation;
}

/** Whether the caller's figures agree with the service's own amortization. */
export interface AmountsValidation {
  readonly principalMatch: boolean;
  readonly interestMatch: boolean;
  readonly feesMatch: boolean;
  readonly totalAdvancesMatch: boolean;
  readonly recurringAmountsMatch: boolean;
}

export type StoredLedgerFact = StoredFact<LedgerFact>;

/** A fact of the ledger, with the fields of its envelope. */
export interface StoredFact<Fact> {
  readonly fact: Fact;
  /** The company's clock in milliseconds: the second time axis. */
  readonly recordedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
}

/** A fee that was charged by hand or by a trigger other than lateness. Late fees are the ledger's own. */
export interface ChargedFee {
  /** Its number in the ledger's facts. */
  readonly fee: number;
  /** The number of the draw of a line that bears it. */
  readonly draw?: number;
  readonly id: string;
  readonly externalId: string | null;
  readonly feeTypeId: string;
  readonly category: FeeCategory;
  readonly customDisplayName: string | null;
  /** The returned payment that caused it. */
  readonly transactionId?: string;
  /** The purchase that caused it. */
  readonly purchaseId?: string;
  /** The period that the request named; absent: the period in which it is charged. */
  readonly period?: number;
  readonly amountCents: Cents;
  /** When it is to be charged; null once it is charged in the ledger, or if it was canceled before. */
  readonly scheduled: EffectiveTime | null;
  /** It was scheduled while the loan was paid off: the payoff does not cancel it. */
  readonly isOrderedAfterPayoff?: true;
  readonly createdAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  readonly canceledAt: number | null;
  readonly canceledBy: Agent | null;
  readonly cancelReason: string | null;
}

export interface StatusChange {
  readonly oldStatus: LoanStatus | null;
  readonly newStatus: LoanStatus;
  readonly effectiveDay: Day;
  readonly recordedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  /** A value that the interface or the service defines. */
  readonly reason: string | null;
  /** Free text of the caller. */
  readonly writtenReason: string | null;
}

/** A loan before its first fact. */
export const newLoan = (id: string, tenant: Tenant): LoanState => ({
  id,
  tenant,
  record: null,
  lastUpdate: { stamp: 0, at: 0 },
  servicing: null,
  line: null,
  draws: [],
  purchases: new Purchases(),
  disputes: [],
  transactions: new Transactions(),
  chargebacks: [],
  promises: [],
  autopay: [],
  promoPrograms: [],
  advances: [],
  refunds: [],
  payouts: NO_PAYOUTS,
  merchantDiscount: null,
  parties: NO_PARTIES,
  modifications: NO_MODIFICATIONS,
  migration: null,
  creditReporting: NO_CREDIT_REPORTING,
  cards: NO_CARDS,
  statusHistory: [],
  pendingMove: null,
});

/** The state of an actor that the reader knows to be a loan. */
export function loanStateOf({ kind, state }: { readonly kind: string; readonly state: unknown }): LoanState {
  assert(kind === 'loan', `the actor is a loan and not a ${kind}`);
  return must(stateAs<LoanState>(state), 'a loan has a state');
}
