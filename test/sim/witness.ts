import type { CommandRequest } from '../../actors/index.js';

/** A condition that must always hold does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export function hold(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Violation(message());
}

/** A command as its client knows it. */
export interface Sent {
  readonly request: CommandRequest;
  /** Machine time of its first try. */
  readonly at: number;
  /** 'unknown': may have happened, or may still happen. */
  state: 'unknown' | 'accepted' | 'refused';
  /** The answer with which it was accepted. */
  reply: string;
}

/** A value of the index that loans follow, and the day from which it holds. */
export interface IndexValue {
  readonly sent: Sent;
  readonly startDate: string;
  readonly annualRate: number;
}

/** A payment is known by its amount: no two are the same. */
export interface Payment {
  readonly sent: Sent;
  readonly amount: number;
}

export interface KnownLoan {
  readonly id: string;
  readonly personId: string;
  /** Its rate is the index plus this; null: it follows no index. */
  readonly spread: number | null;
  isActive: boolean;
  readonly payments: Payment[];
  /** Ids of the transactions that a reader was shown, in that order: none of them may ever be missing again. */
  readonly shown: string[];
}

/** As a loan lists it. */
export interface ListedPayment {
  readonly id: string;
  readonly actualAmount: number;
  readonly paidPrincipalAmount: number;
  readonly paidInterestAmount: number;
  readonly paidFeesAmount: number;
  readonly paidOverAmount: number;
}

export interface SeenEvent {
  readonly id: string;
  readonly orderKey: string;
  readonly sequence: number;
  readonly createdAt: string;
}

/** A reader that has followed the events from the first on. */
export class Follower {
  readonly seen: SeenEvent[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(readonly name: string) {}

  get cursor(): string | undefined {
    return this.seen.at(-1)?.id;
  }

  take(event: SeenEvent): void {
    const before = this.#numbers.get(event.orderKey) ?? 0;
    hold(event.sequence === before + 1, () => `${this.name} gets event ${event.sequence} of ${event.orderKey} after event ${before}`);
    const newest = this.seen.at(-1);
    hold(
      newest === undefined || event.createdAt > newest.createdAt,
      () => `${this.name} gets ${event.id} of ${event.createdAt} after ${newest?.createdAt}`,
    );
    this.#numbers.set(event.orderKey, event.sequence);
    this.seen.push(event);
  }

  /** Two readers of the same events see the same order. */
  agreeWith(other: Follower): void {
    const length = Math.min(this.seen.length, other.seen.length);
    for (let index = 0; index < length; index++) {
      const [mine, theirs] = [this.seen[index]?.id, other.seen[index]?.id];
      hold(mine === theirs, () => `${this.name} got ${mine} where ${other.name} got ${theirs}`);
    }
  }
}

/** What is known outside of the service: everything that was sent, answered and shown. */
export class Witness {
  readonly sent: Sent[] = [];
  readonly loans: KnownLoan[] = [];
  /** In the order of their sending. */
  readonly values: IndexValue[] = [];
  /** Payments that were answered. */
  accepted = 0;
  reads = 0;

  /** Records the answer to an accepted command: the first one holds for ever. */
  accept(sent: Sent, reply: string): void {
    if (sent.state === 'accepted') {
      hold(sent.reply === reply, () => `${sent.request.type} ${sent.request.commandId} was answered ${sent.reply}, then ${reply}`);
      return;
    }
    sent.state = 'accepted';
    sent.reply = reply;
    this.accepted += 1;
  }

  /** Checks a read that began when so much had been shown: it must contain all of that. */
  checkRead(loan: KnownLoan, shownBefore: number, listed: readonly ListedPayment[]): void {
    this.reads += 1;
    const ids = new Set(listed.map(({ id }) => id));
    hold(ids.size === listed.length, () => `loan ${loan.id} lists a transaction twice`);
    for (const id of loan.shown.slice(0, shownBefore)) hold(ids.has(id), () => `loan ${loan.id} has shown ${id} and no longer does`);
    const amounts = new Set(listed.map(({ actualAmount }) => actualAmount));
    hold(
      amounts.size === listed.length,
      () => `loan ${loan.id} has applied a payment twice: ${listed.map(({ actualAmount }) => actualAmount).join()}`,
    );
    const known = new Set(loan.payments.map(({ amount }) => amount));
    for (const amount of amounts) hold(known.has(amount), () => `loan ${loan.id} has a payment of ${amount} that nobody made`);
    for (const payment of listed)
      hold(cents(payment.actualAmount) === splitCents(payment), () => `a payment is not the sum of its parts: ${JSON.stringify(payment)}`);
    for (const id of ids) if (!loan.shown.includes(id)) loan.shown.push(id);
  }
}

const cents = (amount: number): number => Math.round(amount * 100);

const splitCents = ({ paidPrincipalAmount, paidInterestAmount, paidFeesAmount, paidOverAmount }: ListedPayment): number =>
  cents(paidPrincipalAmount) + cents(paidInterestAmount) + cents(paidFeesAmount) + cents(paidOverAmount);
