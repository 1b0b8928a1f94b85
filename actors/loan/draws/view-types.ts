import type { Amount, DateText, MetaData, RateValue, SignedRateValue } from '../../wire.js';
import type { LoanStatus } from '../machine.js';
import type { LoanPersonView } from '../people/requests.js';
import type {
  AmountsValidationView,
  DeclineReasonView,
  LabelView,
  MerchantDiscountView,
  MinPaymentView,
  OriginationFeesView,
  RatesValidationView,
  TimestampsView,
} from '../views/types.js';

export type DrawStatusValue = LoanStatus;

/** A draw as every reply shows it (loans.md 8.2). What is absent is null. */
export interface DrawView {
  readonly id: string;
  readonly object: 'draw';
  readonly type: 'draw';
  readonly drawType: 'regularPurchase' | 'cashAdvance' | 'balanceTransfer' | 'static';
  readonly displayId: string;
  readonly companyId: string;
  readonly externalId: string | null;
  readonly lineOfCreditId: string;
  readonly loanTypeId: string;
  readonly mainBorrowerId: string;
  readonly mainBorrowerExternalId: string | null;
  readonly assetType: string | null;
  readonly assetDisplayName: string | null;
  readonly servicedBy: string;
  readonly status: LoanStatus;
  readonly nickname: string;
  readonly isClosed: boolean;
  readonly declineReason: DeclineReasonView | null;
  /** Why its line was charged off. */
  readonly chargedOffReason: string | null;
  readonly cancellationReason: string | null;
  readonly labels: readonly LabelView[];
  readonly additionalPeople: readonly LoanPersonView[];
  readonly additionalBorrowers: readonly { readonly id: string; readonly relationType: string }[];
  readonly metaData: MetaData | null;
  readonly timestamps: TimestampsView;
  /** The last due date of an amortized draw. */
  readonly endDate: DateText | null;
  readonly lockStatus: 'unlocked';
  readonly current: {
    readonly creditLimitAmount: Amount | null;
    /** What the next due date asks of the draw. */
    readonly periodicPayment: Amount | null;
    readonly interestRate: RateValue | null;
    readonly isAmortized: boolean;
    readonly balanceAmount: Amount;
  };
  readonly atOrigination: DrawOriginationView;
  readonly ratesValidation: RatesValidationView;
  readonly amountsValidation: AmountsValidationView | null;
}

export interface DrawOriginationView {
  readonly interestRates: readonly { readonly interestType: string; readonly days: number | null; readonly rate: SignedRateValue }[] | null;
  readonly promoRates: readonly { readonly days: number | null; readonly rate: RateValue }[] | null;
  readonly aprNominal: RateValue | null;
  readonly aprEffective: RateValue | null;
  readonly creditLimitAmount: Amount | null;
  readonly creditLimitPercentage: RateValue | null;
  readonly fees: {
    readonly drawFeeAmount: Amount;
    readonly drawFeePercentageOfPrincipal: RateValue;
    readonly dynamicFees: OriginationFeesView['dynamicFees'];
    readonly serviceFeeAmount: Amount | null;
    readonly serviceFeeCapAmount: Amount | null;
  };
  readonly minPaymentCalculation: MinPaymentView | null;
  readonly autoAmortization: {
    readonly amortizationLogic: 'aggregatePurchasesInPeriod' | 'perPurchase';
    readonly duration: number | null;
    readonly periodicPaymentAmount: Amount | null;
  } | null;
  readonly gracePeriod: { readonly isGracePeriodApplicable: boolean | null; readonly numPeriodsToRestoreGrace: number | null } | null;
  readonly mdr: MerchantDiscountView | null;
}
