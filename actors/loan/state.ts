import type { Cents, Day, LedgerFact, LedgerState, LedgerTerms, LineLedgerEvent, LineState, Rate } from '../../engine/index.js';
import type { FeeCategory } from '../company/index.js';
import type { Agent, EffectiveTime, Tenant } from '../kernel/fact.js';
import type { FactList } from './ledger/fact-list.js';
import type { PastSources, SettingsSources } from './ledger/settings.js';
import type { LoanStatus } from './machine.js';
import type { Migration } from './migration/migration.js';
import { type Modifications, NO_MODIFICATIONS } from './modifications/state.js';
import type { MetaData, Origination } from './origination/terms.js';
import type { AdditionalPerson } from './people/decide.js';
import type { AutopayPlan } from './autopay/plan.js';
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
import { Purchases } from './purchases/purchases.js';
import type { Standing } from './tell.js';

/**
 * A loan at rest. Records are never changed, only replaced: a copy for a preview or a pending read shares them, and
 * copies only what grows in place (`cloneLoan`).
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
  /** Of a line of credit, as what follows: in the order of recording. */
  draws: readonly Draw[];
  readonly purchases: Purchases;
  disputes: readonly PurchaseDispute[];
  readonly transactions: Transactions;
  /** Of all transactions, in the order of recording. */
  chargebacks: readonly Chargeback[];
  /** Promise-to-pay plans, oldest first; only the newest may still run. */
  promises: readonly PromisePlan[];
  /** Autopay plans, oldest first; at most the newest is in force. */
  autopay: readonly AutopayPlan[];
  /** In the order of recording. */
  promoPrograms: readonly PromoProgram[];
  advances: readonly LoanAdvance[];
  refunds: readonly LoanRefund[];
  /** What the tools have done to the schedule, and its payment plans. */
  modifications: Modifications;
  /** Null for a loan that the service had from its first day. */
  migration: Migration | null;
  /** Every status that the loan has had, oldest first. */
  statusHistory: readonly StatusChange[];
  /** While the facts of one order are taken in: what the first of them have brought. Null at all other times. */
  untold: Untold | null;
}

/** How the ledger stood before an order that is told of with its last fact. */
interface Untold {
  readonly ledger: LedgerState | LineState;
  readonly standing: Standing;
  /** What has happened since that its end does not show. */
  readonly passed: readonly LineLedgerEvent[];
}

/** The last fact that counts as an update. Apart from the record, which it would make anew each time. */
interface LastUpdate {
  /** Machine time in microseconds. */
  readonly stamp: number;
  /** Milliseconds of the company's clock. */
  readonly at: number;
}

/** What is known of a loan beside its ledger. */
export interface LoanRecord {
  readonly personId: string;
  readonly loanTypeId: string;
  readonly type: 'installment' | 'lineOfCredit';
  readonly assetType: string | null;
  readonly assetDisplayName: string | null;
  readonly currency: string;
  /** IANA zone of the product, else of the company: fixed when the loan is made. */
  readonly zone: string;
  readonly managedByService: boolean;
  /** First counter of the ids of periods, obligations and late fees. */
  readonly idBase: number;
  readonly externalId: string | null;
  /** Status while there is no ledger, and `canceled` for good; the ledger tells all others. */
  readonly status: LoanStatus;
  readonly servicedBy: string;
  readonly newDrawsAllowed: boolean;
  readonly nickname: string | null;
  readonly isClosed: boolean;
  readonly declineReason: DeclineReason | null;
  /** Set by hand while charged off; else what the charge-off said. */
  readonly chargedOffReason: ChargedOffReason | null;
  readonly cancellationReason: string | null;
  /** Canceled together with all external ids: those of the loan and of what hangs on it may be used again. */
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

/** What activation brings: the contract that is in force, the facts about it and the ledger that they make. */
export interface Servicing {
  readonly contract: Contract;
  /** When the activation was recorded, on the company's clock. */
  readonly recordedAt: number;
  /** The late fees that the loan has taken over from its product, and the replays that were asked for. */
  sources: SettingsSources;
  /** For readers of what was known before; in the order of recording. */
  sourcesBefore: readonly PastSources[];
  /** In the order of recording; a fact's sequence is its position, from 1. Only ever added to. */
  readonly facts: FactList<StoredLedgerFact>;
  fees: readonly ChargedFee[];
  /** Late fees that a replay has taken back, as they were: they stay visible, canceled, under their ids. */
  removedFees: readonly RemovedFee[];
  recurring: RecurringFees;
  /** In the order of recording. */
  statements: readonly StatementRecord[];
  /** Due dates up to this day have their statement, or passed before the loan was serviced here. */
  statedThrough: Day;
  /** All rates once one was added or changed; null while they are those of origination. */
  rates: readonly RateRow[] | null;
  /** The stamp of the change of the product's index that was taken over last. */
  indexStamp: number;
  summary: LedgerSummary;
  /** Moved forward in place by the engine. Null while laid down: it is computed again from the facts. */
  ledger: LedgerState | null;
}

/** A late fee that was told and that the ledger holds no more. */
export interface RemovedFee {
  readonly feeTypeId: string;
  readonly obligation: number;
  readonly chargeDay: Day;
  readonly amountCents: Cents;
  /** On the company's clock. */
  readonly removedAt: number;
  readonly caseId: string | null;
}

/** What activation has brought to a loan of either product. */
export type Activated = Servicing | LineServicing;

/** What is asked of a loan whose ledger is laid down: lists, agendas, legality of commands. */
export interface LedgerSummary {
  readonly status: LoanStatus;
  /** The daily work of this day and of all before it is done. */
  readonly through: Day;
  /** The next day with something to do; null when nothing is to come. */
  readonly nextDay: Day | null;
  readonly nextDueDay: Day | null;
  /** The due date that came last; null before the first. */
  readonly fallenDueDay: Day | null;
  /** The next one, and the day of its statement; null when none is to come. */
  readonly comingDueDay: Day | null;
  readonly comingStatementDay: Day | null;
  /** Of a line of credit: the first day of the period that runs. */
  readonly periodStartDay?: Day;
  /** The last due date of the schedule in force. */
  readonly endDay: Day | null;
  readonly isOverdue: boolean;
  /** Days overdue count from here: the due date of the oldest overdue obligation, and frozen days. Null while current. */
  readonly overdueSince: Day | null;
  readonly outstandingCents: Cents;
  readonly chargeOffReason: ChargedOffReason | null;
}

/** The terms of every replay but for the product's settings, which are a timeline of their own. */
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

/** A fact of the ledger and where it came from. */
export interface StoredFact<Fact> {
  readonly fact: Fact;
  /** The company's clock in milliseconds: the second time axis. */
  readonly recordedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
}

/** A fee that somebody charged by hand, or that a trigger other than lateness brought; late fees are the ledger's own. */
export interface ChargedFee {
  /** Its number in the ledger's facts. */
  readonly fee: number;
  /** Of a line of credit: the number of the draw that bears it. */
  readonly draw?: number;
  readonly id: string;
  readonly externalId: string | null;
  readonly feeTypeId: string;
  readonly category: FeeCategory;
  readonly customDisplayName: string | null;
  /** The payment that came back and brought it. */
  readonly transactionId?: string;
  /** The purchase that brought it. */
  readonly purchaseId?: string;
  /** The period that it was said to be for; absent: the one that it is charged in. */
  readonly period?: number;
  readonly amountCents: Cents;
  /** To be charged on a day to come; null once it was given to the ledger or canceled before. */
  readonly scheduled: EffectiveTime | null;
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
  /** A word of the interface or of the service. */
  readonly reason: string | null;
  /** What somebody wrote as the reason of the order. */
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
  modifications: NO_MODIFICATIONS,
  migration: null,
  statusHistory: [],
  untold: null,
});
