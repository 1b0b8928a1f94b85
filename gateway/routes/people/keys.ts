import { randomBytes } from 'node:crypto';
import typia from 'typia';
import {
  type ApiKeyCreateBody,
  type ApiKeyListQuery,
  type ApiKeyUpdateBody,
  type ApiKeyView,
  type Mode,
  rangeFaults,
} from '../../../actors/index.js';
import { dataOf } from '../../answers.js';
import { hashOfKey } from '../../auth/key-directory.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['API keys'];
const keyReply = typia.json.schemas<[ApiKeyView], '3.1'>();

const SECRET_BYTES = 32;

/** The name of the mode and 256 random bits. */
const newKeyText = (mode: Mode): string => `${mode}_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** API keys of the company, in the mode of the calling key. */
export const keyRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/keys',
    operation: 'listKeys',
    summary: 'List API keys',
    tags: TAGS,
    permission: 'apikey:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ApiKeyListQuery>(), schemas: typia.json.schemas<[ApiKeyListQuery], '3.1'>() },
    reply: typia.json.schemas<[ApiKeyView[]], '3.1'>(),
    handle: (call) => call.read('apiKey.list', call.caller.company),
  }),
  defineRoute({
    method: 'POST',
    path: '/keys',
    operation: 'createKey',
    summary: 'Create an API key',
    tags: TAGS,
    permission: 'apikey:create',
    description: 'Only this reply has the secret: the service stores its hash, and a repeated request does not return it again.',
    success: 201,
    envelope: 'bare',
    body: { validate: typia.misc.createValidatePrune<ApiKeyCreateBody>(), schemas: typia.json.schemas<[ApiKeyCreateBody], '3.1'>() },
    faultsOf: rangeFaults,
    reply: keyReply,
    handle: async (call) => {
      const key = newKeyText(call.caller.mode);
      const reply = await call.command('apiKey.create', call.caller.company, { body: { ...call.body, hash: hashOfKey(key) } });
      return reply.replayed ? reply : { ...reply, data: { ...dataOf(reply.data), key } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/keys/{keyId}',
    operation: 'getKey',
    summary: 'Get an API key',
    tags: TAGS,
    permission: 'apikey:read',
    envelope: 'bare',
    reply: keyReply,
    handle: (call) => call.read('apiKey.get', call.caller.company),
  }),
  defineRoute({
    method: 'PUT',
    path: '/keys/{keyId}',
    operation: 'updateKey',
    summary: 'Update an API key',
    tags: TAGS,
    permission: 'apikey:update',
    envelope: 'bare',
    body: { validate: typia.misc.createValidatePrune<ApiKeyUpdateBody>(), schemas: typia.json.schemas<[ApiKeyUpdateBody], '3.1'>() },
    faultsOf: rangeFaults,
    reply: keyReply,
    handle: (call) => call.command('apiKey.update', call.caller.company),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/keys/{keyId}',
    operation: 'revokeKey',
    summary: 'Revoke an API key',
    tags: TAGS,
    permission: 'apikey:delete',
    handle: (call) => call.command('apiKey.revoke', call.caller.company),
  }),
];
