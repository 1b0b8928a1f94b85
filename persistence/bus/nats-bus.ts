import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { randomBytes } from 'node:crypto';
import { assert } from '../../engine/index.js';
import { limits } from '../limits.js';
import { type Bus, type BusHandler, Unanswered } from '../ports.js';
import { messagesOf, type Parcel, Senders } from './pieces.js';
import { WaitingAsks } from './waiting-asks.js';

/** Status code of the server for a message that nobody receives. */
const NO_RESPONDERS = 503;
const NO_PIECE = new Uint8Array(0);
/** The last token of the subject of answers; in that of requests it is the number of the message. */
const ANSWERS = 'a';

/**
 * A bus over a NATS server. All requests within one turn of the event loop to one address are one message, and so are all answers to one
 * process. Subjects are `<prefix>.<address>`; each process has one for its answers.
 */
export class NatsBus implements Bus {
  readonly #inbox: string;
  readonly #asks = new WaitingAsks();
  readonly #requests: Batches;
  readonly #answers: Batches;
  readonly #messageBytes: number;
  /** Messages in pieces: of answers, and of requests by address. */
  readonly #senders = new Set<Senders>();
  readonly #answerers = new Senders();
  readonly #sweeping: NodeJS.Timeout;
  readonly #probing: NodeJS.Timeout;
  /** The newest probe of each address whose requests have waited for long. */
  #probes: ReadonlyMap<string, number> = new Map();
  #message = 0;
  #isAway = false;

  constructor(
    private readonly connection: NatsConnection,
    private readonly prefix: string,
  ) {
    this.#messageBytes = connection.info?.max_payload ?? 0;
    assert(this.#messageBytes > 0, 'the server takes messages of some size');
    this.#inbox = `${prefix}.inbox.${randomBytes(12).toString('hex')}`;
    this.#requests = new Batches((address, parcels) => this.#sendRequests(address, parcels));
    this.#answers = new Batches((inbox, parcels) => this.#sendAnswers(inbox, parcels));
    connection.subscribe(`${this.#inbox}.*`, { callback: (_error, message) => this.#answered(message) });
    this.#senders.add(this.#answerers);
    this.#sweeping = setInterval(() => this.#forgetOld(), limits.busPiecesMs);
    this.#sweeping.unref();
    this.#probing = setInterval(() => this.#probe(), limits.busProbeMs);
    this.#probing.unref();
    void this.#watch();
  }

  /** Whether the bus is connected to the server. */
  get isConnected(): boolean {
    return !this.#isAway && !this.connection.isClosed();
  }

  /** Asks that wait for an answer. */
  get waiting(): number {
    return this.#asks.size;
  }

  /** Asks without an answer since the start, by the reason. */
  get unanswered(): Readonly<Record<Unanswered['why'], number>> {
    return this.#asks.unanswered;
  }

  async ask(address: string, request: Uint8Array, waitMs: number): Promise<Uint8Array> {
    if (!this.isConnected) {
      this.#asks.unanswered.away += 1;
      throw new Unanswered(address, 'away');
    }
    assert(request.length <= limits.busMessageBytes, `a request of ${request.length} bytes`);
    const { number, answer } = this.#asks.begin(address, waitMs);
    this.#requests.add(address, { number, bytes: request });
    return answer;
  }

  async serve(address: string, handler: BusHandler): Promise<() => Promise<void>> {
    const senders = new Senders();
    this.#senders.add(senders);
    const subscription = this.connection.subscribe(`${this.prefix}.${address}`, {
      callback: (_error, message) => this.#asked(message, senders, handler),
    });
    await this.connection.flush();
    return async () => {
      subscription.unsubscribe();
      this.#senders.delete(senders);
      if (!this.#isAway && !this.connection.isClosed()) await this.connection.flush();
    };
  }

  /** Does not close the connection, which belongs to the caller. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    clearInterval(this.#probing);
    this.#answers.sendAll();
    this.#asks.failAll('away');
    if (!this.connection.isClosed() && !this.#isAway) await this.connection.flush();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.#isAway = true;
      if (type === 'reconnect') this.#isAway = false;
    }
    this.#asks.failAll('away');
  }

  #sendRequests(address: string, parcels: readonly Parcel[]): void {
    if (this.#isAway || this.connection.isClosed()) {
      for (const { number } of parcels) this.#asks.failed(number, 'away');
      return;
    }
    const numbers = parcels.map(({ number }) => number);
    for (const bytes of messagesOf(parcels, this.#messageBytes)) {
      this.#message += 1;
      this.#asks.sent(numbers, this.#message);
      this.connection.publish(`${this.prefix}.${address}`, bytes, { reply: `${this.#inbox}.${this.#message}` });
    }
  }

  /** Answers are dropped while the server is away: their requests have timed out by the time that it is back. */
  #sendAnswers(inbox: string, parcels: readonly Parcel[]): void {
    if (this.#isAway || this.connection.isClosed()) return;
    for (const bytes of messagesOf(parcels, this.#messageBytes)) this.connection.publish(`${inbox}.${ANSWERS}`, bytes);
  }

  #answered({ subject, headers, data }: Msg): void {
    const last = subject.slice(this.#inbox.length + 1);
    if (last !== ANSWERS) {
      if (headers?.code === NO_RESPONDERS) this.#undeliverable(Number(last));
      return;
    }
    for (const { number, bytes } of this.#answerers.take(subject, data)) this.#asks.answered(number, bytes);
  }

  #asked({ reply = '', data }: Msg, senders: Senders, handler: BusHandler): void {
    const inbox = reply.slice(0, reply.lastIndexOf('.'));
    for (const { number, bytes } of senders.take(inbox, data)) {
      // The process of the handler reports what it throws; the sender of the request gets no answer.
      handler(bytes).then(
        (answer) => answer && this.#answers.add(inbox, { number, bytes: answer }),
        () => undefined,
      );
    }
  }

  #undeliverable(message: number): void {
    this.#asks.undeliverable(message);
    for (const [address, probe] of this.#probes) if (probe === message) this.#asks.lost(address, message);
  }

  /**
   * An empty message, which no process answers: the server reports when nobody receives it. So a process that died with requests in hand is
   * noticed long before these time out.
   */
  #probe(): void {
    if (!this.isConnected) return;
    this.#probes = new Map([...this.#asks.addressesWaiting(limits.busProbeMs)].map((address) => [address, (this.#message += 1)]));
    for (const [address, message] of this.#probes)
      this.connection.publish(`${this.prefix}.${address}`, NO_PIECE, { reply: `${this.#inbox}.${message}` });
  }

  #forgetOld(): void {
    for (const senders of this.#senders) senders.forgetOld();
  }
}

/** Sends together what goes to one address within one turn of the event loop. */
class Batches {
  readonly #parcels = new Map<string, Parcel[]>();
  #isSoon = false;

  constructor(private readonly send: (to: string, parcels: readonly Parcel[]) => void) {}

  add(to: string, parcel: Parcel): void {
    const parcels = this.#parcels.get(to);
    if (parcels) parcels.push(parcel);
    else this.#parcels.set(to, [parcel]);
    if (this.#isSoon) return;
    this.#isSoon = true;
    setImmediate(() => this.sendAll());
  }

  sendAll(): void {
    this.#isSoon = false;
    const batches = [...this.#parcels];
    this.#parcels.clear();
    for (const [to, parcels] of batches) this.send(to, parcels);
  }
}

/** A bus for the parts of one process. Requests are delivered in the next turn of the event loop, as those of other processes are. */
export class LocalBus implements Bus {
  readonly #handlers = new Map<string, Set<BusHandler>>();
  readonly #asks = new WaitingAsks();

  async ask(address: string, request: Uint8Array, waitMs: number): Promise<Uint8Array> {
    const { number, answer } = this.#asks.begin(address, waitMs);
    setImmediate(() => this.#deliver(address, number, request));
    return answer;
  }

  async serve(address: string, handler: BusHandler): Promise<() => Promise<void>> {
    const handlers = this.#handlers.get(address) ?? new Set();
    this.#handlers.set(address, handlers.add(handler));
    return async () => void handlers.delete(handler);
  }

  async close(): Promise<void> {
    this.#handlers.clear();
    this.#asks.failAll('away');
  }

  #deliver(address: string, number: number, request: Uint8Array): void {
    const handlers = [...(this.#handlers.get(address) ?? [])];
    if (handlers.length === 0) return this.#asks.failed(number, 'nobody');
    for (const handler of handlers) {
      // As over a network: the sender of the request gets no answer when a handler throws.
      handler(request).then(
        (answer) => answer && this.#asks.answered(number, answer),
        () => undefined,
      );
    }
  }
}
