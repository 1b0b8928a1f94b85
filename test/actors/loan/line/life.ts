import { Refusal } from '../../../../actors/index.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { type Data, itemsOf } from '../../harness.js';
import { lineBody } from '../setting.js';
import { openPaySetting, type PaySetting } from '../transactions/setting.js';
import { type LineNames, type LineOrder, someOrder } from './orders.js';

export const START = must(parseDay('2024-01-15'), 'a date');

const LATE = {
  name: { apiName: 'late', displayName: 'Late' },
  feeType: 'lateFee',
  amountLogic: 'fixed',
  amount: 12.5,
  trigger: 'overdueDays',
  triggerDays: 5,
};

const fee = (apiName: string, chargeLogic: string): object => ({
  name: { apiName, displayName: apiName },
  feeType: 'adHoc',
  amountLogic: 'fixed',
  amount: 9,
  trigger: 'manual',
  isAmountEditable: true,
  chargeLogic,
});

/** What a product may make of a line's ledger. */
const productOf = (random: Random): object => {
  const isTrue = (): boolean => random.below(2) === 0;
  return {
    type: 'lineOfCredit',
    name: 'Card',
    freezeAllowedForLineOfCredit: true,
    paymentAllowedWhenChargedOff: true,
    grace: { isGracePeriodApplicable: isTrue() },
    payments: { enablePrepayments: isTrue() },
    interest: { accrualMethod: random.below(3) === 0 ? 'compound' : 'simple' },
    ...(random.below(3) === 0 ? { accelerationDueWithin: 40, chargeOffDueWithin: 75 } : {}),
  };
};

/** A line with its draws whose days pass by chance, and whatever may be ordered of it. */
export class LineLife {
  today = START;

  private constructor(
    readonly s: PaySetting,
    readonly random: Random,
    private readonly types: Pick<LineNames, 'feeTypes' | 'promoTypes'>,
  ) {}

  static async open(random: Random): Promise<LineLife> {
    const fees = { originationFeeAmount: 20, originationFeeLogic: 'firstPayment' };
    const s = await openPaySetting(productOf(random), { atOrigination: { fees } }, undefined, lineBody);
    const { h, loanTypeId, personId, loanId } = s;
    const params = { loanTypeId };
    await h.command('feeType.create', h.company, { ...LATE, chargeLogic: random.below(2) === 0 ? 'immediate' : 'nextDueDate' }, { params });
    const feeTypes = await Promise.all(
      ['immediate', 'nextDueDate', 'nonDue'].map((logic) => h.data('feeType.create', h.company, fee(logic, logic), { params })),
    );
    const promoType = await h.data(
      'promoType.create',
      h.company,
      { displayName: 'No interest', promoType: 'sameAsCash', defaults: { promoDurationDays: 60 } },
      { params },
    );
    for (const atOrigination of [
      { fees: { drawFeeAmount: 15 } },
      { creditLimitAmount: 900, interestRates: [{ interestType: 'absolute', days: null, rate: 0.24 }] },
    ]) {
      const { id: drawId } = await h.data('draw.create', loanId, { status: 'originated', atOrigination }, { params: { personId } });
      await h.data('draw.activate', loanId, {}, { params: { personId, drawId } });
    }
    return new LineLife(s, random, { feeTypes: feeTypes.map(({ id }) => id), promoTypes: [promoType.id] });
  }

  async pass(): Promise<void> {
    this.today = addDays(this.today, 1 + this.random.below(20));
    await this.s.pass(formatDay(this.today));
  }

  /** A day at most so many days back, and not before the line began. */
  back(within: number): string {
    return formatDay(Math.max(START, this.today - this.random.below(within + 1)) as Day);
  }

  async order(): Promise<LineOrder | null> {
    const { status } = await this.s.loan();
    return someOrder({ random: this.random, start: START, today: this.today, names: await this.#names() }, String(status));
  }

  /** The reply, or the name of what refused the order. */
  async ask(order: LineOrder, { isPreview }: { readonly isPreview: boolean }): Promise<Data | string> {
    const { s } = this;
    const more = isPreview ? { previewMode: true } : {};
    try {
      const ask = { permissions: ['*'], params: { personId: s.personId, ...order.params }, query: { ...order.query, ...more } };
      return await s.h.data(order.type, s.loanId, { ...order.body, ...more }, ask);
    } catch (cause) {
      if (!(cause instanceof Refusal) || ![400, 404, 409, 422].includes(cause.statusCode)) throw cause;
      return `${cause.statusCode} ${cause.errorType} ${cause.message}`;
    }
  }

  /** All that a reader may see of the line. */
  async shown(): Promise<object> {
    const { h, loanId, personId } = this.s;
    const read = (type: string, query: object = {}, params: object = {}): Promise<Data> =>
      h.query(type, loanId, query, { permissions: ['*'], params: { personId, ...params } });
    const lists = ['transaction.list', 'purchase.list', 'dispute.list', 'loanFee.list', 'draw.list', 'statement.list'];
    const plain = [
      'loan.get',
      'loan.balances',
      'loan.obligations',
      'loan.expectedPayments',
      'loan.periods',
      'loan.rates',
      'loan.statusHistory',
      'loan.activity',
      'promoProgram.list',
      'loan.interest',
    ];
    const all: Record<string, Data> = {};
    for (const type of lists) all[type] = await read(type, { limit: 100 });
    for (const type of plain) all[type] = await read(type);
    return all;
  }

  async #names(): Promise<LineNames> {
    const { h, loanId, personId } = this.s;
    const list = async (type: string): Promise<readonly Data[]> =>
      itemsOf(await h.query(type, loanId, { limit: 100 }, { params: { personId } }));
    const [draws, purchases, disputes, transactions, fees] = [
      await list('draw.list'),
      await list('purchase.list'),
      await list('dispute.list'),
      await list('transaction.list'),
      await list('loanFee.list'),
    ];
    const rates = await h.query('loan.rates', loanId, {}, { params: { personId } });
    const programs = await h.query('promoProgram.list', loanId, {}, { params: { personId } });
    const periods = await h.query('loan.periods', loanId, {}, { params: { personId } });
    const ids = (items: unknown): readonly string[] => ((items ?? []) as readonly Data[]).map(({ id }) => id);
    return {
      draws: ids(draws),
      purchases: purchases.map(({ id, drawId }) => ({ id, drawId: String(drawId) })),
      disputes: disputes.map(({ id, drawId, purchaseId }) => ({ id, drawId: String(drawId), purchaseId: String(purchaseId) })),
      transactions: ids(transactions),
      fees: ids(fees),
      rates: [...ids(rates['interestRates']), ...ids(rates['promoRates'])],
      caps: ids(rates['rateCaps']),
      programs: ids(programs['promoPrograms']),
      periods: ids(periods['items'] ?? periods['periods']),
      ...this.types,
    };
  }
}
