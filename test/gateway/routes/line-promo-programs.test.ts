import { test } from 'tap';
import { dataOf, idOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';

const SAME_AS_CASH = { promoType: 'sameAsCash', displayName: 'No interest for 60 days', defaults: { promoDurationDays: 60 } };

test('a draw has promo programs of its own over HTTP', async (t) => {
  const { ask, line, loanTypeId, draw, goTo, emitted, failures } = await openLineOverHttp(t);
  const first = await draw();
  const programs = `${first}/promo-programs`;
  const promoTypeId = idOf(await ask('POST', `/loan-types/${loanTypeId}/promo-types`, SAME_AS_CASH));
  t.match(await ask('GET', programs), { status: 200, json: { data: { promoPrograms: [] } } });
  t.match(await ask('POST', programs, { promoTypeId, status: 'active' }), { status: 422, json: { errors: [{ path: 'status' }] } });
  t.match(await ask('POST', programs, { promoTypeId, status: 'pending', promoStartDate: '2026-03-02' }), { status: 422 });
  t.match(await ask('POST', programs, { promoTypeId, status: 'pending', promoStartDatetime: 'soon' }), { status: 400 });
  t.match(await ask('POST', programs, { promoTypeId, status: 'pending', promoEndDate: '2026-05-01', promoDurationDays: 3 }), {
    status: 400,
  });
  const body = { promoTypeId, status: 'pending', externalId: 'promo-1' };
  t.match(await ask('POST', programs, { ...body, previewMode: true }), {
    status: 200,
    json: { data: { status: 'pending', promoDurationDays: 60 } },
  });
  const made = await ask('POST', programs, body);
  t.match(made, {
    status: 200,
    json: { data: { id: /^PG-/, drawId: first.split('/').at(-1), status: 'pending', operationId: /^[0-9a-f]{32}$/ } },
  });
  t.match(await ask('GET', `${programs}/ext-promo-1`), { json: { data: { id: idOf(made) } } });
  t.match(await ask('GET', `${line}/promo-programs/${idOf(made)}`), { status: 404 }, 'it is not the line’s');
  t.match(await ask('PUT', `${programs}/${idOf(made)}`, { promoGracePeriodDays: 5 }), {
    json: { data: { promoEffectiveEndDate: '2026-05-06' } },
  });
  t.match(await ask('POST', `${programs}/${idOf(made)}/activate`, {}), { status: 200, json: { data: { status: 'active' } } });
  await ask('POST', `${first}/purchases`, { amount: 1_000 });
  await goTo('2026-04-01');
  t.match(dataOf(await ask('GET', `${programs}/${idOf(made)}`)), { remainingAmountToExercise: 1_000, totalDeferredInterestAmount: 14.79 });
  const kept = { outstandingBalancesWithPromo: { outstandingTotalAmount: 1_000 } };
  t.match(dataOf(await ask('GET', `${first}/balances`)), kept);
  t.match(dataOf(await ask('GET', `${line}/balances`)), { ...kept, outstandingBalances: { outstandingTotalAmount: 1_014.79 } });
  t.match(dataOf(await ask('GET', `${line}/payoff?payoffDate=2026-04-20`)), { promoPayoffAmount: 1_000 });
  t.match(dataOf(await ask('GET', `${line}/payoff?payoffDate=2026-05-01&drawId=${String(first.split('/').at(-1))}`)), {
    promoPayoffAmount: 1_000,
  });
  const paid = await ask('POST', `${line}/transactions`, {
    type: 'oneTime',
    amount: 1_000,
    isExternal: true,
    status: 'succeeded',
    drawId: first.split('/').at(-1),
  });
  t.match(paid, { status: 201 });
  t.match(dataOf(await ask('GET', `${programs}/${idOf(made)}`)), {
    status: 'exercised',
    sacExcercisedRateId: /^RA-/,
    totalDeferredInterestAmount: 14.79,
  });
  t.match(await ask('GET', first), { json: { data: { current: { balanceAmount: 0 } } } });
  t.match(await ask('POST', `${programs}/${idOf(made)}/cancel`, {}), { status: 409 });
  t.match(await ask('PUT', `${line}/transactions/${idOf(paid)}`, { status: 'failed', failureReason: 'insufficientFunds' }), {
    status: 200,
  });
  t.match(dataOf(await ask('GET', `${programs}/${idOf(made)}`)), { status: 'active', remainingAmountToExercise: 1_000 });
  t.match(await ask('POST', `${programs}/${idOf(made)}/cancel`, { promoCancelReason: 'borrowerRequest' }), {
    json: { data: { status: 'canceled', promoCancelReason: 'borrowerRequest' } },
  });
  t.match(dataOf(await ask('GET', `${line}/payoff`)), { promoPayoffAmount: null });
  t.match(await ask('POST', `${programs}/${idOf(made)}/reactivate`, {}), { json: { data: { status: 'active' } } });
  t.match(
    (await emitted('loan.promoprogram.updated')).map(({ status, drawId }) => [status, drawId === first.split('/').at(-1)]),
    [
      ['pending', true],
      ['exercised', true],
      ['active', true],
      ['canceled', true],
    ],
  );
  t.same(failures, []);
});

test('a line has programs of its own, also those that it was made with', async (t) => {
  const { ask, line, loanTypeId, active, draw, goTo, failures } = await openLineOverHttp(t);
  const promoTypeId = idOf(await ask('POST', `/loan-types/${loanTypeId}/promo-types`, SAME_AS_CASH));
  const made = await ask('POST', `${line}/promo-programs`, { promoTypeId, status: 'pending', promoStartDatetime: '2026-03-02T15:00:00Z' });
  t.match(made, {
    status: 200,
    json: { data: { drawId: null, promoStartDate: '2026-03-02', promoStartDatetime: '2026-03-02T15:00:00.000Z' } },
  });
  t.match(await ask('GET', `${line}/promo-programs?status=pending`), { json: { data: { promoPrograms: [{ id: idOf(made) }] } } });
  const other = await active({ atOrigination: { promoPrograms: [{ promoTypeId, status: 'active' }] } });
  const first = await draw({}, other);
  await ask('POST', `${first}/purchases`, { amount: 100 });
  await goTo('2026-03-20');
  t.match(await ask('GET', `${other}/promo-programs`), {
    json: { data: { promoPrograms: [{ status: 'active', remainingAmountToExercise: 100 }] } },
  });
  t.same(failures, []);
});
