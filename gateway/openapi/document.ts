import { STATUS_CODES } from 'node:http';
import { API_VERSION, ERRORS, EVENT_TYPES } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { BASE_PATH } from '../dispatch.js';
import { type Envelope, isOpen, type Route } from '../routing/route.js';
import { referredIn, type Schema } from '../routing/schema.js';
import { Components } from './components.js';
import { Examples } from './examples.js';
import { FAILURE_SCHEMA, failureName, FAILURES, PARAMETERS, SECURITY_SCHEMES } from './shared-parts.js';
import { parameterDescription, pathParameterDescription, publicText, TAG_DESCRIPTIONS } from './descriptions.js';

const TEXT = { type: 'string' };
const ID_OR_NULL = { type: ['string', 'null'] };

/** An event as streams, pages and webhooks send it. `data` differs by `eventType`. */
const EVENT_SCHEMA = {
  type: 'object',
  description: 'An event. Events of one object are numbered without gaps. The same event may arrive more than once.',
  properties: {
    id: TEXT,
    object: { const: 'event' },
    eventType: TEXT,
    companyId: TEXT,
    mode: { type: 'string', enum: ['test', 'live'] },
    apiVersion: TEXT,
    createdAt: { type: 'string', format: 'date-time', description: 'When it was recorded, to the microsecond.' },
    occurredAt: { type: 'string', format: 'date-time', description: 'When it happened, by the clock of the company.' },
    sequence: { type: 'integer', description: 'The number of the event among those of `orderKey`.' },
    orderKey: { type: 'string', description: 'Events of one key are in order.' },
    objectType: TEXT,
    objectId: TEXT,
    personId: ID_OR_NULL,
    loanId: ID_OR_NULL,
    drawId: ID_OR_NULL,
    caseId: ID_OR_NULL,
    transactionId: ID_OR_NULL,
    interactionId: ID_OR_NULL,
    externalIds: { type: 'object', additionalProperties: TEXT },
    actor: { type: 'object', description: 'The user, key or system that caused it.' },
    isReplay: { type: 'boolean', description: 'Whether the event was sent again on request.' },
    data: { type: 'object', description: 'Properties of this type of event.' },
    hydrated: { description: 'The related object as its own request returns it, where the webhook has `hydrateData`.' },
  },
  required: ['id', 'object', 'eventType', 'companyId', 'mode', 'apiVersion', 'createdAt', 'occurredAt', 'sequence', 'orderKey', 'data'],
  examples: [
    {
      id: 'EV-4T7A-9QXM',
      object: 'event',
      eventType: 'payment.succeeded',
      companyId: 'CP-4T7A-9QXM',
      mode: 'test',
      apiVersion: API_VERSION,
      createdAt: '2024-02-25T17:00:00.000001Z',
      occurredAt: '2024-02-25T17:00:00.000Z',
      sequence: 20,
      orderKey: 'LN-4T7A-9QXM',
      objectType: 'transaction',
      objectId: 'TX-4T7A-9QXM',
      personId: 'BO-4T7A-9QXM',
      loanId: 'LN-4T7A-9QXM',
      drawId: null,
      caseId: null,
      transactionId: 'TX-4T7A-9QXM',
      interactionId: null,
      externalIds: { loanId: 'l-1' },
      actor: { id: 'UR-4T7A-9QXM', userType: 'api' },
      isReplay: false,
      data: { transactionId: 'TX-4T7A-9QXM', amount: 109.76, status: 'succeeded' },
    },
  ],
} as const;

interface Media {
  readonly schema: Schema;
  example?: unknown;
}

type Content = Readonly<Record<string, Media>>;

/** An operation as the document has it. */
interface Operation extends Readonly<Record<string, unknown>> {
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

type Document = Readonly<Record<string, unknown>>;

/** The interface as an OpenAPI 3.1 document, from the same types that check the requests. */
export function openApiDocument(routes: readonly Route[]): Document {
  const steps = documentSteps(routes);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same in short steps, between which a service answers others: all of it takes a third of a second. */
export function* documentSteps(routes: readonly Route[]): Generator<undefined, Document> {
  const components = new Components();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, components);
    yield undefined;
  }
  yield* addExamples(paths, new Examples(components.schemas));
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
    tags: [...new Set(routes.flatMap((route) => route.tags))].map((name) => ({ name, description: TAG_DESCRIPTIONS[name] ?? `${name}.` })),
    paths,
    webhooks: webhooks(),
    components: {
      schemas: { ...components.usedBy(paths), Failure: FAILURE_SCHEMA, WebhookEvent: EVENT_SCHEMA },
      parameters: PARAMETERS,
      securitySchemes: SECURITY_SCHEMES,
      responses: {
        ...Object.fromEntries(
          [...new Set(routes.flatMap(failuresOf))].map((status) => [failureName(status), FAILURES[failureName(status)]]),
        ),
        Failure: {
          description: 'The request was refused. Nothing has changed.',
          content: jsonContent({ $ref: '#/components/schemas/Failure' }),
        },
      },
    },
  };
}

function operationOf(route: Route, components: Components): Operation {
  const { operation, summary, description, tags, permission, body, success } = route;
  const needs = permission === null || isOpen(permission) ? '' : `Permission: \`${permission}\`.`;
  return {
    operationId: operation,
    summary,
    description: [description === undefined ? undefined : publicText(description), needs]
      .filter((part) => part !== undefined && part !== '')
      .join('\n\n'),
    tags,
    ...(isOpen(permission) ? { security: [] } : {}),
    parameters: parametersOf(route, components),
    ...(body
      ? { requestBody: requestBody(components.adopt(body.schemas, operation), components) }
      : route.takesFile
        ? { requestBody: FILE_BODY }
        : {}),
    responses: {
      [success]: { description: STATUS_CODES[success] ?? 'Success', ...successContent(route, components) },
      ...Object.fromEntries(failuresOf(route).map((status) => [status, { $ref: `#/components/responses/${failureName(status)}` }])),
      default: { $ref: '#/components/responses/Failure' },
    },
  };
}

/** The statuses with which a route may refuse. */
function failuresOf(route: Route): readonly number[] {
  const isWrite = route.method !== 'GET';
  const takesBody = route.body !== undefined || route.takesFile === true;
  const asked: readonly (readonly [isAsked: boolean, statuses: readonly number[]])[] = [
    [true, [400, 429, 500, 503]],
    [!isOpen(route.permission), [401, 403]],
    [route.path.includes('{'), [404]],
    [isWrite && !isOpen(route.permission), [409, 422, 423]],
    [takesBody, [413, 415]],
    [route.envelope === 'socket', [426]],
    [namesOf(route.query).includes('sync'), [408]],
    [route.operation === 'getOperation', [412]],
  ];
  const known = new Set<number>(Object.values(ERRORS).map(({ status }) => status));
  return asked
    .flatMap(([isAsked, statuses]) => (isAsked ? statuses : []))
    .filter((status) => known.has(status))
    .sort((a, b) => a - b);
}

/** The parameters of a query. */
const namesOf = (query: Route['query']): readonly string[] =>
  Object.values<Schema>(query?.schemas.components.schemas ?? {}).flatMap(({ properties = {} }) => Object.keys(properties));

/** Each event as it is posted to a webhook endpoint. */
const webhooks = (): object =>
  Object.fromEntries(
    EVENT_TYPES.filter(({ deprecated }) => !deprecated).map(({ eventType, description }) => [
      eventType,
      {
        post: {
          operationId: `on.${eventType}`,
          summary: description,
          description:
            'Signed with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. Sent again until it is answered with 2xx.',
          tags: ['Webhooks'],
          security: [],
          requestBody: { required: true, content: jsonContent({ $ref: '#/components/schemas/WebhookEvent' }) },
          responses: { '2XX': { description: 'The event was received.' }, '4XX': { description: 'The event is sent again later.' } },
        },
      },
    ]),
  );

/** Adds an example of each JSON body, with its required properties, and of each reply, with all properties. */
function* addExamples(
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  examples: Examples,
): Generator<undefined, void> {
  for (const { requestBody, responses } of Object.values(paths).flatMap((path) => Object.values(path))) {
    const body = requestBody?.content['application/json'];
    if (body !== undefined) body.example = examples.of(body.schema, 'required');
    for (const { content } of Object.values(responses)) {
      const media = content?.['application/json'];
      if (media !== undefined) media.example = examples.of(media.schema, 'all');
    }
    yield undefined;
  }
}

const jsonContent = (schema: Schema): Content => ({ 'application/json': { schema } });

const requestBody = (schema: Schema, components: Components): Operation['requestBody'] => ({
  required: (resolved(schema, components).required ?? []).length > 0,
  content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
});

const BYTES = { type: 'string', format: 'binary' };

const FILE_BODY: Operation['requestBody'] = {
  content: {
    'multipart/form-data': { schema: { type: 'object', properties: { file: BYTES }, required: ['file'] } },
    'application/octet-stream': { schema: BYTES },
  },
};

function parametersOf(route: Route, components: Components): object[] {
  const inPath = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathParameterDescription(name, route.textParameters.includes(name)),
    schema: route.textParameters.includes(name) ? { type: 'string' } : { $ref: '#/components/schemas/PathId' },
  }));
  if (inPath.length > 0) components.schemas['PathId'] ??= PATH_ID;
  const headers = route.method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }];
  const shared = [{ $ref: '#/components/parameters/UnknownFields' }, { $ref: '#/components/parameters/RequestId' }];
  return [...inPath, ...queryParameters(route, components), ...headers, ...shared];
}

const PATH_ID = {
  type: 'string',
  description: 'A service id, `ext-` and an external id, or digits.',
  pattern: '^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\\d+',
};

function queryParameters(route: Route, components: Components): object[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = resolved(components.adopt(route.query.schemas, route.operation), components);
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: 'query',
    description: description ?? parameterDescription(name),
    required: required.includes(name),
    ...(property.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: property,
  }));
}

const resolved = (schema: Schema, { schemas }: Components): Schema =>
  schema.$ref === undefined ? schema : must(referredIn(schemas, schema.$ref), `the schema ${schema.$ref}`);

const STATUS_AND_MESSAGE = { status: { type: 'integer' }, message: { type: 'string' } };
const URL_OR_NULL = { type: ['string', 'null'], format: 'uri' };

const ENVELOPES: Readonly<Record<Envelope, (data: Schema) => { readonly content?: Content }>> = {
  object: (data) => ({
    content: jsonContent({
      type: 'object',
      properties: { ...STATUS_AND_MESSAGE, ...(data.type === 'array' ? { operationId: { type: 'string' } } : {}), data },
      required: ['status', 'message'],
    }),
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

function successContent(route: Route, components: Components): { readonly content?: Content } {
  const data = route.reply ? components.adopt(route.reply, route.operation) : {};
  return ENVELOPES[route.envelope](data);
}
