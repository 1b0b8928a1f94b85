import { ERRORS } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

/** The error body (the contract's settled point 3). */
export const FAILURE_SCHEMA = {
  type: 'object',
  properties: {
    statusCode: { type: 'integer' },
    status: { type: 'integer', description: 'The same as statusCode.' },
    errorType: { type: 'string', enum: Object.keys(ERRORS) },
    message: { type: 'string' },
    title: { type: 'string' },
    detail: { type: 'string', description: 'The same as message.' },
    type: { const: 'about:blank' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      description: 'All faults of the request at once.',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, expected: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'expected', 'message'],
      },
    },
  },
  required: ['statusCode', 'status', 'errorType', 'message', 'title', 'detail', 'requestId', 'errors'],
} as const;

export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The first reply under a key is kept for 24 hours and repeated with `Idempotent-Replayed: true`; another body under the same key is 409.',
    schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Repeated in the reply; made when absent.',
    schema: { type: 'string', minLength: 1, maxLength: LIMITS.requestIdLength },
  },
} as const;

export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
  apiKeyUnderscore: { type: 'apiKey', in: 'header', name: 'X_API_KEY' },
} as const;
