import { reportReturns } from '../../../../actors/loan/index.js';
import { Refusal } from '../../../../actors/index.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../../engine/index.js';
import type { Random } from '../../../random.js';
import type { AutopaySetting } from '../autopay/setting.js';
import { type Data, itemsOf } from '../../harness.js';
import { external } from './setting.js';

const INSTRUMENTS = ['PT-CHEC-KING', 'PT-CHEC-KING', 'PT-BOUN-CESS', 'PT-LATE-BACK', 'PT-GONE-GONE', 'PT-CHEK-CHEK'];
const RETURN_CODES = ['R01', 'R02', 'R08', 'R10', 'R16'];
const STATUSES = ['pending', 'succeeded', 'succeeded', 'failed', 'failed', 'inDispute', 'chargeback', 'canceled'];
const ORDERS = ['freeze', 'unfreeze', 'unfreeze', 'accelerate', 'reverseAccelerate', 'chargeOff', 'reverseChargeOff', 'refresh'];
const RULES = [
  {},
  {},
  { paymentFrequency: 'weekly', specificDays: [6] },
  { paymentFrequency: 'twiceMonthly', specificDays: [1, 31] },
  { paymentFrequency: 'everyTwoWeeks', specificDays: [7] },
];

/** What one step was: an order, or days that passed. */
export type Step = 'order' | 'days';

/** One life of a loan in which money is paid, returned and promised in every way, in any order. */
export class MoneyLife {
  #today: Day = must(parseDay('2024-01-15'), 'a date');

  constructor(
    private readonly s: AutopaySetting,
    private readonly random: Random,
    private readonly own: readonly (() => Promise<unknown>)[] = [],
  ) {}

  async step(): Promise<Step> {
    if (this.random.below(3) === 0) {
      this.#today = addDays(this.#today, 1 + this.random.below(this.random.below(3) === 0 ? 25 : 4));
      await this.s.pass(formatDay(this.#today));
      return 'days';
    }
    const steps = [...this.own, ...this.#money, ...this.#back, ...this.#terms];
    try {
      await this.random.pick(steps)();
    } catch (cause) {
      if (!(cause instanceof Refusal) || ![400, 404, 409, 422].includes(cause.statusCode)) throw cause;
    }
    return 'order';
  }

  /** Money that is paid. */
  readonly #money: readonly (() => Promise<unknown>)[] = [
    () => this.#pay({ ...this.random.maybe({ scheduledDate: this.#day(20) }) }),
    () => this.#pay({ scheduledDate: this.#day(9) }),
    async () =>
      this.s.post(
        external({
          amount: await this.#amount(),
          ...this.random.maybe({ status: 'succeeded' }),
          ...this.random.maybe({ effectiveDate: this.#day(-9) }),
        }),
      ),
    async () => this.s.post(external({ amount: await this.#amount(), scheduledDate: this.#day(9) })),
    async () =>
      this.s.post({
        type: 'serviceCredit',
        amount: await this.#amount(),
        serviceCreditDetails: { type: 'courtesy' },
        ...this.random.maybe({ scheduledDate: this.#day(9) }),
        ...this.random.maybe({ isExternal: true }),
      }),
    () =>
      this.s.create({
        ...this.random.pick(RULES),
        paymentInstrumentId: this.random.pick(INSTRUMENTS),
        ...this.random.maybe({ extraAmount: 7 }),
      }),
    () => this.s.create({ ...this.random.pick(RULES) }),
    () => this.random.pick([() => this.s.cancel(), () => this.s.update({ paymentInstrumentId: this.random.pick(INSTRUMENTS) })])(),
    () =>
      this.#onAutopay(async (id) =>
        this.s.onPayment('reschedulePayment', id, {
          date: this.#day(30),
          caseId: (await this.s.h.data('case.create', this.s.personId, {})).id,
        }),
      ),
    () => this.#onAutopay((id) => this.s.onPayment('cancelPayment', id)),
    () => this.#onOne((id) => this.s.act('reschedule', id, { scheduledDate: this.#day(9), ...this.random.maybe({ amount: 33.33 }) })),
    () =>
      this.#onOne(async (id) =>
        this.s.act('update', id, {
          status: this.random.pick(STATUSES),
          failureReason: 'insufficientFunds',
          ...this.random.maybe({ actualAmount: await this.#amount() }),
        }),
      ),
  ];

  /** Money that is returned. */
  readonly #back: readonly (() => Promise<unknown>)[] = [
    () => this.#onOne((id) => this.s.act(this.random.pick(['cancel', 'reverse', 'reverse']), id)),
    () => this.#onOne((id) => this.s.act('backdate', id, { effectiveDate: this.#day(-20) })),
    () => this.#onOne((transactionId) => this.#reportReturn(transactionId)),
    () => this.#onOne((transactionId) => this.#reportReturn(transactionId)),
    () => this.#reimburse(),
    () => this.#reimburse(),
    () =>
      this.#onOne(async (transactionId) =>
        this.#ask(
          'chargeback.create',
          { amount: await this.#amount(), status: this.random.pick(['open', 'lost']), ...this.random.maybe({ reasonCode: 'R01' }) },
          { transactionId },
        ),
      ),
    () =>
      this.#onOne(async (transactionId) => {
        const known = itemsOf(await this.s.h.query('chargeback.list', this.s.loanId, {}, { params: { transactionId } }));
        if (known.length > 0)
          await this.#ask(
            'chargeback.update',
            { status: this.random.pick(['won', 'lost', 'reversed', 'reversed']) },
            { transactionId, chargebackId: this.random.pick(known).id },
          );
      }),
    async () =>
      this.#ask('refund.create', {
        refundAmount: await this.#amount(),
        atFaultParty: 'merchant',
        ...this.random.maybe({ refundDate: this.#day(-9) }),
        ...this.random.maybe({ isRefundOtherFees: true }),
      }),
    async () => {
      const { refunds } = await this.s.h.query('refund.list', this.s.loanId);
      const params = { refundId: this.random.pick([...(refunds as readonly Data[]), { id: 'RF-NONE-NONE' }]).id };
      await this.random.pick([
        () => this.#ask('refund.cancel', {}, params),
        async () => this.#ask('refund.update', { refundAmount: await this.#amount() }, params),
      ])();
    },
  ];

  /** What is owed, and when. */
  readonly #terms: readonly (() => Promise<unknown>)[] = [
    () => this.#ask('loanFee.charge', { apiName: 'paper', ...this.random.maybe({ chargeDate: this.#day(5) }) }),
    async () => {
      const fees = itemsOf(await this.s.h.query('loanFee.list', this.s.loanId));
      const params = { feeId: this.random.pick([...fees, { id: 'LF-NONE-NONE' }]).id };
      await this.random.pick([
        () => this.#ask('loanFee.cancel', {}, params),
        () => this.#ask('loanFee.change', { feeAmount: 1 + this.random.below(40) }, params),
      ])();
    },
    () => this.#ask(`loan.${this.random.pick(ORDERS)}`, { chargedOffReason: 'term', shiftDueDates: this.random.below(2) === 0 }),
    async () => {
      const { schedule } = await this.s.h.query('loan.expectedPayments', this.s.loanId);
      const { date } = this.random.pick([...(schedule as readonly Data[]), { date: '2024-02-15' }]);
      await this.random.pick([
        () => this.#ask('loan.deferDueDate', { existingDueDate: date }),
        () => this.#ask('loan.deferSchedule', { days: 1 + this.random.below(40) }),
        () =>
          this.#ask('paymentPlan.create', {
            paymentPlanType: 'fixedAmountAndFees',
            amount: 40,
            numberOfPeriods: 2,
            isExtendLoanDuration: true,
          }),
      ])();
    },
    () =>
      this.#ask('promisePlan.create', {
        schedule: [
          { dueDate: this.#day(9), amount: 40 },
          { dueDate: this.#day(30), amount: 40 },
        ],
      }),
  ];

  async #pay(body: object): Promise<void> {
    const asked = { type: 'oneTime', amount: await this.#amount(), paymentInstrumentId: this.random.pick(INSTRUMENTS), ...body };
    await this.s.post(asked);
  }

  async #reimburse(): Promise<void> {
    const { owedAmount } = await this.s.h.query('reimbursement.list', this.s.loanId);
    const reimbursementAmount = this.random.below(3) === 0 ? await this.#amount() : Number(owedAmount) || 1;
    const way = this.random.pick([
      { paymentInstrumentId: this.random.pick(INSTRUMENTS) },
      { isExternal: true, transactionStatus: this.random.pick(['pending', 'succeeded']) },
    ]);
    await this.#ask('loan.reimburse', { reimbursementAmount, ...way });
  }

  /** A bank returns a payment. */
  #reportReturn(transactionId: string): Promise<void> {
    const { h, loanId } = this.s;
    return reportReturns(h.engine)({ company: h.company, mode: 'test', loanId, transactionId, returnCode: this.random.pick(RETURN_CODES) });
  }

  async #ask(command: string, body: object, params: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.s.h.command(command, this.s.loanId, body, { permissions: ['*'], params: { personId: this.s.personId, ...params } });
  }

  async #onOne(act: (id: string) => Promise<unknown>): Promise<void> {
    const known = itemsOf(await this.s.h.query('transaction.list', this.s.loanId, { limit: 100 }));
    if (known.length > 0) await act(this.random.pick(known).id);
  }

  async #onAutopay(act: (id: string) => Promise<unknown>): Promise<void> {
    const coming = await this.s.payments('booked');
    if (coming.length > 0) await act(this.random.pick(coming.slice(0, 5)).id);
  }

  /** Anything from a cent to somewhat more than is owed. */
  async #amount(): Promise<number> {
    const { outstandingBalances } = (await this.s.h.query('loan.balances', this.s.loanId, { isRounded: true })) as unknown as Readonly<
      Record<string, Readonly<Record<string, number>>>
    >;
    const owed = Math.round((outstandingBalances?.['outstandingTotalAmount'] ?? 0) * 100);
    return (
      this.random.pick([
        1 + this.random.below(10_000),
        1 + this.random.below(owed + 1),
        Math.max(1, owed),
        owed + 1 + this.random.below(5_000),
      ]) / 100
    );
  }

  #day(within: number): string {
    return formatDay(addDays(this.#today, this.random.towards(within)));
  }
}
