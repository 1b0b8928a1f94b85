import { test } from 'tap';
import { isCardBin, networkOfBin } from '../../../engine/index.js';
import { OWN_LOOKUPS, parseIndexRates, resourceRoutes } from '../../../gateway/index.js';
import { gatewayFor } from '../harness.js';
import { listOf } from './http-lender.js';

const FILE = `indexName,effectiveDate,rate
sofr30Day,2025-12-01,0.0402
prime,2025-12-11,0.0675
prime,2025-10-30,0.07

prime,2025-09-18,0.0725
`;

test('the first digits of a card determine its network, and fields that no directory knows are null', async (t) => {
  const { ask } = await gatewayFor(t, { routes: resourceRoutes(OWN_LOOKUPS) });
  t.match(await ask('/api/utilities/card-bins/411111'), {
    status: 200,
    json: { data: { bin: '411111', network: 'visa', cardType: null, issuerName: null, countryCode: null, isCommercial: null } },
  });
  t.match(await ask('/api/utilities/card-bins/99999999'), { status: 404 });
  for (const wrong of ['41111', '411111111', '4111x1'])
    t.match(await ask(`/api/utilities/card-bins/${wrong}`), { status: 400, json: { errors: [{ path: 'bin' }] } });
  t.match(await ask('/api/utilities/card-bins/411111', { key: false }), { status: 401 });
});

test('a directory of the installation adds its own fields', async (t) => {
  const card = { network: 'visa', cardType: 'debit', issuerName: 'First Bank', countryCode: 'US', isCommercial: false } as const;
  const { ask } = await gatewayFor(t, {
    routes: resourceRoutes({ ...OWN_LOOKUPS, cardBin: (bin) => (bin === '411111' ? card : undefined) }),
  });
  t.match(await ask('/api/utilities/card-bins/411111'), { status: 200, json: { data: card } });
});

test('networks by their published ranges', async (t) => {
  for (const [bin, network] of [
    ['510510', 'mastercard'],
    ['222100', 'mastercard'],
    ['272099', 'mastercard'],
    ['272100', undefined],
    ['340000', 'americanExpress'],
    ['378282', 'americanExpress'],
    ['601100', 'discover'],
    ['650000', 'discover'],
    ['644000', 'discover'],
    ['360000', 'dinersClub'],
    ['300000', 'dinersClub'],
    ['352800', 'jcb'],
    ['359000', undefined],
    ['620000', 'unionPay'],
    ['675900', 'maestro'],
    ['100000', undefined],
  ] as const)
    t.equal(networkOfBin(bin), network, bin);
  t.same(['123456', '12345678', '12345', '123456789'].map(isCardBin), [true, true, false, false]);
});

test('values of public indexes are those of the operator’s file: all, by name, on a day, since and until', async (t) => {
  const { ask } = await gatewayFor(t, { routes: resourceRoutes({ ...OWN_LOOKUPS, indexRates: parseIndexRates(FILE) }) });
  const asked = async (query: string): Promise<readonly unknown[]> =>
    listOf(await ask(`/api/utilities/index-rates${query}`)).map(
      ({ indexName, effectiveDate, rate }) => `${String(indexName)} ${String(effectiveDate)} ${String(rate)}`,
    );
  t.same(await asked(''), ['prime 2025-09-18 0.0725', 'prime 2025-10-30 0.07', 'prime 2025-12-11 0.0675', 'sofr30Day 2025-12-01 0.0402']);
  t.same(await asked('?indexName=sofr30Day'), ['sofr30Day 2025-12-01 0.0402']);
  t.same(await asked('?date=2025-12-05'), ['prime 2025-10-30 0.07', 'sofr30Day 2025-12-01 0.0402']);
  t.same(await asked('?indexName=prime&fromDate=2025-10-01&toDate=2025-12-10'), ['prime 2025-10-30 0.07']);
  t.same(await asked('?indexName=euribor'), []);
  t.match(await ask('/api/utilities/index-rates?date=soon'), { status: 400 });
});

test('without a file no value is known, and a file with another line is refused with its number', async (t) => {
  const { ask } = await gatewayFor(t, { routes: resourceRoutes(OWN_LOOKUPS) });
  t.match(await ask('/api/utilities/index-rates'), { status: 200, json: { total: 0, data: [] } });
  t.throws(() => parseIndexRates('indexName,effectiveDate,rate\nprime,2025-13-01,0.07'), /line 2/);
  t.throws(() => parseIndexRates('prime,2025-12-11,0.0675'), /line 1/);
});
