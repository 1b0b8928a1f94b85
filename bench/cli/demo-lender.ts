import { recordsIn, fieldOf } from '../../engine/index.js';
import { Random } from '../measure/import-rate.js';
import { type Client, inParallel, type Json } from './service-client.js';

/** How a borrower of the demo pays. */
type Habit = 'onTime' | 'late' | 'stops' | 'backdated';

export interface DemoLoan {
  readonly number: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly state: string;
  readonly amount: number;
  readonly months: number;
  readonly rate: number;
  readonly habit: Habit;
}

const FIRST_NAMES = ['Ada', 'Ben', 'Clara', 'David', 'Elena', 'Frank', 'Grace', 'Hugo', 'Iris', 'Jonas', 'Kira', 'Leo'] as const;
const LAST_NAMES = ['Alder', 'Brook', 'Cole', 'Dale', 'Everett', 'Field', 'Grove', 'Hill', 'Irving', 'Jarvis', 'Knoll', 'Lake'] as const;
const STATES = ['IL', 'NY', 'CA', 'TX', 'WA', 'CO'] as const;
const MONTHS = [12, 24, 36, 60] as const;
const RATES = [0.0499, 0.0799, 0.1149, 0.1599, 0.2199] as const;

/** In every ten: seven pay on the day, two pay late, one stops after half a year. */
const HABITS: readonly Habit[] = ['onTime', 'onTime', 'late', 'onTime', 'onTime', 'onTime', 'late', 'onTime', 'onTime', 'stops'];

/** Index of the loan whose check is found to have come in time. */
export const BACKDATED = 3;

/** Invented loans, the same for the same seed. */
export function demoPortfolio(loans: number, seed: number): readonly DemoLoan[] {
  const random = new Random(seed);
  return Array.from({ length: loans }, (_, index) => ({
    number: index + 1,
    firstName: random.pick(FIRST_NAMES),
    lastName: random.pick(LAST_NAMES),
    state: random.pick(STATES),
    amount: 1_000 + random.below(240) * 100,
    months: random.pick(MONTHS),
    rate: random.pick(RATES),
    habit: index === BACKDATED ? 'backdated' : (HABITS[index % HABITS.length] ?? 'onTime'),
  }));
}

export interface BookedLoan extends DemoLoan {
  /** `/people/…/loans/…` */
  readonly path: string;
  readonly installment: number;
}

/** The sums over the portfolio, as the interface reports them. */
export interface PortfolioTotals {
  readonly today: string;
  readonly statuses: Readonly<Record<string, number>>;
  readonly outstandingTotal: number;
  readonly outstandingPrincipal: number;
  readonly paidPrincipal: number;
  readonly paidInterest: number;
  readonly overdueLoans: number;
  readonly overdueTotal: number;
  readonly lateFees: number;
}

const PARALLEL = 16;

/** A lender that works over REST alone, in test mode, with a test clock. */
export class DemoLender {
  today = '';
  readonly loans: BookedLoan[] = [];
  readonly #statuses = new Map<number, string>();
  #clockId = '';

  constructor(private readonly client: Client) {}

  /** Stops the time of the empty test mode on a day, and makes the product with its late fee. */
  async prepare(startDate: string): Promise<string> {
    const company = (await this.client.list('/companies'))[0];
    const clock = await this.client.data('POST', '/test-clocks', { startDate });
    this.#clockId = String(clock['id']);
    this.today = String(clock['today']);
    const { id } = await this.client.data('POST', `/companies/${String(company?.['id'])}/loan-types`, {
      type: 'installment',
      name: 'Personal loan',
    });
    await this.client.data('POST', `/loan-types/${String(id)}/fee-types`, {
      name: { displayName: 'Late fee', apiName: 'late' },
      feeType: 'lateFee',
      amountLogic: 'fixed',
      amount: 15,
      trigger: 'overdueDays',
      triggerDays: 10,
      isCancelOnReversal: true,
    });
    return String(id);
  }

  /** Three requests a loan: the borrower, the loan, its activation. */
  async book(portfolio: readonly DemoLoan[], loanTypeId: string): Promise<void> {
    this.loans.push(
      ...(await inParallel(portfolio, PARALLEL, async (loan) => {
        const { number, firstName, lastName, state, amount, months, rate } = loan;
        const person = await this.client.data('POST', '/people', { externalId: `demo-${number}`, name: { firstName, lastName } });
        const made = await this.client.data('POST', `/people/${String(person['id'])}/loans`, {
          type: 'installment',
          loanTypeId,
          status: 'originated',
          servicedBy: 'creditor',
          newDrawsAllowed: false,
          externalId: `demo-${number}`,
          atOrigination: {
            amountFinanced: amount,
            duration: months,
            paymentFrequency: 'monthly',
            specificDays: [15],
            interestRates: [{ interestType: 'absolute', days: null, rate }],
            personAddress: { state, country: 'US' },
            originationLicense: 'stateLicense',
            originatingCreditorName: 'Northwind Lending',
          },
        });
        const path = `/people/${String(person['id'])}/loans/${String(made['id'])}`;
        const [first] = recordsIn(await this.client.data('POST', `${path}/activate`, {}), 'schedule');
        return { ...loan, path, installment: Number(first?.['amount']) };
      })),
    );
  }

  /** Moves the test clock, through every day on the way. */
  async advanceTo(date: string): Promise<void> {
    await this.client.data('POST', `/test-clocks/${this.#clockId}/advance?sync=true`, { to: date });
    this.today = date;
  }

  /** A payment that was collected outside of the service, effective today. Returns its id. */
  async pay({ path }: BookedLoan, amount: number): Promise<string> {
    const { id } = await this.client.data('POST', `${path}/transactions`, {
      type: 'oneTime',
      amount,
      isExternal: true,
      status: 'succeeded',
    });
    return String(id);
  }

  /** Pays what is due and overdue. Returns the number of loans that paid. */
  async collect(loans: readonly BookedLoan[]): Promise<number> {
    const amounts = await inParallel(loans, PARALLEL, async (loan) => {
      const balances = await this.balances(loan);
      const amount = numberIn(balances, 'dueBalances', 'dueTotalAmount') + numberIn(balances, 'overdueBalances', 'overdueTotalAmount');
      if (amount > 0) await this.pay(loan, Number(amount.toFixed(2)));
      return amount;
    });
    return amounts.filter((amount) => amount > 0).length;
  }

  balances({ path }: BookedLoan, query = ''): Promise<Json> {
    return this.client.data('GET', `${path}/balances${query}`);
  }

  loan({ path }: BookedLoan): Promise<Json> {
    return this.client.data('GET', path);
  }

  backdate({ path }: BookedLoan, transactionId: string, effectiveDate: string): Promise<Json> {
    return this.client.data('POST', `${path}/transactions/${transactionId}/backdate`, { effectiveDate });
  }

  /** Adds up the answers to two requests a loan. */
  async totals(): Promise<PortfolioTotals> {
    const all = await inParallel(this.loans, PARALLEL, async (loan) => {
      this.#statuses.set(loan.number, String((await this.loan(loan))['status']));
      return this.balances(loan);
    });
    const sum = (block: string, name: string): number =>
      Number(all.reduce((total, one) => total + numberIn(one, block, name), 0).toFixed(2));
    const statuses: Record<string, number> = {};
    for (const status of this.#statuses.values()) statuses[status] = (statuses[status] ?? 0) + 1;
    return {
      today: this.today,
      statuses,
      outstandingTotal: sum('outstandingBalances', 'outstandingTotalAmount'),
      outstandingPrincipal: sum('outstandingBalances', 'outstandingPrincipalAmount'),
      paidPrincipal: sum('paidBalances', 'paidPrincipalAmount'),
      paidInterest: sum('paidBalances', 'paidInterestAmount'),
      overdueLoans: all.filter((one) => fieldOf(one['overdueDetails'], 'isOverdue') === true).length,
      overdueTotal: sum('overdueBalances', 'overdueTotalAmount'),
      lateFees: sum('interestAndFeesAmounts', 'feesChargedTotalAmount'),
    };
  }
}

export const numberIn = (value: Json, block: string, name: string): number => Number(fieldOf(value[block], name));
