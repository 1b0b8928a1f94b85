import { Refusal } from '../../../../actors/index.js';
import { addDays, type Day, day as dayOf, formatDay, must, parseDay } from '../../../../engine/index.js';
import type { Random } from '../../../random.js';
import { itemsOf } from '../../harness.js';
import { external, type PaySetting } from '../transactions/setting.js';

const INSTRUMENTS = ['PT-CHEC-KING', 'PT-CHEC-KING', 'PT-BOUN-CESS', 'PT-LATE-BACK', 'PT-CHEK-CHEK'];
const STATUSES = ['pending', 'succeeded', 'failed', 'inDispute', 'chargeback', 'canceled', 'scheduled'];
const ORDERS = ['freeze', 'unfreeze', 'unfreeze', 'accelerate', 'reverseAccelerate', 'chargeOff', 'reverseChargeOff', 'reverseChargeOff'];
const CREDITS = ['courtesy', 'billingError', 'settlementOfDebt', 'merchantRefund', 'fraud'];

/** A life of a loan in which much is recorded late. It stops at each close of a day. */
export class BookedLife {
  #today: Day = must(parseDay('2024-01-15'), 'a date');

  constructor(
    private readonly s: PaySetting,
    private readonly random: Random,
  ) {}

  get today(): Day {
    return this.#today;
  }

  /** Things of one day, and then its close. */
  async day(): Promise<void> {
    for (let order = this.random.below(5); order > 2; order -= 1) await this.#allowed(() => this.#order());
    this.#today = addDays(this.#today, 1);
    await this.s.pass(formatDay(this.#today));
  }

  #order(): Promise<unknown> {
    const { s, random } = this;
    const amount = random.below(40_000) / 100 + 0.01;
    const orders = [
      () => s.post({ type: 'oneTime', amount, paymentInstrumentId: random.pick(INSTRUMENTS) }),
      () => s.post(external({ amount, ...random.maybe({ effectiveDate: this.#back(20) }), ...random.maybe({ status: 'succeeded' }) })),
      () =>
        s.post({
          type: 'serviceCredit',
          amount,
          serviceCreditDetails: { type: random.pick(CREDITS) },
          ...random.maybe({ effectiveDate: this.#back(9) }),
        }),
      () => this.#onOne((id) => s.act('update', id, { status: random.pick(STATUSES), failureReason: 'paymentStopped' })),
      () => this.#onOne((id) => s.act('backdate', id, { effectiveDate: this.#back(20) })),
      () => this.#onOne((id) => s.act('reverse', id)),
      () => this.#command(`loan.${random.pick(ORDERS)}`, { chargedOffReason: 'term', retroactivelyAccrueInterest: random.below(2) === 0 }),
      () =>
        this.#onOne((transactionId) =>
          this.#command('chargeback.create', { amount, status: random.pick(['open', 'lost']) }, { transactionId }),
        ),
      () =>
        this.#command('refund.create', {
          refundAmount: amount,
          atFaultParty: random.pick(['merchant', 'loanOwner']),
          refundDate: this.#back(9),
        }),
      () => this.#command('loanRate.add', { interestRate: { annualRate: random.below(12) / 100 + 0.01, startDate: this.#back(40) } }),
      () => this.#command('loan.reimburse', { amount }),
      () => s.post(external({ amount: amount * 30, status: 'succeeded' })),
      () => this.#atBank(amount),
    ];
    return must(orders[random.below(orders.length)], 'an order')();
  }

  async #command(type: string, body: object, params: Readonly<Record<string, string>> = {}): Promise<void> {
    const { h, loanId, personId } = this.s;
    await h.command(type, loanId, body, { permissions: ['*'], params: { personId, ...params } });
  }

  async #onOne(act: (id: string) => Promise<unknown>): Promise<void> {
    const known = itemsOf(await this.s.h.query('transaction.list', this.s.loanId, { limit: 100 }));
    if (known.length > 0) await act(this.random.pick(known).id);
  }

  /** What a bank says of money that was sent. */
  async #atBank(amount: number): Promise<void> {
    const { h, loanId, personId } = this.s;
    const { id: payoutId } = this.random.pick(itemsOf(await h.query('payout.list', loanId, { limit: 100 })));
    const body = { ...this.random.maybe({ amount }), ...this.random.maybe({ bankDate: this.#back(9) }) };
    await h.command(`payout.${this.random.pick(['confirm', 'confirm', 'return'])}`, loanId, body, {
      permissions: ['*'],
      params: { personId, payoutId },
    });
  }

  async #allowed(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (cause) {
      if (!(cause instanceof Refusal) || ![400, 404, 409, 422].includes(cause.statusCode)) throw cause;
    }
  }

  #back(within: number): string {
    return formatDay(dayOf(Math.max(must(parseDay('2024-01-15'), 'a date'), this.#today - this.random.below(within))));
  }
}
