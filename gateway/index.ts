export { type Answered, BASE_PATH } from './dispatch.js';
export { isAddressOrBlock } from './auth/addresses.js';
export { apiKeyAuthenticator, type ApiKeyRecord, hashOfKey, isKeyText, keyDirectory, modeOfKey } from './auth/key-directory.js';
export { type CodeMessage, logSender } from './auth/accounts.js';
export { ALL_PERMISSIONS, openAccess } from './auth/credential.js';
export {
  DEFAULT_RATE_LIMITS,
  MemoryRateLimiter,
  type RateLimiter,
  type RateLimits,
  rateLimitsFor,
  type RateVerdict,
} from './auth/rate-limiter.js';
export { RedisRateLimiter } from './auth/redis-rate-limiter.js';
export type { EngineCalls } from './engine-calls.js';
export { LocalCaller } from './local-caller.js';
export { AddressRules, HttpOutgoing, localNames, parseNames, systemNames } from './outgoing.js';
export { Deliveries, type DeliveriesOptions } from './deliveries.js';
export { type Lookups, OWN_LOOKUPS, parseIndexRates } from './lookups.js';

export { CodeMessages } from './delivery/code-messages.js';
export { SmtpMessages } from './delivery/smtp-messages.js';
export { TextProvider } from './delivery/text-provider.js';
export type { CallbackSecrets } from './routes/communications/provider-texts.js';
export { kindOfRoute } from './auth/investor-limits.js';
export { Renderer } from './rendering/renderer.js';
export { RESOURCE_ROUTES, resourceRoutes } from './routes/index.js';
export { AchPart } from './runners/ach-part.js';
export { CardPart } from './runners/card-part.js';
export { ServerKeys } from './runners/server-keys.js';
export { type RunnerMeasure, SharedRunners } from './runners/shared-runners.js';
export { defineRoute, isOpen, type RateLimit, type Route } from './routing/route.js';
export { inEnglish } from './routing/faults.js';
export { ask } from './answers.js';
export type { SchemaCollection } from './routing/schema.js';
export { type Gateway, type GatewayOptions, startGateway } from './start.js';
export { PRIVATE_ADDRESSES, type Readiness, startOperatorServer } from './operator-pages.js';
export { type MetricRow, METRICS, ProcessMetrics, recently } from './metrics/index.js';
export { openApiDocument } from './openapi/document.js';
export { EventPublisher } from './streams/event-publisher.js';
export { clusterEventSource, engineEventSource, type EventSource } from './streams/event-source.js';
export { DeliveryStore } from './webhooks/delivery-store.js';
export type { MessageView } from './webhooks/message.js';
export type { Backlog, DeliveryMeasure } from './webhooks/services.js';
export { Webhooks } from './webhooks/webhooks.js';
