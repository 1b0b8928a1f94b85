import { LIMITS } from '../limits.js';
import type { Load } from './load.js';
import type { EarlyRefusal } from './message.js';
import type { UwsResponse } from './uws.js';

/** The largest size of a body, and the client's network: the addresses of one subscriber share the bytes that it may send at once. */
export interface BodyBounds {
  readonly bodyBytes: number;
  readonly network: string;
}

/** Reads the body of a request, and keeps nothing of it before `read` is called. Made in the callback of the request, as it must be. */
export class BodyReader {
  /** The body where its length is known. Parts are copied as they come: joining 24 MB at the end would hold the thread. */
  #whole: Buffer | null = null;
  /** The parts where the length is unknown. */
  #chunks: Buffer[] = [];
  #received = 0;
  #taken: { readonly network: string; bytes: number } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #onChunk: (chunk: ArrayBuffer, isLast: boolean) => void;
  /** Bytes that came before `read` or `skip` was called: the library had read them before it was paused. */
  #early: { readonly part: Buffer; readonly isLast: boolean }[] = [];
  #isHeld = false;

  /** `declared`: the length of the body, null where that is not known beforehand. */
  constructor(
    private readonly response: UwsResponse,
    private readonly load: Load,
    private readonly options: { readonly declared: number | null; readonly bodyMs: number },
  ) {
    this.#onChunk = (chunk, isLast) => this.#early.push({ part: copied(chunk), isLast });
    response.onData((chunk, isLast) => this.#onChunk(chunk, isLast));
  }

  /** Reads nothing more from the connection until `read` or `skip` is called. */
  hold(): void {
    this.#isHeld = true;
    this.response.pause();
  }

  /** Discards the body where it is short; `then` gets whether all of it has arrived. */
  skip(then: (isWhole: boolean) => void): void {
    if (this.options.declared === null || this.options.declared > LIMITS.unwantedBodyBytes) return then(false);
    this.#begin((_part, isLast) => {
      if (!isLast) return;
      this.end();
      then(true);
    });
    this.#time(() => then(false));
  }

  /** Calls `then` once, with all of the body or the reason of a refusal. */
  read(bounds: BodyBounds, then: (outcome: Buffer | EarlyRefusal) => void): void {
    const { bodyBytes, network } = bounds;
    const refuse = (reason: EarlyRefusal): void => {
      this.end();
      then(reason);
    };
    if (this.options.declared !== null && this.options.declared > bodyBytes) return refuse('bodyTooLarge');
    if (!this.#take(network, this.options.declared ?? 0)) return refuse('overloaded');
    let isOver = false;
    this.#begin((part, isLast) => {
      if (isOver) return;
      this.#received += part.length;
      isOver = true;
      if (this.#received > (this.options.declared ?? bodyBytes) || this.#received > bodyBytes) return refuse('bodyTooLarge');
      if (this.options.declared === null && !this.#take(network, part.length)) return refuse('overloaded');
      isOver = isLast;
      this.#keep(part);
      if (!isLast) return;
      this.#stop();
      then(this.#whole?.subarray(0, this.#received) ?? Buffer.concat(this.#chunks));
    });
    if (!isOver)
      this.#time(() => {
        isOver = true;
        refuse('bodyTooSlow');
      });
  }

  /** Drops the body, and takes its bytes off the load. */
  end(): void {
    this.#stop();
    this.#whole = null;
    this.#chunks = [];
    this.#early = [];
    this.#onChunk = () => undefined;
    if (this.#taken) this.load.free(this.#taken.network, this.#taken.bytes);
    this.#taken = null;
  }

  /** Copies the part that came last: its memory is freed after the callback. */
  #keep(part: Uint8Array): void {
    if (this.options.declared === null) {
      this.#chunks.push(Buffer.from(part));
      return;
    }
    this.#whole ??= Buffer.allocUnsafe(this.options.declared);
    this.#whole.set(part, this.#received - part.length);
  }

  #begin(onPart: (part: Uint8Array, isLast: boolean) => void): void {
    this.#onChunk = (chunk, isLast) => onPart(new Uint8Array(chunk), isLast);
    const early = this.#early;
    this.#early = [];
    for (const { part, isLast } of early) onPart(part, isLast);
    if (this.#isHeld) this.response.resume();
    this.#isHeld = false;
  }

  #take(network: string, bytes: number): boolean {
    if (!this.load.take(network, bytes)) return false;
    this.#taken ??= { network, bytes: 0 };
    this.#taken.bytes += bytes;
    return true;
  }

  /** A body that comes in one piece needs no timer. */
  #time(late: () => void): void {
    const before = this.#received;
    const { bodyMs } = this.options;
    this.#timer = setTimeout(() => {
      if (this.#received - before >= (LIMITS.bodyBytesASecond * bodyMs) / 1000) return this.#time(late);
      this.end();
      late();
    }, bodyMs).unref();
  }

  #stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** Copies the chunk: its memory is freed after the callback. */
const copied = (chunk: ArrayBuffer): Buffer => Buffer.from(new Uint8Array(chunk));
