import { test } from 'tap';
import { testCluster } from './test-cluster.js';

const ADDRESS = { addressLine1: '1 Main Street', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' };

test('a loan lives in a cluster as in one process, through any gateway', async (t) => {
  const { ask } = await testCluster(t, { workers: 2, gateways: 2 });
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
    amountFinanced: 1200, duration: 12, paymentFrequency: 'monthly', specificDays: [15], interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
    personAddress: ADDRESS, originationLicense: 'stateLicense', originatingCreditorName: 'First Lender',
  };
  await data('POST', '/people/ext-b-1/loans', {
    type: 'installment', loanTypeId, externalId: 'l-1', status: 'originated', servicedBy: 'creditor', newDrawsAllowed: false, atOrigination: terms,
  });
  await data('POST', '/people/ext-b-1/loans/ext-l-1/activate', {});
  const check = { instrumentType: 'check', isExternal: true, status: 'active', payerName: 'Ada Verde', checkNumber: '101' };
  const [instrument] = await data('POST', '/people/ext-b-1/payment-instruments', check, 1) as unknown as { readonly id: string }[];
  await data('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2024-02-25' });
  const payment = { type: 'oneTime', amount: 109.76, isExternal: true, status: 'succeeded', paymentInstrumentId: instrument?.id };
  t.match(await data('POST', '/people/ext-b-1/loans/ext-l-1/transactions', payment), { paidPrincipalAmount: 94.37, paidInterestAmount: 15.39 });
  t.match(await data('GET', '/people/ext-b-1/loans/ext-l-1/balances', undefined, 1), { outstandingBalances: { outstandingPrincipalAmount: 1105.63 } });
  t.match((await ask('GET', '/loans', undefined, 1)).json, { count: 1, total: 1, data: [{ externalId: 'l-1' }] });
  t.equal((await ask('GET', '/people/ext-nobody')).status, 404);
  t.equal((await ask('GET', '/people/BO-AAAA-AAAA')).status, 404);
});
