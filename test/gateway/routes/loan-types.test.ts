import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { dataOf, idOf, listOf, openHttpLender } from './http-lender.js';

test('a loan type comes back with amounts and rates as they were written', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const path = `/companies/${company}/loan-types`;
  const created = await ask('POST', path, {
    type: 'installment',
    name: 'Personal',
    interest: { minRate: 0.0599, maxRate: 0.35990001 },
    smallBalanceForgivenessAmount: 0.99,
  });
  t.equal(created.status, 201);
  t.match(created.text, /"maxRate":0\.35990001/);
  t.match(created.text, /"smallBalanceForgivenessAmount":0\.99/);
  t.match(created.text, /"overdueToleranceAmount":0\.00/);
  const id = idOf(created);
  t.same(dataOf(await ask('GET', `/loan-types/${id}`)), dataOf(created));
  t.match(await ask('PUT', `${path}/${id}`, { chargeOffDueWithin: 120 }), {
    status: 200,
    json: { data: { chargeOffDueWithin: 120, version: 2 } },
  });
  t.match(await ask('GET', `${path}/${id}?version=1`), { json: { data: { chargeOffDueWithin: null, version: 1 } } });
  t.match(await ask('DELETE', `${path}/${id}`), { status: 200, json: { data: { status: 'inactive' } } });
  t.match(await ask('GET', `${path}?status=active`), { json: { total: 0 } });
  t.match(await ask('GET', `${path}/LT-AAAA-AAAA`), { status: 404 });
});

test('every fault of a loan type is named', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const answer = await ask('POST', `/companies/${company}/loan-types`, {
    interest: { interestAccrualMethod: 'lunar', minRate: 0.123456789 },
    delinquency: { overdueToleranceAmount: 1.005 },
    schedule: { allowedFrequencies: [] },
  });
  t.equal(answer.status, 400);
  const paths = (answer.json['errors'] as { path: string }[]).map(({ path }) => path).sort();
  t.same(paths, [
    'delinquency.overdueToleranceAmount',
    'interest.interestAccrualMethod',
    'interest.minRate',
    'schedule.allowedFrequencies',
    'type',
  ]);
});

test('a value that is not carried out is refused, with what to write instead', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const body = { type: 'installment', name: 'Personal', overpayment: 'creditBalance', schedule: { allowNegativeAmortization: true } };
  t.match(await ask('POST', `/companies/${company}/loan-types`, body), {
    status: 400,
    json: {
      errors: [
        { path: 'overpayment', expected: /^reducePrincipal/ },
        { path: 'schedule.allowNegativeAmortization', expected: /^false/ },
      ],
    },
  });
  t.match(await ask('GET', '/cases?includeUnbound=true'), {
    status: 400,
    json: { errors: [{ path: 'includeUnbound', expected: /^false/ }] },
  });
  t.match(await ask('GET', '/cases?includeUnbound=false'), { status: 200 });
});

test('fee types lie under their loan type', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, { type: 'installment', name: 'A' }));
  const path = `/loan-types/${loanTypeId}/fee-types`;
  const created = await ask('POST', path, { name: { displayName: 'Late fee', apiName: 'late' }, feeType: 'lateFee', amount: 15 });
  t.match(created, { status: 201, json: { data: { object: 'feeType', companyId: company, trigger: 'overdueDays' } } });
  t.match(created.text, /"amount":15\.00/);
  t.match(await ask('GET', path), { json: { count: 1, data: [{ id: idOf(created) }] } });
  t.match(await ask('PUT', `${path}/${idOf(created)}`, { amount: 20 }), { status: 200, json: { data: { amount: 20 } } });
  t.match(await ask('DELETE', `${path}/${idOf(created)}`), { status: 200, json: { data: { status: 'inactive' } } });
  t.match(await ask('POST', path, { name: { displayName: 'x', apiName: '1 2' }, feeType: 'other' }), { status: 400 });
  t.match(await ask('GET', '/loan-types/LT-AAAA-AAAA/fee-types'), { status: 404 });
});

test('labels are reached by their external ids, page by page', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const path = `/companies/${company}/loan-labels`;
  for (const name of ['one', 'two', 'three']) await ask('POST', path, { name, externalId: name });
  t.match(await ask('GET', `${path}/ext-two`), { json: { data: { name: 'two' } } });
  const first = await ask('GET', `${path}?limit=2`);
  t.same(
    listOf(first).map((label) => label['name']),
    ['three', 'two'],
  );
  t.match(first.json, { count: 2, total: 3, nextUrl: /startingAfter=/, previousUrl: null });
  t.match(await ask('GET', `${path}?limit=2&startingAfter=ext-two`), { json: { data: [{ name: 'one' }] } });
  t.match(await ask('GET', `${path}?startingAfter=ext-nowhere`), { status: 400 });
  const shown = dataOf(await ask('GET', `${path}/ext-two`));
  t.match(await ask('PUT', `${path}/ext-two`, shown), { status: 200 }, 'what a reply shows can be sent back');
  t.match(await ask('DELETE', `${path}/ext-two`), { status: 200 });
  t.match(await ask('GET', `${path}/ext-two`), { status: 404 });
});

test('a loan type with undecided loans is deactivated by no update either', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const path = `/companies/${company}/loan-types`;
  const loanTypeId = idOf(await ask('POST', path, { type: 'installment', name: 'A' }));
  await ask('POST', '/people', ANN);
  const loan = `/people/ext-ann-1/loans/${idOf(await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId)))}`;
  t.match(await ask('PUT', `${path}/${loanTypeId}`, { status: 'inactive' }), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('PUT', `${path}/${loanTypeId}`, { description: 'for cars' }), { status: 200, json: { data: { status: 'active' } } });
  await ask('POST', `${loan}/activate`, {});
  t.match(await ask('PUT', `${path}/${loanTypeId}`, { status: 'inactive' }), { status: 200, json: { data: { status: 'inactive' } } });
  t.match(await ask('PUT', `${path}/${loanTypeId}`, { description: 'for bikes' }), { status: 200 });
});

test('the labels of one loan are listed by its id, and no labels of what the company does not have', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, { type: 'installment', name: 'A' }));
  await ask('POST', '/people', ANN);
  const path = `/companies/${company}/loan-labels`;
  const [first] = [idOf(await ask('POST', path, { name: 'one' })), await ask('POST', path, { name: 'two' })];
  const loan = idOf(
    await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId, { externalId: 'l-1', labels: [{ id: first }] } as object)),
  );
  for (const loanId of [loan, 'ext-l-1'])
    t.same(
      listOf(await ask('GET', `${path}?loanId=${loanId}`)).map((label) => label['name']),
      ['one'],
    );
  for (const loanId of ['LN-AAAA-AAAA', 'ext-nobody'])
    t.match(await ask('GET', `${path}?loanId=${loanId}`), { status: 200, json: { total: 0 } });
  t.match(await ask('GET', `${path}?loanId=one`), { status: 400, json: { errors: [{ path: 'loanId' }] } });
});
