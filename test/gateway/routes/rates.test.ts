import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { dataOf, listOf, newCase, openHttpLender } from './http-lender.js';

test('rates, caps, SCRA terms and index rates over HTTP', async (t) => {
  const { ask, company, h, failures } = await openHttpLender(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  await ask('POST', '/people', ANN);
  const loan = '/people/ext-ann-1/loans/ext-kitchen';
  await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId, { externalId: 'kitchen' }));
  await ask('POST', `${loan}/activate`, {});

  const added = await ask('POST', `${loan}/rates?sync=true`, {
    interestRate: { status: 'active', annualRate: 0.04 },
    promoRate: { annualRate: 0.01 },
    sendNotice: false,
  });
  t.match(added, {
    status: 201,
    json: { data: { operationId: /^[0-9a-f]{32}$/, interestRateId: /^RA-/, promoRateId: /^RA-/, schedule: [{ status: 'booked' }] } },
  });
  const { interestRateId, promoRateId } = dataOf(added) as { readonly interestRateId: string; readonly promoRateId: string };
  t.match(await ask('PUT', `${loan}/rates/${promoRateId}`, { annualRate: 0.02 }), { status: 200 });
  t.match(await ask('GET', `${loan}/rates/details`), {
    json: { data: { rates: [{ interestRate: 0.04, promoRate: 0.02, effectiveRate: 0.02 }] } },
  });
  t.match(await ask('DELETE', `${loan}/rates/${interestRateId}?previewMode=true`), { status: 200 });
  t.match(await ask('DELETE', `${loan}/rates/${interestRateId}?caseId=${await newCase({ ask })}`), { status: 200 });
  t.match(await ask('DELETE', `${loan}/rates/${interestRateId}`), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('POST', `${loan}/rates`, { interestRate: { annualRate: 100 } }), { status: 400 });

  const cap = await ask('POST', `${loan}/rate-caps`, { maxRate: 0.36, startDate: '2027-01-01', rateCapReason: 'MLA' });
  t.match(cap, { status: 201, json: { data: { id: /^RC-/, maxRate: 0.36, endDate: null } } });
  const capPath = `${loan}/rate-caps/${String(dataOf(cap)['id'])}`;
  t.match(await ask('PUT', capPath, { endDate: '2027-12-31' }), { status: 200, json: { data: { endDate: '2027-12-31' } } });
  t.equal(listOf(await ask('GET', `${loan}/rate-caps`)).length, 1);
  t.match(await ask('DELETE', capPath), { status: 200 });
  t.match(await ask('GET', capPath), { status: 404 });

  t.match(await ask('POST', `${loan}/payment-plan-scra`, { startDate: '2027-01-01' }), { status: 400 });
  t.match(await ask('POST', `${loan}/payment-plan-scra`, { startDate: '2027-01-01', endDate: null, annualRate: 0.07 }), { status: 400 });
  t.match(await ask('POST', `${loan}/payment-plan-scra`, { startDate: '2027-01-01', endDate: null }), {
    status: 200,
    json: { data: { paymentFrequency: 'monthly' } },
  });
  t.match(await ask('PUT', `${loan}/payment-plan-scra`, { endDate: '2027-06-30' }), { status: 200 });
  const [period] = listOf(await ask('GET', `${loan}/payment-plan-scra`));
  t.match(period, { annualRate: 0.06, endDate: '2027-06-30' });
  t.match(await ask('DELETE', `${loan}/payment-plan-scra?rateId=${String(period?.['rateId'])}`), { status: 200 });

  const indexes = `/loan-types/${loanTypeId}/index-rates`;
  const value = await ask('POST', indexes, { annualRate: 0.085, startDate: '2026-01-01', country: 'US' });
  t.match(value, { status: 202, json: { data: { id: /^IX-/, operationId: /^[0-9a-f]{32}$/, endDate: null } } });
  await h.engine.settled();
  t.match(await ask('GET', `/operations/${String(dataOf(value)['operationId'])}`), {
    status: 200,
    json: { data: { status: 'succeeded' } },
  });
  t.match(await ask('POST', indexes, { annualRate: 0.09, startDate: '2026-01-01' }), { status: 409 });
  t.match(await ask('PUT', `${indexes}/ext-no`, { annualRate: 0.09 }), { status: 404 });
  t.match(await ask('GET', `${indexes}?effectiveDate=2026-05-01`), { json: { count: 1, data: [{ annualRate: 0.085 }] } });
  t.match(await ask('GET', '/loan-types/LT-AAAA-AAAA/index-rates'), { status: 404 });
  t.match(await ask('DELETE', `${indexes}/${String(dataOf(value)['id'])}`), { status: 202 });
  t.same(failures, []);
});
