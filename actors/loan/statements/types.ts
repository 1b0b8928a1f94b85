import type { tags } from 'typia';
import type { SendableChannel } from '../../../engine/index.js';
import type {
  Amount,
  AnyId,
  DateText,
  DateTimeText,
  FreeJson,
  MetaData,
  RateValue,
  ShortText,
  SignedAmount,
  UnroundedText,
  Whole,
} from '../../wire.js';
import type { ActivityKind, Figure } from './record.js';

/** `POST L/periods/{periodId}/generate-statement`. */
export interface GenerateStatementRequest {
  readonly templateVersionId?: AnyId | null;
  readonly isTest?: boolean;
  readonly sendNotice?: boolean;
  readonly caseId?: AnyId | null;
  readonly previewMode?: boolean;
}

/** The figures that a statement of another system may state. */
export type FiguresRequest = { readonly [Name in Figure]?: SignedAmount | null };

/** `POST L/statements`: a statement that another system made. */
export interface RecordStatementRequest extends FiguresRequest {
  readonly periodId: AnyId;
  readonly documentDescriptorId?: AnyId | null;
  readonly statementDate?: DateText | null;
  readonly isExternal?: true;
  readonly metaData?: MetaData | null;
  readonly caseId?: AnyId | null;
  readonly previewMode?: boolean;
}

/** `PUT L/statements/{statementId}`. */
export interface UpdateStatementRequest extends FiguresRequest {
  readonly documentDescriptorId?: AnyId | null;
  readonly isExternal?: boolean;
  readonly metaData?: MetaData | null;
  readonly caseId?: AnyId | null;
}

export interface SendStatementRequest {
  readonly channels?: readonly ('email' | 'mail')[] & tags.MaxItems<2>;
  readonly contactId?: AnyId | null;
  readonly caseId?: AnyId | null;
  readonly note?: ShortText | null;
}

/** A statement in a list. */
export interface StatementReply {
  readonly object: 'statement';
  readonly id: string;
  readonly periodId: string;
  readonly version: Whole;
  readonly billingCycleStartDate: DateText;
  readonly billingCycleEndDate: DateText;
  readonly paymentDueDate: DateText;
  readonly statementDate: DateText;
  readonly documentDescriptorId: string | null;
  readonly minimumDueAmount: SignedAmount | null;
  readonly newBalanceAmount: SignedAmount | null;
  readonly overdueAmount: SignedAmount | null;
  readonly fulfilledAmount: SignedAmount | null;
  readonly remainingAmount: SignedAmount | null;
  readonly overpaymentsAmount: SignedAmount | null;
  readonly statementLogicVersion: 2;
  readonly isExternal: boolean;
  readonly isTest: boolean;
  readonly metaData: MetaData | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

type FigureFields = { readonly [Name in Figure]: SignedAmount | null };

/** `GET L/statements/{statementId}/details`. */
export interface StatementDetailsReply extends StatementReply, FigureFields {
  readonly daysInBillingCycle: Whole;
  readonly totalPurchasesForThisPeriod: Amount;
  readonly totalCashAdvancesForThisPeriod: Amount;
  readonly isDisplayLatePaymentWarning: boolean;
  readonly year: string;
  /** Only of a line of credit. */
  readonly creditLimitAmount: Amount | null;
  readonly availableCreditAmount: Amount | null;
  readonly nextStatementDate: DateText | null;
  readonly aprDetails: readonly { readonly rateType: 'interestRate'; readonly rate: RateValue; readonly days: Whole }[];
  /** Only of a line of credit. Null where the law asks for none. */
  readonly minimumPaymentWarning: MinimumPaymentWarningReply | null;
  readonly feeBreakdown: readonly { readonly description: string; readonly amount: SignedAmount }[];
  readonly interestBreakdown: readonly {
    readonly rate: RateValue;
    readonly days: Whole;
    readonly unroundedInterestAmount: UnroundedText;
  }[];
  readonly borrowerAddress: FreeJson | null;
  readonly drawInfos: readonly DrawInfoReply[];
  readonly activities: readonly StatementActivityReply[];
}

/** What only minimum payments would cost (Regulation Z, 12 CFR 1026.7(b)(12)). */
export interface MinimumPaymentWarningReply {
  /** Null: minimum payments never repay the balance. */
  readonly monthsToPayoff: Whole | null;
  readonly totalPaidAmount: Amount | null;
  /** Null if the estimate, in whole years, is three years or less. */
  readonly threeYearPaymentAmount: Amount | null;
  readonly threeYearSavingsAmount: SignedAmount | null;
}

/** Figures of a draw; an installment loan has none. */
export interface DrawInfoReply {
  readonly id: string;
  readonly drawId: string;
  readonly drawNickname: string | null;
  readonly previousBalance: SignedAmount;
  readonly newBalanceAmount: SignedAmount;
  readonly newPrincipalBalance: SignedAmount;
  readonly minimumDueAmount: Amount;
  readonly interestForThisPeriod: SignedAmount;
  readonly feesForThisPeriod: SignedAmount;
  readonly paymentsForThisPeriod: SignedAmount;
  readonly purchasesForThisPeriod: SignedAmount;
  readonly interestRate: RateValue;
  readonly averageDailyBalance: Amount;
  readonly isGracePeriodEligible: boolean;
  readonly endDate: DateText | null;
}

interface StatementDelivery {
  readonly channel: SendableChannel;
  readonly contactId: string;
  /** Its status says what becomes of the notice. */
  readonly interactionId: string;
}

export interface StatementActivityReply {
  readonly id: string;
  readonly type: ActivityKind;
  readonly postedDate: DateText;
  readonly transactionDate: DateText;
  readonly description: string;
  readonly amount: SignedAmount;
  readonly drawId: string | null;
  readonly transactionId: string | null;
  readonly purchaseId: string | null;
  readonly feeId: string | null;
}

/** The statement, and the messages that bring it. */
export interface StatementSentReply extends StatementReply {
  readonly isSent: boolean;
  readonly deliveries: readonly StatementDelivery[];
}
