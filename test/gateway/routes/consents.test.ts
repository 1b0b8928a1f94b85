import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { idOf, listOf, openHttpLender } from './http-lender.js';

const rowNamed = (rows: readonly Record<string, unknown>[], name: string): Record<string, unknown> | undefined =>
  rows.find((row) => row['name'] === name);

test('all consents are listed, with defaults for those that were never set', async (t) => {
  const { ask } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const answer = await ask('GET', `/people/${ann}/consents`);
  t.match(answer, { status: 200, json: { count: 9, total: 9, nextUrl: null } });
  t.same(
    listOf(answer)
      .filter(({ status }) => status === 'consented')
      .map(({ name }) => name),
    [],
    'nothing is taken for a consent (15 USC 7001(c))',
  );
  t.match(rowNamed(listOf(answer), 'thirdPartyDisclosure'), {
    object: 'consent',
    id: null,
    personId: ann,
    status: 'revoked',
    createdAt: null,
    updatedAt: null,
  });
});

test('a consent keeps its status until it is changed, and only changes emit events', async (t) => {
  const { ask } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const said = await ask('PUT', `/people/ext-ann-1/consents`, [
    { name: 'electronicComms', status: 'revoked', source: 'borrower' },
    { name: 'contactPersonWork', status: 'revoked', obtainedAt: '2026-01-02T03:04:05Z' },
  ]);
  t.match(said, { status: 200, json: { count: 9, total: 9 } });
  const before = rowNamed(listOf(said), 'electronicComms');
  t.match(before, { id: /^CN-/, status: 'revoked', source: 'borrower', updatedAt: null });
  await ask('PUT', `/people/${ann}/consents`, [{ name: 'electronicComms', status: 'consented' }]);
  const rows = listOf(await ask('GET', `/people/${ann}/consents`));
  t.match(rowNamed(rows, 'electronicComms'), { id: before?.['id'], status: 'consented', source: null, updatedAt: String });
  t.match(rowNamed(rows, 'contactPersonWork'), { status: 'revoked', obtainedAt: '2026-01-02T03:04:05.000Z' });
  const events = listOf(await ask('GET', `/people/${ann}/events?eventType=person.consent.updated&order=asc`));
  t.same(
    events.map(({ data }) => data),
    [{ consents: [{ name: 'electronicComms', oldStatus: 'revoked', newStatus: 'consented' }], caseId: null }],
  );
});

test('the proof of a status is not kept for another status', async (t) => {
  const { ask } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const put = async (said: object): Promise<Record<string, unknown> | undefined> =>
    rowNamed(listOf(await ask('PUT', `/people/${ann}/consents`, [{ name: 'autodialedMarketing', ...said }])), 'autodialedMarketing');
  const given = { status: 'consented', source: 'borrower', obtainedAt: '2026-01-02T03:04:05.000Z' };
  t.match(await put(given), given);
  t.match(await put({ source: 'borrower' }), given, 'the same status keeps what proves it');
  t.match(await put({ status: 'consented' }), given);
  t.match(await put({ status: 'revoked', source: 'borrower' }), { status: 'revoked', source: 'borrower', obtainedAt: null });
  t.match(await put({ status: 'consented' }), { status: 'consented', source: null, obtainedAt: null, documentId: null });
});

test('invalid consents are refused', async (t) => {
  const { ask, failures } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const put = (body: object, query = ''): ReturnType<typeof ask> => ask('PUT', `/people/${ann}/consents${query}`, body);
  t.match(await put([{ name: 'telepathy', status: 'consented' }]), { status: 400, json: { errors: [{ path: '[0].name' }] } });
  t.match(await put([{ name: 'emailMarketing', status: 'maybe' }]), { status: 400 });
  t.match(
    await put([
      { name: 'emailMarketing', status: 'consented' },
      { name: 'emailMarketing', status: 'revoked' },
    ]),
    { status: 400, json: { errors: [{ path: '[1].name' }] } },
  );
  t.match(await put([{ name: 'emailMarketing', documentId: 'DD-NONE-NONE' }]), {
    status: 400,
    json: { errors: [{ path: '[0].documentId' }] },
  });
  t.match(await put([{ name: 'emailMarketing', status: 'consented' }], '?caseId=CS-NONE-NONE'), {
    status: 400,
    json: { errors: [{ path: 'caseId' }] },
  });
  t.match(await put([]), { status: 400 });
  t.match(await put({}), { status: 400 });
  t.match(await ask('GET', '/people/BO-NONE-NONE/consents'), { status: 404 });
  t.same(failures, []);
});

test('a retried change is answered the same and applied once', async (t) => {
  const { ask } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const once = { headers: { 'Idempotency-Key': 'consent-1' } };
  const body = [{ name: 'emailMarketing', status: 'consented' }];
  const first = await ask('PUT', `/people/${ann}/consents`, body, once);
  const again = await ask('PUT', `/people/${ann}/consents`, body, once);
  t.same(again.json, first.json);
  t.match(await ask('GET', `/people/${ann}/events?eventType=person.consent.updated`), { json: { count: 1 } });
});
