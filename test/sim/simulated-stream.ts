import { NotTaken, Overtaken, type NewMessage, type StreamMessage, type StreamServer } from '../../persistence/index.js';
import type { Random } from '../random.js';
import type { Weather } from './network.js';
import type { VirtualTime } from './virtual-time.js';
import { hold } from './witness.js';

const DELAY_MS = [0.1, 2] as const;
const LATE_MS = [5, 3_000] as const;
/** How long a client of the server waits for an answer. */
const PATIENCE_MS = 1_500;
const PAYLOAD_BYTES = 8 * 1024;
const MESSAGE_ID = 'Nats-Msg-Id';
const FENCE = 'Tenor-Fence';
const LOST = 'Tenor-Lost';

interface Kept extends StreamMessage {
  readonly writer: string;
}

/**
 * A server of streams with the features of JetStream that the journal relies on: the expected last sequence of a subject, messages
 * identified by their ids, last and next messages, consumers in order. Messages to it and from it are lost, duplicated and late.
 */
export class SimulatedStream {
  readonly weather: Weather = { lostPercent: 0, doubledPercent: 0, latePercent: 0 };
  /** While it restarts, all messages to it are lost. */
  isAway = false;
  readonly #messages: Kept[] = [];
  readonly #bySubject = new Map<string, readonly Kept[]>();
  readonly #byId = new Map<string, number>();
  /** The writer of the last fence of a subject. */
  readonly #writers = new Map<string, string>();
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
    private readonly fail: (cause: unknown) => void,
  ) {}

  get size(): number {
    return this.#messages.length;
  }

  /**
   * As a server that comes back without its unflushed data: the newest messages are gone, and their numbers are given again. Returns
   * whether any of them held records.
   */
  forget(count: number): boolean {
    const gone = this.#messages.splice(Math.max(0, this.#messages.length - count));
    for (const { subject, headers } of gone) {
      const left = this.#messages.filter((message) => message.subject === subject);
      this.#bySubject.set(subject, left);
      this.#byId.delete(headers?.get(MESSAGE_ID) ?? '');
      const fence = left.findLast((message) => message.headers?.has(FENCE));
      if (fence === undefined) this.#writers.delete(subject);
      else this.#writers.set(subject, fence.writer);
    }
    return gone.some(({ bytes }) => bytes.length > 0);
  }

  /** The server as one process sees it. */
  connect(writer: string): StreamServer {
    return {
      payloadBytes: PAYLOAD_BYTES,
      publish: (message) => this.#asked(() => this.#publish(writer, message)),
      last: (subject) => this.#asked(() => this.#bySubject.get(subject)?.at(-1) ?? null),
      next: (subject, sequence) => this.#asked(() => this.#bySubject.get(subject)?.find((message) => message.sequence >= sequence) ?? null),
      follow: (subject, sequence, signal) => this.#follow(subject, sequence, signal),
    };
  }

  /** For the current process. */
  #asked<T>(answer: () => T): Promise<T> {
    const asking = this.time.current;
    return new Promise((resolve, reject) => {
      const cancel = this.time.after(PATIENCE_MS, () => reject(new Error('the server is silent: simulated')));
      const reply = (settle: () => void): void =>
        this.#carry(() => {
          if (asking?.isCutOff === true) return;
          cancel();
          settle();
        }, asking);
      this.#carry(() => {
        if (asking?.isCutOff === true) return;
        try {
          const value = answer();
          reply(() => resolve(value));
        } catch (cause) {
          reply(() => reject(cause));
        }
      }, null);
    });
  }

  #carry(run: () => void, receiver: VirtualTime['current']): void {
    const { lostPercent, doubledPercent, latePercent } = this.weather;
    if (this.#happens(lostPercent)) return;
    for (let copies = this.#happens(doubledPercent) ? 2 : 1; copies > 0; copies--) {
      const [least, most] = this.#happens(latePercent) ? LATE_MS : DELAY_MS;
      this.time.after(this.time.between(least, most), () => this.isAway || run(), receiver);
    }
  }

  #happens(percent: number): boolean {
    return this.random.below(100) < percent;
  }

  #publish(writer: string, { subject, bytes, headers, follows, messageId }: NewMessage): number {
    const known = messageId === undefined ? undefined : this.#byId.get(messageId);
    if (known !== undefined) return known;
    if (bytes.length > PAYLOAD_BYTES) throw new NotTaken('the message is too large');
    const before = this.#bySubject.get(subject) ?? [];
    const last = before.at(-1)?.sequence ?? 0;
    if (last !== follows) throw new Overtaken(`the last message is ${last}, not ${follows}`);
    if (!headers.has(LOST)) this.#checkWriter(writer, subject, headers.has(FENCE));
    if (messageId !== undefined) headers.set(MESSAGE_ID, messageId);
    const message = { subject, sequence: this.#messages.length + 1, headers, bytes: Uint8Array.from(bytes), writer };
    this.#messages.push(message);
    this.#bySubject.set(subject, [...before, message]);
    if (messageId !== undefined) this.#byId.set(messageId, message.sequence);
    for (const notify of this.#waiting) notify();
    return message.sequence;
  }

  /** Fails when a process writes to a shard after another has taken it over. */
  #checkWriter(writer: string, subject: string, isFence: boolean): void {
    if (isFence) this.#writers.set(subject, writer);
    const current = this.#writers.get(subject);
    try {
      hold(current === writer, () => `${writer} writes to ${subject}, which belongs to ${current}`);
    } catch (cause) {
      this.fail(cause);
    }
  }

  async *#follow(subject: string, sequence: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    const isWanted = subject.endsWith('*') ? (): boolean => true : (message: StreamMessage): boolean => message.subject === subject;
    const following = this.time.current;
    for (let at = sequence - 1; !signal.aborted; at++) {
      while (at >= this.#messages.length && !signal.aborted) await this.#nextMessage(signal);
      const message = this.#messages[at];
      if (message === undefined || !isWanted(message)) continue;
      await this.time.pause(...DELAY_MS);
      while ((this.isAway || following?.isCutOff === true) && !signal.aborted) await this.time.pause(...LATE_MS);
      if (!signal.aborted) yield message;
    }
  }

  #nextMessage(signal: AbortSignal): Promise<void> {
    const waiting = this.time.current;
    return new Promise((resolve) => {
      const notify = (): void => {
        this.#waiting.delete(notify);
        signal.removeEventListener('abort', notify);
        this.time.after(0, resolve, waiting);
      };
      this.#waiting.add(notify);
      signal.addEventListener('abort', notify);
    });
  }
}
