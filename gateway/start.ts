import { Registry } from 'prom-client';
import type { ShardsReport } from '../actors/index.js';
import type { Authenticator } from './auth/credential.js';
import { DEFAULT_RATE_LIMITS, MemoryRateLimiter, type RateLimiter } from './auth/rate-limiter.js';
import { BASE_PATH, Dispatcher, type DispatchOptions } from './dispatch.js';
import type { EngineCalls } from './engine-calls.js';
import { operatorPages, pageAnswers, PRIVATE_ADDRESSES, type Readiness } from './operator-pages.js';
import { listen } from './http/http-server.js';
import { LIMITS } from './limits.js';
import { HttpMetrics } from './metrics/index.js';
import { documentPages } from './openapi/document-pages.js';
import { SOCKET_PATH, streamRoutes } from './routes/platform/streams.js';
import { type Route, RouteTable } from './routing/route.js';
import type { EventSource } from './streams/event-source.js';
import { EventStreams } from './streams/event-streams.js';

export interface GatewayOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly routes: readonly Route[];
  readonly engine: EngineCalls;
  readonly authenticator: Authenticator;
  /** The log behind the event streams; absent = no streams. */
  readonly events?: EventSource;
  /** Default: in memory, off in test mode. */
  readonly rateLimiter?: RateLimiter;
  /** Default: always ready. */
  readonly readiness?: () => Readiness;
  /** The state of the shards; default: there are none. */
  readonly shards?: () => Promise<ShardsReport>;
  /** Addresses and blocks that may read metrics and the state of the shards; default: this machine and private networks. */
  readonly operators?: readonly string[];
  /** Other parts may register metrics in it, too. */
  readonly registry?: Registry;
  /** `https://loans.example.com`, where the Host header of requests has another name. */
  readonly publicOrigin?: string | null;
  /** Addresses and blocks whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  readonly trustedProxies?: readonly string[];
  /** Requests that may be under way at once; further ones are answered 503. */
  readonly concurrentRequests?: number;
  /** The first time limit of a body, in milliseconds. */
  readonly bodyMs?: number;
  /** Called with failures of the service itself. */
  readonly onFailure: DispatchOptions['onFailure'];
  /** Called with each request once it is answered. */
  readonly onAnswered?: DispatchOptions['onAnswered'];
}

export interface Gateway {
  readonly port: number;
  /** Ends streams, accepts no more connections, and finishes the requests under way within a time limit. */
  close(): Promise<void>;
}

/** Serves the interface of `routes` over HTTP, with its description, health and metrics. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { events, registry = new Registry(), trustedProxies = [], operators = PRIVATE_ADDRESSES } = options;
  const streams = events ? new EventStreams({ source: events, onFailure: options.onFailure }) : null;
  const table = new RouteTable([...options.routes, ...(streams ? streamRoutes(streams) : [])]);
  const dispatcher = new Dispatcher({
    table,
    engine: options.engine,
    authenticator: options.authenticator,
    rateLimiter: options.rateLimiter ?? new MemoryRateLimiter(DEFAULT_RATE_LIMITS, () => Date.now()),
    publicOrigin: options.publicOrigin ?? null,
    trustedProxies,
    onFailure: options.onFailure,
    onAnswered: (answered) => {
      metrics.answered(answered.operation, answered.status, answered.seconds);
      options.onAnswered?.(answered);
    },
    onRefused: (reason) => metrics.refused(reason),
  });
  let isDraining = false;
  const readiness = options.readiness ?? (() => ({ ready: true, parts: {} }));
  const shards = options.shards ?? (() => Promise.resolve({ units: [], processes: [] }));
  const pageAnswer = pageAnswers([...operatorPages({ readiness, registry, shards }, () => isDraining), ...documentPages(table)], {
    operators,
    trustedProxies,
  });
  const server = await listen({
    host: options.host,
    port: options.port,
    concurrentRequests: options.concurrentRequests ?? LIMITS.concurrentRequests,
    ...(options.bodyMs === undefined ? {} : { bodyMs: options.bodyMs }),
    socketPath: `${BASE_PATH}${SOCKET_PATH}`,
    handle: (request) => pageAnswer(request) ?? dispatcher.dispatch(request),
    admit: (head) => dispatcher.admit(head),
    refuse: (head, reason) => dispatcher.refuse(head, reason),
    failed: (head, cause) => dispatcher.failed(head, cause),
  });
  const metrics = new HttpMetrics(registry, {
    inFlight: () => server.inFlight(),
    streams: () => streams?.size ?? 0,
    cut: () => streams?.cut ?? 0,
    isReady: () => readiness().ready && !isDraining,
  });

  return {
    port: server.port,
    async close() {
      isDraining = true;
      streams?.close();
      await server.close();
    },
  };
}
