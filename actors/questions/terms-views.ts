import { dayAt, firstRowAfter, formatRate, ownersOn, promoRateOn, type Rate, roundAccrued } from '../../engine/index.js';
import {
  chargedOffReasonOf,
  currentOf,
  endDayOf,
  isLine,
  type LoanState,
  ownershipOf,
  recordOf,
  storedFacts,
  type ViewEnv,
} from '../loan/index.js';
import { orNull } from '../wire.js';
import { type CaseState, reportsDeath } from '../casework/index.js';
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

  get promoRate(): Rate | null {
    const { ledger, env } = this.loan;
    return ledger === null || isLine(ledger) ? null : promoRateOn(ledger.rates, env.today(recordOf(this.state).zone));
  }

  /** The cases that hold the loan on the day: a case of these types holds it as long as it is open, and its ledger knows the days. */
  isInCase(caseType: CaseState['caseType']): boolean | null {
    const { ledger } = this.loan;
    return ledger && ledger.thresholdHolders.some((holder) => this.#caseOf(holder)?.caseType === caseType);
  }

  /** A case that was canceled, or whose outcome says that the report was wrong, has reported nobody's death. */
  get isDeceased(): boolean | null {
    const { ledger, env } = this.loan;
    if (ledger === null) return null;
    const today = env.today(recordOf(this.state).zone);
    return storedFacts(this.state).some(({ fact }) => {
      if (fact.type !== 'thresholdsHeld' || fact.effective.day > today) return false;
      const known = this.#caseOf(fact.holder);
      return known !== undefined && reportsDeath(known);
    });
  }

  /** Of the borrower: cases of others on the loan do not count. */
  #caseOf(id: string): CaseState | undefined {
    const known = this.env.read<CaseState>('case', id);
    return known?.personId === recordOf(this.state).personId ? known : undefined;
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
    {
      name: 'promo_rate',
      type: 'VARCHAR',
      meaning: 'What promotions take off the rate of today; null without one, and of a line of credit, whose draws have them',
      of: ({ promoRate }) => rateCell(promoRate),
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
    {
      name: 'is_in_bankruptcy',
      type: 'BOOLEAN',
      meaning: 'Whether a case of bankruptcy is open about the loan; null before activation',
      of: (item) => item.isInCase('bankruptcy'),
    },
    {
      name: 'is_on_military_duty',
      type: 'BOOLEAN',
      meaning: 'Whether a case of military duty is open about the loan; null before activation',
      of: (item) => item.isInCase('militaryDuty'),
    },
    {
      name: 'is_deceased',
      type: 'BOOLEAN',
      meaning: 'Whether the death of the borrower was reported, also after its case is over, unless it was wrong; null before activation',
      of: ({ isDeceased }) => isDeceased,
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
