import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { RUNTIME_LIMITS } from '../../actors/index.js';
import { scratchFolder } from '../temp-folder.js';
import { testCluster } from './test-cluster.js';

const ADDRESS = { addressLine1: '1 Main Street', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' };
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Flo'];

test('a cluster of two workers and two gateways', { timeout: 580_000 }, async (t) => {
  const messages = scratchFolder();
  const { insist: ask, workers } = await testCluster(t, { workers: 2, gateways: 2, environment: { TENOR_MESSAGES: messages } });

  await t.test('a loan lives in it as in one process, through any gateway', async (t) => {
    const data = async (method: string, path: string, body?: unknown, gateway = 0): Promise<Record<string, unknown>> => {
      const { status, json } = await ask(method, path, body, gateway);
      t.ok(status < 300, `${method} ${path}: ${status} ${status < 300 ? '' : JSON.stringify(json)}`);
      return json['data'] as Record<string, unknown>;
    };
    const [company] = (await ask('GET', '/companies')).json['data'] as { readonly id: string }[];
    const clock = String((await data('POST', '/test-clocks', { startDate: '2024-01-20' }))['id']);
    const product = { name: 'Personal', type: 'installment', assetType: 'personalClosedEndUnsecured', assetDisplayName: 'Personal loan' };
    const loanTypeId = String((await data('POST', `/companies/${company?.id}/loan-types`, product))['id']);
    await data('POST', '/people', { externalId: 'b-1', name: { firstName: 'Ada', lastName: 'Verde' } }, 1);
    const terms = {
      amountFinanced: 1200,
      duration: 12,
      paymentFrequency: 'monthly',
      specificDays: [15],
      interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
      personAddress: ADDRESS,
      originationLicense: 'stateLicense',
      originatingCreditorName: 'First Lender',
    };
    await data('POST', '/people/ext-b-1/loans', {
      type: 'installment',
      loanTypeId,
      externalId: 'l-1',
      status: 'originated',
      servicedBy: 'creditor',
      newDrawsAllowed: false,
      atOrigination: terms,
    });
    await data('POST', '/people/ext-b-1/loans/ext-l-1/activate', {});
    const check = { instrumentType: 'check', isExternal: true, status: 'active', payerName: 'Ada Verde', checkNumber: '101' };
    const [instrument] = (await data('POST', '/people/ext-b-1/payment-instruments', check, 1)) as unknown as { readonly id: string }[];
    await data('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2024-02-25' });
    const payment = { type: 'oneTime', amount: 109.76, isExternal: true, status: 'succeeded', paymentInstrumentId: instrument?.id };
    t.match(await data('POST', '/people/ext-b-1/loans/ext-l-1/transactions', payment), {
      paidPrincipalAmount: 94.37,
      paidInterestAmount: 15.39,
    });
    t.match(await data('GET', '/people/ext-b-1/loans/ext-l-1/balances', undefined, 1), {
      outstandingBalances: { outstandingPrincipalAmount: 1105.63 },
    });
    t.match((await ask('GET', '/loans', undefined, 1)).json, { count: 1, total: 1, data: [{ externalId: 'l-1' }] });
    t.equal((await ask('GET', '/people/ext-nobody')).status, 404);
    t.equal((await ask('GET', '/people/BO-AAAA-AAAA')).status, 404);
  });

  await t.test('an external id that two gateways give at once is given once', async (t) => {
    const total = async (): Promise<number> => Number((await ask('GET', '/people?limit=1')).json['total']);
    const before = await total();
    const create = (gateway: number, externalId: string): Promise<{ readonly status: number }> =>
      ask('POST', '/people', { externalId, name: { firstName: 'Ada', lastName: 'Verde' } }, gateway);
    t.equal(
      (await create(0, 'warm')).status,
      200,
      `the first waits up to ${RUNTIME_LIMITS.claimMs} ms for claims of before the start to end`,
    );
    for (let round = 0; round < 12; round += 1) {
      const statuses = await Promise.all([create(0, `n-${round}`), create(1, `n-${round}`)]);
      t.same(statuses.map(({ status }) => status).sort(), [200, 409], `round ${round}`);
      t.equal((await create(round % 2, `n-${round}`)).status, 409, 'it stays taken');
      t.equal((await ask('GET', `/people/ext-n-${round}`, undefined, round % 2)).status, 200);
    }
    t.equal(await total(), before + 13);
  });

  await t.test('a borrower is erased through any gateway', async (t) => {
    const [company] = (await ask('GET', '/companies')).json['data'] as { readonly id: string }[];
    const made = async (path: string, body: object): Promise<string> => {
      const { json } = await ask('POST', path, body);
      return /"id":"([A-Z]{2}-[^"]+)"/.exec(JSON.stringify(json['data'] ?? json))?.[1] ?? '';
    };
    const personId = await made('/people', { externalId: 'leaving', name: { firstName: 'Ada', lastName: 'Leavingstone' } });
    const folder = join(messages, 'test', company?.id ?? '', 'email');
    mkdirSync(folder, { recursive: true });
    for (const [file, to] of [
      ['hers.json', personId],
      ['other.json', 'BO-AAAA-AAAA'],
    ] as const)
      writeFileSync(join(folder, file), JSON.stringify({ personId: to }, null, 2));
    t.equal((await ask('POST', '/people/ext-leaving/erase', undefined, 1)).status, 204);
    for (const gateway of [0, 1]) {
      const { json } = await ask('GET', `/people/${personId}`, undefined, gateway);
      t.notMatch(JSON.stringify(json), /Leavingstone/);
    }
    t.strictSame(readdirSync(folder), ['other.json'], 'the owner of the shared unit has removed the message');
    t.equal((await ask('POST', `/people/${personId}/erase`)).status, 204, 'again');
    t.equal((await ask('POST', '/people/ext-b-1/erase')).status, 409, 'not while a loan is serviced');
  });

  await t.test('the next owner of the units of a dead worker can read the personal data of their borrowers', async (t) => {
    for (const firstName of NAMES) {
      const { status } = await ask('POST', '/people', { externalId: firstName, name: { firstName, lastName: 'Verde' } });
      t.equal(status, 200);
    }
    await workers[0]?.end('SIGKILL');
    for (const firstName of NAMES)
      t.match((await ask('GET', `/people/ext-${firstName}`)).json['data'], { name: { firstName, lastName: 'Verde' } });
  });
});
