import { test } from 'tap';
import { dataOf, idOf, listOf, openHttpLender } from './http-lender.js';

test('a caller sees and changes only its own company', async (t) => {
  const { ask, company } = await openHttpLender(t);
  t.match(await ask('GET', `/companies/${company}`), { status: 200, json: { status: 200, data: { id: company, object: 'company' } } });
  t.match(await ask('PUT', `/companies/${company}`, { brandName: 'Northwind', config: { calendar: { holidays: ['2026-12-24'] } } }), {
    status: 200,
    json: { data: { brandName: 'Northwind', config: { calendar: { holidays: ['2026-12-24'] } } } },
  });
  t.match(await ask('GET', '/companies/CP-AAAA-AAAA'), { status: 404, json: { errorType: 'notFound' } });
  t.match(await ask('PUT', `/companies/${company}`, { timezone: 'Nowhere/Else', slug: 'NOT A SLUG' }), {
    status: 400,
    json: { errors: [{ path: 'slug' }] },
  });
  t.match(await ask('GET', '/companies'), { json: { count: 1, total: 1, data: [{ id: company }] } });
});

test('domains are added, unique and removed', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const created = await ask('POST', `/companies/${company}/app-domains`, { domain: 'pay.northwind.example', type: 'borrower' });
  t.match(created, { status: 200, json: { data: { object: 'appDomain', domain: 'pay.northwind.example' } } });
  t.match(await ask('POST', `/companies/${company}/app-domains`, { domain: 'pay.northwind.example', type: 'agent' }), { status: 409 });
  t.match(dataOf(await ask('GET', `/companies/${company}`)), { appDomains: [{ type: 'borrower' }] });
  t.match(await ask('DELETE', `/companies/${company}/app-domains/${idOf(created)}`), { status: 200 });
  t.match(await ask('GET', `/companies/${company}/app-domains`), { json: { data: [] } });
});

test('a new key is shown once, works at once, and fails once revoked', async (t) => {
  const { ask, userId, keys } = await openHttpLender(t);
  const created = await ask('POST', '/keys', { userId, description: 'Import' }, { headers: { 'Idempotency-Key': 'one' } });
  t.match(created, {
    status: 201,
    json: { object: 'apiKey', userId, status: 'active', apiVersion: '2023-11-29', key: /^test_[A-Za-z0-9_-]{43}$/ },
  });
  const key = String(created.json['key']);
  const { id } = created.json;
  t.match(await ask('GET', '/people', undefined, { key }), { status: 200 });
  t.match(await ask('POST', '/keys', { userId, description: 'Import' }, { headers: { 'Idempotency-Key': 'one' } }), {
    status: 201,
    json: { id, key: null },
  });
  t.match(await ask('GET', `/keys/${String(id)}`), { json: { id, key: null } });
  t.match(await ask('PUT', `/keys/${String(id)}`, { whitelistedIPs: ['203.0.113.0/24'] }), {
    json: { whitelistedIPs: ['203.0.113.0/24'] },
  });
  t.match(await ask('GET', '/people', undefined, { key }), { status: 403, json: { errorType: 'ipNotAllowed' } });
  await ask('DELETE', `/keys/${String(id)}`);
  t.match(await ask('GET', '/people', undefined, { key }), { status: 401, json: { errorType: 'unauthenticated' } });
  t.match(await ask('GET', '/keys'), { json: { total: 1 } });
  t.match(await ask('GET', '/keys?status=inactive'), { json: { total: 1, data: [{ id }] } });
  t.match(await ask('GET', '/people', undefined, { key: keys.live }), { status: 200 });
});

test('keys of one mode do not list those of the other', async (t) => {
  const { ask, keys } = await openHttpLender(t);
  const [test] = listOf(await ask('GET', '/keys'));
  const [live] = listOf(await ask('GET', '/keys', undefined, { key: keys.live }));
  t.not(test?.['id'], live?.['id']);
});

test('a caller reads its own permissions', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const answer = await ask('GET', '/auth/permissions');
  t.ok((answer.json[company] as string[]).includes('person:create'));
  t.ok((answer.json[company] as string[]).includes('payment.instrument:force'));
});

test('banking holidays come with the days on which banks close', async (t) => {
  const { ask } = await openHttpLender(t);
  const days = listOf(await ask('GET', '/utilities/banking-holidays?year=2027'));
  t.match(
    days.find((day) => day['date'] === '2027-07-04'),
    { observedDate: '2027-07-05' },
  );
  t.equal(listOf(await ask('GET', '/utilities/banking-holidays')).length, 11);
  t.match(await ask('GET', '/utilities/banking-holidays?year=99'), { status: 400 });
});

test('routing numbers are looked up', async (t) => {
  const { ask } = await openHttpLender(t);
  t.match(await ask('GET', '/utilities/routing-numbers/021000021'), { status: 200, json: { data: { isAchParticipant: true } } });
  t.match(await ask('GET', '/utilities/routing-numbers/021000022'), { status: 400, json: { errors: [{ path: 'routingNumber' }] } });
  t.match(await ask('GET', '/utilities/routing-numbers/500000005'), { status: 404 });
});

test('only the default loan statuses of monitoring are accepted, since they have no effect', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const put = (requireLoanStatuses: readonly string[]): ReturnType<typeof ask> =>
    ask('PUT', `/companies/${company}`, { config: { monitoring: { requireLoanStatuses } } });
  t.match(await put(['active']), {
    status: 400,
    json: { errors: [{ path: 'config.monitoring.requireLoanStatuses', expected: /^absent/ }] },
  });
  t.match(await put(['chargedOff', 'active', 'frozen', 'accelerated']), { status: 200 });
});
