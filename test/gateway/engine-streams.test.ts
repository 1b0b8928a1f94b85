import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'tap';
import { EMAIL } from '../actors/borrower/lender.js';
import { engineEventSource } from '../../gateway/index.js';
import { refusalOf } from './harness.js';
import { idOf, listOf, openHttpLender } from './routes/http-lender.js';
import { NAME } from '../people.js';

test('the stream sends the same events as a pull, in the same order', async (t) => {
  const { ask, port, keys } = await openHttpLender(t);
  const first = idOf(await ask('POST', '/people', { externalId: 'ann', name: NAME }));
  const [before] = listOf(await ask('GET', '/events?limit=1'));
  const opened = request({
    host: '127.0.0.1',
    port,
    path: '/api/events/stream',
    headers: { 'X-API-KEY': keys.test, 'Last-Event-ID': String(before?.['id']) },
  }).end();
  const [response] = (await once(opened, 'response')) as [AsyncIterable<Buffer>];
  const people: string[] = [];
  for (let count = 0; count < 20; count++) people.push(idOf(await ask('POST', '/people', { name: NAME })));
  let text = '';
  for await (const chunk of response) {
    text += chunk.toString('utf8');
    if ([...text.matchAll(/^event: person\.created$/gm)].length >= 20) break;
  }
  const streamed = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Record<string, unknown>);
  const pulled = listOf(await ask('GET', `/events?order=asc&limit=100&startingAfter=${String(before?.['id'])}`));
  t.strictSame(streamed, pulled.slice(0, streamed.length));
  t.strictSame(
    streamed.filter(({ eventType }) => eventType === 'person.created').map(({ personId }) => personId),
    people,
  );
  t.notOk(people.includes(first));
});

test('a filter by external id wants the events of that person only', async (t) => {
  const { ask, h } = await openHttpLender(t, 'oneProcess');
  const ann = idOf(await ask('POST', '/people', { externalId: 'ann', name: NAME }));
  idOf(await ask('POST', '/people', { name: NAME }));
  await ask('PUT', '/people/ext-ann', { metaData: { code: 'x' } });
  const source = engineEventSource(h.engine);
  const tenant = { company: h.company, mode: 'test' } as const;
  const { events, position } = await (await source.reader(tenant, { personId: 'ext-ann' }))(0, 100);
  t.ok(events.length > 0);
  t.strictSame(new Set(events.map(({ view }) => (view as { personId: string }).personId)), new Set([ann]));
  t.equal(position, source.newest(tenant), 'what is not wanted is passed over for good');
  t.equal(
    refusalOf(() => source.reader(tenant, { personId: 'ext-nobody' })),
    'notFound',
  );
  t.equal(source.find({ company: h.company, mode: 'live' }, events[0]?.id ?? ''), undefined, 'the other mode knows nothing of it');
});

test('a stream filtered by external id keeps its person after the external id is changed', async (t) => {
  const { ask, port, keys, failures } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', { externalId: 'ann', name: NAME }));
  const [before] = listOf(await ask('GET', '/events?limit=1'));
  const headers = { 'X-API-KEY': keys.test, 'Last-Event-ID': String(before?.['id']) };
  const opened = request({ host: '127.0.0.1', port, path: '/api/events/stream?personId=ext-ann', headers }).end();
  const [response] = (await once(opened, 'response')) as [AsyncIterable<Buffer>];
  t.match(await ask('PUT', `/people/${ann}`, { externalId: 'anna' }), { status: 200 });
  t.match(await ask('GET', '/people/ext-ann'), { status: 404 });
  t.match(await ask('POST', '/people', { name: NAME }), { status: 200 }, 'an event of somebody else');
  t.match(await ask('POST', `/people/${ann}/contacts`, EMAIL), { status: 200 });
  let text = '';
  for await (const chunk of response) {
    text += chunk.toString('utf8');
    if (text.includes('data: ')) break;
  }
  t.match(text, new RegExp(`"personId":"${ann}"`));
  t.strictSame(failures, []);
});
