import { test } from 'tap';
import { dataOf, idOf, listOf, newCase } from './http-lender.js';
import { openPurchases } from './purchases-over-http.js';
import { withoutNames } from './loan-over-http.js';

test('the first purchase activates its draw, raises its balance and emits events', async (t) => {
  const { ask, draw, owed, emitted, failures } = await openPurchases(t);
  const caseId = await newCase({ ask });
  const body = {
    externalId: 'p-1',
    amount: 100.5,
    caseId,
    sendNotice: false,
    metadata: { till: 7 },
    purchaseDetails: {
      description: 'shoes',
      pointOfSaleType: 'physical',
      merchantName: 'Shop',
      merchantCategoryCode: '5661',
      metadata: { a: true },
    },
  };
  const preview = await ask('POST', `${draw}/purchases`, { ...body, previewMode: true });
  t.match(await ask('GET', draw), { json: { data: { status: 'originated' } } }, 'a preview changes nothing');
  t.same(listOf(await ask('GET', `${draw}/purchases`)), []);
  const made = await ask('POST', `${draw}/purchases?sync=true`, body);
  t.strictSame(
    withoutNames({ ...preview.json, data: { ...dataOf(preview), displayId: '' } }),
    withoutNames({ ...made.json, data: { ...dataOf(made), displayId: '' } }),
  );
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'purchase',
        id: /^DP-/,
        externalId: 'p-1',
        displayId: 'p-1',
        drawId: draw.split('/').at(-1),
        type: 'regular',
        status: 'settled',
        amount: 100.5,
        originalAmount: 100.5,
        purchaseDate: '2026-03-02',
        authorizationPurchaseId: null,
        originalPurchaseId: null,
        eligibleDisputeAmount: 100.5,
        purchaseDetails: {
          description: 'shoes',
          originalCurrencyCode: 'USD',
          conversionRate: 1,
          isValidMerchantId: false,
          metadata: { a: true },
        },
        metadata: { till: 7 },
        caseId,
        refundDetails: null,
        migration: null,
        operationId: /./,
        timestamps: { authorizedAt: null, settledAt: /^2026-03-02/, effectiveAt: /^2026-03-02/ },
      },
    },
  });
  t.match(await ask('GET', draw), { json: { data: { status: 'active' } } });
  t.equal(await owed(draw), 100.5);
  t.match(await ask('GET', `${draw}/purchases/ext-p-1`), { status: 200, json: { data: { id: idOf(made) } } });
  const id = idOf(made);
  for (const type of ['purchase.created', 'purchase.settled', 'purchase.applied']) {
    t.match(
      await emitted(type),
      [{ purchaseId: id, drawId: draw.split('/').at(-1), type: 'regular', amount: 100.5, status: 'settled' }],
      type,
    );
  }
  t.match(await emitted('loan.balance.changed'), [{}]);
  t.same(await emitted('purchase.authorized'), []);
  t.same(failures, []);
});

test('a draw is not activated by a purchase where its product says so', async (t) => {
  const { ask, draw } = await openPurchases(t, { draws: { autoActivateOnFirstPurchase: false } });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 10 }), {
    status: 409,
    json: { errorType: 'invalidState', errors: [{ path: 'drawId' }] },
  });
  await ask('POST', `${draw}/activate`, {});
  t.match(await ask('POST', `${draw}/purchases`, { amount: 10 }), { status: 200 });
});

test('an authorization holds credit, changes, and is released by its settlement', async (t) => {
  const { ask, line, draw, owed, emitted } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  const authorized = await ask('POST', purchases, { amount: 700, status: 'authorized' });
  t.match(authorized, {
    status: 200,
    json: {
      data: {
        status: 'authorized',
        originalAmount: null,
        eligibleDisputeAmount: 0,
        timestamps: { authorizedAt: /^2026/, settledAt: null },
      },
    },
  });
  t.equal(await owed(draw), 0);
  const one = `${purchases}/${idOf(authorized)}`;
  t.match(await ask('POST', purchases, { amount: 300.01 }), {
    status: 422,
    json: { errorType: 'creditLimitExceeded', errors: [{ path: 'amount', expected: /300.00/ }] },
  });
  const held = { creditBalances: { creditLimitAmount: 1000, utilizedAmount: 0, heldAmount: 700, availableCreditAmount: 300 } };
  t.match(await ask('GET', `${line}/balances`), { json: { data: { ...held, drawBalances: [held] } } });
  t.match(await ask('GET', `${line}/balances?fast=true`), { json: { data: { availableCreditAmount: 300 } } });
  t.match(await ask('GET', `${draw}/balances`), { json: { data: held } });
  t.match(
    await ask('GET', `${line}/balances?toEffectiveDate=2026-03-02`),
    { json: { data: { creditBalances: { heldAmount: 0, availableCreditAmount: 1000 } } } },
    'days past are the ledger’s',
  );
  t.match(await ask('PUT', one, { amount: 1000.01 }), { status: 422, json: { errorType: 'creditLimitExceeded' } });
  t.match(await ask('PUT', one, { amount: 650, purchaseDetails: { merchantName: 'Hotel' } }), {
    status: 200,
    json: { data: { amount: 650, status: 'authorized' } },
  });
  t.match(await ask('PUT', one, { status: 'authorized' }), { status: 200 });
  t.match((await emitted('purchase.changed')).at(-1), {
    changes: [
      { field: 'amount', newValue: 650 },
      { field: 'purchaseDetails', newValue: null },
    ],
    amount: 650,
  });
  const settled = await ask('POST', purchases, { amount: 800, authorizationPurchaseId: idOf(authorized) });
  t.match(settled, {
    status: 200,
    json: { data: { status: 'settled', amount: 800, authorizationPurchaseId: idOf(authorized), timestamps: { authorizedAt: /^2026/ } } },
  });
  t.match(await ask('GET', one), { json: { data: { status: 'canceled', originalAmount: null } } });
  t.equal(await owed(draw), 800);
  t.match(await ask('POST', purchases, { amount: 1, authorizationPurchaseId: idOf(authorized) }), {
    status: 409,
    json: { errors: [{ path: 'authorizationPurchaseId' }] },
  });
  t.match(await ask('POST', purchases, { amount: 200.01 }), { status: 422 });
  const over = await ask('POST', `${purchases}?force=true`, { amount: 300, status: 'authorized' });
  t.match(over, { status: 200 });
  t.match(
    await ask('PUT', `${purchases}/${idOf(over)}`, { status: 'settled' }),
    { status: 200, json: { data: { status: 'settled', originalAmount: 300 } } },
    'what was let through settles',
  );
  t.equal(await owed(draw), 1100);
  t.equal((await emitted('purchase.authorized')).length, 2);
  t.equal((await emitted('purchase.settled')).length, 2);
  t.equal((await emitted('purchase.applied')).length, 2);
});

test('a purchase moves on only as the contract says, and its amount is fixed once it is settled', async (t) => {
  const { ask, draw, owed } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  const made = async (status: string): Promise<string> => `${purchases}/${idOf(await ask('POST', purchases, { amount: 10, status }))}`;
  const pending = await made('authorized');
  t.match(await ask('PUT', pending, { status: 'pending' }), { json: { data: { status: 'pending' } } });
  t.match(await ask('PUT', pending, { status: 'authorized' }), { status: 409 });
  t.match(await ask('PUT', pending, { status: 'declined', declineReason: { mainText: 'no' } }), {
    json: { data: { status: 'declined', declineReason: { mainText: 'no' } } },
  });
  t.match(await ask('PUT', pending, { status: 'settled' }), { status: 409, json: { errors: [{ path: 'status' }] } });
  const canceled = await made('authorized');
  t.match(await ask('POST', `${canceled}/cancel`, {}), { json: { data: { status: 'canceled' } } });
  t.match(await ask('POST', `${canceled}/cancel`, {}), { status: 409 });
  const settled = await made('settled');
  t.match(await ask('PUT', settled, { amount: 11 }), { status: 409, json: { errors: [{ expected: 'authorized or pending' }] } });
  t.match(await ask('PUT', settled, { amount: 10, externalId: 'kept' }), { status: 200, json: { data: { externalId: 'kept' } } });
  t.match(await ask('PUT', settled, { status: 'disputed' }), { status: 409 });
  t.match(await ask('PUT', settled, { status: 'declined' }), { status: 409 });
  t.match(await ask('PUT', settled, { declineReason: { mainText: 'no' } }), { status: 400, json: { errors: [{ path: 'declineReason' }] } });
  t.match(await ask('PUT', settled, { externalId: null }), { json: { data: { externalId: null } } });
  t.match(await ask('POST', purchases, { amount: 5, externalId: 'kept' }), { status: 200 }, 'a cleared id may be used again');
  t.match(await ask('POST', purchases, { amount: 5, externalId: 'kept' }), { status: 409, json: { errorType: 'duplicate' } });
  t.equal(await owed(draw), 15);
  t.match(await ask('PUT', settled, { status: 'canceled' }), { json: { data: { status: 'canceled', originalAmount: 10 } } });
  t.equal(await owed(draw), 5, 'the ledger was computed again without it');
});

test('limits of the line and of the draw bind, with tolerance, as the product counts open credit', async (t) => {
  const product = { creditLimit: { overLimitTolerancePercent: 0.05, openToBuyLogic: 'limitMinusBalanceMinusPending' } };
  const { ask, draw, newDraw } = await openPurchases(t, product);
  const narrow = await newDraw({ atOrigination: { creditLimitAmount: 200 } });
  t.match(await ask('POST', `${narrow}/purchases`, { amount: 210.01 }), { status: 422, json: { message: /draw/ } });
  t.match(await ask('POST', `${narrow}/purchases`, { amount: 210 }), { status: 200 });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 600, status: 'authorized' }), { status: 200 });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 400, status: 'pending' }), { status: 200 }, 'authorizations hold nothing here');
  t.match(await ask('POST', `${draw}/purchases`, { amount: 440.01 }), { status: 422, json: { message: /line/ } });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 440, previewMode: true }), { status: 200 });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 9999, status: 'declined', declineReason: { mainExternalReasonCode: '51' } }), {
    status: 200,
    json: { data: { status: 'declined', declineReason: { mainExternalReasonCode: '51' } } },
  });
});

test('a refund gives back non-due principal first, then pays, and never more than was bought', async (t) => {
  const { ask, draw, owed } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  const bought = idOf(await ask('POST', purchases, { amount: 100 }));
  t.match(await ask('POST', purchases, { amount: 10, type: 'refund' }), {
    status: 400,
    json: { errors: [{ path: 'originalPurchaseId' }] },
  });
  t.match(await ask('POST', purchases, { amount: 10, originalPurchaseId: bought }), { status: 400 });
  t.match(await ask('POST', purchases, { amount: 10, type: 'refund', originalPurchaseId: 'DP-AAAA-AAAA' }), { status: 422 });
  t.match(await ask('POST', purchases, { amount: 100.01, type: 'refund', originalPurchaseId: bought }), {
    status: 422,
    json: { errorType: 'amountExceedsEligible' },
  });
  const refund = await ask('POST', purchases, { amount: 60, type: 'refund', originalPurchaseId: bought, status: 'pending' });
  t.equal(await owed(draw), 100);
  t.match(await ask('POST', purchases, { amount: 40.01, type: 'refund', originalPurchaseId: bought }), { status: 422 });
  t.match(await ask('PUT', `${purchases}/${idOf(refund)}`, { amount: 100.01 }), { status: 422 });
  t.match(await ask('PUT', `${purchases}/${idOf(refund)}`, { amount: 70, status: 'settled' }), {
    json: {
      data: {
        status: 'settled',
        refundDetails: { refundTransactionId: null, refundNonDuePrincipalAmount: 70, refundTransactionAmount: 0 },
      },
    },
  });
  t.equal(await owed(draw), 30);
  t.match(await ask('POST', `${purchases}/${bought}/cancel`, {}), { status: 409, json: { message: /refund/ } });
  const back = await ask('POST', purchases, { amount: 50, type: 'cashback' });
  t.match(back, {
    status: 200,
    json: {
      data: {
        type: 'cashBack',
        refundDetails: { refundTransactionId: /^TX-/, refundNonDuePrincipalAmount: 30, refundTransactionAmount: 20 },
      },
    },
  });
  t.equal(await owed(draw), 0);
  t.match(await ask('POST', `${purchases}/${idOf(back)}/cancel`, {}), { json: { data: { status: 'canceled', refundDetails: null } } });
  t.equal(await owed(draw), 30);
});

test('a past purchase is replayed; none lies ahead or before the draw', async (t) => {
  const { ask, draw, owed, goTo } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  await ask('POST', `${draw}/activate`, {});
  await goTo('2026-03-12');
  t.match(await ask('POST', purchases, { amount: 10, purchaseDate: '2026-03-13' }), {
    status: 422,
    json: { errors: [{ path: 'purchaseDate' }] },
  });
  t.match(await ask('POST', purchases, { amount: 10, purchaseDate: '2026-03-01' }), { status: 422 });
  t.match(await ask('POST', purchases, { amount: 10, purchaseTimeOfDay: { hour: 1, minute: 0, second: 0 } }), { status: 400 });
  const made = await ask('POST', purchases, {
    amount: 100,
    purchaseDate: '2026-03-05',
    purchaseTimeOfDay: { hour: 10, minute: 30, second: 0 },
  });
  t.match(made, {
    status: 200,
    json: {
      data: {
        purchaseDate: '2026-03-05',
        purchaseTimeOfDay: { hour: 10, minute: 30, second: 0 },
        timestamps: { effectiveAt: '2026-03-05T15:30:00.000Z' },
      },
    },
  });
  t.equal(await owed(draw), 100.34, 'with the interest of seven days');
  const first = await ask('POST', purchases, {
    amount: 1,
    purchaseDate: '2026-03-02',
    purchaseTimeOfDay: { hour: 3, minute: 0, second: 0 },
  });
  t.match(
    first,
    { status: 200, json: { data: { purchaseTimeOfDay: { hour: 3 }, timestamps: { effectiveAt: '2026-03-02T15:00:00.000Z' } } } },
    'no earlier than the draw',
  );
  t.equal(await owed(draw), 101.35);
});

test('closed lines and draws accept refunds only', async (t) => {
  const { ask, line, draw, newDraw } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  const bought = idOf(await ask('POST', purchases, { amount: 100 }));
  const held = idOf(await ask('POST', purchases, { amount: 50, status: 'authorized' }));
  await ask('POST', `${draw}/close`, {});
  t.match(await ask('POST', purchases, { amount: 1 }), { status: 409 });
  t.match(await ask('POST', purchases, { amount: 1, type: 'refund', originalPurchaseId: bought }), { status: 200 });
  t.match(await ask('PUT', `${purchases}/${held}`, { status: 'settled' }), { status: 200 }, 'what was authorized before settles');
  const other = await newDraw();
  await ask('PUT', line, { newDrawsAllowed: false });
  t.match(await ask('POST', `${other}/purchases`, { amount: 1 }), { status: 409 });
});

test('purchases are listed by type, status and time, sorted, paged, and placed on a timeline', async (t) => {
  const { ask, line, draw, newDraw, goTo } = await openPurchases(t);
  const other = await newDraw();
  await ask('POST', `${draw}/activate`, {});
  await goTo('2026-03-10');
  const a = idOf(await ask('POST', `${draw}/purchases`, { amount: 1, purchaseDate: '2026-03-09' }));
  const b = idOf(await ask('POST', `${draw}/purchases`, { amount: 2, purchaseDate: '2026-03-03', externalId: 'bee' }));
  const c = idOf(await ask('POST', `${draw}/purchases`, { amount: 3, status: 'authorized' }));
  const d = idOf(await ask('POST', `${draw}/purchases`, { amount: 1, type: 'cashBack' }));
  const e = idOf(await ask('POST', `${other}/purchases`, { amount: 5 }));
  const ids = async (path: string): Promise<readonly unknown[]> => listOf(await ask('GET', path)).map(({ id }) => id);
  t.same(await ids(`${line}/purchases`), [e, d, c, b, a]);
  t.same(await ids(`${draw}/purchases`), [d, c, b, a]);
  t.same(await ids(`${line}/purchases?sortBy=effectiveAt&limit=2`), [b, a]);
  t.same(await ids(`${line}/purchases?sortBy=-effectiveAt&startingAfter=${a}`), [b]);
  t.same(await ids(`${line}/purchases?sortBy=%2BcreatedAt&startingAfter=ext-bee&limit=1`), [c]);
  t.same(await ids(`${line}/purchases?types=cashback`), [d]);
  t.same(await ids(`${line}/purchases?types=cashBack,regular&statuses=settled&fromEffectiveAt=2026-03-09T00:00:00Z`), [e, d, a]);
  t.same(await ids(`${line}/purchases?toEffectiveAt=2026-03-05T00:00:00Z`), [b]);
  t.same(await ids(`${line}/purchases?fromCreatedAt=2027-01-01T00:00:00Z`), []);
  t.match(await ask('GET', `${line}/purchases?sortBy=amount`), { status: 400 });
  t.match(await ask('GET', `${line}/purchases?statuses=lost`), { status: 400 });
  t.match(await ask('GET', `${line}/purchases?types=none`), { status: 400 });
  t.same(await ids(`${line}/purchases/timeline`), [b, a, c, d, e]);
  t.same(await ids(`${line}/purchases/timeline?timestamps=authorizedAt`), [c]);
  t.same(await ids(`${line}/purchases/timeline?timestamps=authorizedAt,effectiveAt&limit=2`), [b, a]);
  t.match(await ask('GET', `${line}/purchases/timeline?timestamps=paidAt`), { status: 400 });
});

test('permissions, unknown ids, wrong bodies and other products are refused', async (t) => {
  const { ask, askWith, line, draw, newDraw, failures } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  const made = `${purchases}/${idOf(await ask('POST', purchases, { amount: 1 }))}`;
  const other = await newDraw();
  t.match(await askWith(['purchase:read'], 'POST', purchases, { amount: 1 }), { status: 403 });
  t.match(await askWith(['purchase:create'], 'GET', purchases), { status: 403 });
  t.match(await askWith(['purchase:create'], 'PUT', made, {}), { status: 403 });
  t.match(await askWith(['purchase:update'], 'POST', `${made}/cancel`, { previewMode: true }), { status: 200 });
  t.match(await askWith(['purchase:read'], 'GET', `${line}/purchases/timeline`), { status: 200 });
  t.match(await ask('GET', made.replace(draw, other)), { status: 404 }, 'another draw');
  t.match(await ask('GET', `${purchases}/DP-AAAA-AAAA`), { status: 404 });
  t.match(await ask('GET', `${line}/draws/LN-AAAA-AAAA/purchases`), { status: 404 });
  t.match(await ask('POST', purchases, { amount: 1, status: 'canceled' }), { status: 400 });
  t.match(await ask('POST', purchases, { amount: 0 }), { status: 400 });
  t.match(await ask('POST', purchases, {}), { status: 400 });
  t.match(
    await ask('POST', purchases, { amount: 1, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at])) }),
    { status: 400 },
  );
  t.match(await ask('POST', purchases, { amount: 1, externalId: 'x'.repeat(51) }), { status: 400 });
  t.match(await ask('POST', purchases, { amount: 1, migration: { originalDrawId: 'LN-AAAA-AAAA' } }), { status: 400 });
  t.match(await ask('POST', purchases, { amount: 1, status: 'authorized', authorizationPurchaseId: made.split('/').at(-1) }), {
    status: 400,
  });
  const twice = { amount: 2, externalId: 'once' };
  const headers = { 'Idempotency-Key': 'purchase-1' };
  const first = await ask('POST', purchases, twice, { headers });
  const again = await ask('POST', purchases, twice, { headers });
  t.equal(again.text, first.text);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.equal(listOf(await ask('GET', purchases)).length, 2);
  t.same(failures, []);
});

test('purchase fees are charged with a settled purchase, and taken back with it', async (t) => {
  const { ask, line, draw, owed, h, company, loanTypeId, emitted } = await openPurchases(t);
  const fee = {
    name: { displayName: 'Use', apiName: 'use' },
    feeType: 'purchaseFee',
    trigger: 'purchaseSettled',
    amountLogic: 'fixed',
    amount: 1.5,
  };
  const abroad = {
    name: { displayName: 'Abroad', apiName: 'abroad' },
    feeType: 'foreignTransactionFee',
    trigger: 'foreignPurchase',
    amountLogic: 'percentage',
    percentage: 0.03,
    percentageBase: 'purchaseAmount',
  };
  for (const body of [fee, abroad]) await h.command('feeType.create', company, body, { params: { loanTypeId } });
  const purchases = `${draw}/purchases`;
  const held = idOf(
    await ask('POST', purchases, {
      amount: 100,
      status: 'authorized',
      purchaseDetails: { originalCurrencyCode: 'EUR', originalCurrencyAmount: 92, conversionRate: 1.087 },
    }),
  );
  t.equal(await owed(draw), 0);
  await ask('PUT', `${purchases}/${held}`, { status: 'settled' });
  t.equal(await owed(draw), 104.5);
  t.match(await emitted('loan.foreigntransactionfee.booked'), [{ amount: 3, drawId: draw.split('/').at(-1) }]);
  const brought = { purchaseId: held, displayName: 'Abroad' };
  t.match(await ask('GET', `${line}/fees?apiName=abroad`), {
    json: { data: [{ amount: 3, status: 'booked', drawId: draw.split('/').at(-1), dynamicFeeDetails: brought }] },
  });
  t.match(await ask('GET', `${draw}/fees?apiName=abroad`), { json: { data: [{ dynamicFeeDetails: brought }] } });
  await ask('POST', purchases, { amount: 10, purchaseDetails: { originalCurrencyCode: 'USD' } });
  t.equal(await owed(draw), 116);
  await ask('POST', purchases, { amount: 10, type: 'refund', originalPurchaseId: held });
  t.equal(await owed(draw), 106, 'money that comes back costs nothing');
  const [, , settled] = listOf(await ask('GET', purchases));
  t.match(await ask('POST', `${purchases}/${String(settled?.['id'])}/cancel`, {}), { status: 409 });
  const domestic = listOf(await ask('GET', purchases))[1];
  await ask('POST', `${purchases}/${String(domestic?.['id'])}/cancel`, {});
  t.equal(await owed(draw), 94.5);
});
