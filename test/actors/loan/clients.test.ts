import { test } from 'tap';
import { openAutopay, openLineAutopay } from './autopay/setting.js';
import { openSetting } from './setting.js';

/* What clients of this interface do, and get. */

test('closing a draw that was never activated cancels it', async (t) => {
  const s = await openLineAutopay();
  const params = { personId: s.personId };
  for (const status of ['pending', 'originated']) {
    const { id: drawId } = await s.h.data('draw.create', s.loanId, { status }, { params });
    t.match(await s.h.data('draw.close', s.loanId, {}, { params: { ...params, drawId } }), { status: 'canceled' }, status);
    t.match(await s.h.query('draw.get', s.loanId, {}, { params: { ...params, drawId } }), { status: 'canceled' });
  }
});

test('a credit limit needs a reason only when it falls', async (t) => {
  const s = await openLineAutopay();
  const params = { personId: s.personId };
  const ask = { permissions: ['*'], params };
  await s.h.command('line.changeLimit', s.loanId, { creditLimitAmount: 9000 }, ask);
  const refused = await s.h.refusal('line.changeLimit', s.loanId, { creditLimitAmount: 8000 }, ask);
  t.match(refused, { statusCode: 400 });
  await s.h.command('line.changeLimit', s.loanId, { creditLimitAmount: 8000, adverseActionReason: 'Income has fallen' }, ask);
  t.match(await s.h.query('loan.balances', s.loanId, {}, { params }), {
    creditLimitAmount: 8000,
    availableCreditAmount: 8000,
    utilizationAmount: 0,
  });
});

test('a canceled and a declined loan free their external ids', async (t) => {
  const s = await openSetting();
  t.teardown(() => s.h.close());
  const params = { personId: s.personId };
  const declineReason = { mainText: 'Income too low' };
  const canceled = await s.create({ externalId: 'once' });
  await s.h.command('loan.cancel', canceled.id, {}, { permissions: ['*'], params });
  t.ok(await s.create({ externalId: 'once' }));
  const pending = await s.create({ externalId: 'twice', status: 'pending' });
  await s.h.command('loan.update', pending.id, { status: 'declined', declineReason }, { permissions: ['*'], params });
  const again = await s.create({ externalId: 'twice', status: 'pending' });
  t.not(again.id, pending.id);
  await s.create({ externalId: 'thrice', status: 'declined', declineReason });
  t.ok(await s.create({ externalId: 'thrice', status: 'pending' }));
});

test('an empty reason for declining is one that is not given', async (t) => {
  const s = await openSetting();
  t.teardown(() => s.h.close());
  t.ok(await s.create({ status: 'pending', declineReason: {} }));
  await t.rejects(s.create({ status: 'declined', declineReason: { mainText: '', subReasons: [] } }), /./);
});

test('activating an active loan is 409 with its status in the text', async (t) => {
  const s = await openSetting();
  t.teardown(() => s.h.close());
  const { id } = await s.active();
  const refused = await s.h.refusal('loan.activate', id, {}, { params: { personId: s.personId } });
  t.equal(refused.statusCode, 409);
  t.match(refused.message, /active/);
});

test('autopay names its type, and takes statementMinimumAmount for the minimum payment', async (t) => {
  const loan = await openAutopay();
  t.match(await loan.create(), { type: 'alignedToDueDates' });
  const line = await openLineAutopay();
  t.match(await line.create({ amountType: 'statementMinimumAmount' }), { amountType: 'minimumDueAmount', type: 'alignedToDueDates' });
});
