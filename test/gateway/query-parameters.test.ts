import { test } from 'tap';
import { gatewayFor, scriptedEngine } from './harness.js';
import { THING_ROUTES } from './routes.js';

const emptyList = { items: [], total: 0, hasMore: false, hasPrevious: false };

test('lists in a query are written with commas, repeated or in brackets', async (t) => {
  const engine = scriptedEngine({ query: () => emptyList });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const spellings = [
    'statuses=open,closed',
    'statuses=open&statuses=closed',
    'statuses[]=open&statuses[]=closed',
    'statuses=[open,%20closed]',
    'statuses=%5Bopen%2Cclosed%5D',
  ];
  for (const spelling of spellings) t.equal((await ask(`/api/things?${spelling}`)).status, 200, spelling);
  for (const asked of engine.queries) t.strictSame(asked.query, { statuses: ['open', 'closed'] });
});

test('sortBy lists fields, a minus means descending', async (t) => {
  const engine = scriptedEngine({ query: () => emptyList });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  await ask('/api/things?sortBy=[updatedAt,%20-createdAt]');
  t.strictSame(engine.queries[0]?.query, { sortBy: ['updatedAt', '-createdAt'] });
  const wrong = await ask('/api/things?sortBy=[name]');
  t.equal(wrong.status, 400);
  t.match(wrong.json['errors'], [{ path: 'sortBy[0]' }]);
});

test('numbers, booleans and ids of a query have their types', async (t) => {
  const engine = scriptedEngine({ query: () => emptyList });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  await ask('/api/things?limit=100&isOpen=false&owner=ext-a%2Fb');
  t.strictSame(engine.queries[0]?.query, { limit: 100, isOpen: false, owner: 'ext-a/b' });
});

test('wrong values of a query are faults', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const bad = [
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit=1.5',
    'limit=1&limit=2',
    'limit=',
    'isOpen=1',
    'owner=nobody',
    'statuses=half',
    'offset=-1',
    'statuses=%zz',
  ];
  for (const query of bad) {
    const answer = await ask(`/api/things?${query}`);
    t.equal(answer.status, 400, query);
    t.ok((answer.json['errors'] as unknown[]).length > 0, query);
  }
});
