import { type Day, formatDay, must } from '../../../engine/index.js';
import { loanBody } from '../../actors/loan/setting.js';
import { dayOf, type Step } from '../../engine/ledger/scheduled/play-vector.js';
import { dayFrom, rateFrom } from '../../engine/numbers.js';
import type { HttpAnswer } from '../harness.js';
import { dataOf, idOf } from '../routes/http-lender.js';
import { asNumber, type LoanPlan } from './loan-plan.js';
import type { PublishedVector } from './published.js';
import { LoanReads } from './loan-reads.js';

/** A service under a test clock: its company, and the path of the borrower's loans. */
export interface Stage {
  readonly company: string;
  readonly loans: string;
  ask(method: string, path: string, body?: object): Promise<HttpAnswer>;
}

/** One thing to do on a day. */
export interface Act {
  readonly day: Day;
  readonly name: string;
  run(): Promise<void>;
}

/** A published loan of the service: its steps as requests, in their order. */
export class LoanPlayer {
  readonly differences: string[] = [];
  #path = '';
  /** Transactions in the order in which they were made. */
  readonly #made: { readonly id: string; readonly published: string; readonly isPayment: boolean; readonly isCredit: boolean }[] = [];

  constructor(
    readonly stage: Stage,
    readonly vector: PublishedVector,
    readonly plan: LoanPlan,
  ) {}

  get path(): string {
    return this.#path;
  }

  /** The reads of its current state. */
  reads(): LoanReads {
    return new LoanReads((path) => this.#done('GET', `${this.#path}${path}`), this.plan);
  }

  async post(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    return dataOf(await this.#done('POST', `${this.#path}${path}`, body));
  }

  /** A loan type with the vector's settings, and a loan of it. */
  async create(): Promise<void> {
    const { stage, vector, plan } = this;
    const { id } = vector;
    const type = await this.#done('POST', `/companies/${stage.company}/loan-types`, { type: 'installment', name: id, ...plan.loanType });
    const loanTypeId = idOf(type);
    if (vector.steps?.some(({ op }) => op === 'addCharge') === true) {
      for (const [apiName, feeType] of [
        ['penalty', 'lateFee'],
        ['fee', 'adHoc'],
      ] as const) {
        const name = { displayName: apiName, apiName };
        await this.#done('POST', `/loan-types/${loanTypeId}/fee-types`, {
          name,
          feeType,
          trigger: 'manual',
          amountLogic: 'fixed',
          amount: 1,
        });
      }
    }
    const loan = await this.#done('POST', stage.loans, loanBody(loanTypeId, { atOrigination: plan.atOrigination }));
    this.#path = `${stage.loans}/${idOf(loan)}`;
  }

  async activate(): Promise<void> {
    await this.post('/activate', {});
    for (const interestRate of this.plan.rates) await this.post('/rates', { interestRate });
  }

  async pay(amount: number, published: Day, more: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const effectiveDate = formatDay(this.plan.dayFor(published));
    const paid = await this.post('/transactions?force=true', {
      type: 'oneTime',
      amount,
      isExternal: true,
      status: 'succeeded',
      effectiveDate,
      ...more,
    });
    this.#made.push({ id: String(paid['id']), published: formatDay(published), isPayment: true, isCredit: false });
    return paid;
  }

  /** The steps of the vector after its activation. A step records differences and does not stop the others. */
  acts(look: (player: LoanPlayer, expected: NonNullable<Step['expect']>) => Promise<readonly string[]>): readonly Act[] {
    const { vector, plan } = this;
    const steps = vector.steps ?? [];
    const acts: Act[] = [];
    const act = (today: Day, name: string, run: () => Promise<void>): void => {
      acts.push({ day: plan.dayFor(today), name, run: () => this.#note(name, run) });
    };
    act(plan.start, 'create', () => this.create());
    const isPaidOut = steps.some(({ op }) => op === 'disburse');
    if (!isPaidOut) act(plan.start, 'activate', () => this.activate());
    let today = plan.start;
    for (const [position, step] of steps.entries()) {
      today = dayOf(step, today);
      const name = `step ${position + 1} (${step.op ?? 'expect'})`;
      const [own, seen] = [today, step.expect];
      if (step.op !== undefined) act(own, name, () => this.#play(step, own));
      if (seen !== undefined)
        act(own, name, async () => void this.differences.push(...(await look(this, seen)).map((text) => `${name}: ${text}`)));
    }
    return acts;
  }

  async #note(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      this.differences.push(`${name}: ${cause.message}`);
    }
  }

  async #play(step: Step, today: Day): Promise<void> {
    const play = must(OPS[step.op ?? ''], `a way to play ${step.op ?? ''}`);
    await play(this, step, { today, day: step.date === undefined ? today : dayFrom(step.date) });
  }

  note(id: unknown, published: Day, isCredit: boolean): void {
    this.#made.push({ id: String(id), published: formatDay(published), isPayment: !isCredit, isCredit });
  }

  /** The nth transaction of a day, as its source counts them. */
  nthOf(day: Day, nth: number): string {
    return must(this.#made.filter(({ published }) => published === formatDay(day))[nth - 1], 'a transaction to undo').id;
  }

  /** The nth payment of the loan, including undone ones; null for the last one. */
  nthPayment(nth: number | null): string {
    const payments = this.#made.filter(({ isPayment }) => isPayment);
    return must(nth === null ? payments.at(-1) : payments[nth - 1], 'a payment').id;
  }

  async undo(id: string): Promise<void> {
    const made = must(
      this.#made.find((one) => one.id === id),
      'what was made',
    );
    const path = `${this.#path}/transactions/${id}`;
    if (made.isCredit) await this.#done('POST', `${path}/reverse`, {});
    else await this.#done('PUT', path, { status: 'failed', failureReason: 'unknownReason' });
  }

  async #done(method: string, path: string, body?: object): Promise<HttpAnswer> {
    const answer = await this.stage.ask(method, path, body);
    if (answer.status >= 300)
      throw new Refused(`${method} ${path.replace(/^.*\/loans\/[^/]*/, 'L')}: ${answer.status} ${answer.text.slice(0, 400)}`);
    return answer;
  }
}

/** The service refused a request. */
class Refused extends Error {}

interface When {
  readonly today: Day;
  readonly day: Day;
}

type Op = (player: LoanPlayer, step: Step, when: When) => Promise<unknown>;

const nothing: Op = () => Promise.resolve();

const credits: Op = async (player, step, { day }) => {
  const body = { type: 'serviceCredit', amount: Number(step.amount), serviceCreditDetails: { type: 'merchantRefund' } };
  player.note((await player.post('/transactions?force=true', body))['id'], day, true);
};

const OPS: Readonly<Record<string, Op>> = {
  asOf: nothing,
  // Days close by the clock.
  endOfDay: nothing,
  // In effect from the beginning, or after the last figure.
  allocationRule: nothing,
  disburse: (player) => player.activate(),
  repayment: (player, step, { day }) => player.pay(Number(step.amount), day),
  payInstallment: (player, step, { day }) => player.pay(cents(step['principal'], step['interest']), day),
  payoff: async (player, _step, { day }) => {
    const { payoffAmount } = await player.reads().payoff();
    await player.pay(payoffAmount, day);
  },
  MERCHANT_ISSUED_REFUND: credits,
  PAYOUT_REFUND: credits,
  undoTransaction: (player, step, { day }) => player.undo(player.nthOf(day, Number(step['nth']))),
  undoRepayment: (player, step) => player.undo(player.nthPayment(Number(step['nth']))),
  creditBalanceRefund: (player, step) =>
    player.post('/reimburse', { reimbursementAmount: Number(step.amount), isExternal: true, transactionStatus: 'succeeded' }),
  // A charge that is entered before its day belongs to the current installment at once.
  addCharge: (player, step, { today }) => {
    const due = dayFrom(String(step['dueDate']));
    const chargeDate = formatDay(player.plan.dayFor(due < today ? due : today));
    const apiName = step['charge'] === 'LOAN_NSF_FEE' ? 'penalty' : 'fee';
    return player.post('/fees', { apiName, feeAmount: Number(step.amount), chargeDate });
  },
  chargeback: (player, step) => {
    const number = step['paymentNr'];
    const payment = player.nthPayment(typeof number === 'number' ? number : null);
    return player.post(`/transactions/${payment}/chargebacks`, { amount: Number(step.amount), status: 'lost' });
  },
  chargeOff: (player) => player.post('/charge-off', { chargedOffReason: 'term' }),
  // From the next due date on.
  reAmortize: async (player, _step, { day }) => {
    const next = (await player.reads().rows()).find(({ date }) => date > formatDay(player.plan.dayFor(day)));
    await player.post('/reamortize', { effectiveDate: must(next, 'a due date to come').date });
  },
  undoChargeOff: (player) => player.post('/reverse-charge-off', {}),
  changeRate: (player, step) => newRate(player, String(step['effectiveDate']), Number(step['annualRate'])),
  reschedule: (player, step) =>
    newRate(player, String(step['rescheduleFromDate']), asNumber(rateFrom(String(step['newInterestRate']))) / 100),
};

const newRate = (player: LoanPlayer, startDate: string, annualRate: number): Promise<unknown> =>
  player.post('/rates', { interestRate: { annualRate, startDate, isEndExistingRates: true } });

const cents = (...amounts: readonly unknown[]): number =>
  Math.round(amounts.reduce((sum: number, amount) => sum + Number(amount) * 100, 0)) / 100;
