import { createHash } from 'node:crypto';
import { test } from 'tap';
import { companyModule, type CompanyState, findKeyByHash, usersOf } from '../../../actors/company/index.js';
import { must } from '../../../engine/index.js';
import { Harness, itemsOf } from '../harness.js';

const stateOf = (h: Harness): CompanyState =>
  must(h.engine.world.find({ company: h.company, mode: 'test' }, 'company', h.company), 'the company').state as CompanyState;

/** A key has the permissions of its user. */
const EVERYTHING = { permissions: ['*'] };

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const open = async (): Promise<{ h: Harness; userId: string }> => {
  const h = await Harness.open(() => [companyModule]);
  await h.makeCompany();
  return { h, userId: [...usersOf(stateOf(h)).keys()][0] ?? '' };
};

test('a key is stored as a hash, found by it, and shown only once', async (t) => {
  const { h, userId } = await open();
  const hash = hashOf('test_secret');
  const created = await h.data(
    'apiKey.create',
    h.company,
    { userId, hash, description: 'Nightly import', whitelistedIPs: ['203.0.113.0/24', '2001:db8::1'] },
    EVERYTHING,
  );
  t.match(created, {
    object: 'apiKey',
    companyId: h.company,
    userId,
    key: null,
    status: 'active',
    whitelistedIPs: ['203.0.113.0/24', '2001:db8::1'],
    deletedAt: null,
  });
  t.equal(findKeyByHash(stateOf(h), hash)?.id, created.id);
  t.equal(findKeyByHash(stateOf(h), hashOf('test_other')), undefined);
});

test('each malformed address is refused by its path', async (t) => {
  const { h, userId } = await open();
  const whitelistedIPs = ['203.0.113.7', '203.0.113.0/33', 'localhost', '::1/129', '10.0.0.0/8'];
  const refusal = await h.refusal('apiKey.create', h.company, { userId, hash: hashOf('x'), whitelistedIPs }, EVERYTHING);
  t.same(
    refusal.errors.map(({ path }) => path),
    ['whitelistedIPs[1]', 'whitelistedIPs[2]', 'whitelistedIPs[3]'],
  );
});

test('a key of an unknown user is refused', async (t) => {
  const { h } = await open();
  t.match(await h.refusal('apiKey.create', h.company, { userId: 'UR-AAAA-AAAA', hash: hashOf('x') }), {
    errorType: 'validationError',
    errors: [{ path: 'userId' }],
  });
});

test('a revoked key stays inactive, and the default list leaves it out', async (t) => {
  const { h, userId } = await open();
  const { id } = await h.data('apiKey.create', h.company, { userId, hash: hashOf('a') }, EVERYTHING);
  const params = { keyId: id };
  t.match(await h.data('apiKey.update', h.company, { description: 'renamed' }, { params, ...EVERYTHING }), {
    description: 'renamed',
    status: 'active',
  });
  await h.data('apiKey.revoke', h.company, {}, { params, ...EVERYTHING });
  await h.data('apiKey.revoke', h.company, {}, { params, ...EVERYTHING });
  t.match(await h.query('apiKey.get', h.company, {}, { params }), { status: 'inactive', deletedAt: /^2026/ });
  t.same(itemsOf(await h.query('apiKey.list', h.company)), []);
  t.equal(itemsOf(await h.query('apiKey.list', h.company, { status: 'inactive' })).length, 1);
  t.equal((await h.refusal('apiKey.update', h.company, { status: 'active' }, { params, ...EVERYTHING })).errorType, 'invalidState');
});
