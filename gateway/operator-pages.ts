import type { Registry } from 'prom-client';
import type { ShardsReport } from '../actors/index.js';
import { clientAddress, isWithin } from './auth/addresses.js';
import type { HttpReply, HttpRequest } from './http/message.js';
import { listen } from './http/http-server.js';

/** A document outside of the interface: health, metrics, the description of the interface. */
export interface Page {
  readonly path: string;
  /** Served only to addresses that the operator allows. */
  readonly isForOperators?: true;
  respond(): HttpReply | Promise<HttpReply>;
}

/** Who may read the pages for operators. */
export interface PageReaders {
  /** Addresses and blocks. */
  readonly operators: readonly string[];
  /** Addresses and blocks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
}

/** The answer to a request for one of the pages; undefined for other paths, and for pages that the client may not read. */
export function pageAnswers(
  pages: readonly Page[],
  { operators, trustedProxies }: PageReaders,
): (request: HttpRequest) => ReturnType<Page['respond']> | undefined {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return ({ method, path, peerAddress, headers }) => {
    const page = byPath.get(path);
    if (!page || (method !== 'GET' && method !== 'HEAD')) return undefined;
    if (page.isForOperators && !isWithin(operators, clientAddress(peerAddress, headers['x-forwarded-for'], trustedProxies)))
      return undefined;
    return page.respond();
  };
}

const plainText = (status: number, body: string): HttpReply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body,
});

const json = (status: number, body: unknown): HttpReply => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: JSON.stringify(body),
});

/** The state of the parts behind the gateway. */
export interface Readiness {
  readonly ready: boolean;
  /** The state of each part, for the operator: `{ journal: 'writable' }`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** `/health/live`: the process answers. `/health/ready`: it can take writes. */
function healthPages(readiness: () => Readiness, isDraining: () => boolean): readonly Page[] {
  return [
    { path: '/health/live', respond: () => json(200, { status: 'live' }) },
    {
      path: '/health/ready',
      respond: () => {
        const { ready, parts } = readiness();
        if (isDraining()) return json(503, { status: 'draining', parts });
        return json(ready ? 200 : 503, { status: ready ? 'ready' : 'notReady', parts });
      },
    },
  ];
}

/** `/metrics`, for operators, in the text format of Prometheus. */
function metricsPage(registry: Registry): Page {
  return {
    path: '/metrics',
    isForOperators: true,
    respond: async () => ({ status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() }),
  };
}

/** This machine and private networks. */
export const PRIVATE_ADDRESSES = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** The sources of the pages for operators. */
export interface OperatorPagesOptions {
  readonly readiness: () => Readiness;
  readonly registry: Registry;
  /** The state of the shards: of this process, or of the whole cluster. */
  readonly shards: () => Promise<ShardsReport>;
}

export const operatorPages = ({ readiness, registry, shards }: OperatorPagesOptions, isDraining: () => boolean): readonly Page[] => [
  ...healthPages(readiness, isDraining),
  metricsPage(registry),
  shardsPage(shards),
];

/** `/health/shards`, which `tenor shards` prints. */
const shardsPage = (shards: () => Promise<ShardsReport>): Page => ({
  path: '/health/shards',
  isForOperators: true,
  respond: async () => {
    try {
      return json(200, await shards());
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return json(503, { message: `The state of the shards is not available at the moment: ${reason}` });
    }
  },
});

export interface OperatorServerOptions extends OperatorPagesOptions, PageReaders {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly onFailure: (cause: unknown) => void;
}

export interface OperatorServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the pages for operators from a process without the interface. Throws when the address is in use. */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  let isDraining = false;
  const answer = pageAnswers(
    operatorPages(options, () => isDraining),
    options,
  );
  const server = await listen({
    host: options.host,
    port: options.port,
    concurrentRequests: CONCURRENT_REQUESTS,
    socketPath: '/none',
    handle: (request) => answer(request) ?? plainText(404, 'There is no such page.\n'),
    refuse: () => plainText(503, 'Too many requests are under way. Try again in a second.\n'),
    failed: (_head, cause) => {
      options.onFailure(cause);
      return plainText(500, 'The page could not be made. The log has the cause.\n');
    },
  });
  return {
    port: server.port,
    close: () => {
      isDraining = true;
      return server.close();
    },
  };
}

const CONCURRENT_REQUESTS = 16;
