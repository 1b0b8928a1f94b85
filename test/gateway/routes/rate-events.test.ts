import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { openLoanOverHttp } from './loan-over-http.js';

test('events list changed fields with their old and new values', async (t) => {
  const { ask, loan, loanTypeId, emitted } = await openLoanOverHttp(t);
  const added = await ask('POST', `${loan}/rates`, { interestRate: { annualRate: 0.1, startDate: '2026-04-01', endDate: null } });
  t.match(await emitted('loan.rate.created'), [{ rate: 0.1, changes: [] }]);
  const rate = `${loan}/rates/${String(dataOf(added)['interestRateId'])}`;
  t.match(await ask('PUT', rate, { annualRate: 0.12 }), { status: 200 });
  t.same((await emitted('loan.rate.updated'))[0]?.['changes'], [{ field: 'annualRate', oldValue: 0.1, newValue: 0.12 }]);
  t.match(await ask('PUT', rate, {}), { status: 200 });
  t.equal((await emitted('loan.rate.updated')).length, 1, 'nothing has changed');

  const cap = `${loan}/rate-caps/${idOf(await ask('POST', `${loan}/rate-caps`, { maxRate: 0.36, startDate: '2026-04-01' }))}`;
  await ask('PUT', cap, { maxRate: 0.3 });
  t.same((await emitted('loan.rate.updated'))[1]?.['changes'], [{ field: 'maxRate', oldValue: 0.36, newValue: 0.3 }]);

  const index = await ask('POST', `/loan-types/${loanTypeId}/index-rates`, { annualRate: 0.05, startDate: '2026-01-01' });
  await ask('PUT', `/loan-types/${loanTypeId}/index-rates/${idOf(index)}`, { annualRate: 0.06 });
  await ask('DELETE', `/loan-types/${loanTypeId}/index-rates/${idOf(index)}`);
  const events = listOf(await ask('GET', '/events?eventType=indexrate.created,indexrate.updated&order=asc'));
  t.same(
    events.map(({ data }) => (data as { readonly changes: unknown }).changes),
    [
      [],
      [{ field: 'annualRate', oldValue: 0.05, newValue: 0.06 }],
      [
        { field: 'annualRate', oldValue: 0.06, newValue: null },
        { field: 'startDate', oldValue: '2026-01-01', newValue: null },
      ],
    ],
  );
});

test('SCRA terms of a loan and of a line have paths of their own', async (t) => {
  const { ask, loan, emitted } = await openLoanOverHttp(t);
  const terms = { startDate: '2026-03-05', endDate: null };
  t.match(await ask('POST', `${loan}/loc-payment-plan-scra`, terms), {
    status: 409,
    json: { errorType: 'invalidState', errors: [{ path: 'type' }] },
  });
  t.match(await ask('POST', `${loan}/payment-plan-scra`, terms), { status: 200 });
  t.match(await ask('PUT', `${loan}/loc-payment-plan-scra`, { endDate: '2026-12-31' }), { status: 409 });
  t.match(await ask('DELETE', `${loan}/loc-payment-plan-scra`), { status: 409 });
  t.match(await ask('PUT', `${loan}/payment-plan-scra`, {}), { status: 200 });
  t.equal((await emitted('loan.scraplan.changed')).length, 0, 'nothing has changed');

  const line = await openLineOverHttp(t);
  t.match(await line.ask('POST', `${line.line}/payment-plan-scra`, terms), { status: 409 });
  t.match(await line.ask('POST', `${line.line}/loc-payment-plan-scra`, terms), { status: 200 });
});
