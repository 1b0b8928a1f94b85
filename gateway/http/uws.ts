import './environment.js';
import { STATUS_CODES } from 'node:http';
import {
  App, type HttpRequest as UwsRequest, type HttpResponse as UwsResponse, type us_listen_socket, us_listen_socket_close, us_socket_local_port,
} from 'uWebSockets.js';
import { LIMITS } from '../limits.js';
import {
  type HeaderName, type HttpHandler, type HttpReply, type HttpStreamReply, REQUEST_HEADERS, type RequestHead,
  type StreamConnection,
} from './message.js';

/*
 * The only file that knows the server library. Its rules: a request may be read only during the callback, so all
 * that is wanted of it is copied first; `onAborted` is set before the first await, and nothing may be sent after
 * it; the chunks of a body lose their memory when the callback returns; what is sent later is sent corked.
 */

export type EarlyRefusal = 'bodyTooLarge' | 'overloaded';

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly handle: HttpHandler;
  /** The answer to a request that is refused before it was received wholly. */
  readonly refuse: (head: RequestHead, reason: EarlyRefusal) => HttpReply;
}

export interface HttpServer {
  readonly port: number;
  inFlight(): number;
  /** Takes no more connections, lets the requests under way finish within a bound, then closes all. */
  close(): Promise<void>;
}

export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  const app = App();
  const load = new Load();
  app.any('/*', (response, request) => new Exchange(options, load, response, readHead(response, request)).receive());
  const socket = await new Promise<us_listen_socket | false>((resolve) => app.listen(options.host, options.port, resolve));
  if (!socket) throw new Error(`cannot listen on ${options.host} port ${options.port}: is it in use?`);
  return {
    port: us_socket_local_port(socket),
    inFlight: () => load.requests,
    async close() {
      us_listen_socket_close(socket);
      await load.idleWithin(LIMITS.drainMs);
      app.close();
    },
  };
}

/** What all requests together hold at the moment. */
class Load {
  requests = 0;
  bodyBytes = 0;
  #onIdle = (): void => {};

  leave(bodyBytes: number): void {
    this.requests -= 1;
    this.bodyBytes -= bodyBytes;
    if (this.requests === 0) this.#onIdle();
  }

  async idleWithin(milliseconds: number): Promise<void> {
    if (this.requests === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
  }
}

/** One request and its answer. It counts as load from its first byte to its answer, also when nobody waits any more. */
class Exchange {
  #isAborted = false;
  #isLeft = false;
  #chunks: Buffer[] = [];
  #bodyBytes = 0;
  #onAbort = (): void => this.#leave();

  constructor(
    private readonly options: HttpServerOptions,
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
    if (this.load.requests > LIMITS.concurrentRequests) return this.#refuse('overloaded');
    if (Number(headers['content-length']) > LIMITS.bodyBytes) return this.#refuse('bodyTooLarge');
    const hasBody = headers['transfer-encoding'] !== '' || (headers['content-length'] !== '' && headers['content-length'] !== '0');
    if (!hasBody) return void this.#answer();
    this.response.onData((chunk, isLast) => {
      if (this.#isLeft) return;
      this.#bodyBytes += chunk.byteLength;
      this.load.bodyBytes += chunk.byteLength;
      if (this.#bodyBytes > LIMITS.bodyBytes) return this.#refuse('bodyTooLarge');
      if (this.load.bodyBytes > LIMITS.bodyBytesInFlight) return this.#refuse('overloaded');
      this.#chunks.push(Buffer.from(new Uint8Array(chunk)));
      if (isLast) void this.#answer();
    });
  }

  async #answer(): Promise<void> {
    this.#onAbort = () => {};
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    const reply = await this.options.handle({ ...this.head, body });
    this.#leave();
    if (this.#isAborted) return;
    if ('start' in reply) this.#stream(reply);
    else this.#send(reply, false);
  }

  #refuse(reason: EarlyRefusal): void {
    this.#leave();
    this.#send(this.options.refuse(this.head, reason), true);
  }

  #leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.load.leave(this.#bodyBytes);
  }

  #send(reply: HttpReply, closes: boolean): void {
    this.response.cork(() => {
      this.#sendHead(reply);
      // The library cannot send a length without a body and keep the connection.
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

function readHead(response: UwsResponse, request: UwsRequest): RequestHead {
  const headers = {} as Record<HeaderName, string>;
  for (const name of REQUEST_HEADERS) headers[name] = request.getHeader(name);
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    queryText: request.getQuery(),
    headers,
    peerAddress: plainAddress(Buffer.from(response.getRemoteAddressAsText()).toString('latin1')),
    isUpgrade: false,
  };
}

const MAPPED_IPV4 = '0000:0000:0000:0000:0000:ffff:';

/** A dual-stack socket tells IPv4 clients as `::ffff:7f00:0001`. */
function plainAddress(text: string): string {
  if (!text.startsWith(MAPPED_IPV4)) return text;
  const [high = 0, low = 0] = text.slice(MAPPED_IPV4.length).split(':').map((group) => Number.parseInt(group, 16));
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
