import { test } from 'tap';
import { itemsOf } from '../harness.js';
import { openSetting } from './setting.js';
import { external, openPaySetting } from './transactions/setting.js';

test('a loan with several advances is closed once, and goes on until it is paid', async (t) => {
  const { h, active, personId } = await openSetting({ structure: { allowMultipleAdvances: true } });
  t.teardown(() => h.engine.close());
  const loan = await active();
  const ask = { params: { personId } };
  const body = { closeReason: 'borrowerRequest', closeReasonDescription: 'No more money is needed.', closeRequestedByBorrower: true };
  t.match(await h.data('loan.close', loan.id, { ...body, previewMode: true }, ask), { isClosed: true });
  t.match(await h.data('loan.close', loan.id, body, ask), {
    isClosed: true,
    status: 'active',
    timestamps: { closedAt: '2024-01-15T17:00:00.000Z' },
  });
  t.match(await h.refusal('loan.close', loan.id, body, ask), { statusCode: 409 });
  const events = itemsOf(await h.query('event.list', null, { loanId: loan.id, eventType: ['loan.closed'] }));
  t.match(
    events.map(({ data }) => data),
    [{ closedAt: '2024-01-15T17:00:00.000Z', reason: 'borrowerRequest' }],
  );
});

test('a loan with one advance is not closed, nor one that is not active', async (t) => {
  const { h, create, active, personId } = await openSetting();
  t.teardown(() => h.engine.close());
  const body = { closeReasonDescription: 'x' };
  t.match(await h.refusal('loan.close', (await active()).id, body, { params: { personId } }), {
    statusCode: 409,
    errors: [{ path: 'loanTypeId' }],
  });
  t.match(await h.refusal('loan.close', (await create()).id, body, { params: { personId } }), {
    statusCode: 409,
    errors: [{ path: 'status' }],
  });
});

test('labels are put on a loan and taken off', async (t) => {
  const { h, active, personId } = await openSetting();
  t.teardown(() => h.engine.close());
  const loan = await active();
  const vip = await h.data('loanLabel.create', h.company, { name: 'VIP', externalId: 'vip' });
  const odd = await h.data('loanLabel.create', h.company, { name: 'Odd' });
  const ask = { params: { personId } };
  t.match(await h.data('loan.attachLabels', loan.id, { labelIds: ['ext-vip', odd.id] }, ask), { labels: [{ id: vip.id }, { id: odd.id }] });
  t.match(await h.data('loan.attachLabels', loan.id, { labelIds: [vip.id] }, ask), { labels: [{ id: vip.id }, { id: odd.id }] });
  t.match(await h.refusal('loan.attachLabels', loan.id, { labelIds: ['LL-AAAA-AAAA'] }, ask), {
    statusCode: 422,
    errors: [{ path: 'labelIds[0]' }],
  });
  const detach = { params: { personId, labelId: 'ext-vip' } };
  t.same(
    ((await h.data('loan.detachLabel', loan.id, {}, detach))['labels'] as readonly { readonly id: string }[]).map(({ id }) => id),
    [odd.id],
  );
  t.match(await h.refusal('loan.detachLabel', loan.id, {}, detach), { statusCode: 404 });
});

test('a cancellation by force frees the external ids of the loan and of what hangs on it', async (t) => {
  const s = await openPaySetting();
  const { h, loanId, personId } = s;
  t.teardown(() => h.engine.close());
  await h.command('loan.update', loanId, { externalId: 'loan-1' }, { params: { personId } });
  await s.post(external({ status: 'succeeded', externalId: 'pay-1' }));
  const ask = { params: { personId } };
  const body = { cancellationReason: 'technicalIssue' };
  t.match(await h.refusal('loan.cancel', loanId, body, ask), { statusCode: 409 });
  await h.command('loan.cancel', loanId, body, { ...ask, query: { force: true, clearAllExternalIds: true } });
  t.match(await h.query('loan.get', loanId), { status: 'canceled', externalId: null, displayId: loanId });
  const again = await s.active({ externalId: 'loan-1' });
  t.match(await h.query('loan.get', 'ext-loan-1'), { id: again.id });
  t.match(await h.data('transaction.create', again.id, external({ status: 'succeeded', externalId: 'pay-1' }), { permissions: ['*'] }), {
    status: 'succeeded',
  });
});
