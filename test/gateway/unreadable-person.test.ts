import { test } from 'tap';
import { DataKeyMissing } from '../../persistence/index.js';
import { idOf, openHttpLender } from './routes/http-lender.js';

test('one borrower whose data cannot be read never fails a list, a search or anybody else', async (t) => {
  const { h, ask } = await openHttpLender(t);
  const [ada, bob] = await Promise.all(
    ['Ada', 'Bob'].map(async (firstName) => idOf(await ask('POST', '/people', { name: { firstName, lastName: 'Verde' } }))),
  );
  const { keys } = h;
  const open = keys.open.bind(keys);
  keys.open = (owner, sealed, context) => {
    if (owner === ada) throw new DataKeyMissing(owner); // thrown for a lost key or a key of another installation
    return open(owner, sealed, context);
  };
  const listed = await ask('GET', '/people');
  t.equal(listed.status, 200);
  t.match(
    new Map((listed.json['data'] as readonly { readonly id: string; readonly name: unknown }[]).map(({ id, name }) => [id, name])),
    new Map<unknown, unknown>([
      [ada, { firstName: null }],
      [bob, { firstName: 'Bob' }],
    ]),
  );
  t.match(await ask('GET', '/people/search?fullName=Bob'), { status: 200 });

  t.match(await ask('GET', `/people/${ada}`), {
    status: 503,
    json: { detail: /The personal data of BO-\S+ cannot be read until the operator restores its data key/ },
  });
  t.match(await ask('GET', `/people/${bob}`), { status: 200, json: { data: { name: { firstName: 'Bob' } } } });
  t.equal((await ask('PUT', `/people/${bob}`, { name: { firstName: 'Bo', lastName: 'Verde' } })).status, 200);
  t.equal((await ask('POST', '/people', { name: { firstName: 'Cy', lastName: 'Verde' } })).status, 200);
  t.equal(h.reports.filter((report) => report.includes('cannot be read')).length, 1, 'each unreadable person is reported once');
  t.notOk(h.reports.some((report) => report.includes('memory is computed again')));
});
