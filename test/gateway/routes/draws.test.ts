import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { withoutNames } from './loan-over-http.js';

test('a line of credit is made, activated and shown, with a first period that asks for nothing', async (t) => {
  const { ask, created, line, emitted, failures } = await openLineOverHttp(t);
  const issuer = { status: 'active', cardIssuerType: 'accountTokenIssuer', cardType: 'virtualCard', apiKey: 'key' };
  const issuerId = idOf(await ask('POST', '/card-issuers', issuer));
  const card = {
    issuerId,
    token: 'secret-token',
    type: 'virtualCard',
    cardDetails: { status: 'active', cardNumberLastFour: '4242', network: 'visa', firstName: 'Ann', lastName: 'Secret' },
  };
  const made = await created({
    status: 'pending',
    externalId: 'line-1',
    atOrigination: { card, minPaymentCalculation: { minAmount: 30 } },
  });
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'lineOfCredit',
        type: 'lineOfCredit',
        displayId: 'line-1',
        status: 'pending',
        current: { creditLimitAmount: 5000, periodicPayment: null, duration: null },
        atOrigination: {
          amountFinanced: null,
          creditLimitAmount: 5000,
          specificDays: ['15'],
          minPaymentCalculation: { percentageOfPrincipal: null, minAmount: 30, isIncludeOverLimitAmount: null },
          card: {
            issuerId,
            type: 'virtualCard',
            cardDetails: { status: 'active', cardNumberLastFour: '4242', network: 'visa' },
          },
        },
      },
    },
  });
  t.notOk(/secret/i.test(made.text), 'of a card the last four digits are shown');
  const path = `/people/ext-ann-1/loans/${idOf(made)}`;
  const changed = await ask('PUT', path, { status: 'originated', atOrigination: { creditLimitAmount: 800.55 } });
  t.match(changed, {
    status: 200,
    json: {
      data: { status: 'originated', atOrigination: { creditLimitAmount: 800.55, card: { cardDetails: { cardNumberLastFour: '4242' } } } },
    },
  });
  const preview = await ask('POST', `${path}/activate`, { previewMode: true });
  const activated = await ask('POST', `${path}/activate`, {});
  t.strictSame(withoutNames(activated.json), withoutNames(preview.json));
  t.match(activated, {
    status: 200,
    json: {
      data: { schedule: [{ date: '2026-04-15', amount: 0, periodId: /^PE-/ }], ratesValidation: { interestRateAtOrigExceedsMax: false } },
    },
  });
  t.match(await ask('GET', line), {
    json: {
      data: {
        status: 'active',
        aprNominalAtActivation: 0.18,
        aprEffectiveAtActivation: 0.195618,
        endDate: null,
        current: {
          creditLimitAmount: 5000,
          nextDueDate: null,
          isOverdue: false,
          interestRate: 0.18,
          paymentFrequency: 'monthly',
          specificDays: ['15'],
        },
      },
    },
  });
  t.match(await emitted('loan.statuschanged'), [{ oldStatus: 'originated', newStatus: 'active' }]);
  t.equal((await emitted('loan.period.started')).length, 1);
  t.match(await ask('GET', '/people/ext-ann-1/loans?status=active'), { json: { total: 2 } });
  t.same(failures, []);
});

test('bodies of the other product, and days that do not fit the product, are refused with every fault', async (t) => {
  const { ask, created, h, company, loanTypeId } = await openLineOverHttp(t);
  const wrong = await created({ atOrigination: { creditLimitAmount: null, amountFinanced: 100, duration: 12, specificDays: [40] } });
  t.match(wrong, { status: 400, json: { errorType: 'validationError' } });
  t.same((wrong.json['errors'] as { path: string }[]).map(({ path }) => path).sort(), [
    'atOrigination.amountFinanced',
    'atOrigination.creditLimitAmount',
    'atOrigination.duration',
    'atOrigination.specificDays',
  ]);
  t.match(await created({ type: 'installment', atOrigination: { amountFinanced: 100, duration: 3 } }), { status: 400 });
  t.match(await created({ atOrigination: { paymentFrequency: 'singleTerm', specificDays: null } }), { status: 422 });
  t.match(await created({ atOrigination: { specificDays: [5, 28] } }), {
    status: 422,
    json: { errors: [{ path: 'atOrigination.specificDays' }] },
  });
  const both = await h.data('loanType.create', company, { type: 'lineOfCredit', name: 'Both', schedule: { dueDateOption: 'fixedBoth' } });
  t.match(await created({ loanTypeId: both.id }), { status: 422, json: { errors: [{ path: 'atOrigination.specificDays' }] } });
  const fixed = await created({ loanTypeId: both.id, atOrigination: { specificDays: [5, '28'] } });
  t.match(fixed, { status: 200, json: { data: { atOrigination: { specificDays: ['5', '28'] } } } });
  t.match(await ask('POST', `/people/ext-ann-1/loans/${idOf(fixed)}/activate`, {}), {
    json: { data: { schedule: [{ date: '2026-03-28' }] } },
  });
  t.match(await ask('GET', `/loan-types/${loanTypeId}`), { status: 200 });
});

test('draws are made on an open line, changed while they are pending, and activated', async (t) => {
  const { ask, line, h, failures } = await openLineOverHttp(t);
  const draws = `${line}/draws`;
  const lineId = line.split('/').at(-1) ?? '';
  t.match(await ask('GET', draws), { status: 200, json: { count: 0, data: [] } });
  const body = {
    status: 'pending',
    externalId: 'draw-1',
    nickname: 'Kitchen',
    metaData: { purpose: 'kitchen' },
    atOrigination: {
      interestRates: [{ rate: 0.12, days: null }],
      promoRates: [{ rate: 0.02, days: 30 }],
      creditLimitPercentage: 0.5,
      fees: { drawFeeAmount: 10 },
      minPaymentCalculation: { percentageOfPrincipal: 0.1 },
      gracePeriod: { isGracePeriodApplicable: true },
      autoAmortization: { amortizationLogic: 'perPurchase', duration: 6 },
      mdr: { mdrRate: 0.02 },
    },
  };
  const made = await ask('POST', draws, body);
  t.match(made, {
    status: 200,
    json: {
      data: {
        id: /^LN-/,
        object: 'draw',
        type: 'draw',
        drawType: 'regularPurchase',
        status: 'pending',
        nickname: 'Kitchen',
        displayId: 'draw-1',
        lineOfCreditId: line.split('/').at(-1),
        isClosed: false,
        metaData: { purpose: 'kitchen' },
        current: { creditLimitAmount: 2500, balanceAmount: 0, isAmortized: true, interestRate: null },
        atOrigination: {
          creditLimitPercentage: 0.5,
          creditLimitAmount: null,
          fees: { drawFeeAmount: 10, drawFeePercentageOfPrincipal: 0 },
          gracePeriod: { isGracePeriodApplicable: true, numPeriodsToRestoreGrace: null },
          mdr: { mdrRate: 0.02 },
          autoAmortization: { amortizationLogic: 'perPurchase', duration: 6, periodicPaymentAmount: null },
        },
        timestamps: { createdAt: /^2026/, activatedAt: null },
      },
    },
  });
  t.match(await ask('POST', draws, body), { status: 409, json: { errorType: 'duplicate' } });
  const draw = `${draws}/ext-draw-1`;
  t.match(await ask('GET', draw), { json: { data: { id: idOf(made) } } });
  t.match(await ask('PUT', draw, { status: 'originated', atOrigination: { creditLimitPercentage: null, creditLimitAmount: 900 } }), {
    status: 200,
    json: { data: { status: 'originated', current: { creditLimitAmount: 900 }, timestamps: { originatedAt: /^2026/ } } },
  });
  t.match(await ask('PUT', draw, { atOrigination: { creditLimitAmount: 100 } }), {
    status: 400,
    json: { errors: [{ path: 'atOrigination' }] },
  });
  t.match(await ask('PUT', `${draw}?force=true`, { atOrigination: { creditLimitAmount: 950 } }), {
    json: { data: { current: { creditLimitAmount: 950 } } },
  });
  t.match(
    await ask('PUT', draw, { ...dataOf(await ask('GET', draw)), nickname: 'Bath', metaData: null }),
    { json: { data: { nickname: 'Bath', metaData: null } } },
    'a draw sent back as it was read',
  );
  const preview = await ask('POST', `${draw}/activate`, { previewMode: true });
  t.match(await ask('GET', draw), { json: { data: { status: 'originated' } } });
  const activated = await ask('POST', `${draw}/activate`, {});
  t.strictSame(withoutNames(activated.json), withoutNames(preview.json));
  t.match(activated, { json: { data: { schedule: [{ date: '2026-04-15' }], amountsValidation: { principalMatch: true } } } });
  t.match(await ask('GET', draw), {
    json: { data: { status: 'active', current: { creditLimitAmount: 950, interestRate: 0.1 }, timestamps: { activatedAt: /^2026/ } } },
  });
  t.match(await ask('POST', `${draw}/activate`, {}), { status: 409 });
  const second = await ask('POST', draws, { status: 'originated' });
  t.match(
    listOf(await ask('GET', draws)).map(({ id }) => id),
    [idOf(second), idOf(made)],
  );
  t.match(await ask('GET', `${draws}?statuses=originated`), { json: { total: 1, data: [{ nickname: 'Draw' }] } });
  t.match(await ask('GET', `${draws}?isAmortized=true&isClosed=false&startedBefore=2026-03-03`), { json: { total: 1 } });
  t.match(await ask('GET', `${draws}?statuses=lost`), { status: 400 });
  t.same(failures, []);
  const shown = async (): Promise<object> => [
    await h.query('loan.get', lineId),
    await h.query('draw.get', lineId, {}, { params: { drawId: 'ext-draw-1' } }),
  ];
  const before = await shown();
  await h.restart();
  t.same(await shown(), before, 'a restart gives the same line and draw, from snapshots');
  h.forgetSnapshots();
  await h.restart();
  t.same(await shown(), before, 'and from the journal');
});

test('a draw is closed or canceled, also with its line', async (t) => {
  const { ask, draw, active } = await openLineOverHttp(t);
  const [first, second] = [await draw({ externalId: 'a' }), await draw()];
  t.match(await ask('POST', `${first}/close`, { closeRequestedByBorrower: true, previewMode: true }), {
    json: { data: { isClosed: true } },
  });
  t.match(await ask('POST', `${first}/close`, { closeRequestedByBorrower: true }), {
    json: { data: { isClosed: true, status: 'paidOff', timestamps: { closedAt: /^2026/ } } },
  });
  t.match(await ask('POST', `${first}/close`, {}), { status: 409 });
  t.match(await ask('POST', `${second}/cancel`, { cancellationReason: 'duplicate' }), {
    json: { data: { status: 'canceled', cancellationReason: 'duplicate' } },
  });
  t.match(await ask('POST', `${second}/activate`, {}), { status: 409 });
  const other = await active({ externalId: 'line-2' });
  const last = await draw({}, other);
  t.match(await ask('POST', `${other}/cancel`, { cancellationReason: 'wrongTerms' }), { status: 200 });
  t.match(await ask('GET', last), { json: { data: { status: 'canceled' } } });
});

test('a canceled and a declined draw free their external ids and those of their parts', async (t) => {
  const { h, ask, draw, line, loanTypeId, failures } = await openLineOverHttp(t);
  const name = { displayName: 'Copy', apiName: 'copy' };
  await ask('POST', `/loan-types/${loanTypeId}/fee-types`, { name, feeType: 'adHoc', amountLogic: 'fixed', amount: 5, trigger: 'manual' });
  const first = await draw({ externalId: 'once' });
  await ask('POST', `${first}/purchases`, { amount: 40, status: 'authorized', externalId: 'bought' });
  const fee = { apiName: 'copy', externalId: 'copied' };
  t.match(await ask('POST', `${first}/fees`, fee), { status: 200 });
  t.match(await ask('POST', `${line}/draws`, { status: 'pending', externalId: 'once' }), { status: 409 });
  t.match(await ask('POST', `${first}/cancel?force=true`, {}), { json: { data: { status: 'canceled', externalId: null } } });
  t.match(await ask('GET', `${line}/draws/ext-once`), { status: 404 });
  const second = await draw({ externalId: 'once' });
  t.match(await ask('GET', `${line}/draws/ext-once`), { json: { data: { id: second.split('/').at(-1) } } });
  t.match(await ask('POST', `${second}/purchases`, { amount: 40, externalId: 'bought' }), { status: 200 });
  t.match(await ask('POST', `${second}/fees`, fee), { status: 200 });

  const declineReason = { mainText: 'Income too low' };
  const pending = await ask('POST', `${line}/draws`, { status: 'pending', externalId: 'twice' });
  await ask('PUT', `${line}/draws/${idOf(pending)}`, { status: 'declined', declineReason });
  t.match(await ask('GET', `${line}/draws/${idOf(pending)}`), { json: { data: { status: 'declined', externalId: 'twice' } } });
  await ask('POST', `${line}/draws`, { status: 'declined', declineReason, externalId: 'thrice' });
  for (const externalId of ['twice', 'thrice']) {
    const again = await ask('POST', `${line}/draws`, { status: 'pending', externalId });
    t.match(await ask('GET', `${line}/draws/ext-${externalId}`), { json: { data: { id: idOf(again) } } });
  }
  const closed = await ask('POST', `${line}/draws`, { status: 'originated', externalId: 'never' });
  await ask('POST', `${line}/draws/${idOf(closed)}/close`, {});
  t.match(await ask('POST', `${line}/draws`, { status: 'pending', externalId: 'never' }), { status: 200 }, 'closed before its activation');
  await h.restart();
  const params = { drawId: 'ext-twice' };
  t.match(await h.query('draw.get', line.split('/').at(-1) ?? '', {}, { params }), { status: 'pending' }, 'after a restart');
  t.same(failures, []);
});

test('draws are refused on installment loans, on lines that take none, and without permission', async (t) => {
  const { ask, line, created, h } = await openLineOverHttp(t);
  t.match(await ask('POST', `${line}/draws`, { status: 'originated', drawType: 'static' }), {
    status: 422,
    json: { errors: [{ path: 'drawType' }] },
  });
  t.match(
    await ask('POST', `${line}/draws`, { status: 'originated', atOrigination: { creditLimitAmount: 5, creditLimitPercentage: 0.1 } }),
    { status: 400 },
  );
  t.match(
    await ask('POST', `${line}/draws`, { status: 'originated', atOrigination: { autoAmortization: { amortizationLogic: 'perPurchase' } } }),
    { status: 400 },
  );
  t.match(await ask('POST', `${line}/draws`, { status: 'active' }), { status: 400 });
  t.match(await ask('GET', `${line}/draws/LN-AAAA-AAAA`), { status: 404 });
  await ask('PUT', line, { newDrawsAllowed: false });
  t.match(await ask('POST', `${line}/draws`, { status: 'originated' }), { status: 409, json: { errors: [{ path: 'newDrawsAllowed' }] } });
  const pending = `/people/ext-ann-1/loans/${idOf(await created({ status: 'pending' }))}`;
  t.match(await ask('POST', `${pending}/draws`, { status: 'originated' }), { status: 409 });
  t.match(await ask('POST', `${pending}/reamortize`, { effectiveDate: '2026-05-01' }), {
    status: 409,
    json: { errors: [{ path: 'type' }] },
  });
  t.match(await ask('POST', `${line}/schedule-preview`, {}), { status: 409 });
  t.ok(h.company);
});

test('a preview of a draw or a loan creates and changes nothing', async (t) => {
  const { ask, line, draw, failures } = await openLineOverHttp(t);
  const path = await draw({ externalId: 'd-1' });
  const before = [(await ask('GET', `${line}/draws`)).text, (await ask('GET', line)).text];
  const previewMode = true;
  t.match(await ask('POST', `${line}/draws`, { status: 'originated', externalId: 'd-2', previewMode }), {
    status: 200,
    json: { data: { externalId: 'd-2', status: 'originated' } },
  });
  t.match(await ask('PUT', path, { nickname: 'Boat', previewMode }), { status: 200, json: { data: { nickname: 'Boat' } } });
  t.match(await ask('PUT', line, { nickname: 'Boats', previewMode }), { status: 200, json: { data: { nickname: 'Boats' } } });
  t.same([(await ask('GET', `${line}/draws`)).text, (await ask('GET', line)).text], before);
  t.match(
    await ask('POST', `${line}/draws`, { status: 'originated', externalId: 'd-2' }),
    { status: 200 },
    'the external id was not taken',
  );
  t.same(failures, []);
});
