import { type Cents, cents, formatCents } from '../../../engine/index.js';
import type { HttpAnswer } from '../harness.js';
import type { LoanPlan } from './loan-plan.js';

type Data = Readonly<Record<string, unknown>>;

/** A row of the schedule: the amounts due on one date, including fees. */
export interface ShownRow {
  readonly date: string;
  readonly dueCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly chargesCents: Cents;
  readonly unroundedInterest: string;
}

/** A transaction that moves the balance. */
export interface ShownTransaction {
  readonly type: string;
  readonly date: string;
  readonly amount: string;
  readonly principal: string;
  readonly interest: string;
  readonly charges: string;
  readonly overpayment: string;
  readonly isUndone: boolean;
}

export const centsIn = (value: unknown): Cents => cents(Math.round(Number(value) * 100));
export const moneyIn = (value: unknown): string => formatCents(centsIn(value));

/** Charges and reversals are shown by what they charge and reverse. */
const MONEY: ReadonlySet<string> = new Set(['payment', 'serviceCredit', 'reimbursement']);

/** The current state of a loan, read over the interface. */
export class LoanReads {
  readonly #get: (path: string) => Promise<HttpAnswer>;
  readonly plan: LoanPlan;

  constructor(get: (path: string) => Promise<HttpAnswer>, plan: LoanPlan) {
    this.#get = get;
    this.plan = plan;
  }

  async #data(path: string): Promise<Data> {
    return (await this.#get(path)).json['data'] as Data;
  }

  loan(): Promise<Data> {
    return this.#data('');
  }

  async payoff(): Promise<{ readonly payoffAmount: number }> {
    return (await this.#data('/payoff')) as unknown as { readonly payoffAmount: number };
  }

  async rows(): Promise<readonly ShownRow[]> {
    const { schedule } = (await this.#data('/expected-payments')) as { readonly schedule: readonly Data[] };
    const dates = [...new Set(schedule.map(({ date }) => String(date)))];
    return dates.map((date) => {
      const parts = schedule.filter((row) => row['date'] === date);
      const total = (field: string): Cents => cents(parts.reduce((sum, row) => sum + centsIn(row[field]), 0));
      const [dueCents, principalCents, interestCents] = [total('amount'), total('principalAmount'), total('interestAmount')];
      const unroundedInterest = String(parts[0]?.['unroundedInterestAmount']);
      return {
        date,
        dueCents,
        principalCents,
        interestCents,
        chargesCents: cents(dueCents - principalCents - interestCents),
        unroundedInterest,
      };
    });
  }

  async obligations(): Promise<readonly Data[]> {
    return ((await this.#data('/obligations')) as { readonly obligations: readonly Data[] }).obligations;
  }

  balances(): Promise<Readonly<Record<string, Data>>> {
    return this.#data('/balances') as Promise<Readonly<Record<string, Data>>>;
  }

  async fees(): Promise<readonly Data[]> {
    return (await this.#data('/fees')) as unknown as readonly Data[];
  }

  async interest(from: string, to: string): Promise<readonly Data[]> {
    return ((await this.#data(`/interest?fromEffectiveDate=${from}&toEffectiveDate=${to}`)) as { readonly days: readonly Data[] }).days;
  }

  /** Sorted by day, and within a day by creation. */
  async transactions(): Promise<readonly ShownTransaction[]> {
    const newestFirst = (await this.#get('/transactions?limit=100')).json['data'] as readonly Data[];
    return [...newestFirst]
      .reverse()
      .filter(({ transactionType }) => MONEY.has(String(transactionType)))
      .map((transaction) => ({
        type: String(transaction['transactionType']),
        date: String((transaction['timestamps'] as Data)['effectiveDate']),
        amount: moneyIn(transaction['actualAmount']),
        principal: moneyIn(transaction['paidPrincipalAmount']),
        interest: moneyIn(transaction['paidInterestAmount']),
        charges: moneyIn(transaction['paidFeesAmount']),
        overpayment: moneyIn(transaction['paidOverAmount']),
        isUndone: transaction['status'] === 'failed' || transaction['reversedByTransactionId'] !== null,
      }))
      .sort((a, b) => a.date.localeCompare(b.date));
  }
}
