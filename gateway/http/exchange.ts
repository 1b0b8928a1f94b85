import { STATUS_CODES } from 'node:http';
import { LIMITS } from '../limits.js';
import type { Load } from './load.js';
import type { EarlyRefusal, HttpHandler, HttpReply, HttpStreamReply, RequestHead, StreamConnection } from './message.js';
import type { UwsResponse } from './uws.js';

export interface ExchangeOptions {
  readonly handle: HttpHandler;
  /** Requests that may be under way at once. */
  readonly concurrentRequests: number;
  /** The answer to a request that is refused before it was received wholly. */
  readonly refuse: (head: RequestHead, reason: EarlyRefusal) => HttpReply;
}

/** One request and its answer. It counts as load from its head to its answer, also when nobody waits any more. */
export class Exchange {
  #isAborted = false;
  #hasLeft = false;
  readonly #chunks: Buffer[] = [];
  #bodyBytes = 0;
  #onAbort = (): void => this.#leave();

  constructor(
    private readonly options: ExchangeOptions,
    private readonly load: Load,
    private readonly response: UwsResponse,
    private readonly head: RequestHead,
  ) {
    load.requests += 1;
    response.onAborted(() => {
      this.#isAborted = true;
      this.#onAbort();
    });
  }

  receive(): void {
    const { headers } = this.head;
    if (this.load.requests > this.options.concurrentRequests) return this.#refuse('overloaded');
    if (Number(headers['content-length']) > LIMITS.bodyBytes) return this.#refuse('bodyTooLarge');
    const hasBody = headers['transfer-encoding'] !== '' || (headers['content-length'] !== '' && headers['content-length'] !== '0');
    if (!hasBody) return void this.answer();
    this.response.onData((chunk, isLast) => {
      if (this.#hasLeft) return;
      this.#bodyBytes += chunk.byteLength;
      this.load.bodyBytes += chunk.byteLength;
      if (this.#bodyBytes > LIMITS.bodyBytes) return this.#refuse('bodyTooLarge');
      if (this.load.bodyBytes > LIMITS.bodyBytesInFlight) return this.#refuse('overloaded');
      this.#chunks.push(Buffer.from(new Uint8Array(chunk)));
      if (isLast) void this.answer();
    });
  }

  /** `upgrade` takes a stream's reply over; by default it goes on as the body of this response. */
  async answer(upgrade?: (reply: HttpStreamReply) => void): Promise<void> {
    this.#onAbort = () => {};
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    const reply = await this.options.handle({ ...this.head, body });
    this.#leave();
    if (this.#isAborted) return;
    if (!('start' in reply)) this.#send(reply, false);
    else if (upgrade) upgrade(reply);
    else this.#stream(reply);
  }

  #refuse(reason: EarlyRefusal): void {
    this.#leave();
    this.#send(this.options.refuse(this.head, reason), true);
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
      if (this.head.method === 'HEAD') this.response.endWithoutBody(Buffer.byteLength(reply.body), true);
      else if (reply.status === 204) this.response.endWithoutBody(undefined, closes);
      else this.response.end(reply.body, closes);
    });
  }

  #sendHead(reply: HttpReply | HttpStreamReply): void {
    this.response.writeStatus(`${reply.status} ${STATUS_CODES[reply.status] ?? ''}`);
    for (const name in reply.headers) this.response.writeHeader(name, reply.headers[name] ?? '');
  }

  #stream(reply: HttpStreamReply): void {
    const { response } = this;
    const connection: StreamConnection = {
      write: (text) => {
        let isTaken = false;
        if (!this.#isAborted) response.cork(() => void (isTaken = response.write(text)));
        return isTaken;
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
        this.#onAbort();
      },
      cut: () => {
        if (!this.#isAborted) response.close();
      },
    };
    response.cork(() => this.#sendHead(reply));
    reply.start(connection);
  }
}
