import { STATUS_CODES } from 'node:http';
import { API_VERSION } from '../../actors/index.js';
import { BASE_PATH } from '../dispatch.js';
import { type Envelope, isOpen, type Route } from '../routing/route.js';
import { Components } from './components.js';
import { FAILURE_SCHEMA, PARAMETERS, SECURITY_SCHEMES } from './shared-parts.js';

type Json = unknown;
type JsonObject = Record<string, Json>;

/** The interface as an OpenAPI 3.1 document, from the same types that check the requests. */
export function openApiDocument(routes: readonly Route[]): JsonObject {
  const components = new Components();
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenor',
      version: API_VERSION,
      description: 'Loan servicing. The key decides the mode: `test_…` works on test data, `live_…` on live data.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: BASE_PATH }],
    security: [{ bearer: [] }, { apiKey: [] }, { apiKeyUnderscore: [] }],
    tags: [...new Set(routes.flatMap((route) => route.tags))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...components.schemas, Failure: FAILURE_SCHEMA },
      parameters: PARAMETERS,
      securitySchemes: SECURITY_SCHEMES,
      responses: {
        Failure: {
          description: 'The request is refused; nothing has changed.',
          content: jsonContent({ $ref: '#/components/schemas/Failure' }),
        },
      },
    },
  };
}

function operationOf(route: Route, components: Components): JsonObject {
  const { operation, summary, description, tags, permission, body, success } = route;
  const needs = permission === null || isOpen(permission) ? '' : `Permission: \`${permission}\`.`;
  return {
    operationId: operation,
    summary,
    description: [description, needs].filter((part) => part !== undefined && part !== '').join('\n\n'),
    tags,
    ...(isOpen(permission) ? { security: [] } : {}),
    parameters: parametersOf(route, components),
    ...(body ? { requestBody: requestBody(components.adopt(body.schemas, operation)) } : route.takesFile ? { requestBody: FILE_BODY } : {}),
    responses: {
      [success]: { description: STATUS_CODES[success] ?? 'Success', ...successContent(route, components) },
      default: { $ref: '#/components/responses/Failure' },
    },
  };
}

const jsonContent = (schema: Json): JsonObject => ({ 'application/json': { schema } });

const requestBody = (schema: Json): JsonObject => ({
  content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
});

const BYTES = { type: 'string', format: 'binary' };

const FILE_BODY: JsonObject = {
  content: {
    'multipart/form-data': { schema: { type: 'object', properties: { file: BYTES }, required: ['file'] } },
    'application/octet-stream': { schema: BYTES },
  },
};

function parametersOf(route: Route, components: Components): Json[] {
  const inPath = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: route.textParameters.includes(name) ? { type: 'string' } : { $ref: '#/components/schemas/PathId' },
  }));
  if (inPath.length > 0) components.schemas['PathId'] ??= PATH_ID;
  const headers = route.method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }];
  return [...inPath, ...queryParameters(route, components), ...headers, { $ref: '#/components/parameters/RequestId' }];
}

const PATH_ID = {
  type: 'string',
  description: 'A service id, `ext-` and an external id, or digits.',
  pattern: '^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\\d+',
};

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}

function queryParameters(route: Route, components: Components): Json[] {
  if (!route.query) return [];
  const schema = components.adopt(route.query.schemas, route.operation) as JsonObject;
  const { properties = {}, required = [] } = resolved(schema, components) as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    required: required.includes(name),
    ...(property['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema: property,
  }));
}

function resolved(schema: JsonObject, components: Components): JsonObject {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? (components.schemas[reference.slice(reference.lastIndexOf('/') + 1)] as JsonObject) : schema;
}

const STATUS_AND_MESSAGE = { status: { type: 'integer' }, message: { type: 'string' } };
const URL_OR_NULL = { type: ['string', 'null'], format: 'uri' };

const ENVELOPES: Readonly<Record<Envelope, (data: Json) => JsonObject>> = {
  object: (data) => ({
    content: jsonContent({ type: 'object', properties: { ...STATUS_AND_MESSAGE, data }, required: ['status', 'message'] }),
  }),
  list: (data) => ({
    content: jsonContent({
      type: 'object',
      properties: {
        ...STATUS_AND_MESSAGE,
        count: { type: 'integer' },
        total: { type: ['integer', 'null'] },
        nextUrl: URL_OR_NULL,
        previousUrl: URL_OR_NULL,
        data,
      },
      required: ['status', 'count', 'total', 'nextUrl', 'previousUrl', 'data'],
    }),
  }),
  bare: (data) => ({ content: jsonContent(data) }),
  empty: () => ({}),
  html: () => ({ content: { 'text/html': { schema: { type: 'string' } } } }),
  csv: () => ({ content: { 'text/csv': { schema: { type: 'string' } } } }),
  file: () => ({ content: { 'application/octet-stream': { schema: BYTES } } }),
  events: () => ({ content: { 'text/event-stream': { schema: { type: 'string' } } } }),
  socket: () => ({}),
};

function successContent(route: Route, components: Components): JsonObject {
  const data = route.reply ? components.adopt(route.reply, route.operation) : {};
  return ENVELOPES[route.envelope](data);
}
