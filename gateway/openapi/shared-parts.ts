import { ERRORS } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

/** The error body. */
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

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } } };

/** The statuses of refusals, each with the errors that have it. */
export const FAILURES: Readonly<Record<string, object>> = Object.fromEntries(
  [...new Set(Object.values(ERRORS).map(({ status }) => status))].map((status) => {
    const rows = Object.entries(ERRORS).filter(([, row]) => row.status === status);
    return [
      failureName(status),
      {
        description: `${rows.map(([errorType, { title }]) => `\`${errorType}\`: ${title}`).join('. ')}.`,
        ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            examples: Object.fromEntries(rows.map(([errorType, row]) => [errorType, { value: failureExample(errorType, row) }])),
          },
        },
      },
    ];
  }),
);

/** The name of a status among the responses of the document. */
export function failureName(status: number): string {
  return `Failure${status}`;
}

function failureExample(errorType: string, { status, title }: { readonly status: number; readonly title: string }): object {
  const isFault = errorType === 'validationError';
  const message = isFault ? 'amount must be a number of at least 0' : `${title}.`;
  return {
    statusCode: status,
    status,
    errorType,
    message,
    title,
    detail: message,
    type: 'about:blank',
    requestId: '0b9f8f4e-7a55-4c2b-9d0c-1f2f3a4b5c6d',
    errors: isFault ? [{ path: 'amount', expected: 'a number of at least 0', message }] : [],
  };
}

export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The first reply under a key is kept for 24 hours and repeated with `Idempotent-Replayed: true`. Another body under the same key ' +
      'is refused with 409.',
    schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
  },
  UnknownFields: {
    name: 'Tenor-Unknown-Fields',
    in: 'header',
    required: false,
    description: 'How unknown fields and parameters are handled. Default: the setting of the key, else `refuse`.',
    schema: { type: 'string', enum: ['refuse', 'ignore'] },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Repeated in the reply. Default: a random id.',
    schema: { type: 'string', minLength: 1, maxLength: LIMITS.requestIdLength },
  },
} as const;

export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
  apiKeyUnderscore: { type: 'apiKey', in: 'header', name: 'X_API_KEY' },
} as const;
