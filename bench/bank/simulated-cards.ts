import { createHash, createHmac } from 'node:crypto';
import { addBusinessDays, addDays, type Day, formatDay, must, parseDay } from '../../engine/index.js';

export interface CardsOptions {
  /** The same seed does the same to the same payments. */
  readonly seed: number;
  /** The share of authorizations that are declined, by code: `51`, `05`. */
  readonly declines: ReadonlyMap<string, number>;
  /** The share of captured payments that their holders dispute, by the reason code of a network: `10.4`. */
  readonly disputes: ReadonlyMap<string, number>;
  /** The share of disputes that the lender wins. */
  readonly winning: number;
  /** Whole cents of each captured payment. */
  readonly feeCents: number;
}

/** What is asked of the processor, as it comes. */
export interface CardsAsked {
  readonly reference: string;
  readonly date: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly authorizationId?: string;
  readonly card?: { readonly number: string | null; readonly token: string | null };
  readonly cvv?: string;
}

interface Payment {
  readonly id: string;
  readonly reference: string;
  readonly amount: number;
  readonly authorizedOn: string;
  code: string | null;
  isReleased: boolean;
  capturedOn: string | null;
  refunded: number;
  dispute: Dispute | null;
}

interface Dispute {
  readonly disputeId: string;
  readonly reasonCode: string;
  readonly opensOn: string;
  readonly decidesOn: string;
  readonly isWon: boolean;
  status: 'coming' | 'opened' | 'won' | 'lost';
}

export interface ResultItem {
  readonly id: string;
  readonly type: 'capture' | 'refund' | 'dispute';
  readonly reference: string;
  readonly amount: number;
  readonly feeAmount: number;
  readonly dispute?: DisputeReport;
}

interface DisputeReport {
  readonly disputeId: string;
  readonly status: 'opened' | 'won' | 'lost' | 'reversed';
  readonly amount: number;
  readonly reasonCode: string;
}

/** A dispute that has moved, as a callback reports it. */
export interface CardsCallback extends DisputeReport {
  readonly eventId: string;
  readonly reference: string;
}

export interface CardsLedger {
  payments: Payment[];
  /** References that were released: nothing more is authorized for them. */
  released: string[];
  /** Answers by key: the same call under the same key has the same answer. */
  answers: Record<string, { readonly digest: string; readonly answer: object }>;
  items: Record<string, ResultItem[]>;
  callbacks: CardsCallback[];
  /** The newest day that it knows, and the last one that it has paid for. */
  today: string;
  fundedThrough?: string;
}

const NO_LEDGER: CardsLedger = { payments: [], released: [], answers: {}, items: {}, callbacks: [], today: '' };

/** Days after a capture on which its holder disputes it, and after that on which it is decided. */
const DISPUTE_DAYS = 10;
const DECISION_DAYS = 15;

export interface CardsAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * A processor of cards without cards: it authorizes, declines, captures and refunds as it is asked, once under each key and again under
 * another one, takes payments back when holders dispute them, and says at the end of each day what it owes the lender. It keeps no card
 * number.
 */
export class SimulatedCards {
  readonly ledger: CardsLedger;

  constructor(
    private readonly options: CardsOptions,
    known: CardsLedger | null = null,
  ) {
    this.ledger = known ?? structuredClone(NO_LEDGER);
  }

  /** Answers a call. `key` is required of all that moves or holds money. */
  answer(method: string, path: string, key: string | null, body: unknown): CardsAnswer {
    const date = /^\/results\/(\d{4}-\d{2}-\d{2})$/.exec(path)?.[1];
    if (method === 'GET' && date !== undefined) return this.#results(date);
    const act = method === 'POST' ? this.#acts[path] : undefined;
    if (act === undefined) return { status: 404, body: { message: 'There is no such call.' } };
    if (key === null || !isAsked(body)) return { status: 400, body: { message: 'A key, a reference and a date are needed.' } };
    const digest = createHash('sha256')
      .update(JSON.stringify({ ...body, card: undefined, cvv: undefined, date: undefined }))
      .digest('hex');
    const known = this.ledger.answers[key];
    if (known !== undefined) return known.digest === digest ? { status: 200, body: known.answer } : { status: 409, body: { message: KEY } };
    this.#move(body.date);
    const answer = act(body);
    this.ledger.answers[key] = { digest, answer };
    return { status: 200, body: answer };
  }

  readonly #acts: Readonly<Record<string, (asked: CardsAsked) => object>> = {
    '/verifications': (asked) => this.#verify(asked),
    '/authorizations': (asked) => this.#authorize(asked),
    '/captures': (asked) => this.#capture(asked),
    '/refunds': (asked) => this.#refund(asked),
    '/releases': (asked) => this.#release(asked),
  };

  #verify({ reference, card }: CardsAsked): object {
    const code = this.#codeFor(`verify/${reference}`);
    if (code !== null) return declined(code);
    const digits = createHash('sha256').update(`${this.options.seed}/${reference}`).digest('hex').slice(0, 24);
    // What a token of the processor stands for is known to it alone.
    const known = card?.token == null ? { lastFour: card?.number?.slice(-4) ?? null } : { lastFour: '4242', network: 'visa' };
    return { status: 'verified', token: `tok_${digits}`, ...known };
  }

  #authorize({ reference, amount = 0, date }: CardsAsked): object {
    const isReleased = this.ledger.released.includes(reference);
    const payment: Payment = {
      id: `au_${this.ledger.payments.length + 1}`,
      reference,
      amount,
      authorizedOn: date,
      code: isReleased ? 'released' : this.#codeFor(reference),
      isReleased,
      capturedOn: null,
      refunded: 0,
      dispute: null,
    };
    this.ledger.payments.push(payment);
    return payment.code === null ? authorized(payment) : declined(payment.code);
  }

  #capture({ authorizationId, amount = 0, date }: CardsAsked): object {
    const payment = this.ledger.payments.find(({ id }) => id === authorizationId);
    if (payment === undefined || payment.code !== null || payment.isReleased || amount !== payment.amount) return declined('authorization');
    if (payment.capturedOn !== null) return declined('captured');
    payment.capturedOn = date;
    payment.dispute = this.#disputeOf(payment, date);
    this.#item(date, { type: 'capture', reference: payment.reference, amount, feeAmount: this.options.feeCents });
    return { status: 'captured', id: payment.id, resultDate: payment.capturedOn };
  }

  #refund({ authorizationId, reference, amount = 0, date }: CardsAsked): object {
    const payment = this.ledger.payments.find(({ id }) => id === authorizationId);
    if (payment === undefined || payment.capturedOn === null || payment.refunded + amount > payment.amount) return declined('refund');
    payment.refunded += amount;
    const id = this.#item(date, { type: 'refund', reference, amount: -amount, feeAmount: 0 });
    return { status: 'refunded', id, resultDate: date };
  }

  #release({ reference }: CardsAsked): object {
    if (!this.ledger.released.includes(reference)) this.ledger.released.push(reference);
    for (const payment of this.ledger.payments)
      if (payment.reference === reference && payment.capturedOn === null) payment.isReleased = true;
    return { status: 'released' };
  }

  #results(date: string): CardsAnswer {
    if (this.ledger.today <= date) return { status: 404, body: { message: 'The day is not over.' } };
    const items = this.ledger.items[date] ?? [];
    const amount = this.fundingOf(date);
    const day = addBusinessDays(must(parseDay(date), date), 1);
    return { status: 200, body: { date, items, funding: { amount, date: formatDay(day), reference: referenceOfFunding(date) } } };
  }

  /** What the processor pays for a day, in cents. */
  fundingOf(date: string): number {
    return (this.ledger.items[date] ?? []).reduce((sum, { amount, feeAmount }) => sum + amount - feeAmount, 0);
  }

  /** Goes to a day, as a call of a later day does: holders dispute what they dispute by then, and disputes are decided. */
  run(day: Day): void {
    this.#move(formatDay(day));
  }

  /** Callbacks that were not posted yet. */
  takeCallbacks(): readonly CardsCallback[] {
    return this.ledger.callbacks.splice(0);
  }

  #disputed(
    today: string,
    dispute: Dispute,
    status: 'opened' | 'won' | 'lost',
    { reference, amount }: { readonly reference: string; readonly amount: number },
  ): void {
    dispute.status = status;
    const { disputeId, reasonCode } = dispute;
    const report: DisputeReport = { disputeId, status, amount, reasonCode };
    const moved = status === 'opened' ? -amount : status === 'won' ? amount : 0;
    this.#item(today, { type: 'dispute', reference, amount: moved, feeAmount: 0, dispute: report });
    this.ledger.callbacks.push({ ...report, reference, eventId: `ev_${disputeId}_${status}` });
  }

  #disputeOf({ id, reference }: Payment, date: string): Dispute | null {
    const reasonCode = this.#drawn('dispute', reference, this.options.disputes);
    if (reasonCode === null) return null;
    const captured = must(parseDay(date), date);
    return {
      disputeId: `dp_${id}`,
      reasonCode,
      opensOn: formatDay(addDays(captured, DISPUTE_DAYS)),
      decidesOn: formatDay(addDays(captured, DISPUTE_DAYS + DECISION_DAYS)),
      isWon: this.#draw('win', reference) < this.options.winning,
      status: 'coming',
    };
  }

  #item(date: string, item: Omit<ResultItem, 'id'>): string {
    const items = (this.ledger.items[date] ??= []);
    const id = `it_${date.replaceAll('-', '')}_${items.length + 1}`;
    items.push({ ...item, id });
    return id;
  }

  #move(today: string): void {
    if (today <= this.ledger.today) return;
    this.ledger.today = today;
    for (const { dispute, reference, amount, refunded } of this.ledger.payments) {
      if (dispute === null || refunded > 0) continue;
      if (dispute.status === 'coming' && dispute.opensOn <= today) this.#disputed(today, dispute, 'opened', { reference, amount });
      if (dispute.status === 'opened' && dispute.decidesOn <= today)
        this.#disputed(today, dispute, dispute.isWon ? 'won' : 'lost', { reference, amount });
    }
  }

  #codeFor(reference: string): string | null {
    return this.#drawn('decline', reference, this.options.declines);
  }

  #drawn(what: string, key: string, shares: ReadonlyMap<string, number>): string | null {
    let drawn = this.#draw(what, key);
    for (const [code, share] of shares) {
      if (drawn < share) return code;
      drawn -= share;
    }
    return null;
  }

  /** A number from 0 to below 1 that follows from the seed and the key. */
  #draw(what: string, key: string): number {
    return createHash('sha256').update(`${this.options.seed}/${what}/${key}`).digest().readUInt32BE() / 0x1_0000_0000;
  }
}

const KEY = 'The key was used for another call.';

const isAsked = (body: unknown): body is CardsAsked =>
  typeof body === 'object' && body !== null && 'reference' in body && 'date' in body && typeof body.date === 'string';

const authorized = ({ id }: Payment): object => ({ status: 'authorized', id, avsResult: 'Y' });

const declined = (code: string): object => ({ status: 'declined', code, message: `Declined with ${code}.` });

export const referenceOfFunding = (date: string): string => `CARDS${date.replaceAll('-', '')}`;

/** A callback with its time and its signature, as the service checks it. */
export function signedCallback(callback: CardsCallback, at: number, secret: string): object {
  const { eventId, reference, disputeId, status, amount, reasonCode } = callback;
  const text = [at, eventId, reference, disputeId, status, amount, reasonCode].join('\n');
  return { ...callback, at, signature: createHmac('sha256', secret).update(text).digest('hex') };
}
