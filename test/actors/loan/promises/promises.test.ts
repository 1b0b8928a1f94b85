import { test } from 'tap';
import { itemsOf, refusalOf } from '../../harness.js';
import { openPromiseSetting, periodsOf, threeFridays } from './setting.js';

test('a plan that is kept: scheduled until its start, published on each due date, kept the day after the last one', async (t) => {
  const s = await openPromiseSetting();
  t.teardown(() => s.h.engine.close());
  const plan = await s.promise({ ...threeFridays, externalId: 'promise-1' });
  t.match(plan, {
    object: 'promiseToPayPlan',
    status: 'scheduled',
    isOverdue: false,
    startDate: '2024-01-19',
    endDate: '2024-02-02',
    frequency: 'weekly',
    specificDays: ['5'],
    duration: 3,
    amount: 100,
    loanId: s.loanId,
    companyId: s.h.company,
    cancellationReason: null,
  });
  t.strictSame(await s.emitted(), ['created null>scheduled']);
  await s.pass('2024-01-18');
  await s.payBy(null, 150);
  t.strictSame(await s.emitted(), [], 'money before the first due date is money for it');
  await s.pass('2024-01-19');
  t.strictSame(await s.emitted(), ['statuschanged scheduled>active', 'due.today active>active']);
  await s.pass('2024-01-30');
  await s.payBy(null, 150);
  await s.pass('2024-02-03');
  t.strictSame(await s.emitted(), [
    'due.today active>active',
    'overdue active>active',
    'current active>active',
    'due.today active>active',
    'statuschanged active>kept',
  ]);
  const kept = await s.plan('ext-promise-1');
  t.equal(kept['status'], 'kept');
  t.strictSame(periodsOf(kept), ['2024-01-19 100 kept', '2024-01-26 100 kept', '2024-02-02 100 kept']);
  await s.payBy(null, 40);
  t.strictSame(periodsOf(await s.plan(plan.id)), periodsOf(kept), 'later money is not for a plan that is over');
});

test('a promise that is missed: overdue the day after, broken the day after the last due date', async (t) => {
  const s = await openPromiseSetting();
  t.teardown(() => s.h.engine.close());
  const { id } = await s.promise({
    schedule: [
      { dueDate: '2024-01-22', amount: 80 },
      { dueDate: '2024-01-18', amount: 50.5 },
    ],
  });
  t.match(await s.plan(id), { status: 'active', startDate: '2024-01-15', frequency: null, amount: null, duration: 2 });
  t.strictSame(await s.emitted(), ['created null>scheduled', 'statuschanged scheduled>active']);
  await s.pass('2024-01-19');
  t.strictSame(await s.emitted(), ['due.today active>active', 'overdue active>active']);
  t.match(await s.plan(id), { status: 'active', isOverdue: true });
  t.strictSame(periodsOf(await s.plan(id)), ['2024-01-18 0 broken', '2024-01-22 0 scheduled']);
  await s.payBy(null, 60.5);
  t.strictSame(await s.emitted(), ['current active>active'], 'made good');
  t.strictSame(periodsOf(await s.plan(id)), ['2024-01-18 50.5 kept', '2024-01-22 10 scheduled']);
  await s.pass('2024-01-23');
  t.strictSame(await s.emitted(), ['due.today active>active', 'overdue active>active', 'statuschanged active>broken']);
  t.match(await s.plan(id), { status: 'broken', isOverdue: false });
  t.strictSame(periodsOf(await s.plan(id)), ['2024-01-18 50.5 kept', '2024-01-22 10 broken']);
});

test('a backdated payment makes a promise good, and its reversal undoes that', async (t) => {
  const s = await openPromiseSetting();
  t.teardown(() => s.h.engine.close());
  const { id } = await s.promise(threeFridays);
  await s.pass('2024-01-24');
  await s.emitted();
  const paid = await s.payBy('2024-01-17', 100);
  t.strictSame(await s.emitted(), ['current active>active']);
  await s.act('update', paid.id, { status: 'failed', failureReason: 'insufficientFunds' });
  t.strictSame(await s.emitted(), ['overdue active>active']);
  t.match(await s.plan(id), { status: 'active', isOverdue: true });
});

test('the company decides after how many days overdue a promise is broken', async (t) => {
  const s = await openPromiseSetting();
  t.teardown(() => s.h.engine.close());
  await s.h.command('company.update', s.h.company, { promiseBrokenAfterDays: 4 });
  const { id } = await s.promise(threeFridays);
  await s.pass('2024-01-22');
  t.match(await s.plan(id), { status: 'active', isOverdue: true });
  await s.pass('2024-01-23');
  t.match(await s.plan(id), { status: 'broken', isOverdue: false });
});

test('a plan ends with its loan, and by hand', async (t) => {
  const s = await openPromiseSetting();
  t.teardown(() => s.h.engine.close());
  const first = await s.promise(threeFridays);
  t.equal(await s.refused(threeFridays), 'activePlanExists');
  const canceled = await s.ask('cancel', first.id, { reasonDetails: 'lost the job' });
  t.match(canceled, { status: 'canceled', cancellationReason: 'canceledByUser', reasonDetails: 'lost the job' });
  t.equal((await refusalOf(s.ask('cancel', first.id))).errorType, 'invalidState');
  const second = await s.promise(threeFridays);
  await s.pass('2024-01-20');
  await s.emitted();
  await s.h.command('loan.chargeOff', s.loanId, { chargedOffReason: 'term' }, { params: { personId: s.personId } });
  t.strictSame(await s.emitted(), ['statuschanged active>canceled']);
  t.match(await s.plan(second.id), { status: 'canceled', cancellationReason: 'loanChargedOff', isOverdue: false });
  t.equal(await s.refused(threeFridays), 'invalidState', 'only an active loan takes promises');
});

test('a promise has either a schedule or the fields that describe one, for coming days', async (t) => {
  const s = await openPromiseSetting();
  t.teardown(() => s.h.engine.close());
  const schedule = [{ dueDate: '2024-02-01', amount: 10 }];
  t.equal(await s.refused({ ...threeFridays, schedule }), 'validationError');
  t.equal(await s.refused({}), 'validationError');
  t.equal(await s.refused({ ...threeFridays, duration: null }), 'validationError');
  t.equal(await s.refused({ ...threeFridays, specificDays: [40] }), 'validationError');
  t.equal(await s.refused({ schedule: [...schedule, ...schedule] }), 'validationError');
  t.equal(await s.refused({ frequency: 'oneTime', startDate: '2024-02-01', amount: 5, duration: 2 }), 'validationError');
  t.equal(await s.refused({ ...threeFridays, startDate: '2024-01-14' }), 'ruleViolation');
  t.equal(await s.refused({ schedule: [{ dueDate: '2024-01-14', amount: 10 }] }), 'ruleViolation');
  const preview = await s.promise({ frequency: 'oneTime', startDate: '2024-02-01', amount: 5, previewMode: true });
  t.strictSame(periodsOf(preview), ['2024-02-01 0 scheduled']);
  t.strictSame(itemsOf(await s.h.query('promisePlan.list', s.loanId)), [], 'a preview stores nothing');
});

test('an update replaces what is not due yet; plans are listed for the loan and for the company', async (t) => {
  const s = await openPromiseSetting();
  t.teardown(() => s.h.engine.close());
  const { id } = await s.promise(threeFridays);
  await s.pass('2024-01-20');
  const updated = await s.ask('update', id, { schedule: [{ dueDate: '2024-02-10', amount: 250 }], externalId: 'p' });
  t.strictSame(periodsOf(updated), ['2024-01-19 0 broken', '2024-02-10 0 scheduled']);
  t.match(updated, { externalId: 'p', isOverdue: true, endDate: '2024-02-10' });
  const other = await s.active({ externalId: 'other' });
  await s.h.command('promisePlan.create', other.id, { ...threeFridays, startDate: '2024-02-02' });
  const idsOf = async (query: object): Promise<readonly string[]> =>
    itemsOf(await s.h.query('promisePlan.listAll', null, query)).map((plan) => plan.id);
  const [newest, oldest] = await idsOf({});
  t.equal(oldest, id, 'newest first');
  for (const [query, total] of [
    [{}, 2],
    [{ limit: 1 }, 2],
    [{ isOverdue: true }, 1],
  ] as const) {
    t.equal((await s.h.query('promisePlan.listAll', null, query))['total'], total, JSON.stringify(query));
  }
  t.strictSame(await idsOf({ status: ['scheduled'] }), [newest]);
  t.strictSame(await idsOf({ isOverdue: true }), [id]);
  t.strictSame(await idsOf({ startDateAfter: '2024-01-19' }), [newest]);
  t.strictSame(await idsOf({ endDateBefore: '2024-02-11' }), [id]);
  t.strictSame(await idsOf({ startingAfter: newest }), [id]);
  t.strictSame(
    itemsOf(await s.h.query('promisePlan.list', s.loanId, { status: ['active'] })).map((plan) => plan.id),
    [id],
  );
  s.h.forgetSnapshots();
  await s.h.restart();
  t.match(await s.plan('ext-p'), { id, isOverdue: true }, 'a restart knows it all');
});

test('the part of a payment that was charged back keeps no promise', async (t) => {
  const s = await openPromiseSetting();
  t.teardown(() => s.h.engine.close());
  const plan = await s.promise({ schedule: [{ dueDate: '2024-02-10', amount: 100 }] });
  const { id: transactionId } = await s.pay({ amount: 100 });
  await s.pass('2024-01-25');
  await s.h.command('chargeback.create', s.loanId, { amount: 40, status: 'lost' }, { permissions: ['*'], params: { transactionId } });
  t.strictSame(periodsOf(await s.plan(plan.id)), ['2024-02-10 60 scheduled']);
  await s.pass('2024-02-11');
  t.match(await s.plan(plan.id), { status: 'broken' });
});
