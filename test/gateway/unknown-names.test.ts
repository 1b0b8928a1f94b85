import { test } from 'tap';
import { gatewayFor, keyRecord, scriptedEngine, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

/** Fields and parameters that the interface does not know. */

const things = '/api/things';

test('each unknown field is refused with the nearest known name, in every depth, together with all other faults', async (t) => {
  const engine = scriptedEngine({});
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const body = {
    nmae: 'a',
    amount: 'much',
    owner: { citty: 'Austin' },
    items: [{ amount: 1, notes: 'x' }],
    metaData: { any: 'name' },
    free: { a: 1 },
  };
  const { status, json } = await ask(things, { method: 'POST', body });
  t.equal(status, 400);
  const errors = json['errors'] as readonly { readonly path: string; readonly message: string }[];
  t.strictSame(errors.map(({ path }) => path).sort(), ['amount', 'items[0].notes', 'nmae', 'owner.citty']);
  t.strictSame(
    errors
      .flatMap(({ message }) => /^(\S+) is not a field of this operation; the nearest is (\S+)$/.exec(message)?.slice(1).join(' ') ?? [])
      .sort(),
    ['items[0].notes note', 'nmae name', 'owner.citty city'],
  );
  t.strictSame(engine.commands, [], 'nothing was done');
});

test('an unknown parameter is refused, also where an operation takes none', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  t.match(await ask(`${things}?statusses=open`), { status: 400, json: { message: /statusses is not a parameter .* nearest is statuses/ } });
  t.match(await ask(`${things}/search?q=1`), { status: 400, json: { message: /q is not a parameter of this operation/ } });
  t.not((await ask(`${things}?statuses[]=open`)).status, 400);
});

test('the request or its key can have unknown names ignored; the request has the last word', async (t) => {
  const engine = scriptedEngine({});
  const lenient = 'test_lenient_0123456789';
  const keys = [keyRecord(TEST_KEY), keyRecord(lenient, { unknownFields: 'ignore' })];
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine, keys });
  const body = { name: 'a', nickName: 'b' };
  const post = (key: string, headers: Readonly<Record<string, string>> = {}) => ask(things, { method: 'POST', body, key, headers });
  t.equal((await post(TEST_KEY)).status, 400);
  t.equal((await post(TEST_KEY, { 'Tenor-Unknown-Fields': 'ignore' })).status, 201);
  t.equal((await post(lenient)).status, 201);
  t.equal((await post(lenient, { 'Tenor-Unknown-Fields': 'refuse' })).status, 400);
  t.match(await post(lenient, { 'Tenor-Unknown-Fields': 'perhaps' }), { status: 400, json: { message: /must be "refuse" or "ignore"/ } });
  t.strictSame(
    engine.commands.map((command) => command.body),
    [{ name: 'a' }, { name: 'a' }],
    'ignored fields are left out',
  );
});

test('an operation without a body refuses fields all the same, unless it is public', async (t) => {
  const engine = scriptedEngine({});
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const thing = `${things}/TH-1111-1111`;
  const remove = (body?: object, headers: Readonly<Record<string, string>> = {}) => ask(thing, { method: 'DELETE', body, headers });
  t.match(await remove({ force: true, a: { b: 1 } }), {
    status: 400,
    json: { errors: [{ path: 'force', expected: 'no field', message: 'force is not a field of this operation' }, { path: 'a' }] },
  });
  t.strictSame(engine.commands, [], 'nothing was done');
  t.equal((await remove({ force: true }, { 'Tenor-Unknown-Fields': 'ignore' })).status, 204);
  t.equal((await remove({})).status, 204);
  t.equal((await remove()).status, 204);
  t.equal((await ask('/api/public/word', { method: 'POST', body: { any: 1 } })).status, 200);
});

test('a request with many long unknown names gets a short answer', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`.padEnd(1_000, 'y'), 1]));
  const { status, json, text } = await ask(things, { method: 'POST', body });
  t.equal(status, 400);
  t.equal((json['errors'] as readonly unknown[]).length, 100);
  t.ok(text.length < 100_000, `${text.length} characters`);
});
