import { test } from 'tap';
import { dataOf, idOf, listOf, newCase } from './http-lender.js';
import { openPurchases } from './purchases-over-http.js';
import { withoutNames } from './loan-over-http.js';

test('an open dispute refunds its amount for the time being, and a won one keeps the refund', async (t) => {
  const { ask, line, draw, owed, goTo, emitted, company, failures } = await openPurchases(t);
  const bought = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }))}`;
  const body = { externalId: 'd-1', disputedAmount: 60, reason: 'unauthorized', metadata: { a: 1 }, createDisputeCase: false };
  const preview = await ask('POST', `${bought}/disputes`, { ...body, previewMode: true });
  t.equal(await owed(draw), 100, 'a preview changes nothing');
  const opened = await ask('POST', `${bought}/disputes`, body);
  t.strictSame(withoutNames({ ...dataOf(preview), refundPurchaseId: '' }), withoutNames({ ...dataOf(opened), refundPurchaseId: '' }));
  const { refundPurchaseId } = dataOf(opened) as { readonly refundPurchaseId: string };
  t.match(opened, {
    status: 200,
    json: {
      data: {
        object: 'purchaseDispute',
        id: /^PD-/,
        companyId: company,
        purchaseId: bought.split('/').at(-1),
        externalId: 'd-1',
        status: 'open',
        disputedAmount: 60,
        reason: 'unauthorized',
        repostedPurchaseId: null,
        deletedAt: null,
        metadata: { a: 1 },
        timestamps: { openedAt: /^2026/, submittedAt: null },
      },
    },
  });
  t.equal(await owed(draw), 40);
  t.match(await ask('GET', bought), { json: { data: { status: 'disputed', eligibleDisputeAmount: 40 } } });
  t.match(await ask('GET', `${draw}/purchases/${refundPurchaseId}`), {
    json: { data: { type: 'refund', status: 'settled', amount: 60, originalPurchaseId: bought.split('/').at(-1) } },
  });
  t.match(await ask('POST', `${draw}/purchases/${refundPurchaseId}/cancel`, {}), { status: 409, json: { message: /dispute/ } });
  t.match(await ask('POST', `${bought}/cancel`, {}), { status: 409 }, 'a disputed purchase is not canceled');
  await goTo('2026-03-05');
  const one = `${bought}/disputes/ext-d-1`;
  t.match(await ask('PUT', one, { status: 'won' }), { status: 409, json: { errors: [{ path: 'status' }] } });
  t.match(await ask('PUT', one, { status: 'submitted', reason: 'fraud' }), {
    json: { data: { status: 'submitted', reason: 'fraud', timestamps: { submittedAt: /^2026-03-05/ } } },
  });
  t.match(await ask('POST', `${one}/cancel`, {}), { status: 409 }, 'a submission is irreversible');
  t.match(await ask('PUT', one, { status: 'won' }), {
    json: { data: { status: 'won', repostedPurchaseId: null, timestamps: { wonAt: /^2026-03-05/ } } },
  });
  t.match(await ask('PUT', one, { status: 'lost' }), { status: 409 });
  t.match(await ask('GET', bought), { json: { data: { status: 'disputed', eligibleDisputeAmount: 40 } } });
  t.match(await ask('PUT', one, { externalId: null, metadata: { b: 2 } }), { json: { data: { externalId: null, metadata: { b: 2 } } } });
  const id = idOf(opened);
  t.match(await emitted('purchase.dispute.created'), [
    { purchaseDisputeId: id, purchaseId: bought.split('/').at(-1), status: 'open', amount: 60 },
  ]);
  t.match(await emitted('purchase.dispute.updated'), [
    {
      status: 'submitted',
      changes: [
        { field: 'status', oldValue: 'open', newValue: 'submitted' },
        { field: 'reason', oldValue: null, newValue: null },
      ],
    },
    { status: 'won' },
    { changes: [{ field: 'externalId' }, { field: 'metadata' }] },
  ]);
  t.match(await ask('GET', `${line}/disputes?statuses=won`), { json: { data: [{ id }] } });
  t.same(failures, []);
});

for (const [status, via] of [
  ['lost', 'submitted'],
  ['expired', null],
  ['canceled', null],
] as const) {
  test(`a dispute that is ${status} posts its amount again, and the purchase is settled as before`, async (t) => {
    const { ask, draw, owed } = await openPurchases(t);
    const purchase = { amount: 100, purchaseDetails: { merchantName: 'Shop' } };
    const bought = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, purchase))}`;
    const one = `${bought}/disputes/${idOf(await ask('POST', `${bought}/disputes`, { amount: 60 }))}`;
    if (via !== null) await ask('PUT', one, { status: via });
    const done = status === 'canceled' ? await ask('POST', `${one}/cancel`, {}) : await ask('PUT', one, { status });
    const { repostedPurchaseId } = dataOf(done) as { readonly repostedPurchaseId: string };
    t.match(done, { status: 200, json: { data: { status, repostedPurchaseId: /^DP-/, timestamps: { [`${status}At`]: /^2026/ } } } });
    t.equal(await owed(draw), 100);
    const again = `${draw}/purchases/${repostedPurchaseId}`;
    t.match(await ask('GET', again), {
      json: {
        data: { type: 'regular', status: 'settled', amount: 60, eligibleDisputeAmount: 0, purchaseDetails: { merchantName: 'Shop' } },
      },
    });
    t.match(await ask('GET', bought), { json: { data: { status: 'settled', eligibleDisputeAmount: 100 } } });
    t.match(await ask('POST', `${again}/disputes`, { amount: 1 }), { status: 422 }, 'the purchase itself is disputed again');
    t.match(await ask('POST', `${draw}/purchases`, { amount: 1, type: 'refund', originalPurchaseId: repostedPurchaseId }), { status: 422 });
    t.match(await ask('POST', `${again}/cancel`, {}), { status: 409 });
    t.match(await ask('POST', `${bought}/disputes`, { disputedAmount: 100, status: 'submitted' }), {
      json: { data: { status: 'submitted', timestamps: { submittedAt: /^2026/ } } },
    });
    t.equal(await owed(draw), 0);
  });
}

test('several disputes share a purchase, which is disputed until the last of them is lost', async (t) => {
  const { ask, line, draw, newDraw } = await openPurchases(t);
  const bought = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }))}`;
  const disputes = `${bought}/disputes`;
  const first = idOf(await ask('POST', disputes, { disputedAmount: 60 }));
  t.match(await ask('POST', disputes, { disputedAmount: 40.01 }), {
    status: 422,
    json: { errorType: 'amountExceedsEligible', errors: [{ path: 'disputedAmount' }] },
  });
  const second = idOf(await ask('POST', disputes, { disputedAmount: 40, externalId: 'two' }));
  t.match(await ask('POST', disputes, { disputedAmount: 1, externalId: 'two' }), { status: 409, json: { errorType: 'duplicate' } });
  await ask('PUT', `${disputes}/${first}`, { status: 'expired' });
  t.match(await ask('GET', bought), { json: { data: { status: 'disputed', eligibleDisputeAmount: 60 } } });
  await ask('POST', `${disputes}/${second}/cancel`, {});
  t.match(await ask('GET', bought), { json: { data: { status: 'settled', eligibleDisputeAmount: 100 } } });
  const other = await newDraw();
  const ids = async (path: string): Promise<readonly unknown[]> => listOf(await ask('GET', path)).map(({ id }) => id);
  t.same(await ids(`${line}/disputes`), [second, first]);
  t.same(await ids(`${draw}/disputes?statuses=canceled`), [second]);
  t.same(await ids(`${disputes}?limit=1&startingAfter=ext-two`), [first]);
  t.same(await ids(`${other}/disputes`), []);
  t.match(await ask('GET', `${disputes}/${first}`), { json: { data: { id: first } } });
});

test('a purchase that the caller has posted again stands for the one that a lost dispute would post', async (t) => {
  const { ask, draw, owed } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  const bought = `${purchases}/${idOf(await ask('POST', purchases, { amount: 100 }))}`;
  const one = `${bought}/disputes/${idOf(await ask('POST', `${bought}/disputes`, { disputedAmount: 60 }))}`;
  t.match(await ask('PUT', one, dataOf(await ask('GET', one))), { status: 200 }, 'as it was read');
  const wrong = idOf(await ask('POST', purchases, { amount: 59 }));
  const again = idOf(await ask('POST', purchases, { amount: 60 }));
  t.match(await ask('PUT', one, { repostedPurchaseId: again }), { status: 400, json: { errors: [{ path: 'repostedPurchaseId' }] } });
  t.match(await ask('PUT', one, { status: 'expired', repostedPurchaseId: wrong }), { status: 422 });
  t.match(await ask('PUT', one, { status: 'expired', repostedPurchaseId: again }), {
    json: { data: { status: 'expired', repostedPurchaseId: again } },
  });
  t.equal(await owed(draw), 159);
});

test('a purchase that a lost dispute posts again has no second draw fee', async (t) => {
  const { ask, newDraw, owed } = await openPurchases(t);
  const draw = await newDraw({ atOrigination: { fees: { drawFeePercentageOfPrincipal: 0.03 } } });
  const bought = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }))}`;
  t.equal(await owed(draw), 103);
  const dispute = `${bought}/disputes/${idOf(await ask('POST', `${bought}/disputes`, { disputedAmount: 100, status: 'submitted' }))}`;
  t.match(await ask('PUT', dispute, { status: 'lost' }), { json: { data: { status: 'lost', repostedPurchaseId: /^DP-/ } } });
  t.equal(await owed(draw), 103);
});

test('a dispute is refused on an unsettled purchase, without an amount, and without the permission', async (t) => {
  const { ask, askWith, line, draw } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  const held = `${purchases}/${idOf(await ask('POST', purchases, { amount: 100, status: 'authorized' }))}`;
  const back = `${purchases}/${idOf(await ask('POST', purchases, { amount: 5, type: 'cashBack' }))}`;
  const bought = `${purchases}/${idOf(await ask('POST', purchases, { amount: 100 }))}`;
  t.match(await ask('POST', `${held}/disputes`, { amount: 1 }), { status: 409, json: { errors: [{ path: 'status' }] } });
  t.match(await ask('POST', `${back}/disputes`, { amount: 1 }), { status: 409 });
  t.match(await ask('POST', `${bought}/disputes`, {}), { status: 400, json: { errors: [{ path: 'disputedAmount' }] } });
  t.match(await ask('POST', `${bought}/disputes`, { amount: 1, disputedAmount: 2 }), {
    status: 400,
    json: { errors: [{ path: 'amount' }] },
  });
  t.match(await ask('POST', `${bought}/disputes`, { amount: 1, status: 'won' }), { status: 400 });
  t.match(await ask('GET', `${bought}/disputes/PD-AAAA-AAAA`), { status: 404 });
  t.match(await ask('PUT', `${bought}/disputes/PD-AAAA-AAAA`, {}), { status: 404 });
  t.match(await askWith(['purchase.dispute:read', 'purchase:create'], 'POST', `${bought}/disputes`, { amount: 1 }), { status: 403 });
  t.match(await askWith(['purchase.dispute:create'], 'POST', `${bought}/disputes`, { amount: 1 }), { status: 200 });
  t.match(await askWith(['purchase.dispute:create'], 'GET', `${line}/disputes`), { status: 403 });
  t.match(await askWith(['purchase.dispute:read'], 'GET', `${line}/disputes`), { status: 200 });
});

for (const [status, via, end] of [
  ['won', 'submitted', { status: 'completed', outcome: 'approved' }],
  ['lost', 'submitted', { status: 'completed', outcome: 'denied' }],
  ['expired', null, { status: 'completed', outcome: 'expired' }],
  ['canceled', null, { status: 'canceled', outcome: null }],
] as const) {
  test(`the case that a dispute has opened ends with it when it is ${status}`, async (t) => {
    const { ask, line, draw, failures } = await openPurchases(t);
    const purchaseId = idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }));
    const disputes = `${draw}/purchases/${purchaseId}/disputes`;
    t.match(await ask('POST', disputes, { amount: 60, previewMode: true }), { json: { data: { caseId: /^CS-/ } } });
    t.match(await ask('GET', '/cases'), { json: { total: 0 } }, 'a preview opens none');
    const opened = await ask('POST', disputes, { amount: 60, reason: 'unauthorized' });
    const caseId = String(dataOf(opened)['caseId']);
    const own = `/cases/${caseId}`;
    t.match(await ask('GET', own), {
      json: {
        data: {
          caseType: 'disputeOfPurchase',
          status: 'initiated',
          autoCreated: false,
          purchaseIds: [purchaseId],
          purchaseDisputeId: idOf(opened),
          disputeReason: 'unauthorized',
          provisionalCreditDate: /^2026-/,
          loanIds: [line.split('/').at(-1)],
        },
      },
    });
    if (via !== null) await ask('PUT', `${disputes}/${idOf(opened)}`, { status: via });
    t.match(await ask('GET', own), { json: { data: { status: 'initiated' } } });
    t.match(await ask('PUT', `${disputes}/${idOf(opened)}`, { status }), { status: 200, json: { data: { status, caseId } } });
    t.match(await ask('GET', own), { json: { data: end } });
    t.same(failures, []);
  });
}

test('a case that is named stays open, one that is not wanted is not opened, and one that was closed stays closed', async (t) => {
  const { ask, draw } = await openPurchases(t);
  const disputes = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }))}/disputes`;
  t.match(await ask('POST', disputes, { amount: 10, createDisputeCase: false }), { json: { data: { caseId: null } } });
  const named = idOf(await ask('POST', '/people/ext-ann-1/cases', { caseType: 'disputeOfPurchase', externalId: 'own' }));
  const one = await ask('POST', disputes, { amount: 10, caseId: 'ext-own' });
  t.match(one, { json: { data: { caseId: named } } });
  t.match(await ask('POST', `${disputes}/${idOf(one)}/cancel`, {}), { status: 200 });
  t.match(await ask('GET', `/cases/${named}`), { json: { data: { status: 'initiated' } } });
  const two = await ask('POST', disputes, { amount: 10 });
  const path = `/people/ext-ann-1/cases/${String(dataOf(two)['caseId'])}`;
  await ask('PUT', path, { status: 'canceled' });
  t.match(await ask('PUT', `${disputes}/${idOf(two)}`, { status: 'expired' }), { status: 200 });
  t.match(await ask('GET', path), { json: { data: { status: 'canceled' } } });
});

test('a case type for another product does not prevent a dispute', async (t) => {
  const { ask, h, company, draw } = await openPurchases(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Other' });
  const [type] = listOf(await ask('GET', '/case-types?caseType=disputeOfPurchase&status=active'));
  t.match(await ask('PUT', `/case-types/${String(type?.['id'])}`, { loanTypeId, status: 'active' }), { status: 200 });
  const purchase = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }))}`;
  const opened = await ask('POST', `${purchase}/disputes`, { amount: 10 });
  t.match(await ask('GET', `/cases/${String(dataOf(opened)['caseId'])}`), {
    json: { data: { caseType: 'disputeOfPurchase', caseTypeId: null } },
  });
});

for (const [status, via] of [
  ['won', 'submitted'],
  ['lost', 'submitted'],
  ['expired', null],
  ['canceled', null],
] as const) {
  test(`a dispute that is ${status} is taken back as it was read`, async (t) => {
    const { ask, draw } = await openPurchases(t);
    const bought = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }))}`;
    const one = `${bought}/disputes/${idOf(await ask('POST', `${bought}/disputes`, { disputedAmount: 60 }))}`;
    if (via !== null) await ask('PUT', one, { status: via });
    t.match(await ask('PUT', one, { status }), { status: 200, json: { data: { status } } });
    const read = dataOf(await ask('GET', one));
    t.match(await ask('PUT', one, read), { status: 200, json: { data: { ...read, updatedAt: String } } });
  });
}

test('a purchase is taken back as it was read when its case is closed', async (t) => {
  const { ask, draw } = await openPurchases(t);
  const caseId = await newCase({ ask });
  const bought = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100, caseId }))}`;
  const { operationId: _operation, ...read } = dataOf(await ask('GET', bought));
  t.match(await ask('PUT', `/people/ext-ann-1/cases/${caseId}`, { status: 'canceled' }), { status: 200 });
  t.match(await ask('PUT', bought, read), { status: 200, json: { data: { caseId } } });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 1, caseId }), { status: 409, json: { errorType: 'caseClosed' } });
});
