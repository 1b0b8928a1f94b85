import { LIMITS } from '../limits.js';
import { Exchange, type ExchangeOptions } from './exchange.js';
import type { HttpRequest, HttpStreamReply, StreamConnection } from './message.js';
import {
  App,
  LIBUS_LISTEN_EXCLUSIVE_PORT,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type UwsRequest,
  type UwsResponse,
  type UwsSocket,
} from './uws.js';

/** A request whose body may not have arrived yet. */
export type ReceivedRequest = Omit<HttpRequest, 'body'> & { body: Buffer };

const NO_BODY = Buffer.alloc(0);

/** Copies the head of a request: the library frees it after the callback. */
function readHead(response: UwsResponse, request: UwsRequest, isUpgrade: boolean): ReceivedRequest {
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    // The library's types hide that it is undefined without a question mark.
    queryText: request.getQuery() || '',
    headers: readHeaders(request),
    peerAddress: plainAddress(Buffer.from(response.getRemoteAddressAsText()).toString('latin1')),
    isUpgrade,
    body: NO_BODY,
  };
}

/**
 * The first line counts where a field is sent twice. Lines of proxies are joined, since each proxy may add its own (RFC 9110 5.3).
 */
function readHeaders(request: UwsRequest): ReceivedRequest['headers'] {
  // Written out, so that all requests have one shape.
  const headers = {
    authorization: '',
    'content-length': '',
    'content-type': '',
    host: '',
    'idempotency-key': '',
    'last-event-id': '',
    'tenor-unknown-fields': '',
    'transfer-encoding': '',
    'x-api-key': '',
    'x-api-version': '',
    'x-forwarded-for': '',
    'x-forwarded-proto': '',
    'x-request-id': '',
    'x-signature': '',
    x_api_key: '',
  };
  // One walk over all lines: the library's lookup by name finds the first line alone.
  request.forEach((name, value) => {
    switch (name) {
      case 'x-forwarded-for':
      case 'x-forwarded-proto':
        headers[name] = headers[name] === '' ? value : `${headers[name]},${value}`;
        break;
      case 'authorization':
      case 'content-length':
      case 'content-type':
      case 'host':
      case 'idempotency-key':
      case 'last-event-id':
      case 'tenor-unknown-fields':
      case 'transfer-encoding':
      case 'x-api-key':
      case 'x-api-version':
      case 'x-request-id':
      case 'x-signature':
      case 'x_api_key':
        if (headers[name] === '') headers[name] = value;
        break;
      default:
        // Providers of texts put their own name into it.
        if (name.startsWith('x-') && name.endsWith('-signature') && headers['x-signature'] === '') headers['x-signature'] = value;
    }
  });
  return headers;
}

const MAPPED_IPV4 = '0000:0000:0000:0000:0000:ffff:';

/** A dual-stack socket reports IPv4 clients as `::ffff:7f00:0001`. */
function plainAddress(text: string): string {
  if (!text.startsWith(MAPPED_IPV4)) return text;
  const [high = 0, low = 0] = text
    .slice(MAPPED_IPV4.length)
    .split(':')
    .map((group) => Number.parseInt(group, 16));
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** Counts the requests under way and the bytes of their bodies. */
export class Load {
  requests = 0;
  #bodyBytes = 0;
  /** Bytes by the address that sends them. */
  readonly #bytesOf = new Map<string, number>();
  #onIdle = (): void => {};

  leave(): void {
    this.requests -= 1;
    if (this.requests === 0) this.#onIdle();
  }

  /** Counts bytes of a body before they arrive; false where that exceeds the limit of the address or of all together. */
  take(address: string, bytes: number): boolean {
    const ofAddress = (this.#bytesOf.get(address) ?? 0) + bytes;
    if (ofAddress > LIMITS.bodyBytesOfAddress || this.#bodyBytes + bytes > LIMITS.bodyBytesInFlight) return false;
    this.#bytesOf.set(address, ofAddress);
    this.#bodyBytes += bytes;
    return true;
  }

  /** Takes bytes off the count. */
  free(address: string, bytes: number): void {
    const left = (this.#bytesOf.get(address) ?? 0) - bytes;
    if (left > 0) this.#bytesOf.set(address, left);
    else this.#bytesOf.delete(address);
    this.#bodyBytes -= bytes;
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

/** The state that a WebSocket carries from its upgrade on. */
interface SocketData {
  readonly start: HttpStreamReply['start'];
  isOpen: boolean;
  onDrain: () => void;
  onClose: () => void;
}

/** Accepts WebSockets on a path. Their request is handled like any other until it is upgraded. */
function acceptSockets(app: TemplatedApp, path: string, options: ExchangeOptions, load: Load): void {
  app.ws<SocketData>(path, {
    maxPayloadLength: LIMITS.socketMessageBytes,
    maxBackpressure: LIMITS.streamBufferBytes * 2,
    closeOnBackpressureLimit: true,
    idleTimeout: LIMITS.socketIdleSeconds,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) => {
      const key = request.getHeader('sec-websocket-key');
      const protocol = request.getHeader('sec-websocket-protocol');
      const extensions = request.getHeader('sec-websocket-extensions');
      const exchange = new Exchange(options, load, response, readHead(response, request, true));
      void exchange.answer(({ start }) => {
        const data: SocketData = { start, isOpen: true, onDrain: () => {}, onClose: () => {} };
        response.cork(() => response.upgrade(data, key, protocol, extensions, context));
      });
    },
    open: (socket) => socket.getUserData().start(connectionOf(socket)),
    drain: (socket) => socket.getUserData().onDrain(),
    close: (socket) => {
      const data = socket.getUserData();
      data.isOpen = false;
      data.onClose();
    },
  });
}

function connectionOf(socket: UwsSocket<SocketData>): StreamConnection {
  const data = socket.getUserData();
  return {
    write: (content) => {
      if (!data.isOpen) return false;
      socket.send(content);
      // Sending closes the socket at once where too much waits in it already.
      return data.isOpen && socket.getBufferedAmount() <= LIMITS.streamBufferBytes;
    },
    together: (run) => {
      if (data.isOpen) socket.cork(run);
    },
    onDrain: (listener) => {
      data.onDrain = listener;
    },
    onClose: (listener) => {
      data.onClose = listener;
    },
    end: () => {
      if (data.isOpen) socket.end(GOING_AWAY, 'the server is closing');
    },
    cut: () => {
      if (data.isOpen) socket.close();
    },
  };
}

/** RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;

export interface HttpServerOptions extends ExchangeOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** The path of WebSockets. */
  readonly socketPath: string;
}

export interface HttpServer {
  readonly port: number;
  inFlight(): number;
  /** Accepts no more connections, lets the requests under way finish within a time limit, then closes all. Further calls do nothing. */
  close(): Promise<void>;
}

/** Throws when the address is in use. */
export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  const app = App();
  const load = new Load();
  acceptSockets(app, options.socketPath, options, load);
  app.any('/*', (response, request) => new Exchange(options, load, response, readHead(response, request, false)).receive());
  // Without this the library shares a port among processes, and the kernel gives each a part of the connections.
  const exclusively = LIBUS_LISTEN_EXCLUSIVE_PORT;
  const socket = await new Promise<us_listen_socket | false>((resolve) => app.listen(options.host, options.port, exclusively, resolve));
  if (!socket)
    throw new Error(
      `cannot listen on ${options.host} port ${options.port}: is it in use? Stop the process that serves it, or choose another port`,
    );
  const port = us_socket_local_port(socket);
  // Once closed, the library's sockets are freed memory: closing them again could end the process.
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    us_listen_socket_close(socket);
    await load.idleWithin(LIMITS.drainMs);
    app.close();
  };
  return { port, inFlight: () => load.requests, close: () => (closed ??= close()) };
}
