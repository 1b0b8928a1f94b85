import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { openSetting } from '../setting.js';
import { external } from '../transactions/setting.js';

const late = { name: { displayName: 'Late', apiName: 'late' }, feeType: 'lateFee', amountLogic: 'fixed', amount: 30, triggerDays: 5 };

test('a late fee that a payment recorded later takes back stays visible, canceled, under its id', async (t) => {
  const s = await openSetting();
  t.teardown(() => s.h.close());
  await s.h.command('feeType.create', s.h.company, late, { params: { loanTypeId: s.loanTypeId } });
  const { id } = await s.active();
  await s.goTo('2024-02-25');
  const [fee] = itemsOf(await s.h.query('loanFee.list', id, {}));
  const feeId = String(fee?.id);
  t.match(fee, { status: 'booked', amount: 30 });
  const permissions = ['*'];
  const { id: transactionId } = await s.h.data('transaction.create', id, external({ status: 'succeeded', amount: 299.72 }), {
    permissions,
    params: { personId: s.personId },
  });
  await s.h.command('transaction.backdate', id, { effectiveDate: '2024-02-14' }, { permissions, params: { transactionId } });
  const seen = async (): Promise<unknown> => s.h.query('loanFee.get', id, {}, { params: { feeId } });
  const canceled = {
    id: feeId,
    status: 'canceled',
    amount: 0,
    originalAmount: 30,
    remainingAmount: 0,
    createdDate: '2024-02-20',
    dynamicFeeDetails: { apiName: 'late', chargeDate: '2024-02-20', canceledDate: '2024-02-25' },
  };
  t.match(await seen(), canceled);
  t.match(itemsOf(await s.h.query('loanFee.list', id, { statuses: ['canceled'] })), [{ id: feeId }]);
  t.match(await s.h.refusal('loanFee.cancel', id, {}, { permissions, params: { feeId } }), { statusCode: 409 });
  s.h.forgetSnapshots();
  await s.h.restart();
  t.match(await seen(), canceled, 'computed from the journal again');
});
