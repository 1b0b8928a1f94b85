import { test } from 'tap';
import { dataOf, idOf, listOf, signedDocument } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';

const FEE = { name: { displayName: 'Change fee', apiName: 'change' }, feeType: 'modificationFee', amountLogic: 'fixed', amount: 12.5 };
const DATES = { dueDatesFrequency: 'monthly', specificDays: [20] };

test('other due dates of a line cost their fee, are remembered, and are limited within a year', async (t) => {
  const { ask, line, loanTypeId, draw, goTo, emitted, failures } = await openLineOverHttp(t, {
    modification: { fees: { 'change.duedates': 'change' } },
    limits: { maxDueDateChangesPerYear: 2 },
    schedule: { allowedFrequencies: ['monthly', 'twiceMonthly'] },
  });
  const feeTypeId = idOf(await ask('POST', `/loan-types/${loanTypeId}/fee-types`, FEE));
  await ask('POST', `${await draw()}/purchases`, { amount: 1_000 });
  t.match(await ask('GET', `${line}/modification-fees`), {
    json: { data: [{}, {}, { tool: 'change.duedates', feeTypeId, feeAmount: 12.5 }, {}] },
  });
  t.match(await ask('PUT', `${line}/expected-payments`, { dueDatesFrequency: 'weekly', specificDays: [1] }), {
    status: 422,
    json: { errors: [{ path: 'dueDatesFrequency' }] },
  });
  const preview = await ask('PUT', `${line}/expected-payments`, { ...DATES, previewMode: true });
  const agreementDocumentId = await signedDocument(ask);
  const changed = await ask('PUT', `${line}/expected-payments`, { ...DATES, agreementDocumentId });
  t.match(changed, { status: 200, json: { data: { feeAmount: 12.5, specificDays: ['20'], operationId: /^[0-9a-f]{32}$/ } } });
  t.strictSame(dataOf(preview)['schedule'], dataOf(changed)['schedule']);
  t.match(await emitted('loan.modificationfee.booked'), [{ amount: 12.5 }]);
  t.match(await ask('GET', `${line}/schedule-modifications`), {
    json: {
      data: [
        {
          id: /^MO-/,
          type: 'changeDueDates',
          specificDays: ['20'],
          newDueDate: '2026-05-20',
          feeAmount: 12.5,
          loanFeeId: /^LF-/,
          agreementDocumentId,
        },
      ],
    },
  });
  t.match(await ask('GET', line), { json: { data: { current: { specificDays: ['20'] } } } });
  t.match(await ask('PUT', `${line}/expected-payments`, { ...DATES, specificDays: [25], waiveFee: true }), {
    json: { data: { feeAmount: 0 } },
  });
  t.match(await ask('PUT', `${line}/expected-payments`, DATES), { status: 409, json: { errorType: 'invalidState' } });
  t.equal(listOf(await ask('GET', `${line}/fees`)).length, 1);
  await goTo('2026-04-20');
  t.match(await ask('POST', `${line}/defer-remaining-balances`, {}), { status: 200, json: { data: { feeAmount: 0 } } });
  t.match(await ask('GET', `${line}/schedule-modifications?types=deferRemainingBalances`), {
    json: { total: 1, data: [{ type: 'deferRemainingBalances' }] },
  });
  t.same(failures, []);
});

test('a line shows what it was activated with, and an end once it is closed and its draws have one', async (t) => {
  const { ask, line, draw, failures } = await openLineOverHttp(t);
  const first = await draw();
  await ask('POST', `${first}/purchases`, { amount: 600 });
  t.match(await ask('GET', line), {
    json: { data: { endDate: null, atActivation: { startDate: '2026-03-02', endDate: null, aprNominal: 0.18, expectedPayments: [] } } },
  });
  t.match(
    await ask('POST', `${first}/amortize`, { recurringAmount: 5 }),
    { status: 422, json: { errors: [{ path: 'recurringAmount' }] } },
    'less than its interest',
  );
  t.match(await ask('POST', `${line}/amortize-preview`, { purchaseAmount: 600, recurringAmount: 5 }), {
    status: 422,
    json: { errors: [{ path: 'recurringAmount' }] },
  });
  t.match(await ask('POST', `${first}/amortize`, { duration: 6 }), { status: 200 });
  t.match(await ask('GET', line), { json: { data: { endDate: null } } });
  await ask('POST', `${line}/close`, {
    closeReason: 'borrowerRequest',
    closeReasonDescription: 'Asked for',
    closeRequestedByBorrower: true,
  });
  t.match(await ask('GET', line), { json: { data: { isClosed: true, endDate: '2026-09-15' } } });
  t.same(failures, []);
});

test('a merchant’s refund lowers what of a purchase may be disputed', async (t) => {
  const { ask, draw, failures } = await openLineOverHttp(t);
  const first = await draw();
  const bought = await ask('POST', `${first}/purchases`, { amount: 100 });
  const refund = await ask('POST', `${first}/purchases`, { type: 'refund', amount: 30, originalPurchaseId: idOf(bought) });
  t.match(await ask('GET', `${first}/purchases/${idOf(bought)}`), { json: { data: { eligibleDisputeAmount: 70 } } });
  t.match(await ask('POST', `${first}/purchases/${idOf(bought)}/disputes`, { disputedAmount: 71 }), { status: 422 });
  await ask('POST', `${first}/purchases/${idOf(refund)}/cancel`, {});
  t.match(await ask('GET', `${first}/purchases/${idOf(bought)}`), { json: { data: { eligibleDisputeAmount: 100 } } });
  t.same(failures, []);
});
