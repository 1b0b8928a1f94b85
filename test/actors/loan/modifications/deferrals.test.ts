import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { openSetting } from '../setting.js';
import { rowsOf, SMALL } from './rows.js';

const FEE = { name: { displayName: 'Deferral fee', apiName: 'deferral' }, feeType: 'modificationFee', amountLogic: 'fixed', amount: 12.5 };

test('a due date to come is deferred to the end: its row asks for nothing and the loan is one period longer', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active(SMALL);
  const before = rowsOf(await h.query('loan.expectedPayments', loan.id));
  t.equal(before.length, 12);
  const preview = await h.data('loan.deferDueDate', loan.id, { existingDueDate: '2024-03-15', previewMode: true });
  t.equal(rowsOf(await h.query('loan.expectedPayments', loan.id)).length, 12, 'a preview changes nothing');
  const { operationId: _id, ...booked } = await h.data('loan.deferDueDate', loan.id, { existingDueDate: '2024-03-15' });
  t.strictSame(booked, preview);
  const rows = rowsOf(preview);
  t.equal(rows.length, 13);
  t.match(rows[1], { date: '2024-03-15', amount: 0, isDeferred: true, status: 'canceled' });
  t.match(rows[0], { date: '2024-02-15', amount: before[0]?.amount, isDeferred: false });
  t.match(rows.at(-1), { date: '2025-02-15' });
  t.equal(sum(rows.map((row) => row.principalAmount)), 1200);
  t.ok(sum(rows.map((row) => row.interestAmount)) > sum(before.map((row) => row.interestAmount)), 'interest goes on meanwhile');
  t.match(await h.query('loan.get', loan.id), { endDate: '2025-02-15', current: { duration: 13 } });
  const [event] = itemsOf(await h.query('event.list', null, { loanId: loan.id, eventType: ['loan.duedate.defer'] }));
  t.match(event, { data: { oldDate: '2024-03-15', newDate: '2025-02-15', obligationId: /^OB-/ } });
  await goTo('2024-04-20');
  t.match(await h.query('loan.obligations', loan.id), {
    obligations: [
      { dueDate: '2024-02-15', isOverdue: true },
      { dueDate: '2024-04-15', isOverdue: true },
      { dueDate: '2024-05-15', isOpen: true },
    ],
  });
  const view = await h.query('loan.get', loan.id);
  await h.restart();
  t.same(await h.query('loan.get', loan.id), view);
});

test('a deferred payment joins a later due date', async (t) => {
  const { h, active } = await openSetting();
  const loan = await active(SMALL);
  const before = rowsOf(await h.query('loan.expectedPayments', loan.id));
  const rows = rowsOf(await h.data('loan.deferDueDate', loan.id, { existingDueDate: '2024-02-15', newDueDate: '2024-06-15' }));
  t.equal(rows.length, 12);
  t.match(rows[0], { amount: 0, isDeferred: true });
  t.match(rows[4], { date: '2024-06-15', amount: 2 * (before[4]?.amount ?? 0), isForcedAmount: true });
  t.match(await h.query('loan.get', loan.id), { current: { nextDueDate: '2024-03-15' } });
});

test('a past due date is deferred by a replay: the loan is current again and its late fee is gone', async (t) => {
  const { h, active, goTo, loanTypeId } = await openSetting();
  const late = {
    name: { displayName: 'Late fee', apiName: 'late' },
    feeType: 'lateFee',
    amountLogic: 'fixed',
    amount: 25,
    trigger: 'overdueDays',
    triggerDays: 10,
  };
  await h.command('feeType.create', h.company, late, { params: { loanTypeId } });
  const loan = await active(SMALL);
  await goTo('2024-03-05');
  t.match(await h.query('loan.get', loan.id), { current: { isOverdue: true } });
  t.equal(itemsOf(await h.query('loanFee.list', loan.id)).length, 1);
  const preview = await h.data('loan.deferDueDate', loan.id, { existingDueDate: '2024-02-15', previewMode: true });
  const { operationId: _id, ...booked } = await h.data('loan.deferDueDate', loan.id, { existingDueDate: '2024-02-15' });
  t.strictSame(booked, preview);
  t.match(rowsOf(preview)[0], { date: '2024-02-15', amount: 0, isDeferred: true });
  t.match(await h.query('loan.get', loan.id), { current: { isOverdue: false, nextDueDate: '2024-03-15' }, endDate: '2025-02-15' });
  t.match(
    itemsOf(await h.query('loanFee.list', loan.id)),
    [{ status: 'canceled', amount: 0, remainingAmount: 0 }],
    'taken back, and still visible',
  );
  t.equal((await h.refusal('loan.deferDueDate', loan.id, { existingDueDate: '2024-02-15' })).statusCode, 422, 'only once');
  const names = itemsOf(await h.query('event.list', null, { loanId: loan.id, limit: 100 })).map((event) => event['eventType']);
  for (const name of ['loan.duedate.defer', 'loan.fee.canceled', 'loan.current']) t.ok(names.includes(name), name);
  await goTo('2024-03-20');
  await h.restart();
  t.match(await h.query('loan.obligations', loan.id), { obligations: [{ dueDate: '2024-03-15', isOverdue: true }, { isOpen: true }] });
});

test('the whole schedule is pushed out and amortized again', async (t) => {
  const { h, active } = await openSetting();
  const loan = await active(SMALL);
  const before = rowsOf(await h.query('loan.expectedPayments', loan.id));
  const rows = rowsOf(await h.data('loan.deferSchedule', loan.id, { days: 10, startDueDate: '2024-04-15' }));
  t.same(
    rows.slice(0, 4).map((row) => row.date),
    ['2024-02-15', '2024-03-15', '2024-04-25', '2024-05-25'],
  );
  t.equal(rows.length, 12);
  t.equal(rows[1]?.amount, before[1]?.amount);
  t.ok((rows[2]?.amount ?? 0) > (before[2]?.amount ?? 0));
  t.equal(rows[2]?.amount, rows[10]?.amount, 'one new level');
  t.ok((rows[11]?.amount ?? 0) <= (rows[10]?.amount ?? 0));
  t.match(itemsOf(await h.query('event.list', null, { loanId: loan.id, eventType: ['loan.schedule.defer'] })), [
    { data: { fromDate: '2024-04-15', numberOfPeriods: 10, newEndDate: '2025-01-25' } },
  ]);
  t.match(itemsOf(await h.query('loan.scheduleModifications', loan.id)), [
    { type: 'deferSchedule', days: 10, startDueDate: '2024-04-15', feeAmount: 0 },
  ]);
});

test('the product charges for deferrals unless waived, and limits them within a year', async (t) => {
  const { h, active, loanTypeId, goTo } = await openSetting({
    modification: { fees: { 'duedate.defer': 'deferral' } },
    limits: { maxDeferralsPerYear: 2 },
  });
  const { id: feeTypeId } = await h.data('feeType.create', h.company, FEE, { params: { loanTypeId } });
  const loan = await active(SMALL);
  t.match(await h.query('loan.modificationFees', loan.id), [
    { tool: 'duedate.defer', apiName: 'deferral', feeTypeId, feeAmount: 12.5 },
    { tool: 'schedule.defer', apiName: null, feeAmount: 0 },
    { tool: 'change.duedates' },
    { tool: 'change.terms' },
  ]);
  t.match(await h.data('loan.deferDueDate', loan.id, { existingDueDate: '2024-03-15' }), { feeAmount: 12.5 });
  t.match(await h.data('loan.deferDueDate', loan.id, { existingDueDate: '2024-05-15', waiveFee: true }), { feeAmount: 0 });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingModificationFeesAmount: 12.5 } });
  t.match(itemsOf(await h.query('loan.scheduleModifications', loan.id, { types: ['deferDueDate'] })), [
    { existingDueDate: '2024-05-15', isFeeWaived: true, loanFeeId: null },
    { existingDueDate: '2024-03-15', isFeeWaived: false, loanFeeId: /^LF-/, feeAmount: 12.5 },
  ]);
  t.match(itemsOf(await h.query('event.list', null, { loanId: loan.id, eventType: ['loan.modificationfee.booked'] })), [
    { data: { feeTypeId, amount: 12.5 } },
  ]);
  t.match(await h.refusal('loan.deferSchedule', loan.id, { days: 5 }), { statusCode: 409, errorType: 'invalidState' });
  await goTo('2025-01-15');
  t.match(await h.data('loan.deferSchedule', loan.id, { days: 5, previewMode: true }), { feeAmount: 0 });
});

test('a deferral that fits no due date is refused, and so is one of the wrong loan', async (t) => {
  const { h, active, create } = await openSetting();
  const loan = await active(SMALL);
  const status = async (type: string, id: string, body: object): Promise<number> => (await h.refusal(type, id, body)).statusCode;
  t.equal(await status('loan.deferDueDate', loan.id, { existingDueDate: '2024-03-16' }), 422);
  t.equal(await status('loan.deferDueDate', loan.id, { existingDueDate: '2024-04-15', newDueDate: '2024-03-15' }), 422);
  t.equal(await status('loan.deferSchedule', loan.id, { days: 3, startDueDate: '2024-03-01' }), 422);
  t.equal(await status('loan.deferRemainingBalances', loan.id, {}), 422);
  const single = await active({ atOrigination: { ...SMALL.atOrigination, duration: 1, paymentFrequency: 'singleTerm' } });
  t.equal(await status('loan.deferSchedule', single.id, { days: 3 }), 422);
  const pending = await create(SMALL);
  t.equal(await status('loan.deferSchedule', pending.id, { days: 3 }), 409);
  await h.command('loan.freeze', loan.id, {});
  t.equal(await status('loan.deferSchedule', loan.id, { days: 3 }), 409);
});

const sum = (amounts: readonly number[]): number => Math.round(100 * amounts.reduce((total, amount) => total + amount, 0)) / 100;
