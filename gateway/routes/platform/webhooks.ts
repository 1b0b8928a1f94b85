import typia from 'typia';
import {
  eventTypeFaults,
  type Fault,
  type OperationView,
  Refusal,
  type WebhookCreateBody,
  type WebhookListQuery,
  type WebhookUpdateBody,
  type WebhookView,
} from '../../../actors/index.js';
import type { AddressRules } from '../../outgoing.js';
import { defineRoute, type Route } from '../../routing/route.js';
import type { EventMessagesQuery, MessageListQuery, MessageView, ReplayWebhookBody, TestWebhookBody } from '../../webhooks/message.js';
import { newSecret } from '../../webhooks/signature.js';

const TAGS = ['Webhooks'];
const webhookReply = typia.json.schemas<[WebhookView], '3.1'>();
const messageReply = typia.json.schemas<[MessageView], '3.1'>();
const messagesReply = typia.json.schemas<[MessageView[]], '3.1'>();

/** Webhooks and the deliveries of their events. */
export function webhookRoutes(addresses: AddressRules): readonly Route[] {
  const urlFaults = (path: string, url: string | undefined): readonly Fault[] => {
    const fault = url === undefined ? null : addresses.faultOf(url);
    return fault === null ? [] : [{ path, expected: 'a public https address', message: `\`${path}\` ${fault}.` }];
  };
  const faultsOf = ({ webhookDirectDetails, webhookProxyDetails, eventTypes = [] }: WebhookUpdateBody): readonly Fault[] => [
    ...urlFaults('webhookDirectDetails.webhookUrl', webhookDirectDetails?.webhookUrl),
    ...urlFaults('webhookProxyDetails.baseUrl', webhookProxyDetails?.baseUrl),
    ...eventTypeFaults(eventTypes),
  ];
  /** The command cannot check addresses, which are settings of the gateway. */
  const check = (body: WebhookUpdateBody): void => {
    const errors = faultsOf(body);
    const [first] = errors;
    if (first !== undefined) throw new Refusal('validationError', first.message, { errors });
  };
  return [
    defineRoute({
      method: 'POST',
      path: '/webhooks',
      operation: 'createWebhook',
      summary: 'Create a webhook',
      tags: TAGS,
      permission: 'webhook:create',
      description:
        'Only this reply, and that of a rotation, has the signing key. Deliveries are signed by the Standard Webhooks convention.',
      body: { validate: typia.misc.createValidatePrune<WebhookCreateBody>(), schemas: typia.json.schemas<[WebhookCreateBody], '3.1'>() },
      faultsOf,
      reply: webhookReply,
      handle: (call) => {
        check(call.body);
        return call.command('webhook.create', call.caller.company, { body: { ...call.body, secret: newSecret() } });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/webhooks',
      operation: 'listWebhooks',
      summary: 'List webhooks',
      tags: TAGS,
      permission: 'webhook:list',
      envelope: 'list',
      query: { validate: typia.misc.createValidatePrune<WebhookListQuery>(), schemas: typia.json.schemas<[WebhookListQuery], '3.1'>() },
      reply: typia.json.schemas<[WebhookView[]], '3.1'>(),
      handle: (call) => call.read('webhook.list', call.caller.company),
    }),
    defineRoute({
      method: 'GET',
      path: '/webhooks/{webhookId}',
      operation: 'getWebhook',
      summary: 'Get a webhook',
      tags: TAGS,
      permission: 'webhook:read',
      reply: webhookReply,
      handle: (call) => call.read('webhook.get', call.caller.company),
    }),
    defineRoute({
      method: 'PUT',
      path: '/webhooks/{webhookId}',
      operation: 'updateWebhook',
      summary: 'Update a webhook',
      tags: TAGS,
      permission: 'webhook:update',
      description: 'Events that were recorded while a webhook was disabled are sent only by a replay.',
      body: { validate: typia.misc.createValidatePrune<WebhookUpdateBody>(), schemas: typia.json.schemas<[WebhookUpdateBody], '3.1'>() },
      faultsOf,
      reply: webhookReply,
      handle: (call) => {
        check(call.body);
        return call.command('webhook.update', call.caller.company);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/webhooks/{webhookId}',
      operation: 'deleteWebhook',
      summary: 'Delete a webhook',
      tags: TAGS,
      permission: 'webhook:delete',
      handle: (call) => call.command('webhook.delete', call.caller.company),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks/{webhookId}/rotate-secret',
      operation: 'rotateWebhookSecret',
      summary: 'Rotate the signing key of a webhook',
      tags: TAGS,
      permission: 'webhook:update',
      description: 'For 24 hours deliveries have signatures with both keys.',
      reply: webhookReply,
      handle: (call) => call.command('webhook.rotateSecret', call.caller.company, { body: { secret: newSecret() } }),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks/{webhookId}/test',
      operation: 'testWebhook',
      summary: 'Send a test event to a webhook',
      tags: TAGS,
      permission: 'webhook:update',
      description: 'One attempt, also to a disabled webhook. The reply shows its outcome.',
      body: { validate: typia.misc.createValidatePrune<TestWebhookBody>(), schemas: typia.json.schemas<[TestWebhookBody], '3.1'>() },
      reply: messageReply,
      handle: (call) => call.command('webhook.test', call.caller.company),
    }),
    defineRoute({
      method: 'GET',
      path: '/webhooks/{webhookId}/messages',
      operation: 'listWebhookMessages',
      summary: 'List the deliveries of a webhook',
      tags: TAGS,
      permission: 'webhook:read',
      envelope: 'list',
      query: { validate: typia.misc.createValidatePrune<MessageListQuery>(), schemas: typia.json.schemas<[MessageListQuery], '3.1'>() },
      reply: messagesReply,
      handle: (call) => call.read('webhookMessage.list', call.caller.company),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks/{webhookId}/messages/{messageId}/redeliver',
      operation: 'redeliverWebhookMessage',
      summary: 'Send a delivery again',
      tags: TAGS,
      permission: 'webhook:update',
      reply: messageReply,
      handle: (call) => call.command('webhook.redeliver', call.caller.company),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks/{webhookId}/replay',
      operation: 'replayWebhook',
      summary: 'Replay the events of a period',
      tags: TAGS,
      permission: 'webhook:update',
      body: { validate: typia.misc.createValidatePrune<ReplayWebhookBody>(), schemas: typia.json.schemas<[ReplayWebhookBody], '3.1'>() },
      reply: typia.json.schemas<[OperationView], '3.1'>(),
      handle: (call) => call.command('webhook.replay', call.caller.company),
    }),
    defineRoute({
      method: 'GET',
      path: '/events/{eventId}/messages',
      operation: 'listEventMessages',
      summary: 'List the deliveries of an event',
      tags: ['Events'],
      permission: 'event:read',
      envelope: 'list',
      query: { validate: typia.misc.createValidatePrune<EventMessagesQuery>(), schemas: typia.json.schemas<[EventMessagesQuery], '3.1'>() },
      reply: messagesReply,
      handle: (call) => call.read('event.messages', null),
    }),
  ];
}
