import { test } from 'tap';
import { apiKeyAuthenticator, RESOURCE_ROUTES } from '../../../gateway/index.js';
import { ask as askGateway, gatewayFor, type HttpAnswer, keyRecord } from '../harness.js';
import { dataOf, listOf } from './http-lender.js';
import { FEBRUARY, JANUARY, oldLine, type OldLine } from './old-line.js';

type Asked = readonly [method: string, path: string, body?: object];

const WRITES: readonly Asked[] = [
  ['POST', '/migrate', {}],
  ['POST', '/migration/rollback', {}],
  ['POST', '/migration/past-periods', { pastPeriods: [JANUARY] }],
  ['PUT', '/migration/past-periods?dueDate=2026-02-15', {}],
  ['DELETE', '/migration/past-periods?dueDate=2026-02-15'],
  ['POST', '/migration/period', FEBRUARY],
  ['PUT', '/migration/period', {}],
  ['POST', '/draws/ext-d-1/migration/period', FEBRUARY],
  ['PUT', '/draws/ext-d-1/migration/period', {}],
  ['POST', '/migration/past-transaction', { amount: 1, effectiveDate: '2026-01-10' }],
  ['PUT', '/migration/past-transaction/ext-old-1', { status: 'succeeded' }],
];

const READS: readonly Asked[] = [
  '/migration',
  '/migration/past-periods',
  '/migration/period',
  '/draws/ext-d-1/migration/period',
  '/migration/past-transactions',
].map((path) => ['GET', path]);

async function askingWith(
  t: Parameters<typeof gatewayFor>[0],
  { h, company, userId }: OldLine,
  permission: string,
): Promise<(asked: Asked, line: string) => Promise<HttpAnswer>> {
  const key = `test_${permission.replace(/\W/g, '_')}_0123456789abcdef`;
  const record = keyRecord(key, { company, userId, permissions: new Set([permission]) });
  const { gateway } = await gatewayFor(t, { routes: RESOURCE_ROUTES, engine: h.engine, authenticator: apiKeyAuthenticator(() => record) });
  return ([method, path, body], line) =>
    askGateway(gateway.port, `/api${line}${path}`, { method, key, ...(body === undefined ? {} : { body }) });
}

test('migration needs loan:migrate to write and loan:read to read', async (t) => {
  const old = await oldLine(t);
  const reading = await askingWith(t, old, 'loan:read');
  const migrating = await askingWith(t, old, 'loan:migrate');
  for (const write of WRITES) {
    t.match(await reading(write, old.line), { status: 403, json: { errorType: 'permissionDenied' } }, write.slice(0, 2).join(' '));
    t.not((await migrating(write, old.line)).status, 403, write.slice(0, 2).join(' '));
  }
  for (const read of READS) {
    t.equal((await migrating(read, old.line)).status, 403, read.join(' '));
    t.not((await reading(read, old.line)).status, 403, read.join(' '));
  }
});

test('a retried write of a migration gets the same answer and is done once', async (t) => {
  const old = await oldLine(t);
  const { ask, line, h } = old;
  const twice = async (method: string, path: string, body: object): Promise<HttpAnswer> => {
    const question = { headers: { 'Idempotency-Key': `${method} ${path}` } };
    const first = await ask(method, `${line}${path}`, body, question);
    const again = await ask(method, `${line}${path}`, body, question);
    t.equal(again.status, first.status, path);
    t.strictSame(again.json, first.json, path);
    t.equal(again.headers['idempotent-replayed'], 'true', path);
    t.match(
      await ask(method, `${line}${path}`, { ...body, caseId: 'CA-AAAA-AAAA' }, question),
      { status: 409, json: { errorType: 'idempotencyConflict' } },
      path,
    );
    return first;
  };
  await h.data(
    'feeType.create',
    old.company,
    { name: { displayName: 'Wire', apiName: 'wire' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 25, trigger: 'manual' },
    { params: { loanTypeId: old.loanTypeId } },
  );
  await twice('POST', '/migration/past-periods', { pastPeriods: [JANUARY] });
  await twice('POST', '/migration/period', FEBRUARY);
  await twice('POST', '/draws/ext-d-1/migration/period', FEBRUARY);
  await twice('POST', '/migration/past-transaction', { amount: 1, effectiveDate: '2026-01-10', externalId: 'old-1' });
  await twice('POST', '/transactions/ext-old-1/reverse', {});
  await twice('POST', '/fees', { apiName: 'wire', chargeDate: '2026-01-10', migration: { originalDrawId: 'ext-d-1' } });
  t.match(await ask('GET', `${line}/migration/past-transactions`), { json: { count: 2 } });
  t.match(await ask('GET', `${line}/fees?types=dynamicFee`), { json: { count: 1 } });
  t.match(await twice('POST', '/migrate', {}), { status: 200, json: { data: { migrationStatus: 'migrated' } } });
  const loanId = line.split('/').at(-1) ?? '';
  t.equal(listOf(await ask('GET', `/events?loanId=${loanId}&eventType=loan.migration.succeeded`)).length, 1);
  t.match(dataOf(await ask('GET', `${line}/migration`)), { migrationStatus: 'migrated' });
});
