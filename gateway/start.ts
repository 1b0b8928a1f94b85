import { Registry } from 'prom-client';
import { Refusal } from '../actors/index.js';
import type { Authenticator } from './auth/credential.js';
import { MemoryRateLimiter } from './auth/memory-rate-limiter.js';
import { DEFAULT_RATE_LIMITS, type RateLimiter } from './auth/rate-limiter.js';
import { BASE_PATH, Dispatcher, type DispatchOptions } from './dispatch.js';
import type { Engine } from './engine.js';
import { healthPages, metricsPage, type Readiness } from './health.js';
import type { EarlyRefusal, HttpHandler, HttpRequest } from './http/message.js';
import { listen } from './http/server.js';
import { LIMITS } from './limits.js';
import { GatewayMetrics } from './metrics.js';
import { documentPages } from './openapi/pages.js';
import type { Page } from './pages.js';
import { SOCKET_PATH, streamRoutes } from './routes/streams.js';
import type { Route } from './routing/route.js';
import { RouteTable } from './routing/table.js';
import type { StreamSource } from './streams/event-source.js';
import { EventStreams } from './streams/event-streams.js';

export interface GatewayOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly routes: readonly Route[];
  readonly engine: Engine;
  readonly authenticator: Authenticator;
  /** The log behind the event streams; absent = no streams. */
  readonly events?: StreamSource;
  /** Default: in memory, off in test mode. */
  readonly rateLimiter?: RateLimiter;
  /** Default: always ready. */
  readonly readiness?: () => Readiness;
  /** Others may count in it, too. */
  readonly registry?: Registry;
  /** `https://loans.example.com`, where it is not what requests say in their Host header. */
  readonly publicOrigin?: string | null;
  /** Addresses and blocks whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  readonly trustedProxies?: readonly string[];
  /** Requests that may be under way at once; further ones are answered 503. */
  readonly concurrentRequests?: number;
  /** Told of failures of the service itself. */
  readonly onFailure: DispatchOptions['onFailure'];
}

export interface Gateway {
  readonly port: number;
  /** Ends streams, takes no more connections, finishes the requests under way within a bound. */
  close(): Promise<void>;
}

/** Opens the door: the interface of `routes` over HTTP, its description, health and metrics. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { events, registry = new Registry() } = options;
  const streams = events ? new EventStreams({ source: events, onFailure: options.onFailure }) : null;
  const table = new RouteTable([...options.routes, ...(streams ? streamRoutes(streams) : [])]);
  const dispatcher = new Dispatcher({
    table,
    engine: options.engine,
    authenticator: options.authenticator,
    rateLimiter: options.rateLimiter ?? new MemoryRateLimiter(DEFAULT_RATE_LIMITS, () => Date.now()),
    publicOrigin: options.publicOrigin ?? null,
    trustedProxies: options.trustedProxies ?? [],
    onFailure: options.onFailure,
    onAnswered: (operation, status, seconds) => metrics.answered(operation, status, seconds),
  });
  let isDraining = false;
  const readiness = options.readiness ?? (() => ({ ready: true, parts: {} }));
  const pages = pagesByPath([...healthPages(readiness, () => isDraining), metricsPage(registry), ...documentPages(table)]);
  const server = await listen({
    host: options.host,
    port: options.port,
    concurrentRequests: options.concurrentRequests ?? LIMITS.concurrentRequests,
    socketPath: `${BASE_PATH}${SOCKET_PATH}`,
    handle: (request) => answer(request),
    refuse: (head, reason) => dispatcher.refuse(head, EARLY_REFUSALS[reason]()),
    failed: (head, cause) => dispatcher.failed(head, cause),
  });
  const metrics = new GatewayMetrics(registry, { inFlight: () => server.inFlight(), streams: () => streams?.size ?? 0 });

  function answer(request: HttpRequest): ReturnType<HttpHandler> {
    const page = pages.get(request.path);
    if (page && (request.method === 'GET' || request.method === 'HEAD')) return page.respond();
    return dispatcher.dispatch(request);
  }

  return {
    port: server.port,
    async close() {
      isDraining = true;
      streams?.close();
      await server.close();
    },
  };
}

const pagesByPath = (pages: readonly Page[]): ReadonlyMap<string, Page> => new Map(pages.map((page) => [page.path, page]));

const EARLY_REFUSALS: Readonly<Record<EarlyRefusal, () => Refusal>> = {
  bodyTooLarge: () => new Refusal('payloadTooLarge', 'A body may have 10 MB at most.'),
  overloaded: () => new Refusal('unavailable', 'Too many requests are under way.', { retryAfterSeconds: 1 }),
};
