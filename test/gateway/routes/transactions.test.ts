import { type Test, test } from 'tap';
import { ACCOUNT, ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

interface LoanOverHttp extends HttpLender {
  /** `/people/…/loans/…/transactions` */
  readonly path: string;
  readonly instrumentId: string;
  readonly loanId: string;
}

/** Ann's loan of 10,000.00, activated on Monday 2026-03-02, and her checking account. */
async function openLoan(t: Test): Promise<LoanOverHttp> {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const { id: loanTypeId } = await h.data('loanType.create', lender.company, { type: 'installment', name: 'Personal loan' });
  await ask('POST', '/people', ANN);
  const instrument = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const instrumentId = String(listOf(instrument)[0]?.['id']);
  const { id: loanId } = await h.data('loan.create', 'ext-ann-1', loanBody(loanTypeId), { params: { personId: 'ext-ann-1' } });
  await h.command('loan.activate', loanId, {}, { params: { personId: 'ext-ann-1' } });
  return { ...lender, path: `/people/ext-ann-1/loans/${loanId}/transactions`, instrumentId, loanId };
}

test('a payment is created, read, listed and explained over HTTP', async (t) => {
  const { ask, path, instrumentId, failures } = await openLoan(t);
  const created = await ask('POST', path, { type: 'oneTime', amount: 299.72, paymentInstrumentId: instrumentId, externalId: 'april' });
  t.match(created, {
    status: 201,
    json: { status: 201, data: { object: 'transaction', status: 'initiated', operationId: /^[0-9a-f]{32}$/ } },
  });
  t.ok(created.text.includes('"actualAmount":299.72'));
  t.ok(created.text.includes('"paidFeesAmount":0.00'), 'amounts carry two decimals');
  t.match(await ask('GET', `/operations/${String(dataOf(created)['operationId'])}`), {
    status: 200,
    json: { data: { status: 'succeeded', resultObjectId: idOf(created) } },
  });
  t.match(dataOf(await ask('GET', `${path}/ext-april`)), { id: idOf(created), paidPrincipalAmount: 299.72 });
  t.match(await ask('GET', `${path}?status=initiated,pending&isExternal=false&sortBy=[-effectiveDate]`), { json: { count: 1, total: 1 } });
  t.match(await ask('GET', `${path}?status=lost`), { status: 400 });
  t.match(await ask('GET', `${path}?sortBy=color`), { status: 400, json: { errors: [{ path: 'sortBy' }] } });
  t.match(await ask('GET', '/transactions'), { json: { count: 1, total: 1, data: [{ id: idOf(created) }] } });
  t.match(await ask('GET', '/people/ext-ann-1/transactions'), { json: { count: 1, total: 1 } });
  t.match(await ask('GET', '/people/ext-nobody/transactions'), { status: 404 });
  t.match(dataOf(await ask('GET', `${path}/ext-april/allocation`)), { rows: [{ bucket: 'nonDuePrincipal', amount: 299.72 }] });
  t.same(failures, []);
});

test('a payment far above what is owed names the payoff amount and needs force', async (t) => {
  const { ask, path, instrumentId } = await openLoan(t);
  const far = { type: 'oneTime', amount: 29972, paymentInstrumentId: instrumentId };
  const refused = { status: 422, json: { errorType: 'amountExceedsEligible', payoffAmount: 10000, errors: [{ path: 'amount' }] } };
  t.match(await ask('POST', path, far), refused);
  t.match(await ask('POST', `${path}/preview`, far), refused, 'a preview says what a booking says');
  t.match(await ask('GET', path), { json: { total: 0 } });
  t.match(
    await ask('POST', `${path}/preview`, { ...far, amount: 20000 }),
    { status: 200 },
    'twice what is owed is no slip of the keyboard',
  );
  t.match(await ask('POST', `${path}?force=true`, far), { status: 201, json: { data: { paidOverAmount: 19972 } } });
  t.match(await ask('POST', path, { ...far, amount: 100 }), { status: 201 }, 'a small sum may be paid over');
});

test('a retried payment is booked once', async (t) => {
  const { ask, path, instrumentId } = await openLoan(t);
  const once = { headers: { 'Idempotency-Key': 'pay-april' } };
  const body = { type: 'oneTime', amount: 299.72, paymentInstrumentId: instrumentId };
  const [first, second] = [await ask('POST', path, body, once), await ask('POST', path, body, once)];
  t.equal(second.text, first.text);
  t.equal(second.headers['idempotent-replayed'], 'true');
  t.match(await ask('POST', path, { ...body, amount: 1 }, once), { status: 409, json: { errorType: 'idempotencyConflict' } });
  t.match(await ask('GET', path), { json: { total: 1 } });
});

test('all faults of a payment come at once', async (t) => {
  const { ask, path } = await openLoan(t);
  const answer = await ask('POST', path, { type: 'gift', amount: 1.005, effectiveDate: '2026-02-30', status: 'lost' });
  t.equal(answer.status, 400);
  t.same((answer.json['errors'] as { path: string }[]).map((error) => error.path).sort(), ['amount', 'effectiveDate', 'status', 'type']);
});

test('every action answers over HTTP', async (t) => {
  const { ask, path, instrumentId } = await openLoan(t);
  const scheduled = await ask('POST', path, {
    type: 'oneTime',
    amount: 100,
    paymentInstrumentId: instrumentId,
    scheduledDate: '2026-04-01',
  });
  t.match(await ask('POST', `${path}/${idOf(scheduled)}/reschedule`, { scheduledDate: '2026-04-02' }), {
    status: 200,
    json: { data: { status: 'scheduled' } },
  });
  t.match(await ask('POST', `${path}/${idOf(scheduled)}/cancel?clearExternalId=true`), {
    status: 200,
    json: { data: { status: 'canceled' } },
  });
  const external = { type: 'oneTime', amount: 100, isExternal: true, status: 'succeeded' };
  const paid = await ask('POST', `${path}?sync=true`, external);
  t.match(await ask('POST', `${path}/${idOf(paid)}/reverse`, {}), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('POST', `${path}/${idOf(paid)}/backdate`, { effectiveDate: '2026-03-02' }), {
    status: 422,
    json: { errorType: 'ruleViolation' },
  });
  t.match(await ask('PUT', `${path}/${idOf(paid)}`, { status: 'failed', failureReason: 'paymentStopped' }), {
    status: 200,
    json: { data: { status: 'failed' } },
  });
  t.match(await ask('POST', `${path}/preview`, external), { status: 200, json: { data: { balances: { loanStatus: 'active' } } } });
  const credit = await ask('POST', path, { type: 'serviceCredit', amount: 5, serviceCreditDetails: { type: 'courtesy' } });
  t.match(await ask('POST', `${path}/${idOf(credit)}/reverse`), {
    status: 200,
    json: { data: { reversingTransactionStatus: 'succeeded' } },
  });
});

test('payments are not found under the path of another borrower', async (t) => {
  const { ask, path, instrumentId } = await openLoan(t);
  await ask('POST', '/people', { externalId: 'bob', name: NAME });
  await ask('POST', path, { type: 'oneTime', amount: 100, paymentInstrumentId: instrumentId, externalId: 'mine' });
  const foreign = path.replace('ext-ann-1', 'ext-bob');
  for (const answer of [
    await ask('GET', foreign),
    await ask('GET', `${foreign}/ext-mine`),
    await ask('POST', foreign, { type: 'oneTime', amount: 1, isExternal: true }),
  ]) {
    t.equal(answer.status, 404);
  }
});

test('an instrument stays while a payment on it is under way; removing it cancels the scheduled ones', async (t) => {
  const { ask, path, instrumentId, h } = await openLoan(t);
  const scheduled = await ask('POST', path, {
    type: 'oneTime',
    amount: 100,
    paymentInstrumentId: instrumentId,
    scheduledDate: '2026-04-01',
  });
  const running = await ask('POST', path, { type: 'oneTime', amount: 100, paymentInstrumentId: instrumentId });
  const instrument = `/people/ext-ann-1/payment-instruments/${instrumentId}`;
  t.match(await ask('DELETE', instrument), { status: 409 });
  h.nowMs = Date.parse('2026-03-06T17:00:00Z');
  await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
  t.match(dataOf(await ask('GET', `${path}/${idOf(running)}`)), { status: 'succeeded' });
  t.match(await ask('DELETE', instrument), { status: 200 });
  t.match(dataOf(await ask('GET', `${path}/${idOf(scheduled)}`)), { status: 'canceled', cancelReason: 'instrumentInactive' });
});

test('overpayments are listed with the amounts owed', async (t) => {
  const { ask, path, instrumentId } = await openLoan(t);
  await ask('POST', path, { type: 'oneTime', amount: 10_050, isExternal: true, status: 'succeeded' });
  const loan = path.replace('/transactions', '');
  t.match(await ask('GET', `${loan}/reimbursements`), { json: { count: 0, owedAmount: 50, data: [] } });
  const made = await ask('POST', `${loan}/reimburse`, { reimbursementAmount: 50, paymentInstrumentId: instrumentId });
  t.match(made, { status: 200, json: { data: { transactionType: 'reimbursement', status: 'initiated' } } });
  t.match(await ask('GET', `${loan}/reimbursements`), { json: { count: 1, owedAmount: 0, data: [{ id: idOf(made) }] } });
  t.match(await ask('GET', `${loan}/reimbursements/${idOf(made)}`), { json: { data: { id: idOf(made) } } });
});

test('a list filters by either id of an instrument', async (t) => {
  const { ask, path } = await openLoan(t);
  const check = { instrumentType: 'check', isExternal: true, payerName: 'Ann Example', checkNumber: '7', externalId: 'check-7' };
  const id = String(listOf(await ask('POST', '/people/ext-ann-1/payment-instruments', check))[0]?.['id']);
  const paid = await ask('POST', path, {
    type: 'oneTime',
    amount: 5,
    paymentInstrumentId: 'ext-check-7',
    status: 'succeeded',
    isExternal: true,
  });
  await ask('POST', path, { type: 'oneTime', amount: 6, status: 'succeeded', isExternal: true });
  for (const list of [path, '/transactions', '/people/ext-ann-1/transactions']) {
    for (const name of [id, 'ext-check-7'])
      t.match(
        await ask('GET', `${list}?paymentInstrumentId=${name}`),
        { json: { count: 1, data: [{ id: idOf(paid) }] } },
        `${list} ${name}`,
      );
    t.match(await ask('GET', `${list}?paymentInstrumentId=ext-nobody`), { json: { count: 0 } });
  }
});

test('a product that refuses payments on charged-off loans refuses credits from every caller', async (t) => {
  const { ask, path, h, company } = await openLoan(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, {
    type: 'installment',
    name: 'Strict',
    paymentAllowedWhenChargedOff: false,
  });
  const { id: loanId } = await h.data('loan.create', 'ext-ann-1', loanBody(loanTypeId), { params: { personId: 'ext-ann-1' } });
  const loan = `${path.split('/loans/')[0] ?? ''}/loans/${loanId}`;
  await ask('POST', `${loan}/activate`, {});
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  const credit = { type: 'serviceCredit', amount: 5, serviceCreditDetails: { type: 'courtesy' } };
  for (const isExternal of [false, true])
    t.match(await ask('POST', `${loan}/transactions`, { ...credit, isExternal }), { status: 409, json: { errorType: 'invalidState' } });
  t.match(
    await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 5, isExternal: true, status: 'succeeded' }),
    { status: 201 },
    'what an agency has collected is recorded',
  );
});

test('a payment is sent back as it was read, and a changed split of one that is applied is refused', async (t) => {
  const { ask, path, instrumentId } = await openLoan(t);
  for (const body of [
    { type: 'oneTime', amount: 100, isExternal: true, status: 'succeeded' },
    { type: 'oneTime', amount: 100, paymentInstrumentId: instrumentId },
    { type: 'oneTime', amount: 50, paymentInstrumentId: instrumentId, scheduledDate: '2026-04-01' },
    { type: 'oneTime', amount: 50, isExternal: true, status: 'scheduled', scheduledDate: '2026-04-01' },
  ]) {
    const one = `${path}/${idOf(await ask('POST', path, body))}`;
    const { operationId: _operation, ...before } = dataOf(await ask('GET', one));
    t.match(await ask('PUT', one, before), { status: 200 }, JSON.stringify(body));
    const { updatedAt: _at, timestamps: _times, operationId: _other, ...after } = dataOf(await ask('GET', one));
    t.match(before, after);
  }
  const paid = listOf(await ask('GET', `${path}?status=succeeded&isExternal=true`)).map(({ id }) => `${path}/${String(id)}`);
  t.equal(paid.length, 1);
  for (const one of paid) t.match(await ask('PUT', one, { paidPrincipalAmount: 1 }), { status: 409, json: { errorType: 'invalidState' } });
});
