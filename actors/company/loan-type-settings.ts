import type { Cents, Day, Rate, Rounding, Subject } from '../../engine/index.js';

/**
 * The settings of a lender product for its loans. The ledger reads them as a timeline: an edit takes effect on the next
 * day and never changes a past day.
 */
export interface LoanTypeSettings {
  readonly structure: StructureSettings;
  readonly interest: InterestSettings;
  readonly schedule: ScheduleSettings;
  /** For lines of credit. */
  readonly minPayment: MinPaymentSettings;
  readonly grace: GraceSettings;
  /** For installment loans with scheduled interest; null: interest accrues by the day. */
  readonly byInstalment: ScheduledInterestSettings | null;
  readonly paymentWaterfall: readonly WaterfallBucket[];
  /** A credit to a bucket that is left out is refused. */
  readonly creditWaterfall: readonly WaterfallBucket[];
  /** Lines of credit: how a payment is spread over the line and its draws. */
  readonly multiWaterfall: readonly MultiWaterfallRule[];
  readonly acceleratedWaterfall: readonly BalanceComponent[];
  readonly chargedOffWaterfall: readonly BalanceComponent[];
  readonly overpayment: 'reducePrincipal' | 'creditBalance';
  readonly paymentAllowedWhenChargedOff: boolean;
  readonly payments: { readonly enablePrepayments: boolean };
  /** Days overdue after which the loan is accelerated; null = never. */
  readonly accelerationDueWithin: number | null;
  /** Days overdue after which the loan is charged off with reason `term`; null = never. */
  readonly chargeOffDueWithin: number | null;
  readonly delinquency: { readonly overdueToleranceAmount: Cents };
  readonly lateFee: { readonly pyramidingProtection: PyramidingProtection };
  readonly fees: { readonly originationFeeLogic: ChargingOption; readonly drawFeeLogic: ChargingOption };
  readonly creditLimit: CreditLimitSettings;
  readonly draws: DrawSettings;
  readonly refunds: { readonly billing: RefundBilling };
  readonly modification: { readonly fees: ModificationFees };
  readonly limits: { readonly maxDeferralsPerYear: number | null; readonly maxDueDateChangesPerYear: number | null };
  /** Business days for which a payment is held. */
  readonly holdDays: { readonly ach: number; readonly card: number; readonly wire: number };
  /** Business days until a payment without a return is settled. */
  readonly settleDays: { readonly ach: number; readonly card: number };
  readonly autopay: AutopaySettings;
  /** Days after payoff for which a loan still has data for loan tapes. */
  readonly snapshotDaysAfterPayoff: number;
  readonly smallBalanceForgivenessAmount: Cents;
  /** True: rates and APRs outside the limits are refused; false: flags in `ratesValidation` inform. */
  readonly enforceRateLimits: boolean;
  readonly freezeAllowedForLineOfCredit: boolean;
  readonly creditReporting: CreditReportingSettings;
  readonly statements: StatementSettings;
  readonly notices: NoticeSettings;
  /** Stored as sent. */
  readonly processors: { readonly [key: string]: unknown };
}

/** The party that caused a refund, and is billed for it. */
export type AtFaultParty = 'loanOwner' | 'loanServicer' | 'merchant';

/** The account of the lender's that each party's refunds are billed to. Earlier releases stored anything; only a text is an account. */
type RefundBilling = { readonly [Party in AtFaultParty]?: unknown };

/** Earlier releases stored anything, and none of this. */
interface StatementSettings {
  /** Lines of credit: a period without a balance and without entries has a statement, too. */
  readonly includeEmptyPeriods?: boolean;
}

/** Earlier releases stored anything, and none of this. */
interface NoticeSettings {
  /** What the service does not send by itself to borrowers of these loans. */
  readonly mutedSubjects?: readonly Subject[];
}

export type DayCount = 'daily365' | 'daily360' | 'actualActual' | 'monthly30360';
export type Frequency = 'weekly' | 'everyTwoWeeks' | 'twiceMonthly' | 'monthly' | 'singleTerm';
export type AccrualMethod = 'simple' | 'compound' | 'compoundWithFees';
export type BalanceComponent = 'fees' | 'interest' | 'principal';
export type WaterfallBucket =
  | 'overdueFees'
  | 'overdueInterest'
  | 'overduePrincipal'
  | 'dueFees'
  | 'dueInterest'
  | 'duePrincipal'
  | 'nonDueFees'
  | 'nonDueInterest'
  | 'nonDuePrincipal';
export type MultiWaterfallRule = 'directedDraw' | 'lineFees' | 'overdueAmount' | 'dueAmount' | 'highestEffectiveRate' | 'oldestDraw';
type PyramidingProtection = 'none' | 'blockOnFeeOnly' | 'blockOnOldestObligation';
type ChargingOption = 'firstPayment' | 'spread' | 'separate';

interface StructureSettings {
  readonly allowMultipleAdvances: boolean;
  readonly revolving: boolean;
}

export interface InterestSettings {
  readonly balanceMethod: 'dailyBalance' | 'averageDailyBalance' | 'precomputed';
  readonly interestAccrualMethod: DayCount;
  /** The same choice as `accrueOn`: principal; with interest; with interest and fees. */
  readonly accrualMethod: AccrualMethod;
  readonly accrueOn: readonly BalanceComponent[];
  readonly accrueOnOverdue: boolean;
  readonly firstDay: 'activationDate' | 'dayAfter';
  readonly minRate: Rate | null;
  readonly maxRate: Rate | null;
  readonly maxAprNominal: Rate | null;
  readonly maxAprEffective: Rate | null;
  readonly minimumInterestCharge: Cents | null;
  readonly capitalization: 'none' | 'afterDueDate';
  /** How the interest of a period is rounded to cents. */
  readonly rounding: Rounding;
  /** Daily interest is rounded to cents when it falls due, or its fraction of a cent is kept until a payment. */
  readonly fraction: 'forgoneWhenDue' | 'keptUntilPaid';
}

export interface ScheduleSettings {
  readonly allowedFrequencies: readonly Frequency[];
  readonly minDaysToFirstDueDate: number;
  readonly dueDateOption: 'fixedDueDate' | 'fixedStatementDate' | 'fixedBoth';
  readonly statementToDueDays: number;
  readonly statementOffsetDays: number;
  readonly lastPaymentLogic: 'absorbRounding' | 'extraPayment';
  /** The amount of the last installment after late payments: all that is left, or as scheduled with the rest on the next due date. */
  readonly lastInstalment: 'takesAll' | 'asScheduled';
  readonly nonBusinessDays: 'keep' | 'next' | 'previous';
  /** How the level payment is rounded to cents; the last installment takes the rest. */
  readonly levelPaymentRounding: Rounding;
  readonly allowNegativeAmortization: boolean;
}

export interface MinPaymentSettings {
  readonly percentageOfPrincipal: Rate;
  readonly minAmount: Cents;
  readonly includeInterest: boolean;
  readonly includeFees: boolean;
  readonly includeOverLimit: boolean;
  readonly includeOverdue: boolean;
}

interface GraceSettings {
  readonly isGracePeriodApplicable: boolean;
  readonly numPeriodsToRestoreGrace: number;
}

/** The parts of an installment. */
export type ScheduledPart = 'penalties' | 'fees' | 'interest' | 'principal';

export interface ScheduledInterestSettings {
  /** On the balance by days (`interest.interestAccrualMethod`), a period's share of the rate, or flat on the original principal. */
  readonly interestMethod: 'daily' | 'periodic' | 'flat';
  /** Whether early and late payments change the interest; `interest.accrueOnOverdue` says whether overdue principal bears interest. */
  readonly recalculation: 'none' | 'progressive' | 'cumulative';
  /** Cumulative: a payment reduces the balance from its day on, or from the next due date on. */
  readonly recalculationRest: 'daily' | 'dueDates';
  /** Cumulative: unpaid interest bears interest as well. */
  readonly compoundUnpaidInterest: boolean;
  /** Level installments, or equal parts of the principal. */
  readonly principalMethod: 'level' | 'equal';
  /** The periods over which the level payment is computed: the days of the schedule, or months of 30 days. */
  readonly levelSolvedOver: 'schedule' | 'thirtyDayMonths';
  readonly amountsIn: 'cents' | 'wholeUnits';
  /** Interest is rounded once per period, or once per stretch of days with one balance and one rate. Absent in older types: `period`. */
  readonly interestRoundedPer?: 'period' | 'stretch';
  /** Payments go to the oldest installment first, and within it to its parts in these orders. */
  readonly pastDueOrder: readonly ScheduledPart[];
  readonly dueOrder: readonly ScheduledPart[];
  readonly inAdvanceOrder: readonly ScheduledPart[];
  /** Where money beyond the due amount goes: to the next installments, to the last ones first, or an equal part to each. */
  readonly excess: 'next' | 'last' | 'spread';
  /** The same for credits. */
  readonly creditExcess: 'next' | 'last' | 'spread';
  /** The order in which a chargeback reinstates parts, from the day of the chargeback on; null: as if the payment had never been made. */
  readonly chargebackOrder: readonly ScheduledPart[] | null;
  readonly payoffInterest: 'toDate' | 'toPeriodEnd';
  readonly newRateCountsFrom: 'day' | 'nightBefore';
  /** The share of the amount paid out that is due on the day of activation; zero: no down payment. */
  readonly downPaymentShare: Rate;
  /** Whether the borrower pays the down payment or the lender withholds it. */
  readonly downPaymentFrom: 'borrower' | 'advance';
}

export interface CreditLimitSettings {
  readonly openToBuyLogic: 'limitMinusBalance' | 'limitMinusBalanceMinusPending' | 'limitMinusBalanceMinusAuthorized';
  readonly overLimitTolerancePercent: Rate;
}

interface DrawSettings {
  readonly autoActivateOnFirstPurchase: boolean;
  readonly drawTypes: readonly ('regularPurchase' | 'cashAdvance' | 'balanceTransfer' | 'static')[];
}

/** The `apiName` of a fee type for each modification; null = without a fee. */
export interface ModificationFees {
  readonly 'duedate.defer': string | null;
  readonly 'schedule.defer': string | null;
  readonly 'change.duedates': string | null;
  readonly 'change.terms': string | null;
}

export interface AutopaySettings {
  readonly includeOverdue: boolean;
  readonly retry: { readonly maxAttempts: number; readonly daysBetween: number };
  readonly maxConsecutiveFailures: number;
}

interface CreditReportingSettings {
  readonly isCreditReportingAllowed: boolean;
  readonly creditAgencyIds: readonly string[];
  /** The `metro2…` keys of the loan type, each with its full name. */
  readonly metro2: Readonly<Record<string, string>>;
}

/** Settings in force from a day on, until the next version's day. */
export interface SettingsVersion {
  readonly from: Day;
  readonly value: LoanTypeSettings;
}
