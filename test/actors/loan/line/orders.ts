import { type Day, addDays, formatDay } from '../../../../engine/index.js';
import type { Random } from '../../../random.js';

/** What somebody may order of a line, one of its draws, or what happened on them; names come from what is listed. */
export interface LineOrder {
  readonly type: string;
  readonly body: object;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
}

/** What orders are made of: a day, chance, and the names that the line knows. */
export interface LineChance {
  /** The line's first day: nothing happens before it. */
  readonly start: Day;
  readonly random: Random;
  readonly today: Day;
  readonly names: LineNames;
}

export interface LineNames {
  readonly draws: readonly string[];
  readonly purchases: readonly { readonly drawId: string; readonly id: string }[];
  readonly disputes: readonly { readonly drawId: string; readonly purchaseId: string; readonly id: string }[];
  readonly transactions: readonly string[];
  readonly fees: readonly string[];
  readonly rates: readonly string[];
  readonly caps: readonly string[];
  readonly programs: readonly string[];
  readonly periods: readonly string[];
  readonly feeTypes: readonly string[];
  readonly promoTypes: readonly string[];
}

type Make = (chance: Chance) => LineOrder | null;

/** Chance with words. */
class Chance {
  constructor(private readonly of: LineChance) {}

  get names(): LineNames {
    return this.of.names;
  }

  below(bound: number): number {
    return this.of.random.below(bound);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(Math.max(1, items.length))];
  }

  amount(most: number): number {
    return (1 + this.below(most * 100)) / 100;
  }

  maybe(extra: object): object {
    return this.below(2) === 0 ? extra : {};
  }

  rate(most: number): number {
    return this.below(most * 10_000) / 10_000;
  }

  /** A day so many days around today: behind it when negative. */
  day(within: number): string {
    const distance = this.below(Math.abs(within) + 1);
    const { start, today } = this.of;
    return formatDay(within < 0 ? (Math.max(start, today - distance) as Day) : addDays(today, distance));
  }

  isTrue(): boolean {
    return this.below(2) === 0;
  }
}

const INSTRUMENTS = ['PT-CHEC-KING', 'PT-BOUN-CESS', 'PT-LATE-BACK', 'PT-CHEK-CHEK'];
const PAYMENT_STATUSES = ['pending', 'succeeded', 'failed', 'inDispute', 'chargeback', 'canceled'];

const onDraw =
  (type: string, body: (of: Chance) => object): Make =>
  (of) => {
    const drawId = of.pick(of.names.draws);
    return drawId === undefined ? null : { type, body: body(of), params: { drawId } };
  };

const onPurchase =
  (type: string, body: (of: Chance) => object): Make =>
  (of) => {
    const found = of.pick(of.names.purchases);
    return found === undefined ? null : { type, body: body(of), params: { drawId: found.drawId, purchaseId: found.id } };
  };

const onDispute =
  (type: string, body: (of: Chance) => object): Make =>
  (of) => {
    const found = of.pick(of.names.disputes);
    return found === undefined
      ? null
      : { type, body: body(of), params: { drawId: found.drawId, purchaseId: found.purchaseId, purchaseDisputeId: found.id } };
  };

const onTransaction =
  (type: string, body: (of: Chance) => object): Make =>
  (of) => {
    const transactionId = of.pick(of.names.transactions);
    return transactionId === undefined ? null : { type, body: body(of), params: { transactionId } };
  };

const onNamed =
  (type: string, param: string, names: (known: LineNames) => readonly string[], body: (of: Chance) => object): Make =>
  (of) => {
    const name = of.pick(names(of.names));
    return name === undefined ? null : { type, body: body(of), params: { [param]: name } };
  };

/** With `drawId` half of the time: of one draw, or of the line. */
const ofEither = (order: LineOrder, of: Chance): LineOrder => {
  const drawId = of.isTrue() ? of.pick(of.names.draws) : undefined;
  return drawId === undefined ? order : { ...order, params: { ...order.params, drawId } };
};

const plain =
  (type: string, body: (of: Chance) => object = () => ({})): Make =>
  (of) => ({ type, body: body(of) });

const buy =
  (body: (of: Chance) => object): Make =>
  (of) => {
    const drawId = of.pick(of.names.draws);
    return drawId === undefined
      ? null
      : { type: 'purchase.create', body: { amount: of.amount(400), ...body(of) }, params: { drawId }, query: { force: of.below(4) === 0 } };
  };

/** Each by its name in the ledger's words; a table, so that a new order is one row. */
export const LINE_ORDERS: readonly Make[] = [
  buy((of) => of.maybe({ purchaseDate: of.day(-20) })),
  buy((of) => ({ purchaseDate: of.day(-70) })),
  buy((of) => ({ type: of.pick(['cashAdvance', 'balanceTransfer', 'cashBack']) })),
  buy(() => ({ status: 'authorized' })),
  buy((of) => ({
    type: 'refund',
    originalPurchaseId: of.pick(of.names.purchases)?.id ?? 'DP-NONE-NONE',
    ...of.maybe({ purchaseDate: of.day(-10) }),
  })),
  buy((of) => ({ authorizationPurchaseId: of.pick(of.names.purchases)?.id ?? 'DP-NONE-NONE' })),
  onPurchase('purchase.update', (of) => ({ status: of.pick(['settled', 'pending', 'canceled', 'declined']) })),
  onPurchase('purchase.cancel', () => ({})),
  onPurchase('dispute.create', (of) => ({ amount: of.amount(200) })),
  onDispute('dispute.update', (of) => ({ status: of.pick(['submitted', 'won', 'lost', 'expired', 'canceled']) })),
  onDispute('dispute.cancel', () => ({})),
  plain('transaction.create', (of) => ({
    type: 'oneTime',
    isExternal: true,
    amount: of.amount(300),
    status: 'succeeded',
    effectiveDate: of.day(-30),
    ...of.maybe({ drawId: of.pick(of.names.draws) }),
    ...of.maybe({ enablePrepayments: of.isTrue() }),
  })),
  plain('transaction.create', (of) => ({ type: 'oneTime', isExternal: true, amount: of.amount(2_000), status: 'succeeded' })),
  plain('transaction.create', (of) => ({
    type: 'oneTime',
    amount: of.amount(400),
    paymentInstrumentId: of.pick(INSTRUMENTS),
    ...of.maybe({ scheduledDate: of.day(20) }),
  })),
  plain('transaction.create', (of) => ({
    type: 'serviceCredit',
    amount: of.amount(60),
    serviceCreditDetails: { type: 'courtesy' },
    ...of.maybe({ scheduledDate: of.day(9) }),
  })),
  onTransaction('transaction.update', (of) => ({ status: of.pick(PAYMENT_STATUSES), failureReason: 'paymentStopped' })),
  onTransaction('transaction.backdate', (of) => ({ effectiveDate: of.day(-30) })),
  onTransaction('transaction.reverse', () => ({})),
  onTransaction('transaction.cancel', () => ({})),
  onTransaction('transaction.reschedule', (of) => ({ scheduledDate: of.day(9) })),
  onTransaction('chargeback.create', (of) => ({ amount: of.amount(100), status: of.pick(['open', 'lost']) })),
  plain('loan.reimburse', (of) => ({ reimbursementAmount: of.amount(100), isExternal: true, transactionStatus: 'succeeded' })),
  (of) =>
    ofEither(
      {
        type: 'loanRate.add',
        body: {
          interestRate: { annualRate: of.rate(1) / 4, startDate: of.day(-30), isEndExistingRates: of.isTrue() },
          ...of.maybe({ applyTo: 'lineAndDraws' }),
        },
      },
      of,
    ),
  (of) =>
    ofEither(
      { type: 'loanRate.add', body: { promoRate: { annualRate: of.rate(1) / 10, startDate: of.day(-9), endDate: of.day(40) } } },
      of,
    ),
  onNamed(
    'loanRate.change',
    'rateId',
    ({ rates }) => rates,
    (of) => ({ annualRate: of.rate(1) / 4 }),
  ),
  onNamed(
    'loanRate.remove',
    'rateId',
    ({ rates }) => rates,
    () => ({}),
  ),
  (of) => ofEither({ type: 'loanRateCap.add', body: { maxRate: of.rate(1) / 4, startDate: of.day(-20), rateCapReason: 'MLA' } }, of),
  onNamed(
    'loanRateCap.remove',
    'rateCapId',
    ({ caps }) => caps,
    () => ({}),
  ),
  plain('lineScra.add', (of) => ({ annualRate: 0.04, startDate: of.day(-40), endDate: null, isCancelFees: of.isTrue() })),
  plain('lineScra.remove'),
  plain('line.changeLimit', (of) => ({ creditLimitAmount: of.amount(4_000), adverseActionReason: 'risk' })),
  onDraw('draw.changeLimit', (of) => ({ creditLimitAmount: of.amount(1_000) })),
  onDraw('draw.amortize', (of) => (of.isTrue() ? { duration: 1 + of.below(12) } : { recurringAmount: of.amount(60) })),
  onDraw('draw.activate', () => ({})),
  onDraw('draw.close', () => ({})),
  onDraw('draw.cancel', () => ({ cancellationReason: 'test' })),
  onDraw('draw.update', (of) => ({ nickname: `draw ${of.below(9)}` })),
  plain('draw.create', (of) => ({
    status: 'originated',
    atOrigination: {
      fees: { drawFeeAmount: of.amount(20) },
      ...of.maybe({ autoAmortization: { amortizationLogic: 'perPurchase', duration: 4 } }),
    },
  })),
  (of) => ({
    type: 'loanFee.charge',
    body: { feeTypeId: of.pick(of.names.feeTypes), feeAmount: of.amount(30), ...of.maybe({ chargeDate: of.day(-30) }) },
  }),
  onDraw('drawFee.charge', (of) => ({
    feeTypeId: of.pick(of.names.feeTypes),
    feeAmount: of.amount(30),
    ...of.maybe({ chargeDate: of.day(-30) }),
  })),
  onDraw('drawFee.change', (of) => ({ feeAmount: of.amount(10) })),
  onNamed(
    'loanFee.change',
    'feeId',
    ({ fees }) => fees,
    (of) => ({ feeAmount: of.amount(40) }),
  ),
  onNamed(
    'loanFee.cancel',
    'feeId',
    ({ fees }) => fees,
    () => ({}),
  ),
  plain('loanFee.changeOrigination', (of) => ({ feeAmount: of.amount(20) })),
  plain('loan.freeze'),
  plain('loan.accelerate', (of) => of.maybe({ effectiveDate: of.day(-9) })),
  plain('loan.chargeOff', (of) => ({ chargedOffReason: 'bankruptcy', ...of.maybe({ effectiveDate: of.day(-9) }) })),
  plain('loan.deferRemainingBalances'),
  plain('loan.changeDueDates', (of) => ({ dueDatesFrequency: 'monthly', specificDays: [1 + of.below(31)] })),
  onNamed(
    'statement.generate',
    'periodId',
    ({ periods }) => periods,
    () => ({}),
  ),
  (of) => ofEither({ type: 'promoProgram.create', body: { promoTypeId: of.pick(of.names.promoTypes), status: 'pending' } }, of),
  onNamed(
    'promoProgram.cancel',
    'promoProgramId',
    ({ programs }) => programs,
    () => ({}),
  ),
];

/** Rare ends of a line. */
export const LAST_ORDERS: readonly Make[] = [
  plain('loan.close', () => ({ closeReasonDescription: 'unused' })),
  (of) => ({ type: 'loan.cancel', body: { cancellationReason: 'test' }, query: { force: of.isTrue() } }),
];

/** What ends a status that stops most orders. */
export const UNDOING: Readonly<Record<string, Make>> = {
  frozen: plain('loan.unfreeze', (of) => ({ shiftDueDates: of.isTrue(), retroactivelyAccrueInterest: of.isTrue() })),
  accelerated: plain('loan.reverseAccelerate'),
  chargedOff: plain('loan.reverseChargeOff'),
};

/** One order by chance; null when there is nothing that it could be about. */
export function someOrder(chance: LineChance, status: string): LineOrder | null {
  const of = new Chance(chance);
  const undoing = UNDOING[status];
  if (undoing !== undefined && of.below(3) > 0) return undoing(of);
  const table = of.below(60) === 0 ? LAST_ORDERS : LINE_ORDERS;
  return of.pick(table)?.(of) ?? null;
}
