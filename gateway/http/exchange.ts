import { STATUS_CODES } from 'node:http';
import { must } from '../../engine/index.js';
import { networkOf } from '../auth/addresses.js';
import { LIMITS } from '../limits.js';
import { BodyReader } from './body-reader.js';
import type { Load } from './load.js';
import type { Admission, EarlyRefusal, HttpHandler, HttpReply, HttpStreamReply, RequestHead, StreamConnection } from './message.js';
import type { ReceivedRequest } from './request-head.js';
import type { UwsResponse } from './uws.js';

export interface ExchangeOptions {
  readonly handle: HttpHandler;
  /** Requests that may be under way at once. */
  readonly concurrentRequests: number;
  /** The first time limit of a body, in milliseconds; default `LIMITS.bodyMs`. */
  readonly bodyMs?: number;
  /** Called for each request with a body, before any of the body is kept. Throws nothing. */
  readonly admit?: (head: RequestHead) => Admission | Promise<Admission>;
  /** The answer to a request that is refused before it was received wholly. */
  readonly refuse: (head: RequestHead, reason: EarlyRefusal) => HttpReply;
  /** The answer when the handler has thrown; also logs the cause. Throws nothing itself. */
  readonly failed: (head: RequestHead, cause: unknown) => HttpReply;
}

/**
 * The exchanges of one server. The library keeps its handlers until the process ends, so they refer to what serves through this, which
 * forgets it: a closed server then holds no engine in memory.
 */
export class Exchanges {
  #options: ExchangeOptions | null;

  constructor(
    options: ExchangeOptions,
    private readonly load: Load,
  ) {
    this.#options = options;
  }

  begin(response: UwsResponse, request: ReceivedRequest): Exchange {
    return new Exchange(must(this.#options, 'the server is open'), this.load, response, request);
  }

  /** After the library has closed all connections. */
  end(): void {
    this.#options = null;
  }
}

/** One request and its answer. It counts as load from its head to its answer, even after the client has gone. */
class Exchange {
  #isAborted = false;
  #hasLeft = false;
  #isReceived = false;
  #body: BodyReader | null = null;
  /** Called when the client aborts a stream. */
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
    if (this.load.requests > this.options.concurrentRequests) return this.#end(this.options.refuse(this.request, 'overloaded'), true);
    const hasBody = headers['transfer-encoding'] !== '' || (headers['content-length'] !== '' && headers['content-length'] !== '0');
    if (!hasBody) return void this.answer();
    const declared = headers['transfer-encoding'] === '' ? Number(headers['content-length']) : null;
    this.#body = new BodyReader(this.response, this.load, { declared, bodyMs: this.options.bodyMs ?? LIMITS.bodyMs });
    const admission = this.options.admit?.(this.request) ?? this.#admitAll();
    if (!(admission instanceof Promise)) return this.#takeBody(admission, this.#body);
    const body = this.#body;
    body.hold();
    void admission.then((later) => {
      if (!this.#isAborted) this.#takeBody(later, body);
    });
  }

  #admitAll(): Admission {
    const { handle, refuse } = this.options;
    return {
      type: 'admitted',
      bodyBytes: LIMITS.bodyBytes,
      network: networkOf(this.request.peerAddress),
      answer: handle,
      refuse: (reason) => refuse(this.request, reason),
    };
  }

  #takeBody(admission: Admission, body: BodyReader): void {
    if (admission.type === 'refused') {
      body.skip((isWhole) => this.#end(admission.reply, !isWhole));
      return;
    }
    const { bodyBytes, network, answer, refuse } = admission;
    body.read({ bodyBytes, network }, (outcome) => {
      if (typeof outcome === 'string') return this.#end(refuse(outcome), true);
      this.request.body = outcome;
      void this.answer(undefined, answer);
    });
  }

  /** `upgrade` takes over the reply of a stream; without it the stream is the body of this response. */
  async answer(upgrade?: (reply: HttpStreamReply) => void, handle = this.options.handle): Promise<void> {
    this.#isReceived = true;
    let reply: HttpReply | HttpStreamReply;
    try {
      reply = await handle(this.request);
    } catch (cause) {
      reply = this.options.failed(this.request, cause); // nothing awaits an exchange: an error that is not caught here ends the process
    }
    this.#leave();
    if (this.#isAborted) return;
    if (!('start' in reply)) this.#send(reply, false);
    else if (upgrade) upgrade(reply);
    else this.#stream(reply);
  }

  #end(reply: HttpReply, closes: boolean): void {
    this.#isReceived = true;
    this.#leave();
    if (!this.#isAborted) this.#send(reply, closes);
  }

  #leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#body?.end();
    this.load.leave();
  }

  #send(reply: HttpReply, closes: boolean): void {
    this.response.cork(() => {
      this.#sendHead(reply);
      // The library closes the connection where a length is sent without a body, unless it is called like this.
      if (this.request.method === 'HEAD') this.response.endWithoutBody(Buffer.byteLength(reply.body), true);
      // Called without an argument: the library sends a length of `undefined` as 2^63, and the client waits for that body.
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
