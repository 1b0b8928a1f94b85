import { must } from '../../engine/index.js';
import type { Message } from './message.js';

/**
 * The messages of a webhook that are in memory. Messages of one order key form a lane, of which only the first may be sent; it stays there
 * until it is delivered or has failed often enough.
 */
export class Lanes {
  readonly #lanes = new Map<string, number[]>();
  /** The newest version of each message, by counter. */
  readonly #messages = new Map<number, Message>();
  /** Counters of messages in no lane. */
  readonly #free = new Set<number>();
  #ready: number[] = [];
  readonly #delayed = new Set<number>();

  get size(): number {
    return this.#messages.size;
  }

  has(counter: number): boolean {
    return this.#messages.has(counter);
  }

  /** Adds a message after the earlier ones of its order key. */
  add(message: Message, nowMs: number): void {
    this.#messages.set(message.counter, message);
    const lane = this.#lanes.get(message.orderKey);
    if (lane) lane.push(message.counter);
    else this.#lanes.set(message.orderKey, [message.counter]);
    if (!lane) this.#admit(message, nowMs);
  }

  /** Adds a message that does not wait for others. */
  addFree(message: Message, nowMs: number): void {
    this.#messages.set(message.counter, message);
    this.#free.add(message.counter);
    this.#admit(message, nowMs);
  }

  /** The next message that may be sent. It is under way until `again` or `leave`. */
  next(): Message | undefined {
    for (;;) {
      const counter = this.#ready.shift();
      const message = counter === undefined ? undefined : this.#messages.get(counter);
      if (message || counter === undefined) return message;
    }
  }

  /** Keeps a message, to be sent again when it is due. */
  again(message: Message, nowMs: number): void {
    this.#messages.set(message.counter, message);
    this.#admit(message, nowMs);
  }

  /** Removes a message from memory; the next one of its lane may be sent. */
  leave({ counter, orderKey }: Message, nowMs: number): void {
    if (!this.#messages.delete(counter)) return;
    this.#delayed.delete(counter);
    if (this.#free.delete(counter)) return;
    const lane = must(this.#lanes.get(orderKey), 'the lane of a message');
    lane.splice(lane.indexOf(counter), 1);
    const [first] = lane;
    if (first === undefined) this.#lanes.delete(orderKey);
    else this.#admit(must(this.#messages.get(first), 'a message in a lane'), nowMs);
  }

  /** Admits the delayed messages that are due. */
  admitDue(nowMs: number): void {
    for (const counter of this.#delayed) {
      const message = must(this.#messages.get(counter), 'a message that waits');
      if ((message.nextAttemptAt ?? 0) <= nowMs) this.#admit(message, nowMs);
    }
  }

  /** Admits a delayed message now; false when it is under way, or waits for another one. */
  hasten(counter: number): boolean {
    if (!this.#delayed.delete(counter)) return false;
    this.#ready.push(counter);
    return true;
  }

  clear(): void {
    this.#lanes.clear();
    this.#messages.clear();
    this.#free.clear();
    this.#delayed.clear();
    this.#ready = [];
  }

  #admit({ counter, nextAttemptAt }: Message, nowMs: number): void {
    if (nextAttemptAt !== null && nextAttemptAt > nowMs) {
      this.#delayed.add(counter);
    } else {
      this.#delayed.delete(counter);
      this.#ready.push(counter);
    }
  }
}
