import { Refusal } from '../actors/index.js';
import type { Authenticator } from './auth/credential.js';
import { DEFAULT_RATE_LIMITS, MemoryRateLimiter, type RateLimiter } from './auth/rate-limiter.js';
import { Dispatcher, type DispatchOptions } from './dispatch.js';
import type { Engine } from './engine.js';
import { type EarlyRefusal, listen } from './http/uws.js';
import type { Route } from './routing/route.js';
import { RouteTable } from './routing/table.js';

export interface GatewayOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly routes: readonly Route[];
  readonly engine: Engine;
  readonly authenticator: Authenticator;
  /** Default: in memory, off in test mode. */
  readonly rateLimiter?: RateLimiter;
  readonly publicOrigin?: string | null;
  readonly trustedProxies?: readonly string[];
  readonly onFailure: DispatchOptions['onFailure'];
}

export interface Gateway {
  readonly port: number;
  /** Takes no more requests, finishes those under way within a bound. */
  close(): Promise<void>;
}

/** Opens the door: the interface of `routes` over HTTP. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const dispatcher = new Dispatcher({
    table: new RouteTable(options.routes),
    engine: options.engine,
    authenticator: options.authenticator,
    rateLimiter: options.rateLimiter ?? new MemoryRateLimiter(DEFAULT_RATE_LIMITS, () => Date.now()),
    publicOrigin: options.publicOrigin ?? null,
    trustedProxies: options.trustedProxies ?? [],
    onFailure: options.onFailure,
  });
  const server = await listen({
    host: options.host,
    port: options.port,
    handle: async (request) => (await dispatcher.dispatch(request)).reply,
    refuse: (head, reason) => dispatcher.refuse(head, EARLY_REFUSALS[reason]()),
  });
  return { port: server.port, close: () => server.close() };
}

const EARLY_REFUSALS: Readonly<Record<EarlyRefusal, () => Refusal>> = {
  bodyTooLarge: () => new Refusal('payloadTooLarge', 'A body may have 10 MB at most.'),
  overloaded: () => new Refusal('unavailable', 'Too many requests are under way.', { retryAfterSeconds: 1 }),
};
