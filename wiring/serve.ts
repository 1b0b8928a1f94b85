import type { Logger } from 'pino';
import type { Blobs, Engine, ShardsReport } from '../actors/index.js';
import { addressesOf, lookupsOf, rateLimitOf, type Serving, type Settings } from '../bench/index.js';
import {
  CodeMessages,
  type Deliveries,
  type EngineCalls,
  type EventSource,
  logSender,
  MemoryRateLimiter,
  openAccess,
  type ProcessMetrics,
  rateLimitsFor,
  type Readiness,
  RedisRateLimiter,
  Renderer,
  resourceRoutes,
  startGateway,
} from '../gateway/index.js';
import { callbackSecretsOf, directAdaptersOf } from './adapters.js';
import { outgoingRules } from './deliveries.js';
import { requestLog } from './settings.js';

export interface Served {
  readonly engine: EngineCalls;
  readonly events: EventSource;
  readonly blobs: Blobs;
  /** The engine of this process, which knows companies with their keys and users. */
  readonly here: Engine;
  readonly caughtUp: (() => Promise<void>) | null; // see `openAccess`
  readonly deliveries?: Deliveries;
  readonly shards: () => Promise<ShardsReport>;
  readonly metrics: ProcessMetrics;
  /** Whether there is a way to what this process cannot do itself. */
  readonly isConnected?: () => boolean;
}

/** Opens the interface over HTTP; resolves when it listens. */
export async function serve(settings: Settings, served: Served, log: Logger): Promise<Serving> {
  const { engine, events, blobs, here, caughtUp, deliveries, shards, metrics, isConnected = () => true } = served;
  const rateLimits = {
    test: rateLimitsFor(rateLimitOf(settings.testRateLimit) ?? null),
    live: rateLimitsFor(rateLimitOf(settings.liveRateLimit) ?? null),
  };
  const { redis: url } = settings;
  const redis =
    url === null ? null : new RedisRateLimiter({ url, limits: rateLimits, nowMs: Date.now, report: (message) => log.warn(message) });
  if (redis) metrics.read({ tenor_redis_connected: () => Number(redis.isConnected) });
  const rateLimiter = redis ?? new MemoryRateLimiter(rateLimits, Date.now);
  const onFailure = (cause: unknown, where?: object): void => log.error({ err: cause, where }, 'a request failed');
  const direct = directAdaptersOf(settings);
  const codes = new CodeMessages({
    engine,
    renderer: new Renderer(),
    adapters: direct,
    inTest: logSender(({ destination: _personal, ...message }) => log.info(message, 'a code for the test mode: nothing sends it')),
    report: (message, details) => log.warn(details, message),
  });
  const { access, authenticator } = openAccess({
    engine,
    companies: here,
    nowMs: Date.now,
    codes,
    limiter: rateLimiter,
    onFailure,
    caughtUp,
  });
  const gateway = await startGateway({
    host: settings.host,
    port: settings.port,
    routes: resourceRoutes(lookupsOf(settings), outgoingRules(settings), {
      access,
      blobs,
      codes,
      callbackSecrets: callbackSecretsOf(settings),
    }),
    engine,
    events,
    readiness: () => readinessOf(here, isConnected()),
    authenticator,
    rateLimiter,
    registry: metrics.registry,
    shards,
    operators: addressesOf(settings.operators),
    publicOrigin: settings.publicUrl,
    trustedProxies: addressesOf(settings.trustedProxies),
    onFailure,
    onAnswered: requestLog(log),
  });
  log.info({ url: `http://${settings.host}:${gateway.port}` }, 'serving');
  return {
    url: `http://${settings.host}:${gateway.port}`,
    async close() {
      log.info('stopping: requests under way are finished');
      await gateway.close();
      await deliveries?.close();
      for (const adapter of Object.values(direct)) await adapter.close?.();
      redis?.close();
      log.info('stopped serving');
    },
  };
}

function readinessOf({ isWritable }: Engine, isConnected: boolean): Readiness {
  const journal = isWritable ? 'writable' : 'readOnly';
  return { ready: isWritable && isConnected, parts: { journal, ...(isConnected ? {} : { nats: 'away' }) } };
}
