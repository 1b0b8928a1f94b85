import { LIMITS } from '../limits.js';
import { type ExchangeOptions, Exchanges } from './exchange.js';
import { Load } from './load.js';
import { readHead } from './request-head.js';
import {
  App,
  LIBUS_LISTEN_EXCLUSIVE_PORT,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from './uws.js';
import { acceptSockets } from './web-socket.js';

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
  const exchanges = new Exchanges(options, load);
  acceptSockets(app, options.socketPath, exchanges);
  acceptRequests(app, exchanges);
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
    exchanges.end();
  };
  return { port, inFlight: () => load.requests, close: () => (closed ??= close()) };
}

/** Apart from `listen`, since a handler keeps all that the functions around it use. */
function acceptRequests(app: TemplatedApp, exchanges: Exchanges): void {
  app.any('/*', (response, request) => exchanges.begin(response, readHead(response, request, false)).receive());
}
