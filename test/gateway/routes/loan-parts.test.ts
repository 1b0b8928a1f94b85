import { type Test, test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';

interface OpenLoan extends HttpLender {
  readonly loanTypeId: string;
  readonly loan: string;
}

/** A loan that was activated on 2026-03-02. */
async function openLoan(t: Test): Promise<OpenLoan> {
  const lender = await openHttpLender(t);
  const { id: loanTypeId } = await lender.h.data('loanType.create', lender.company, { type: 'installment', name: 'Personal loan' });
  await lender.ask('POST', '/people', ANN);
  const loan = `/people/ext-ann-1/loans/${idOf(await lender.ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId)))}`;
  await lender.ask('POST', `${loan}/activate`);
  return { ...lender, loanTypeId, loan };
}

test('promises to pay over HTTP', async (t) => {
  const { ask, loan, failures } = await openLoan(t);
  const plans = `${loan}/promise-to-pay-plans`;
  const body = { startDate: '2026-03-06', frequency: 'weekly', specificDays: ['friday'], duration: 2, amount: 50.25 };
  t.match(await ask('POST', plans, { ...body, amount: 0 }), { status: 400, json: { errors: [{ path: 'amount' }] } });
  const created = await ask('POST', plans, body);
  t.match(created, {
    status: 200,
    json: { data: { id: /^PS-/, object: 'promiseToPayPlan', status: 'scheduled', schedule: [{ id: /^P2-/, periodId: /^PE-/ }, {}] } },
  });
  t.ok(created.text.includes('"amount":50.25'));
  const id = idOf(created);
  t.match(await ask('POST', plans, body), { status: 409, json: { errorType: 'activePlanExists' } });
  t.match(await ask('GET', `${plans}/${id}`), { status: 200, json: { data: { id } } });
  t.same(
    listOf(await ask('GET', `${plans}?status=scheduled`)).map((plan) => plan['id']),
    [id],
  );
  t.same(
    listOf(await ask('GET', '/promise-to-pay-plans?status=scheduled,active&isOverdue=false&startDateAfter=2026-03-01')).map(
      (plan) => plan['id'],
    ),
    [id],
  );
  t.match(await ask('PUT', `${plans}/${id}`, { externalId: 'p-1' }), { status: 200, json: { data: { externalId: 'p-1' } } });
  t.match(await ask('POST', `${plans}/ext-p-1/cancel`, { reasonDetails: 'moved' }), {
    status: 200,
    json: { data: { status: 'canceled' } },
  });
  t.same(failures, []);
});

test('people, labels and the end of a loan over HTTP', async (t) => {
  const { ask, loan, failures } = await openLoan(t);
  const bea = idOf(await ask('POST', '/people', { name: { firstName: 'Bea', lastName: 'Lopez' }, externalId: 'bea-1' }));
  const added = await ask('POST', `${loan}/people`, { personId: 'ext-bea-1', loanRelationType: 'coSigner' });
  t.match(added, { status: 201, json: { data: { id: /^LP-/, personId: bea } } });
  t.match(await ask('PUT', `${loan}/people/${idOf(added)}`, { receivesNotices: true }), {
    status: 200,
    json: { data: { receivesNotices: true } },
  });
  t.match(await ask('GET', `${loan}/people`), { status: 200, json: { count: 1, data: [{ id: idOf(added) }] } });
  t.match(await ask('DELETE', `${loan}/people/${idOf(added)}`), { status: 200 });
  t.match(await ask('GET', `${loan}/people/${idOf(added)}`), { status: 404 });
  const label = idOf(await ask('POST', `/companies/${String(dataOf(await ask('GET', loan))['companyId'])}/loan-labels`, { name: 'VIP' }));
  t.match(await ask('POST', `${loan}/labels`, { labelIds: [label] }), { status: 200, json: { data: { labels: [{ id: label }] } } });
  t.match(await ask('DELETE', `${loan}/labels/${label}`), { status: 200, json: { data: { labels: [] } } });
  t.match(await ask('POST', `${loan}/close`, { closeReasonDescription: 'x' }), { status: 409 });
  t.match(await ask('POST', `${loan}/cancel?force=true&clearAllExternalIds=true`, { cancellationReason: 'duplicate' }), { status: 200 });
  t.same(failures, []);
});

test('promo programs over HTTP', async (t) => {
  const { ask, loan, loanTypeId, failures } = await openLoan(t);
  const types = `/loan-types/${loanTypeId}/promo-types`;
  const type = await ask('POST', types, { promoType: 'sameAsCash', displayName: 'Same as cash', defaults: { promoDurationDays: 90 } });
  t.match(type, { status: 201, json: { data: { id: /^PY-/, object: 'promoType' } } });
  t.match(await ask('GET', types), { status: 200, json: { count: 1 } });
  t.match(await ask('PUT', `${types}/${idOf(type)}`, { description: 'Pay in time' }), {
    status: 200,
    json: { data: { description: 'Pay in time' } },
  });
  const programs = `${loan}/promo-programs`;
  const created = await ask('POST', programs, { promoTypeId: idOf(type), status: 'pending' });
  t.match(created, { status: 200, json: { data: { id: /^PG-/, status: 'pending', remainingAmountToExercise: 10_000 } } });
  const own = `${programs}/${idOf(created)}`;
  t.match(await ask('PUT', own, { promoGracePeriodDays: 3 }), { status: 200, json: { data: { promoGracePeriodDays: 3 } } });
  t.match(await ask('POST', `${own}/activate`), { status: 200, json: { data: { status: 'active' } } });
  t.match(await ask('POST', `${own}/cancel`, { promoCancelReason: 'adminError' }), { status: 200, json: { data: { status: 'canceled' } } });
  t.match(await ask('POST', `${own}/reactivate`), { status: 200, json: { data: { status: 'active' } } });
  t.match(await ask('GET', programs), { status: 200, json: { data: { promoPrograms: [{ id: idOf(created) }] } } });
  t.match(await ask('GET', own), { status: 200 });
  t.same(failures, []);
});
