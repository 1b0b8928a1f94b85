import { test } from 'tap';
import type { Data } from '../../harness.js';
import { itemsOf } from '../../harness.js';
import { openSetting } from '../setting.js';
import { rowsOf, SMALL } from './rows.js';

const PLAN = { paymentPlanType: 'fixedAmountAndFees', numberOfPeriods: 3, amount: 40 };

test('a plan of a smaller amount makes the loan longer or its last payment larger', async (t) => {
  const { h, active } = await openSetting();
  const loan = await active(SMALL);
  const before = rowsOf(await h.query('loan.expectedPayments', loan.id));
  const make = async (body: object): Promise<Data> => h.data('paymentPlan.create', loan.id, { ...PLAN, previewMode: true, ...body });
  const kept = rowsOf(await make({}));
  t.same(
    kept.slice(0, 4).map((row) => row.amount),
    [40, 40, 40, before[3]?.amount],
  );
  t.equal(kept.length, 12);
  t.ok((kept[11]?.amount ?? 0) > 300);
  const longer = rowsOf(await make({ isExtendLoanDuration: true }));
  t.equal(longer.length, 15);
  t.equal(longer[13]?.amount, before[3]?.amount);
  t.ok((longer[14]?.amount ?? 0) < (before[3]?.amount ?? 0));
  const shorter = rowsOf(await make({ amount: 300 }));
  t.ok(shorter.length < 8);
  const interest = await make({
    paymentPlanType: 'interestOnlyAndFees',
    amount: null,
    selectedDueDate: '2024-04-15',
    externalId: 'plan-0',
  });
  t.match(interest, { status: 'active', startDate: '2024-04-15', endDate: '2024-06-15', amount: null, originalAmount: before[1]?.amount });
  t.same(
    rowsOf(interest)
      .slice(2, 5)
      .map((row) => row.principalAmount),
    [0, 0, 0],
  );
  t.same(itemsOf(await h.query('paymentPlan.list', loan.id)), [], 'previews make no plan');
});

test('a plan keeps other tools away, and is completed when its periods are over', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active(SMALL);
  const { operationId: _id, ...plan } = await h.data('paymentPlan.create', loan.id, { ...PLAN, externalId: 'plan-1' });
  t.match(plan, {
    id: /^PP-/,
    object: 'paymentPlan',
    status: 'active',
    externalId: 'plan-1',
    numberOfPeriods: 3,
    amount: 40,
    startDate: '2024-02-15',
    endDate: '2024-04-15',
  });
  t.match(await h.query('loan.get', loan.id), { current: { activePaymentPlanId: plan.id } });
  for (const [type, body] of [
    ['paymentPlan.create', PLAN],
    ['loan.deferDueDate', { existingDueDate: '2024-03-15' }],
    ['loan.deferSchedule', { days: 1 }],
    ['loan.deferRemainingBalances', {}],
    ['loan.changeDueDates', { dueDatesFrequency: 'weekly' }],
    ['loan.changeTerms', { selectedDueDate: '2024-03-15' }],
    ['loan.reamortize', { effectiveDate: '2024-03-15' }],
  ] as const) {
    t.match(await h.refusal(type, loan.id, body), { statusCode: 409, errorType: 'activePlanExists' }, type);
  }
  t.match(await h.query('paymentPlan.get', loan.id, {}, { params: { paymentPlanId: 'ext-plan-1' } }), { id: plan.id });
  await goTo('2024-04-15');
  t.match(await h.query('paymentPlan.get', loan.id, {}, { params: { paymentPlanId: plan.id } }), { status: 'active' });
  await goTo('2024-04-16');
  t.match(itemsOf(await h.query('paymentPlan.list', loan.id)), [{ status: 'completed', canceledAt: null }]);
  t.match(await h.query('loan.get', loan.id), { current: { activePaymentPlanId: null } });
  const events = itemsOf(await h.query('event.list', null, { loanId: loan.id, order: 'asc', limit: 100 }));
  const of = (name: string): Data | undefined => events.find((event) => event['eventType'] === name);
  t.match(of('loan.paymentplan.setup'), {
    objectType: 'loan',
    data: { paymentPlanId: plan.id, type: 'fixedAmountAndFees', numberOfPeriods: 3, amount: 40, startDate: '2024-02-15' },
  });
  t.match(of('paymentplan.created'), { objectType: 'paymentPlan', objectId: plan.id });
  t.match(of('paymentplan.statuschanged'), { data: { oldStatus: 'active', newStatus: 'completed' } });
  t.equal((await h.refusal('paymentPlan.cancel', loan.id, {}, { params: { paymentPlanId: plan.id } })).statusCode, 409);
  t.equal((await h.refusal('paymentPlan.create', loan.id, { ...PLAN, externalId: 'plan-1' })).errorType, 'duplicate');
  await h.restart();
  t.match(itemsOf(await h.query('paymentPlan.list', loan.id)), [{ status: 'completed' }]);
});

test('a canceled plan restores the schedule before it, amortized again', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active(SMALL);
  const before = rowsOf(await h.query('loan.expectedPayments', loan.id));
  await h.command('loan.deferDueDate', loan.id, { existingDueDate: '2024-05-15' });
  await h.command('loan.changeDueDates', loan.id, { dueDatesFrequency: 'weekly', specificDays: [5] });
  const plan = await h.data('paymentPlan.create', loan.id, { ...PLAN, isExtendLoanDuration: true });
  t.match(
    await h.query('loan.get', loan.id),
    { current: { paymentFrequency: 'monthly', specificDays: ['15'] } },
    'a plan overwrites earlier changes',
  );
  t.equal(
    rowsOf(plan).some((row) => row.isDeferred),
    false,
  );
  await goTo('2024-03-01');
  const body = { reasonDetails: 'found work', previewMode: true };
  const preview = await h.data('paymentPlan.cancel', loan.id, body, { params: { paymentPlanId: plan.id } });
  t.match(preview, { status: 'canceled', cancellationReason: 'canceledByUser', reasonDetails: 'found work', canceledAt: /^2024-03-01/ });
  const rows = rowsOf(await h.data('paymentPlan.cancel', loan.id, {}, { params: { paymentPlanId: plan.id } }));
  t.strictSame(rows, rowsOf(preview));
  t.same(
    rows.map((row) => row.date),
    before.map((row) => row.date),
  );
  t.equal(rows[1]?.amount, rows[10]?.amount, 'one new level');
  t.match(await h.query('loan.get', loan.id), {
    current: { activePaymentPlanId: null, paymentFrequency: 'monthly' },
    endDate: '2025-01-15',
  });
  t.match(
    itemsOf(await h.query('loan.scheduleModifications', loan.id)).map((item) => item['type']),
    ['cancelPaymentPlan', 'paymentPlan', 'changeDueDates', 'deferDueDate'],
  );
  await h.command('loan.deferSchedule', loan.id, { days: 2 });
});

test('a plan ends with its loan: completed when it is paid off, canceled when it is charged off', async (t) => {
  const { h, active } = await openSetting();
  const one = await active(SMALL);
  const plan = await h.data('paymentPlan.create', one.id, PLAN);
  await h.command('loan.chargeOff', one.id, { chargedOffReason: 'fraudulent' });
  t.match(await h.query('paymentPlan.get', one.id, {}, { params: { paymentPlanId: plan.id } }), {
    status: 'canceled',
    cancellationReason: 'loanChargedOff',
  });
  const frozen = await active(SMALL);
  await h.command('loan.freeze', frozen.id, {});
  t.equal((await h.refusal('paymentPlan.create', frozen.id, PLAN)).statusCode, 409);
  const other = await active(SMALL);
  t.equal((await h.refusal('paymentPlan.create', other.id, { ...PLAN, amount: null })).statusCode, 400);
  t.equal((await h.refusal('paymentPlan.create', other.id, { ...PLAN, numberOfPeriods: 13 })).statusCode, 422);
  t.equal((await h.refusal('paymentPlan.create', other.id, { ...PLAN, selectedDueDate: '2024-03-01' })).statusCode, 422);
});
