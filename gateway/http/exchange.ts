import { STATUS_CODES } from 'node:http';
import { LIMITS } from '../limits.js';
import type { ReceivedRequest } from './head.js';
import type { Load } from './load.js';
import type { EarlyRefusal, HttpHandler, HttpReply, HttpStreamReply, RequestHead, StreamConnection } from './message.js';
import type { UwsResponse } from './uws.js';

export interface ExchangeOptions {
  readonly handle: HttpHandler;
  /** Requests that may be under way at once. */
  readonly concurrentRequests: number;
  /** Bytes that the body of a request may have where it is not `LIMITS.bodyBytes`; asked for those that have more. */
  readonly bodyLimit?: (head: RequestHead) => number;
  /** The answer to a request that is refused before it was received wholly. */
  readonly refuse: (head: RequestHead, reason: EarlyRefusal) => HttpReply;
  /** The answer when the handler has thrown; tells the operator of it. Throws nothing itself. */
  readonly failed: (head: RequestHead, cause: unknown) => HttpReply;
}

/** One request and its answer. It counts as load from its head to its answer, also when nobody waits any more. */
export class Exchange {
  #isAborted = false;
  #hasLeft = false;
  #isReceived = false;
  /** Of a body in more than one part, all but the last. */
  #chunks: Buffer[] | null = null;
  #bodyBytes = 0;
  /** What an abort tells; until the whole request has come, that it no longer counts. */
  #onAbort: (() => void) | null = null;

  constructor(
    private readonly options: ExchangeOptions,
    private readonly load: Load,
    private readonly response: UwsResponse,
    private readonly request: ReceivedRequest,
  ) {
    load.requests += 1;
    response.onAborted(() => {
      this.#isAborted = true;
      if (!this.#isReceived) this.#leave();
      this.#onAbort?.();
    });
  }

  receive(): void {
    const { headers } = this.request;
    if (this.load.requests > this.options.concurrentRequests) return this.#refuse('overloaded');
    if (this.#isTooLarge(Number(headers['content-length']))) return this.#refuse('bodyTooLarge');
    const hasBody = headers['transfer-encoding'] !== '' || (headers['content-length'] !== '' && headers['content-length'] !== '0');
    if (!hasBody) return void this.answer();
    this.response.onData((chunk, isLast) => {
      if (this.#hasLeft) return;
      this.#bodyBytes += chunk.byteLength;
      this.load.bodyBytes += chunk.byteLength;
      if (this.#isTooLarge(this.#bodyBytes)) return this.#refuse('bodyTooLarge');
      if (this.load.bodyBytes > LIMITS.bodyBytesInFlight) return this.#refuse('overloaded');
      const part = Buffer.from(new Uint8Array(chunk)); // a copy: the chunk's memory is lost after the callback
      if (!isLast) return void (this.#chunks ??= []).push(part);
      this.request.body = this.#chunks === null ? part : Buffer.concat([...this.#chunks, part]);
      void this.answer();
    });
  }

  /** Which path takes more is asked for the few that send more. */
  #isTooLarge(bytes: number): boolean {
    return bytes > LIMITS.bodyBytes && bytes > (this.options.bodyLimit?.(this.request) ?? LIMITS.bodyBytes);
  }

  /** `upgrade` takes a stream's reply over; by default it goes on as the body of this response. */
  async answer(upgrade?: (reply: HttpStreamReply) => void): Promise<void> {
    this.#isReceived = true;
    let reply: HttpReply | HttpStreamReply;
    try {
      reply = await this.options.handle(this.request);
    } catch (cause) {
      reply = this.options.failed(this.request, cause); // nobody waits for an exchange: what is not caught here would end the process
    }
    this.#leave();
    if (this.#isAborted) return;
    if (!('start' in reply)) this.#send(reply, false);
    else if (upgrade) upgrade(reply);
    else this.#stream(reply);
  }

  #refuse(reason: EarlyRefusal): void {
    this.#leave();
    this.#send(this.options.refuse(this.request, reason), true);
  }

  #leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.load.leave(this.#bodyBytes);
  }

  #send(reply: HttpReply, closes: boolean): void {
    this.response.cork(() => {
      this.#sendHead(reply);
      // The library cannot tell a length without a body and keep the connection.
      if (this.request.method === 'HEAD') this.response.endWithoutBody(Buffer.byteLength(reply.body), true);
      // Called with nothing at all: a length of `undefined` is told as 2^63, and the connection waits for that body.
      else if (reply.status === 204) this.response.endWithoutBody();
      else this.response.end(reply.body, closes);
    });
  }

  #sendHead(reply: HttpReply | HttpStreamReply): void {
    const { status, shared, headers } = reply;
    this.response.writeStatus(STATUS_LINES.get(status) ?? String(status));
    if (shared) this.response.writeHeader(shared.name, shared.value);
    for (const name in headers) this.response.writeHeader(name, headers[name] ?? '');
  }

  #stream(reply: HttpStreamReply): void {
    const { response } = this;
    const connection: StreamConnection = {
      write: (content) => {
        let isTaken = false;
        if (!this.#isAborted) response.cork(() => void (isTaken = response.write(content)));
        return isTaken;
      },
      together: (run) => {
        if (!this.#isAborted) response.cork(run);
      },
      onDrain: (listener) => {
        response.onWritable(() => {
          listener();
          return true;
        });
      },
      onClose: (listener) => {
        this.#onAbort = listener;
      },
      end: () => {
        if (this.#isAborted) return;
        this.#isAborted = true;
        response.cork(() => response.end());
        this.#onAbort?.();
      },
      cut: () => {
        if (!this.#isAborted) response.close();
      },
    };
    response.cork(() => this.#sendHead(reply));
    reply.start(connection);
  }
}

/** `200 OK`, by the status. */
const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([status, name]) => [Number(status), `${status} ${name ?? ''}`]),
);
