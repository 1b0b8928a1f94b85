import {
  type AccrualMethod,
  amortize,
  cents,
  type Cents,
  constantRate,
  CONTRACT_ROUNDING,
  type Day,
  type DayCountMethod,
  DEFAULT_ACCELERATED_WATERFALL,
  DEFAULT_CHARGED_OFF_WATERFALL,
  DEFAULT_PAYMENT_WATERFALL,
  type DueDateRule,
  dueDates,
  formatCents,
  type LateFeeTerms,
  type LedgerSettings,
  type LedgerTerms,
  must,
  type OriginationFee,
  parseCents,
  parseDay,
  parseRate,
  type Payment,
  type Rate,
  type RateTimeline,
} from '../../../../engine/index.js';

export const day = (text: string): Day => must(parseDay(text), `a date: ${text}`);
export const money = (text: string): Cents => must(parseCents(text), `an amount: ${text}`);
export const percent = (text: string): Rate => must(parseRate(text), `a rate: ${text}`);
export const text = (value: number): string => formatCents(cents(value));

export const SETTINGS: LedgerSettings = {
  isAccruingOnOverdue: true,
  capitalization: 'none',
  isPrepaymentEnabled: false,
  paymentWaterfall: DEFAULT_PAYMENT_WATERFALL,
  creditWaterfall: DEFAULT_PAYMENT_WATERFALL,
  acceleratedWaterfall: DEFAULT_ACCELERATED_WATERFALL,
  chargedOffWaterfall: DEFAULT_CHARGED_OFF_WATERFALL,
  overdueToleranceCents: cents(0),
  accelerationDueWithin: null,
  chargeOffDueWithin: null,
  lateFees: [],
  lateFeePyramiding: 'blockOnFeeOnly',
};

export const LATE_FEE: LateFeeTerms = {
  feeTypeId: 'late',
  triggerDays: 15,
  amount: { type: 'fixed', amountCents: cents(1000) },
  minCents: null,
  maxCents: null,
  capPerLoanCents: null,
  capPerPeriodCount: null,
  toleranceCents: cents(0),
  chargeLogic: 'immediate',
  stateRule: null,
};

export interface LoanShape {
  readonly principal: string;
  readonly rate: string | RateTimeline;
  readonly activation: string;
  readonly firstDue: string;
  readonly rows: number;
  readonly rule?: DueDateRule;
  readonly dayCount?: DayCountMethod;
  readonly accrualMethod?: AccrualMethod;
  readonly settings?: Partial<LedgerSettings>;
  readonly originationFee?: OriginationFee;
  readonly interestCap?: string;
}

/** A loan whose rows are the level schedule of its terms. */
export function loan(shape: LoanShape): LedgerTerms {
  const activation = day(shape.activation);
  const firstDue = day(shape.firstDue);
  const rule: DueDateRule = shape.rule ?? { type: 'monthly', day: Number(shape.firstDue.slice(8)) };
  const rates = typeof shape.rate === 'string' ? constantRate(percent(shape.rate)) : shape.rate;
  const dayCount = shape.dayCount ?? 'daily365';
  const schedule = amortize({
    start: activation,
    principalCents: money(shape.principal),
    dueDates: dueDates(rule, firstDue, shape.rows),
    payment: { type: 'level' },
    rates,
    dayCount,
  });
  return {
    activation,
    interestFrom: activation,
    principalCents: money(shape.principal),
    originationFee: shape.originationFee ?? { amountCents: cents(0), logic: 'spread' },
    rates,
    dayCount,
    accrualMethod: shape.accrualMethod ?? 'simple',
    rows: schedule.rows.map((row) => ({
      date: row.date,
      amountCents: row.amountCents,
      principalCents: row.principalCents,
      interestCents: row.interestCents,
      isForced: false,
    })),
    dueDateRule: rule,
    rounding: CONTRACT_ROUNDING,
    totalInterestCapCents: shape.interestCap === undefined ? null : money(shape.interestCap),
    settings: [{ from: activation, value: { ...SETTINGS, ...shape.settings } }],
  };
}

/** The second worked loan. */
export const SMALL_LOAN: LoanShape = {
  principal: '1200.00',
  rate: '0.18',
  activation: '2024-01-20',
  firstDue: '2024-02-15',
  rows: 12,
};

/** 15:00 of a day: after the daily job, before the end of the day. */
export const at = (date: string, seconds = 54_000): { day: Day; seconds: number } => ({ day: day(date), seconds });

export interface PaymentShape {
  readonly sequence?: number;
  readonly kind?: Payment['kind'];
  readonly seconds?: number;
  readonly prepay?: boolean;
  readonly isProcessing?: boolean;
}

/** A payment recorded on its effective day; its number names the transaction. */
export function pay(transaction: number, date: string, amount: string, shape: PaymentShape = {}): Payment {
  return {
    type: 'payment',
    transaction,
    kind: shape.kind ?? 'payment',
    amountCents: money(amount),
    isPrepaymentEnabled: shape.prepay ?? null,
    isProcessing: shape.isProcessing ?? false,
    effective: at(date, shape.seconds),
    sequence: shape.sequence ?? transaction,
    recordedDay: day(date),
  };
}
