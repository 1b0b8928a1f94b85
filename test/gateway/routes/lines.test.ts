import { test } from 'tap';
import { dataOf, idOf, listOf, newCase } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { withoutNames } from './loan-over-http.js';

const CREDIT = { type: 'serviceCredit', serviceCreditDetails: { type: 'courtesy' } };
const external = (amount: number, more: object = {}): object => ({
  type: 'oneTime',
  isExternal: true,
  status: 'succeeded',
  amount,
  ...more,
});

test('the limit of a line and of its draws is changed with a reason, and shown as of a day', async (t) => {
  const { ask, line, draw, emitted, goTo, failures } = await openLineOverHttp(t);
  const half = await draw({ atOrigination: { creditLimitPercentage: 0.5 } });
  const own = await draw({ atOrigination: { creditLimitAmount: 100 } });
  t.match(await ask('GET', `${line}/credit-limit`), {
    json: { data: { creditLimitAmount: 5000, adverseActionReason: null, sendNotice: null } },
  });
  await goTo('2026-03-20');
  for (const reason of [{}, { adverseActionReason: '' }, { adverseActionReason: ' ', adverseReactionReason: '' }]) {
    t.match(await ask('POST', `${line}/credit-limit`, { creditLimitAmount: 3000, ...reason }), {
      status: 400,
      json: { errors: [{ path: 'adverseActionReason' }] },
    });
  }
  const caseId = await newCase({ ask });
  const body = { creditLimitAmount: 3000, adverseReactionReason: 'income fell', sendNotice: false, caseId };
  const preview = await ask('POST', `${line}/credit-limit`, { ...body, previewMode: true });
  t.match(preview, { json: { data: { current: { creditLimitAmount: 3000 } } } });
  t.match(await ask('GET', line), { json: { data: { current: { creditLimitAmount: 5000 } } } }, 'a preview changes nothing');
  t.match(await ask('POST', `${line}/credit-limit`, body), { status: 200, json: { data: { current: { creditLimitAmount: 3000 } } } });
  t.match(await ask('GET', half), { json: { data: { current: { creditLimitAmount: 1500 } } } }, 'a share follows');
  t.match(await ask('GET', `${line}/credit-limit`), {
    json: { data: { creditLimitAmount: 3000, adverseActionReason: 'income fell', sendNotice: false, caseId } },
  });
  t.match(await ask('GET', `${line}/credit-limit?effectiveDate=2026-03-10`), { json: { data: { creditLimitAmount: 5000 } } });
  t.match(await ask('POST', `${own}/credit-limit`, { creditLimitAmount: 250.5 }), {
    status: 200,
    json: { data: { current: { creditLimitAmount: 250.5 } } },
  });
  t.match(await ask('GET', `${own}/credit-limit?effectiveDate=2026-03-19`), { json: { data: { creditLimitAmount: 100 } } });
  t.match(await emitted('loan.credit.limit.changed'), [{ oldLimit: 5000, newLimit: 3000, reason: 'income fell' }]);
  t.match(await emitted('draw.credit.limit.changed'), [
    { oldLimit: 2500, newLimit: 1500 },
    { drawId: own.split('/').at(-1), oldLimit: 100, newLimit: 250.5 },
  ]);
  t.same(failures, []);
});

test('a draw with a share of the limit follows the line until it gets a limit of its own, whenever it is activated', async (t) => {
  const { ask, line, draw, goTo, failures } = await openLineOverHttp(t, {}, { creditLimitAmount: 1000 });
  const share = { atOrigination: { creditLimitPercentage: 0.5 } };
  const own = await draw(share);
  const waiting = `${line}/draws/${idOf(await ask('POST', `${line}/draws`, { status: 'originated', ...share }))}`;
  const limitOf = async (of: string, query = ''): Promise<unknown> =>
    dataOf(await ask('GET', `${of}/credit-limit${query}`))['creditLimitAmount'];
  const balanceLimitOf = async (of: string): Promise<unknown> =>
    (dataOf(await ask('GET', `${of}/balances`))['creditBalances'] as { creditLimitAmount: unknown }).creditLimitAmount;
  await goTo('2026-03-09');
  await ask('POST', `${line}/credit-limit`, { creditLimitAmount: 700, adverseActionReason: 'income fell' });
  const later = await draw(share);
  await ask('POST', `${waiting}/activate`, {});
  for (const of of [own, waiting, later]) t.same([await limitOf(of), await balanceLimitOf(of)], [350, 350]);
  t.equal(await limitOf(waiting, '?effectiveDate=2026-03-05'), 500);
  await ask('POST', `${own}/credit-limit`, { creditLimitAmount: 100 });
  await ask('POST', `${line}/credit-limit`, { creditLimitAmount: 2000 });
  t.same([await limitOf(own), await balanceLimitOf(own)], [100, 100], 'a limit that was set stays');
  t.same([await limitOf(later), await balanceLimitOf(later)], [1000, 1000]);
  await ask('POST', `${own}/credit-limit`, { creditLimitAmount: 1000 });
  await ask('POST', `${line}/credit-limit`, { creditLimitAmount: 3000 });
  t.equal(await limitOf(own), 1000, 'also if it is as high as the share');
  t.same(failures, []);
});

test('a line with a fee is stated, asked for, paid to the draw that is named, and shown in every read', async (t) => {
  const { ask, line, draw, goTo, emitted, h, failures } = await openLineOverHttp(
    t,
    { fees: { drawFeeLogic: 'separate' }, minPayment: { minAmount: 0 } },
    { minPaymentCalculation: null },
  );
  const fee = await draw({ atOrigination: { fees: { drawFeeAmount: 60 } } });
  const other = await draw();
  t.match(await emitted('draw.fee.booked'), [{ drawId: fee.split('/').at(-1), amount: 60, effectiveDate: '2026-03-02' }]);
  t.match(await ask('GET', `${line}/balances`), {
    json: {
      data: {
        outstandingBalances: { outstandingTotalAmount: 60, outstandingDrawFeesAmount: 60 },
        creditBalances: { creditLimitAmount: 5000, utilizedAmount: 60, availableCreditAmount: 4940, heldAmount: 0 },
        drawBalances: [
          { drawId: fee.split('/').at(-1), outstandingBalances: { outstandingFeesAmount: 60 } },
          { outstandingBalances: { outstandingFeesAmount: 0 } },
        ],
      },
    },
  });
  t.match(await ask('GET', `${line}/balances?fast=true`), { json: { data: { availableCreditAmount: 4940 } } });
  t.match(await ask('GET', `${fee}/balances`), {
    json: { data: { drawId: fee.split('/').at(-1), outstandingBalances: { outstandingTotalAmount: 60 } } },
  });
  await goTo('2026-04-01');
  const periods = listOf(await ask('GET', `${line}/periods`));
  t.match(periods, [
    { startDate: '2026-03-02', endDate: '2026-03-24', statementDate: '2026-03-25', dueDate: '2026-04-15', status: 'closed' },
    { startDate: '2026-03-25', status: 'open' },
  ]);
  t.match(await ask('GET', `${line}/obligations?dueDate=2026-04-15`), {
    json: {
      data: {
        obligations: [
          {
            obligationAmount: 60,
            remainingAmount: 60,
            isOpen: false,
            loanGracePeriod: { fullBalanceAmount: 60 },
            gracePeriod: [{ drawId: fee.split('/').at(-1) }, {}],
          },
        ],
      },
    },
  });
  t.match(await ask('GET', `${fee}/obligations?dueDate=2026-04-15`), { json: { data: { obligations: [{ obligationAmount: 60 }] } } });
  t.match(await ask('GET', `${line}/expected-payments`), {
    json: { data: { paymentFrequency: 'monthly', specificDays: ['15'], schedule: [{ date: '2026-04-15', amount: 60, status: 'booked' }] } },
  });
  t.match(await ask('GET', `${fee}/expected-payments`), { json: { data: { schedule: [{ date: '2026-04-15', amount: 60 }] } } });
  t.match(await ask('GET', `${line}/payoff?drawId=${fee.split('/').at(-1)}`), { json: { data: { payoffAmount: 60, feesAmount: 60 } } });
  t.match(await ask('GET', `${line}/payoff`), { json: { data: { payoffAmount: 60 } } });

  const drawId = fee.split('/').at(-1);
  const shown = await ask('POST', `${line}/transactions/preview`, external(25, { drawId }));
  t.match(shown, {
    json: {
      data: {
        allocation: { feesAmount: 25, rows: [{ bucket: 'dueFees', drawId, amount: 25 }] },
        balances: { outstandingTotalAmount: 35 },
        obligations: [{ remainingAmount: 35 }],
      },
    },
  });
  const preview = await ask('POST', `${line}/transactions`, { ...external(25, { drawId }), previewMode: true });
  const paid = await ask('POST', `${line}/transactions`, external(25, { drawId }));
  t.strictSame(withoutNames(paid.json), withoutNames(preview.json));
  t.match(paid, {
    status: 201,
    json: { data: { drawId, paidFeesAmount: 25, drawSplitDetails: [{ drawId, feesAmount: 25, totalAmount: 25 }] } },
  });
  t.match(await ask('GET', `${line}/transactions/${idOf(paid)}/allocation`), { json: { data: { rows: [{ drawId, amount: 25 }] } } });
  t.match(await ask('GET', `${line}/transactions?drawId=${drawId}`), { json: { total: 1 } });
  t.match(await ask('GET', `${line}/transactions?drawId=${other.split('/').at(-1)}`), { json: { total: 0 } });
  t.match(await ask('POST', `${line}/transactions`, external(5, { drawId: 'LN-AAAA-AAAA' })), { status: 404 });
  t.match(await ask('POST', `${line}/transactions`, { ...CREDIT, amount: 36 }), { status: 422, json: { maximumAmount: 35 } });
  t.match(await ask('POST', `${line}/transactions`, { ...CREDIT, amount: 5 }), {
    status: 201,
    json: { data: { drawSplitDetails: [{ drawId }] } },
  });
  t.match(await ask('POST', `${line}/transactions/${idOf(paid)}/backdate`, { effectiveDate: '2026-03-10' }), {
    status: 200,
    json: { data: { timestamps: { effectiveDate: '2026-03-10' } } },
  });
  t.match(await ask('GET', `${line}/balances?toEffectiveDate=2026-03-10`), {
    json: { data: { outstandingBalances: { outstandingTotalAmount: 35 } } },
  });
  t.match(await ask('GET', `${line}/balances/history?fromEffectiveDate=2026-03-09&toEffectiveDate=2026-03-11&drawId=${drawId}`), {
    json: { data: { days: [{ outstandingTotalAmount: 60 }, { outstandingTotalAmount: 35 }, { outstandingTotalAmount: 35 }] } },
  });
  t.match(await ask('GET', `${line}/interest`), { json: { data: { totalInterestAmount: 0 } } });

  const over = await ask('POST', `${line}/transactions`, external(50));
  t.match(over, { json: { data: { paidFeesAmount: 30, paidOverAmount: 20 } } });
  t.match(await ask('POST', `${line}/reimburse`, { isExternal: true, transactionStatus: 'succeeded', reimbursementAmount: 20 }), {
    status: 200,
  });
  t.match(await ask('GET', `${line}/reimbursements`), { json: { owedAmount: 0, total: 1 } });
  const before = await h.query('loan.balances', line.split('/').at(-1) ?? '');
  t.same(failures, []);
  h.forgetSnapshots();
  await h.restart();
  t.same(await h.query('loan.balances', line.split('/').at(-1) ?? ''), before, 'the journal gives the same ledger');
  t.ok(dataOf(paid));
});

test('fees are charged on a line and on its draws, changed, waived and listed', async (t) => {
  const { ask, line, draw, goTo, emitted, h, company, loanTypeId, failures } = await openLineOverHttp(t, {
    fees: { drawFeeLogic: 'separate' },
  });
  for (const body of [
    { name: { displayName: 'Copy', apiName: 'copy' }, feeType: 'adHoc', amount: 12, chargeLogic: 'immediate' },
    {
      name: { displayName: 'Member', apiName: 'member' },
      feeType: 'membershipFee',
      amount: 9,
      trigger: 'periodStart',
      chargeLogic: 'immediate',
    },
  ])
    await h.data('feeType.create', company, body, { params: { loanTypeId } });
  const first = await draw({ atOrigination: { fees: { drawFeeAmount: 60 } } });
  const drawId = first.split('/').at(-1);
  const preview = await ask('POST', `${first}/fees`, { apiName: 'copy', externalId: 'fee-1', previewMode: true });
  const made = await ask('POST', `${first}/fees`, { apiName: 'copy', externalId: 'fee-1' });
  t.match(listOf(preview), [{ amount: 12, drawId, status: 'booked' }]);
  t.match(made, { status: 200, json: { data: [{ type: 'dynamicFee', amount: 12, drawId, status: 'booked' }] } });
  t.match(await ask('POST', `${line}/fees`, { apiName: 'copy', chargeDate: '2026-03-06' }), {
    json: { data: [{ drawId: null, status: 'scheduled' }] },
  });
  t.match(await ask('GET', `${first}/fees`), {
    json: {
      total: 2,
      data: [
        { drawId, type: 'dynamicFee' },
        { drawId, type: 'drawFee', amount: 60, originalAmount: 60, status: 'booked' },
      ],
    },
  });
  t.match(await ask('PUT', `${first}/fees/draw`, { feeAmount: 61 }), { status: 422 });
  t.match(await ask('PUT', `${first}/fees/draw`, { feeAmount: 40 }), { status: 204 });
  t.match(await ask('GET', `${first}/fees?types=drawFee`), { json: { data: [{ amount: 40, originalAmount: 60 }] } });
  t.match(await ask('PUT', `${line}/fees/ext-fee-1`, { feeAmount: 8 }), { status: 200, json: { data: { amount: 8 } } });
  t.match(await ask('GET', `${line}/balances`), {
    json: { data: { outstandingBalances: { outstandingFeesAmount: 48, outstandingDrawFeesAmount: 40 } } },
  });
  t.match(await ask('PUT', `${line}/fees/ext-fee-1/cancel`, { reason: 'courtesy' }), {
    status: 200,
    json: { data: { status: 'canceled' } },
  });
  await goTo('2026-03-26');
  t.match(
    await ask('GET', `${line}/balances`),
    { json: { data: { outstandingBalances: { outstandingFeesAmount: 61, outstandingDrawFeesAmount: 40 } } } },
    'the scheduled fee, and the one of the period that began',
  );
  t.match((await emitted('loan.membershipfee.booked')).at(-1), { amount: 9, effectiveDate: '2026-03-25' });
  t.same(failures, []);
});

test('a line is closed, and paid off when it owes nothing; another is canceled, closed draws take no part', async (t) => {
  const { ask, line, active, draw, goTo } = await openLineOverHttp(t);
  t.match(await ask('POST', `${line}/close`, { closeReasonDescription: 'moved away', closeReason: 'borrowerRequest' }), {
    status: 200,
    json: { data: { isClosed: true, status: 'paidOff' } },
  });
  t.match(await ask('POST', `${line}/draws`, { status: 'originated' }), { status: 409 });
  const second = await active();
  await draw({ atOrigination: { fees: { drawFeeAmount: 60 } } }, second);
  await goTo('2026-03-05');
  await ask('POST', `${second}/transactions`, external(10));
  t.match(await ask('POST', `${second}/cancel`, { cancellationReason: 'duplicate' }), { status: 409 });
  t.match(await ask('POST', `${second}/cancel?force=true`, { cancellationReason: 'duplicate' }), { status: 200 });
  t.match(await ask('POST', `${line}/refresh`, {}), { status: 200 });
});

test('a line shows what its activation fixed', async (t) => {
  const { ask, line, created } = await openLineOverHttp(t);
  const fixed = {
    startDate: '2026-03-02',
    endDate: null,
    duration: null,
    principalAmount: null,
    periodicPaymentAmount: null,
    aprNominal: 0.18,
    expectedPayments: [],
  };
  const { atActivation, aprNominalAtActivation } = dataOf(await ask('GET', line));
  t.match(atActivation, fixed);
  t.equal(aprNominalAtActivation, 0.18);
  t.equal(dataOf(await created())['atActivation'], null);
});

test('principal that was paid on a line that does not revolve is not lent again, what was given back is', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t, { structure: { revolving: false } });
  const path = await draw({ atOrigination: { creditLimitAmount: 2000 } });
  const bought = idOf(await ask('POST', `${path}/purchases`, { amount: 1500 }));
  await goTo('2026-03-05');
  t.match(await ask('POST', `${line}/transactions`, external(500)), { status: 201 });
  const available = async (of: string): Promise<unknown> =>
    (dataOf(await ask('GET', `${of}/balances`))['creditBalances'] as { readonly availableCreditAmount: number }).availableCreditAmount;
  const { outstandingInterestAmount } = dataOf(await ask('GET', `${line}/balances`))['outstandingBalances'] as {
    readonly outstandingInterestAmount: string;
  };
  t.ok(Number(outstandingInterestAmount) < 0.01, 'the interest of three days was paid first');
  t.same([await available(line), await available(path)], [3500, 500]);
  t.match(await ask('POST', `${path}/purchases`, { amount: 500.01 }), { status: 422, json: { errorType: 'creditLimitExceeded' } });
  t.match(await ask('POST', `${path}/purchases`, { amount: 300 }), { status: 200 });
  t.match(await ask('POST', `${path}/purchases`, { amount: 200, type: 'refund', originalPurchaseId: bought }), { status: 200 });
  t.same([await available(line), await available(path)], [3400, 400]);
});

test('a draw says itself what a service fee on it comes to, and how much of them it bears', async (t) => {
  const { ask, draw, loanTypeId, failures } = await openLineOverHttp(t, {}, { fees: { serviceFeeAmount: 4 } });
  const feeType = { name: { apiName: 'care', displayName: 'Care' }, feeType: 'serviceFee', amountLogic: 'fixed', amount: 5 };
  t.match(await ask('POST', `/loan-types/${loanTypeId}/fee-types`, feeType), { status: 201 });
  const [own, plain] = [await draw({ atOrigination: { fees: { serviceFeeAmount: 7, serviceFeeCapAmount: 10 } } }), await draw()];
  const charge = async (of: string): Promise<unknown> => {
    const answer = await ask('POST', `${of}/fees?sync=true`, { apiName: 'care' });
    return answer.status < 300 ? listOf(answer)[0]?.['amount'] : answer.json['errorType'];
  };
  t.same([await charge(own), await charge(own), await charge(own), await charge(plain)], [7, 3, 'feeNotCharged', 4]);
  t.same(failures, []);
});
