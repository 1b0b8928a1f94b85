import { test } from 'tap';
import { itemsOf } from '../harness.js';
import { external, openPaySetting } from './transactions/setting.js';

const KEY = { createdBy: { userType: 'api', id: 'AK-TEST-TEST', descriptor: 'API key AK-TEST-TEST' } };

test('a status that was ordered for the past is its orderer’s doing', async (t) => {
  const { h, loanId, pass } = await openPaySetting();
  await pass('2024-03-01');
  const history = async (): Promise<unknown> => itemsOf(await h.query('loan.statusHistory', loanId));
  await h.command('loan.accelerate', loanId, { effectiveDate: '2024-02-01' });
  t.match(await history(), [{ newStatus: 'accelerated', effectiveDate: '2024-02-01', ...KEY }]);
  await h.command('loan.reverseAccelerate', loanId);
  t.match(await history(), [{ oldStatus: 'accelerated', newStatus: 'active', ...KEY }]);
  await h.command('loan.chargeOff', loanId, { chargedOffReason: 'bankruptcy', effectiveDate: '2024-02-10' });
  t.match(await history(), [
    { oldStatus: 'accelerated', newStatus: 'chargedOff', effectiveDate: '2024-02-10', reason: 'bankruptcy', ...KEY },
    { oldStatus: 'active', newStatus: 'accelerated', effectiveDate: '2024-02-10', ...KEY },
  ]);
  await h.command('loan.reverseChargeOff', loanId);
  t.match(await history(), [{ newStatus: 'active', ...KEY }]);
});

test('a status that follows from days overdue is the service’s doing', async (t) => {
  const { h, loanId, pass } = await openPaySetting({ chargeOffDueWithin: 10 });
  await pass('2024-03-05');
  const { items } = await h.query('loan.statusHistory', loanId);
  t.match(items, [
    { newStatus: 'chargedOff', createdBy: { userType: 'system' } },
    { newStatus: 'accelerated', createdBy: { userType: 'system' } },
  ]);
});

test('a loan is paid off since the day on which the payment counts, also when that is moved', async (t) => {
  const { h, loanId, post, act, pass, loan } = await openPaySetting();
  const history = async (): Promise<unknown> => itemsOf(await h.query('loan.statusHistory', loanId));
  await pass('2024-02-20');
  const { id } = await post(external({ amount: 20_000, status: 'succeeded' }));
  t.match(await loan(), { status: 'paidOff', timestamps: { paidOffAt: /^2024-02-20/ } });
  t.match(await history(), [{ newStatus: 'paidOff', effectiveDate: '2024-02-20', createdAt: /^2024-02-20/ }]);
  await pass('2024-02-25');
  await act('backdate', id, { effectiveDate: '2024-02-10' });
  t.match(await loan(), { status: 'paidOff', timestamps: { paidOffAt: '2024-02-11T04:59:00.000Z' } });
  t.match(await history(), [{ newStatus: 'paidOff', effectiveDate: '2024-02-10', createdAt: /^2024-02-20/ }]);
  t.equal(itemsOf(await h.query('loan.statusHistory', loanId)).filter(({ newStatus }) => newStatus === 'paidOff').length, 1);
  const { items } = await h.query('loan.activity', loanId, { types: ['status'] });
  t.match(items, [{ action: 'paidOff', effectiveDate: '2024-02-10' }]);
});

test('an automatic acceleration that a late payment has put off is dated by its new day', async (t) => {
  const { h, loanId, post, pass, loan } = await openPaySetting({ accelerationDueWithin: 20 });
  await pass('2024-04-10');
  t.match(await loan(), { status: 'accelerated', timestamps: { acceleratedAt: /^2024-03-06/ } });
  await post(external({ status: 'succeeded', effectiveDate: '2024-02-14', enablePrepayments: true }));
  t.match(await loan(), { status: 'accelerated', timestamps: { acceleratedAt: /^2024-04-0[45]/ } });
  t.match(itemsOf(await h.query('loan.statusHistory', loanId)), [{ newStatus: 'accelerated', effectiveDate: /^2024-04-0[45]/ }]);
});

test('an obligation was last changed when it came to be, or later', async (t) => {
  const { h, loanId, pass } = await openPaySetting();
  await pass('2024-03-20');
  const { obligations } = await h.query('loan.obligations', loanId);
  const seen = obligations as readonly { readonly createdAt: string; readonly updatedAt: string }[];
  t.equal(seen.length, 3);
  for (const { createdAt, updatedAt } of seen) t.ok(createdAt <= updatedAt, `${createdAt} ${updatedAt}`);
});
