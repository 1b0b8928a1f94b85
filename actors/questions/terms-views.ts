import { dayAt, firstRowAfter, formatRate, ownersOn, type Rate, roundAccrued } from '../../engine/index.js';
import { chargedOffReasonOf, currentOf, endDayOf, type LoanState, ownershipOf, recordOf, type ViewEnv } from '../loan/index.js';
import { orNull } from '../wire.js';
import type { LoanItem } from './subjects.js';
import { type Cell, printed, printedCents as cents, view } from './view.js';

/** A loan whose present terms are computed once for all columns, when the first asks. */
class TermsItem {
  readonly state: LoanState;
  readonly env: ViewEnv;
  #current: ReturnType<typeof currentOf> | undefined;

  constructor(private readonly loan: LoanItem) {
    this.state = loan.today;
    this.env = loan.env;
  }

  get current(): ReturnType<typeof currentOf> {
    return (this.#current ??= currentOf(this.state, this.env));
  }

  get remainingPeriods(): number | null {
    const { ledger } = this.loan;
    return ledger !== null && 'rows' in ledger ? ledger.rows.length - firstRowAfter(ledger) : null;
  }

  get interestAccruedCents(): number | null {
    const { balances } = this.loan;
    return balances === null ? null : roundAccrued(balances.interestAndFees.interestAccrued, 'halfUp');
  }
}

const rateCell = (value: Rate | null | undefined): Cell => orNull(formatRate, value);
const origin = ({ state }: TermsItem): ReturnType<typeof recordOf>['atOrigination'] => recordOf(state).atOrigination;

const dayOfTime = (name: 'originated' | 'activated' | 'accelerated' | 'chargedOff' | 'paidOff', column: string, meaning: string) =>
  ({
    name: column,
    type: 'DATE',
    meaning,
    of: ({ state }: TermsItem): Cell => orNull((at) => dayAt(recordOf(state).zone, at), recordOf(state).timestamps[`${name}At`]),
  }) as const;

export const terms = view<LoanItem, TermsItem>({
  name: 'v_terms',
  meaning: 'Terms of loans as they hold today, one row a loan. Rates are text with up to eight decimals.',
  kind: 'loan',
  items: (loan) => (loan.state.record === null ? [] : [new TermsItem(loan)]),
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ state }) => state.id },
    { name: 'serviced_by', type: 'VARCHAR', meaning: 'Who services it', of: ({ state }) => recordOf(state).servicedBy },
    dayOfTime('originated', 'originated_date', 'The day of its origination'),
    dayOfTime('activated', 'activated_date', 'The day of its activation'),
    { name: 'maturity_date', type: 'DATE', meaning: 'The last due date', of: ({ state, env }) => endDayOf(state, env) },
    dayOfTime('accelerated', 'accelerated_date', 'The day on which it was accelerated'),
    dayOfTime('chargedOff', 'charged_off_date', 'The day on which it was charged off'),
    {
      name: 'charged_off_reason',
      type: 'VARCHAR',
      meaning: 'Why it is charged off',
      of: ({ state }) => chargedOffReasonOf(state),
    },
    dayOfTime('paidOff', 'paid_off_date', 'The day on which it was paid off'),
    {
      name: 'amount_financed',
      type: 'MONEY',
      meaning: 'The amount financed; null of a line of credit',
      of: (item) => (recordOf(item.state).type === 'lineOfCredit' ? null : origin(item).amountFinancedCents),
    },
    {
      name: 'credit_limit_amount',
      type: 'MONEY',
      meaning: 'The limit of a line of credit',
      of: ({ current }) => cents(current.creditLimitAmount),
    },
    {
      name: 'interest_rate',
      type: 'VARCHAR',
      meaning: 'The rate of today; null before activation',
      of: ({ current }) => printed(current.interestRate),
    },
    { name: 'apr_nominal', type: 'VARCHAR', meaning: 'The nominal APR at origination', of: (item) => rateCell(origin(item).aprNominal) },
    {
      name: 'apr_effective',
      type: 'VARCHAR',
      meaning: 'The effective APR at origination',
      of: (item) => rateCell(origin(item).aprEffective),
    },
    { name: 'payment_frequency', type: 'VARCHAR', meaning: '`monthly` and so on', of: ({ current }) => current.paymentFrequency },
    {
      name: 'periodic_payment_amount',
      type: 'MONEY',
      meaning: 'The amount of the next period',
      of: ({ current }) => cents(current.periodicPayment),
    },
    {
      name: 'remaining_periods',
      type: 'INTEGER',
      meaning: 'Due dates to come; null of a line of credit',
      of: ({ remainingPeriods }) => remainingPeriods,
    },
    {
      name: 'interest_accrued_amount',
      type: 'MONEY',
      meaning: 'All interest that has accrued, rounded to the cent',
      of: ({ interestAccruedCents }) => interestAccruedCents,
    },
    { name: 'is_autopay_enabled', type: 'BOOLEAN', meaning: 'Whether it has an autopay plan', of: ({ current }) => current.autopayEnabled },
    {
      name: 'is_on_payment_plan',
      type: 'BOOLEAN',
      meaning: 'Whether a payment plan is active',
      of: ({ current }) => current.activePaymentPlanId !== null,
    },
    { name: 'merchant_id', type: 'VARCHAR', meaning: 'The merchant at origination', of: (item) => origin(item).merchantId },
    {
      name: 'merchant_discount_amount',
      type: 'MONEY',
      meaning: 'The discount of merchants on what was paid out; null without one',
      of: ({ current }) => cents(current.merchantDiscount?.discountAmount ?? null),
    },
    {
      name: 'discount_program_ids',
      type: 'VARCHAR',
      meaning: 'Numbers of the discount programs at origination, separated by commas',
      of: (item) => origin(item).discountProgramIds?.join(',') ?? null,
    },
    {
      name: 'state',
      type: 'VARCHAR',
      meaning: 'State of the address at origination, such as `NY`',
      isPersonal: true,
      of: (item) => origin(item).addressState,
    },
    {
      name: 'meta_data',
      type: 'VARCHAR',
      meaning: 'Data of the lender, as JSON',
      isPersonal: true,
      of: ({ state }) => orNull((data) => JSON.stringify(data), recordOf(state).metaData),
    },
  ],
});

interface OwnerItem {
  readonly loanId: string;
  readonly investorId: string;
  readonly share: Rate;
}

export const owners = view<LoanItem, OwnerItem>({
  name: 'v_owners',
  meaning: 'Investors that own loans today, one row for each share.',
  kind: 'loan',
  items: ({ state, env }) =>
    state.record === null
      ? []
      : ownersOn(ownershipOf(state, env), env.today(state.record.zone))
          .filter(({ share }) => share > 0)
          .map(({ investorId, share }) => ({ loanId: state.id, investorId, share })),
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ loanId }) => loanId },
    { name: 'investor_id', type: 'VARCHAR', meaning: 'The investor', of: ({ investorId }) => investorId },
    { name: 'share', type: 'VARCHAR', meaning: 'Its share, as text from `0` to `1`', of: ({ share }) => formatRate(share) },
  ],
});
