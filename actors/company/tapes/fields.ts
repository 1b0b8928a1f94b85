/*
 * The fields of loan tapes, and the SQL over the views (`docs/views.md`) that gives each. Each column is named with its view,
 * as `ALIASES` in `sql.ts` has them: a section of loans has these columns alone.
 */

export interface TapeField {
  readonly sql: string;
  /** An amount: in the money unit of the tape type. */
  readonly isMoney?: true;
  /** Shown for a loan that has no balances, too. */
  readonly isId?: true;
  /** Of a column that only views with personal data have. */
  readonly isPersonal?: true;
  /** In the row of a draw: absent, what its line has; null, nothing. */
  readonly ofDraw?: string | null;
}

const plain = (sql: string): TapeField => ({ sql });
/** An amount of a line is in its own row alone: the rows of its draws have what is theirs. */
const money = (sql: string, ofDraw: string | null = null): TapeField => ({ sql, isMoney: true, ofDraw });
const id = (sql: string): TapeField => ({ sql, isId: true });
const asRate = (sql: string): string => `CAST(${sql} AS DECIMAL(12, 8))`;
const rate = (sql: string): TapeField => ({ sql: asRate(sql) });
/** What a draw has of its own, or has not. */
const drawn = (field: TapeField, ofDraw: string | null): TapeField => ({ ...field, ofDraw });

/** Its columns are those of `loanMetaDataFields`. */
export const META_DATA = 'loanMetaData';

/** The borrower's number for taxes or of social security: it leaves on encrypted files alone. */
export const IDENTITY = 'mainBorrowerIdentityValue';
/** Of a loans tape it has values in rows of draws alone. */
export const DRAW_ID = 'drawId';

const COMMON: Readonly<Record<string, TapeField>> = {
  reportDate: id('$reportDate'),
  loanId: id('l.loan_id'),
  loanExternalId: id('l.external_id'),
  mainBorrowerId: id('l.person_id'),
  mainBorrowerExternalId: id('p.external_id'),
  dataStatus: id("CASE WHEN b.loan_id IS NULL THEN 'missing' ELSE 'complete' END"),
  investorId: plain('o.investor_id'),
  isChargedOff: plain("l.status = 'chargedOff'"),
  [IDENTITY]: { sql: 'p.identity_value', isPersonal: true },
  [META_DATA]: { sql: 's.meta_data', isPersonal: true },
};

const LOANS: Readonly<Record<string, TapeField>> = {
  ...COMMON,
  companyId: plain('$companyId'),
  loanTypeId: plain('l.loan_type_id'),
  loanType: plain('l.type'),
  [DRAW_ID]: drawn(plain('NULL'), 'd.draw_id'),
  status: drawn(plain('l.status'), 'd.status'),
  servicedBy: plain('s.serviced_by'),
  investorShare: rate('o.share'),
  originatedDate: plain('s.originated_date'),
  activatedDate: drawn(plain('s.activated_date'), 'd.activated_date'),
  maturityDate: drawn(plain('s.maturity_date'), 'd.end_date'),
  paidOffDate: plain('s.paid_off_date'),
  chargedOffDate: plain('s.charged_off_date'),
  chargedOffReason: plain('s.charged_off_reason'),
  acceleratedDate: plain('s.accelerated_date'),
  amountFinanced: money('s.amount_financed'),
  creditLimitAmount: money('s.credit_limit_amount', 'd.credit_limit_amount'),
  currentPrincipalAmount: money('b.outstanding_principal', 'd.outstanding_principal'),
  outstandingInterestAmount: money('b.outstanding_interest', 'd.outstanding_interest'),
  outstandingFeesAmount: money('b.outstanding_fees', 'd.outstanding_fees'),
  outstandingTotalAmount: money('b.outstanding_total', 'd.outstanding_total'),
  dueAmount: money('b.due_total'),
  overdueAmount: money('b.overdue_total'),
  daysOverdue: drawn(plain('l.days_overdue'), null),
  interestRate: drawn(rate('s.interest_rate'), asRate('d.interest_rate')),
  promoRate: drawn(rate('s.promo_rate'), asRate('d.promo_rate')),
  aprNominal: rate('s.apr_nominal'),
  aprEffective: rate('s.apr_effective'),
  paymentFrequency: plain('s.payment_frequency'),
  periodicPaymentAmount: money('s.periodic_payment_amount'),
  nextDueDate: drawn(plain('l.next_due_date'), null),
  remainingPeriods: drawn(plain('s.remaining_periods'), null),
  lastPaymentDate: drawn(plain('y.effective_date'), null),
  lastPaymentAmount: money('y.actual_amount'),
  paidPrincipalTotalAmount: money('b.paid_principal'),
  paidInterestTotalAmount: money('b.paid_interest'),
  paidFeesTotalAmount: money('b.paid_fees'),
  interestAccruedTotalAmount: money('s.interest_accrued_amount'),
  chargedOffAmount: money('b.charged_off_total'),
  recoveredAmount: money(`CASE WHEN s.charged_off_date IS NOT NULL THEN CAST((SELECT coalesce(sum(r.actual_amount), 0) FROM v_transactions r
    WHERE r.loan_id = l.loan_id AND r.status = 'succeeded' AND r.type IN ('payment', 'downPayment')
      AND r.effective_date BETWEEN s.charged_off_date AND $reportDate) AS DECIMAL(18, 2)) END`),
  isAutopayEnabled: plain('s.is_autopay_enabled'),
  isOnPaymentPlan: plain('s.is_on_payment_plan'),
  isInBankruptcy: plain('s.is_in_bankruptcy'),
  isDeceased: plain('s.is_deceased'),
  isMilitary: plain('s.is_on_military_duty'),
  state: { sql: 's.state', isPersonal: true },
  merchantId: plain('s.merchant_id'),
  labels: plain('l.labels'),
};

const PAYMENTS: Readonly<Record<string, TapeField>> = {
  ...COMMON,
  transactionId: plain('t.transaction_id'),
  transactionExternalId: plain('t.external_id'),
  transactionType: plain('t.type'),
  status: plain('t.status'),
  paymentMethodType: plain('t.instrument_type'),
  effectiveDate: plain('t.effective_date'),
  displayDate: plain('t.display_date'),
  amount: money('coalesce(t.actual_amount, t.scheduled_amount)'),
  principalAmount: money('t.principal_amount'),
  interestAmount: money('t.interest_amount'),
  feesAmount: money('t.fees_amount'),
  overAmount: money('t.over_amount'),
  failureReason: plain('t.failure_reason'),
  isExternal: plain('t.is_external'),
  reversedTransactionId: plain('t.reversed_transaction_id'),
  processorTransactionId: plain('t.processor_transaction_id'),
  [DRAW_ID]: plain('t.draw_id'),
};

export type TapeKind = 'loans' | 'payments';

export const TAPE_FIELDS: Readonly<Record<TapeKind, Readonly<Record<string, TapeField>>>> = { loans: LOANS, payments: PAYMENTS };
