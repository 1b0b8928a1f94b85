import { must } from '../../assert.js';
import { day } from '../../calendar/index.js';
import { MONEY_KINDS } from '../core/facts.js';
import { OverpaidMoney } from '../core/paid-over.js';
import type { PaymentState } from '../core/state.js';

/** Never counted into. */
const NO_MONEY = new OverpaidMoney();

/** Payments that are packed together. */
const PACKED = 128;

/**
 * The payments of a ledger in the order of application. Old ones are packed as numbers, which take a third of the memory and are shared by
 * all copies of a ledger:
 *
 *   packed 1 .. 128 | packed 129 .. 256 | objects: the newest 128 to 255
 *
 * A payment is never changed, only replaced.
 */
export class PaymentList implements Iterable<PaymentState> {
  #packed: readonly PackedPayments[] = [];
  #newest: PaymentState[] = [];
  /** Null while no payment has left any, as on nearly every loan. */
  #overpaid: OverpaidMoney | null = null;

  static of(payments: Iterable<PaymentState>): PaymentList {
    const list = new PaymentList();
    for (const payment of payments) list.push(payment);
    return list;
  }

  get length(): number {
    return this.#packed.length * PACKED + this.#newest.length;
  }

  /** As of an array: a negative index counts from the end. */
  at(index: number): PaymentState | undefined {
    const first = this.#packed.length * PACKED;
    const at = index < 0 ? this.length + index : index;
    return at >= first ? this.#newest[at - first] : this.#packed[Math.floor(at / PACKED)]?.read(at % PACKED);
  }

  /** Only to read. */
  get overpaid(): OverpaidMoney {
    return this.#overpaid ?? NO_MONEY;
  }

  push(payment: PaymentState): void {
    if (payment.overCents !== 0) (this.#overpaid ??= new OverpaidMoney()).count(this.length, null, payment);
    this.#newest.push(payment);
    if (this.#newest.length < 2 * PACKED) return;
    this.#packed = [...this.#packed, new PackedPayments(this.#newest.slice(0, PACKED))];
    this.#newest = this.#newest.slice(PACKED);
  }

  replace(index: number, payment: PaymentState): void {
    (this.#overpaid ??= new OverpaidMoney()).count(index, must(this.at(index), 'a payment that is replaced'), payment);
    const first = this.#packed.length * PACKED;
    if (index >= first) this.#newest[index - first] = payment;
    else {
      const at = Math.floor(index / PACKED);
      const whole = [...must(this.#packed[at], 'a packed payment')];
      this.#packed = this.#packed.with(at, new PackedPayments(whole.with(index % PACKED, payment)));
    }
  }

  copy(): PaymentList {
    const copy = new PaymentList();
    copy.#packed = this.#packed;
    copy.#newest = this.#newest.slice();
    copy.#overpaid = this.#overpaid?.copy() ?? null;
    return copy;
  }

  *[Symbol.iterator](): IterableIterator<PaymentState> {
    for (const packed of this.#packed) yield* packed;
    yield* this.#newest;
  }

  find(test: (payment: PaymentState) => boolean): PaymentState | undefined {
    for (const payment of this) if (test(payment)) return payment;
    return undefined;
  }

  filter(test: (payment: PaymentState) => boolean): readonly PaymentState[] {
    return [...this].filter(test);
  }

  findLastIndex(test: (payment: PaymentState) => boolean): number {
    for (let index = this.length - 1; index >= 0; index -= 1) if (test(must(this.at(index), 'a payment'))) return index;
    return -1;
  }

  /** What tests compare and print. */
  toJSON(): readonly PaymentState[] {
    return [...this];
  }
}

/** Numbers of a payment: its number, day, seconds, amount, principal, interest, fees, and what was paid over. */
const NUMBERS = 8;

type ChargedBack = Pick<PaymentState, 'chargedBack' | 'chargebacks'>;

class PackedPayments implements Iterable<PaymentState> {
  readonly #numbers: Int32Array | Float64Array;
  /** The kind, and whether the payment is processing. */
  readonly #kinds: Uint8Array;
  /** By position; nearly always none. */
  readonly #chargedBack: ReadonlyMap<number, ChargedBack> | null;

  constructor(payments: readonly PaymentState[]) {
    const numbers = payments.flatMap(numbersOf);
    this.#numbers = numbers.every((number) => Object.is(number | 0, number)) ? Int32Array.from(numbers) : Float64Array.from(numbers);
    this.#kinds = Uint8Array.from(payments, ({ kind, isProcessing }) => 2 * MONEY_KINDS.indexOf(kind) + Number(isProcessing));
    const chargedBack = new Map<number, ChargedBack>();
    for (const [at, payment] of payments.entries())
      if (payment.chargedBack !== undefined)
        chargedBack.set(at, { chargedBack: payment.chargedBack, chargebacks: payment.chargebacks ?? [] });
    this.#chargedBack = chargedBack.size === 0 ? null : chargedBack;
  }

  read(at: number): PaymentState {
    const number = (field: number): number => must(this.#numbers[at * NUMBERS + field], 'a packed payment');
    const kind = must(this.#kinds[at], 'a packed payment');
    return {
      transaction: number(0),
      kind: must(MONEY_KINDS[kind >> 1], 'a kind of money'),
      day: day(number(1)),
      seconds: number(2),
      amountCents: number(3),
      principalCents: number(4),
      interestCents: number(5),
      feesCents: number(6),
      overCents: number(7),
      isProcessing: kind % 2 === 1,
      ...this.#chargedBack?.get(at),
    };
  }

  *[Symbol.iterator](): IterableIterator<PaymentState> {
    for (let at = 0; at < this.#kinds.length; at += 1) yield this.read(at);
  }
}

const numbersOf = (payment: PaymentState): readonly number[] => [
  payment.transaction,
  payment.day,
  payment.seconds,
  payment.amountCents,
  payment.principalCents,
  payment.interestCents,
  payment.feesCents,
  payment.overCents,
];
