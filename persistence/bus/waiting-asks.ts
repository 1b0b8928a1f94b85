import { limits } from '../limits.js';
import { Unanswered } from '../ports.js';

interface Waiting {
  readonly address: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** The message that carries it; null while it is not sent. */
  message: number | null;
  resolve(answer: Uint8Array): void;
  reject(cause: Unanswered): void;
}

/** Requests of this process that wait for answers, each with its deadline: one timer looks at all of them. */
export class WaitingAsks {
  readonly #waiting = new Map<number, Waiting>();
  /** Asks without an answer since the start, by the reason. */
  readonly unanswered: Record<Unanswered['why'], number> = { nobody: 0, late: 0, lost: 0, away: 0 };
  #next = 0;
  #timer: NodeJS.Timeout | null = null;

  get size(): number {
    return this.#waiting.size;
  }

  /** A number for the request, and its answer. Throws `Unanswered` when too many wait. */
  begin(address: string, waitMs: number): { readonly number: number; readonly answer: Promise<Uint8Array> } {
    if (this.#waiting.size >= limits.busWaiting) throw new Unanswered(address, 'away');
    do this.#next = (this.#next + 1) >>> 0;
    while (this.#waiting.has(this.#next));
    const number = this.#next;
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      const sinceMs = performance.now();
      this.#waiting.set(number, { address, sinceMs, untilMs: sinceMs + waitMs, message: null, resolve, reject });
    });
    this.#timer ??= setInterval(() => this.#look(), limits.busLookMs);
    return { number, answer };
  }

  sent(numbers: readonly number[], message: number): void {
    for (const number of numbers) {
      const waiting = this.#waiting.get(number);
      if (waiting) waiting.message = message;
    }
  }

  /** Answers to those that wait no longer are dropped. */
  answered(number: number, answer: Uint8Array): void {
    this.#end(number)?.resolve(answer);
  }

  failed(number: number, why: Unanswered['why']): void {
    const waiting = this.#end(number);
    if (waiting) this.unanswered[why] += 1;
    waiting?.reject(new Unanswered(waiting.address, why));
  }

  /** Nobody was there to receive the message. */
  undeliverable(message: number): void {
    for (const [number, waiting] of this.#waiting) if (waiting.message === message) this.failed(number, 'nobody');
  }

  /** The process that received earlier messages to that address is gone. */
  lost(address: string, message: number): void {
    for (const [number, waiting] of this.#waiting) {
      if (waiting.address === address && waiting.message !== null && waiting.message < message) this.failed(number, 'lost');
    }
  }

  /** Addresses with a request that has waited for an answer for so long, in milliseconds. */
  addressesWaiting(ms: number): ReadonlySet<string> {
    const until = performance.now() - ms;
    const addresses = new Set<string>();
    for (const { address, sinceMs, message } of this.#waiting.values()) if (message !== null && sinceMs <= until) addresses.add(address);
    return addresses;
  }

  failAll(why: Unanswered['why']): void {
    for (const number of this.#waiting.keys()) this.failed(number, why);
  }

  #end(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0 && this.#timer) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    return waiting;
  }

  #look(): void {
    const now = performance.now();
    for (const [number, { untilMs }] of this.#waiting) if (now >= untilMs) this.failed(number, 'late');
  }
}
