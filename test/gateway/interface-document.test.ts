import { test } from 'tap';
import { openApiDocument, RESOURCE_ROUTES } from '../../gateway/index.js';
import { gatewayFor } from './harness.js';
import { THING_ROUTES } from './routes.js';

type Json = Record<string, unknown>;

function references(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, part]) => (key === '$ref' && typeof part === 'string' ? [part] : references(part)));
}

const at = (document: unknown, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key.replaceAll('~1', '/')], document);

test('the document describes every route and refers to nothing that is missing', (t) => {
  for (const routes of [THING_ROUTES, RESOURCE_ROUTES]) {
    const document = openApiDocument(routes);
    t.equal(document['openapi'], '3.1.0');
    for (const route of routes)
      t.ok(at(document, `#/paths/${route.path.replaceAll('/', '~1')}/${route.method.toLowerCase()}`), route.operation);
    for (const reference of new Set(references(document))) t.ok(at(document, reference), reference);
    for (const name of Object.keys((document['components'] as { schemas: Json }).schemas)) t.match(name, /^[A-Za-z0-9._-]+$/);
  }
  t.end();
});

test('an operation has its parameters, body, envelope and refusals', (t) => {
  const { paths, components } = openApiDocument(THING_ROUTES) as {
    paths: Record<string, Record<string, Json>>;
    components: { schemas: Json };
  };
  const list = paths['/things']?.['get'] as { parameters: Json[]; responses: Json };
  t.match(
    list.parameters.find(({ name }) => name === 'limit'),
    { in: 'query', required: false, schema: { minimum: 1, maximum: 100, default: 25 } },
  );
  t.match(
    list.parameters.find(({ name }) => name === 'statuses'),
    { style: 'form', explode: false, schema: { type: 'array' } },
  );
  t.match(list.responses, {
    200: { content: { 'application/json': { schema: { required: ['status', 'count', 'total', 'nextUrl', 'previousUrl', 'data'] } } } },
  });
  const create = paths['/things']?.['post'] as Json;
  t.match(create, {
    operationId: 'createThing',
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingBody' } } } },
  });
  t.match(create['description'], /thing:create/);
  t.match(create['responses'], { 201: {}, default: { $ref: '#/components/responses/Failure' } });
  t.notMatch(JSON.stringify(components.schemas), /"readOnly"/);
  t.strictSame(paths['/public/{word}']?.['post']?.['security'], []);
  t.match(components.schemas['Amount'], { type: 'number', format: 'decimal-cents', minimum: 0 });
  t.end();
});

test('two types of one name get different schema names', (t) => {
  const [first, ...others] = THING_ROUTES;
  const schemas = (type: string) => ({
    version: '3.1' as const,
    components: { schemas: { Body: { type } } },
    schemas: [{ $ref: '#/components/schemas/Body' }],
  });
  if (!first) return t.end();
  const routes = [
    { ...first, reply: schemas('string') },
    ...others.map((route, index) => (index === 0 ? { ...route, reply: schemas('object') } : route)),
  ];
  const { components } = openApiDocument(routes) as { components: { schemas: Json } };
  t.strictSame(components.schemas['Body'], { type: 'string' });
  t.strictSame(components.schemas['listThings.Body'], { type: 'object' });
  return t.end();
});

test('document and page are served without a credential and load nothing from other servers', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const document = await ask('/api/openapi.json', { key: false });
  t.equal(document.status, 200);
  t.match(document.json['paths'], { '/things': {} });
  const page = await ask('/api/docs', { key: false });
  t.match(page.headers['content-security-policy'], /default-src 'none'; script-src 'self'/);
  const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source);
  t.equal(sources.length, 3);
  for (const source of sources) {
    t.match(source, /^\/api\/docs\//);
    const asset = await ask(source, { key: false });
    t.equal(asset.status, 200, source);
    t.equal(asset.headers['x-content-type-options'], 'nosniff');
  }
  t.equal((await ask('/api/docs', { method: 'POST', key: false })).status, 404);
});
