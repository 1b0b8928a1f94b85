import type { tags } from 'typia';
import type { Cents, Rate, Subject } from '../../engine/index.js';
import type { Amount, AnyId, DateTimeText, FreeJson, RateValue, ShortText, SignedAmount, Text, Whole } from '../wire.js';
import type {
  AccrualMethod,
  AtFaultParty,
  BalanceComponent,
  ScheduledInterestSettings,
  CreditLimitSettings,
  DayCount,
  Frequency,
  InterestSettings,
  LoanTypeSettings,
  MinPaymentSettings,
  ModificationFees,
  ScheduleSettings,
} from './loan-type-settings.js';

/** Sections whose wire and stored types are the same: they have no amounts, no rates, and no bounds. */
type KeptSections = Pick<
  LoanTypeSettings,
  | 'structure'
  | 'paymentWaterfall'
  | 'creditWaterfall'
  | 'multiWaterfall'
  | 'acceleratedWaterfall'
  | 'chargedOffWaterfall'
  | 'overpayment'
  | 'paymentAllowedWhenChargedOff'
  | 'payments'
  | 'lateFee'
  | 'fees'
  | 'draws'
  | 'modification'
  | 'enforceRateLimits'
  | 'freezeAllowedForLineOfCredit'
>;

/** All configuration sections of a loan type on the wire. `Money` is the type of amounts: one for bodies, another for replies. */
interface Sections<Money> extends KeptSections {
  readonly byInstalment: ScheduledInterestSection | null;
  readonly interest: InterestSection<Money>;
  readonly schedule: ScheduleSection;
  readonly minPayment: MinPaymentSection<Money>;
  readonly grace: { readonly isGracePeriodApplicable: boolean; readonly numPeriodsToRestoreGrace: Periods };
  /** Days overdue; null = never. */
  readonly accelerationDueWithin: OverdueDays | null;
  /** Days overdue; null = never. */
  readonly chargeOffDueWithin: OverdueDays | null;
  readonly delinquency: { readonly overdueToleranceAmount: Money };
  readonly creditLimit: CreditLimitSection;
  readonly refunds: { readonly billing: Readonly<Record<AtFaultParty, BilledAccount | null>> };
  readonly limits: { readonly maxDeferralsPerYear: Whole | null; readonly maxDueDateChangesPerYear: Whole | null };
  /** Business days for which a payment is held. */
  readonly holdDays: { readonly ach: BusinessDays; readonly card: BusinessDays; readonly wire: BusinessDays };
  /** Business days until a payment without a return is settled. */
  readonly settleDays: { readonly ach: BusinessDays; readonly card: BusinessDays };
  readonly autopay: AutopaySection;
  /** Days after payoff for which a loan still has data for loan tapes. */
  readonly snapshotDaysAfterPayoff: Whole;
  readonly smallBalanceForgivenessAmount: Money;
  readonly isCreditReportingAllowed: boolean;
  readonly creditAgencyIds: readonly AnyId[];
  readonly statements: StatementSection;
  readonly notices: NoticeSection;
  readonly processors: FreeJson;
}

type Periods = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<120>;
type OverdueDays = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<3650>;
type BusinessDays = number & tags.Type<'uint32'> & tags.Maximum<90>;
type Days = number & tags.Type<'uint32'> & tags.Maximum<366>;

interface InterestSection<Money>
  extends Pick<InterestSettings, 'balanceMethod' | 'accrueOnOverdue' | 'firstDay' | 'capitalization' | 'rounding' | 'fraction'> {
  readonly interestAccrualMethod: DayCount;
  readonly accrualMethod: AccrualMethod;
  /** [principal], [principal, interest] or [principal, interest, fees]: the same choice as `accrualMethod`. */
  readonly accrueOn: readonly BalanceComponent[];
  readonly minRate: RateValue | null;
  readonly maxRate: RateValue | null;
  readonly maxAprNominal: RateValue | null;
  readonly maxAprEffective: RateValue | null;
  readonly minimumInterestCharge: Money | null;
}

interface ScheduleSection
  extends Pick<
    ScheduleSettings,
    'dueDateOption' | 'lastPaymentLogic' | 'lastInstalment' | 'nonBusinessDays' | 'levelPaymentRounding' | 'allowNegativeAmortization'
  > {
  readonly allowedFrequencies: readonly Frequency[] & tags.MinItems<1>;
  readonly minDaysToFirstDueDate: Days;
  readonly statementToDueDays: Days;
  readonly statementOffsetDays: Days;
}

interface MinPaymentSection<Money>
  extends Pick<MinPaymentSettings, 'includeInterest' | 'includeFees' | 'includeOverLimit' | 'includeOverdue'> {
  readonly percentageOfPrincipal: RateValue;
  readonly minAmount: Money;
}

interface CreditLimitSection {
  readonly openToBuyLogic: CreditLimitSettings['openToBuyLogic'];
  readonly overLimitTolerancePercent: RateValue;
}

interface AutopaySection {
  readonly includeOverdue: boolean;
  readonly retry: { readonly maxAttempts: BusinessDays; readonly daysBetween: BusinessDays };
  readonly maxConsecutiveFailures: Periods;
}

interface ScheduledInterestSection extends Required<Omit<ScheduledInterestSettings, 'downPaymentShare'>> {
  readonly downPaymentShare: RateValue;
}

/** An account of the lender's, as its own books or systems name it. */
type BilledAccount = string & tags.MinLength<1> & tags.MaxLength<100>;

interface StatementSection {
  /** Lines of credit: a period without a balance and without entries has a statement, too. */
  readonly includeEmptyPeriods: boolean;
}

interface NoticeSection {
  /** Subjects of notices that the service does not send by itself to borrowers of these loans. */
  readonly mutedSubjects: readonly Subject[] & tags.MaxItems<200>;
}

interface Metro2Keys {
  readonly metro2PortfolioType?: 'C' | 'I' | 'M' | 'O' | 'R';
  readonly metro2AccountType?: string & tags.MaxLength<2>;
  readonly metro2ReporterName?: string & tags.MaxLength<40>;
  readonly metro2ReporterAddress?: string & tags.MaxLength<96>;
  readonly metro2ReporterTelephoneNumber?: string & tags.MaxLength<15>;
  readonly metro2InnovisProgramIdentifier?: string & tags.MaxLength<10>;
  readonly metro2EquifaxProgramIdentifier?: string & tags.MaxLength<10>;
  readonly metro2ExperianProgramIdentifier?: string & tags.MaxLength<10>;
  readonly metro2TransUnionProgramIdentifier?: string & tags.MaxLength<10>;
  readonly metro2InnovisIdentificationNumber?: string & tags.MaxLength<20>;
  readonly metro2EquifaxIdentificationNumber?: string & tags.MaxLength<20>;
  readonly metro2ExperianIdentificationNumber?: string & tags.MaxLength<20>;
  readonly metro2TransUnionIdentificationNumber?: string & tags.MaxLength<20>;
  readonly metro2SoftwareVendorName?: string & tags.MaxLength<40>;
  readonly metro2SoftwareVersionNumber?: string & tags.MaxLength<5>;
}

/** Sections of which a body may have only some fields. The others are unchanged, or have their defaults. */
type PartialSection =
  | 'structure'
  | 'interest'
  | 'schedule'
  | 'minPayment'
  | 'grace'
  | 'payments'
  | 'delinquency'
  | 'lateFee'
  | 'fees'
  | 'draws'
  | 'limits'
  | 'holdDays'
  | 'settleDays'
  | 'statements'
  | 'notices';

/** Sections that have another type in bodies. */
type OwnSection = 'byInstalment' | 'creditLimit' | 'modification' | 'autopay' | 'refunds';

type Patch<Money> = {
  readonly [Key in PartialSection]?: Partial<Sections<Money>[Key]>;
} & Partial<Omit<Sections<Money>, PartialSection | OwnSection>>;

/** Configuration in a body. */
export interface SettingsBody extends Patch<Amount>, Metro2Keys {
  /** The same choice as `interest.accrualMethod`. */
  readonly accrualMethod?: AccrualMethod;
  /** `paymentHoldDays` is an alias of `holdDays.ach`. */
  readonly creditLimit?: Partial<CreditLimitSection> & { readonly paymentHoldDays?: BusinessDays };
  /** Null: interest accrues by the day. Fields that are left out are unchanged, or have their defaults. */
  readonly byInstalment?: Partial<ScheduledInterestSection> | null;
  readonly modification?: { readonly fees?: Partial<ModificationFees> };
  /** The account that is billed for the refunds of each party at fault; null: none. */
  readonly refunds?: { readonly billing?: Partial<Sections<Amount>['refunds']['billing']> };
  readonly autopay?: Partial<Omit<AutopaySection, 'retry'>> & { readonly retry?: Partial<AutopaySection['retry']> };
}

/** Configuration in a reply. */
export interface SettingsView extends Sections<SignedAmount>, Metro2Keys {
  readonly accrualMethod: AccrualMethod;
}

type AssetType =
  | 'personalClosedEndUnsecured'
  | 'businessOpenEndUnsecured'
  | 'personalOpenEndUnsecured'
  | 'personalClosedEndSecured'
  | 'personalOpenEndSecured'
  | 'businessClosedEndUnsecured'
  | 'businessClosedEndSecured'
  | 'businessOpenEndSecured'
  | 'creditCard'
  | 'auto'
  | 'buyNowPayLater'
  | 'student'
  | 'homeEquity';

interface LoanTypeFieldsBody {
  /** The configuration's name; falls back to `assetDisplayName`. */
  readonly name?: ShortText | null;
  readonly description?: Text | null;
  readonly assetType?: AssetType;
  readonly assetDisplayName?: ShortText;
  readonly status?: 'active' | 'inactive';
  /** IANA zone; null = the company's. Fixed once a loan exists. */
  readonly timezone?: ShortText | null;
  readonly currency?: string & tags.Pattern<'^[A-Z]{3}$'>;
  readonly managedByService?: boolean;
  readonly extraFields?: FreeJson;
}

export interface LoanTypeCreateBody extends LoanTypeFieldsBody, SettingsBody {
  readonly type: 'installment' | 'lineOfCredit';
}

export interface LoanTypeUpdateBody extends LoanTypeFieldsBody, SettingsBody {
  /** Fixed once a loan exists. */
  readonly type?: 'installment' | 'lineOfCredit';
}

export interface LoanTypeView extends SettingsView {
  readonly id: string;
  readonly object: 'loanType';
  readonly companyId: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: 'installment' | 'lineOfCredit';
  readonly assetType: string;
  readonly assetDisplayName: string;
  readonly status: 'active' | 'inactive';
  readonly timezone: string | null;
  readonly currency: string;
  readonly managedByService: boolean;
  readonly extraFields: FreeJson;
  /** The number of the shown version; `effectiveDate` is its first day, null for the first. */
  readonly version: number;
  readonly effectiveDate: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** A kind of dynamic fee of one loan type. */
export interface FeeType {
  readonly id: string;
  readonly loanTypeId: string;
  readonly status: 'active' | 'inactive';
  readonly name: { readonly displayName: string; readonly apiName: string };
  readonly feeType: FeeCategory;
  readonly amountLogic: AmountLogic;
  readonly amount: Cents | null;
  readonly percentage: Rate | null;
  readonly percentageBase: PercentageBase | null;
  /** For `tiered`: the first tier whose bound is not below the base applies. */
  readonly tiers: readonly FeeTier[];
  /** The amount is limited to this range, never refused. Zero means no fee. */
  readonly minAmount: Cents | null;
  readonly maxAmount: Cents | null;
  readonly capPerLoanAmount: Cents | null;
  readonly capPerPeriodCount: number | null;
  readonly chargeLogic: 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue';
  readonly trigger: FeeTrigger;
  /** Late fee: days after the due date; the daily work of that day charges it. */
  readonly triggerDays: number;
  /** No late fee is charged if at most this amount is overdue. */
  readonly toleranceAmount: Cents;
  readonly isCancelOnReversal: boolean;
  /** By the borrower's state at origination. */
  readonly stateRules: readonly FeeStateRule[];
  readonly waiveDuringScra: boolean;
  readonly waiveWhileFrozen: boolean;
}

export type FeeCategory =
  | 'lateFee'
  | 'modificationFee'
  | 'purchaseFee'
  | 'nsfFee'
  | 'serviceFee'
  | 'membershipFee'
  | 'foreignTransactionFee'
  | 'adHoc';

export type AmountLogic = 'fixed' | 'percentage' | 'greaterOf' | 'lesserOf' | 'tiered';

export type PercentageBase = 'overdueAmount' | 'obligationAmount' | 'principal' | 'purchaseAmount' | 'paymentAmount';

export type FeeTrigger =
  | 'manual'
  | 'overdueDays'
  | 'paymentFailed'
  | 'purchaseSettled'
  | 'foreignPurchase'
  | 'periodStart'
  | 'anniversary'
  | 'scheduleChange';

interface FeeTier {
  /** Largest base of the tier; null = without bound. */
  readonly upToAmount: Cents | null;
  readonly amount: Cents | null;
  readonly percentage: Rate | null;
}

interface FeeStateRule {
  readonly state: string;
  readonly maxAmount: Cents | null;
  readonly graceDays: number | null;
}
