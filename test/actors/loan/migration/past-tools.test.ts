import { test } from 'tap';
import { loanModule } from '../../../../actors/loan/index.js';
import { type Data, itemsOf } from '../../harness.js';
import { loanBody, openSetting, type Setting } from '../setting.js';
import { bare } from './bare.js';

interface Act {
  readonly date: string;
  readonly type: string;
  readonly body: object;
  /** Of the payments of the past. */
  readonly past?: object;
}

const paid = (date: string, amount: number): Act => ({
  date,
  type: 'transaction.create',
  body: { type: 'oneTime', amount, isExternal: true, status: 'succeeded' },
  past: { effectiveDate: date, effectiveTimeOfDay: { hour: 12, minute: 0, second: 0 } },
});

const MODIFIED: readonly Act[] = [
  paid('2024-02-15', 299.72),
  { date: '2024-03-01', type: 'loan.changeDueDates', body: { dueDatesFrequency: 'monthly', specificDays: [20] } },
  paid('2024-03-15', 299.72),
  { date: '2024-04-02', type: 'loan.deferSchedule', body: { days: 7 } },
  { date: '2024-04-10', type: 'loan.deferDueDate', body: { existingDueDate: '2024-04-27' } },
  {
    date: '2024-05-03',
    type: 'paymentPlan.create',
    body: { paymentPlanType: 'fixedAmountAndFees', numberOfPeriods: 2, amount: 100, isExtendLoanDuration: false, externalId: 'plan-1' },
  },
  paid('2024-05-27', 100),
  paid('2024-06-27', 100),
  { date: '2024-07-10', type: 'loan.changeTerms', body: { selectedDueDate: '2024-07-15', numberOfPeriods: 10 } },
  paid('2024-07-27', 500),
];

const READS = ['loan.balances', 'loan.obligations', 'loan.expectedPayments', 'loan.scheduleModifications', 'paymentPlan.list'];

async function figuresOf({ h }: Setting, id: string): Promise<unknown> {
  const read = await Promise.all(
    READS.map(
      async (type) =>
        (await h.query(type, id, type.endsWith('s') && type !== 'loan.scheduleModifications' ? {} : { limit: 100 })) as unknown,
    ),
  );
  return JSON.parse(
    JSON.stringify(read.map(bare), (key, value: unknown) => (key === 'externalId' || key === 'isFeeWaived' ? undefined : value)),
  );
}

async function openPast(): Promise<
  Setting & {
    ask(type: string, id: string, body: object, query?: object): Promise<Data>;
    prepared(): Promise<string>;
    record(id: string, act: Act): Promise<Data>;
  }
> {
  const s = await openSetting({}, '2024-01-15', loanModule());
  const ask = (type: string, id: string, body: object, query: object = {}): Promise<Data> =>
    s.h.data(type, id, body, { permissions: ['*'], params: { personId: s.personId }, query });
  return {
    ...s,
    ask,
    prepared: async () =>
      (
        await s.h.data('loan.create', s.personId, loanBody(s.loanTypeId, { migration: { activatedDate: '2024-01-15' } } as object), {
          params: { personId: s.personId },
        })
      ).id,
    record: (id, { date, type, body, past }) => ask(type, id, { ...body, ...(past ?? { migration: { effectiveDate: date } }) }),
  };
}

test('a loan whose schedule was changed in the other system is to the cent the loan whose schedule was changed here', async (t) => {
  const s = await openPast();
  const { h, ask, active, goTo, prepared, record } = s;
  t.teardown(() => h.engine.close());
  const { id: live } = await active();
  for (const { date, type, body } of MODIFIED) {
    await goTo(date);
    await ask(type, live, body);
  }
  await goTo('2024-08-02');
  const id = await prepared();
  for (const act of MODIFIED) {
    if (act.type === 'paymentPlan.create') await record(id, { ...act, body: { ...act.body, externalId: 'plan-2' } });
    else await record(id, act);
  }
  t.equal(itemsOf(await h.query('loan.scheduleModifications', id, { limit: 100 })).length, 5, 'they are read before the migration');
  t.match(await ask('loan.migrate', id, {}), { migrationStatus: 'migrated', status: 'active' });
  await goTo('2024-08-03');
  t.strictSame(await figuresOf(s, id), await figuresOf(s, live));
  const before = await figuresOf(s, id);
  h.forgetSnapshots();
  await h.restart();
  t.strictSame(await figuresOf(s, id), before, 'the same after a recovery from the journal');
});

test('a change of the past names its day, after all that was recorded before, while the loan is in preparation', async (t) => {
  const { h, ask, active, goTo, prepared, record, personId } = await openPast();
  t.teardown(() => h.engine.close());
  await goTo('2024-06-20');
  const id = await prepared();
  const refusal = (body: object, type = 'loan.deferSchedule', loan = id) =>
    h.refusal(type, loan, { days: 5, ...body }, { permissions: ['*'], params: { personId } });
  const on = (effectiveDate: string): object => ({ migration: { effectiveDate } });
  t.match(await refusal({}), { statusCode: 400, errors: [{ path: 'migration.effectiveDate' }] });
  for (const day of ['2024-01-14', '2024-06-21'])
    t.match(await refusal(on(day)), { statusCode: 422, errors: [{ path: 'migration.effectiveDate' }] });
  await record(id, paid('2024-04-15', 299.72));
  t.match(await refusal(on('2024-04-14')), {
    statusCode: 422,
    errors: [{ path: 'migration.effectiveDate', expected: '2024-04-15 or later' }],
  });
  const preview = await ask('loan.deferSchedule', id, { days: 5, ...on('2024-04-16'), previewMode: true });
  const shown = (reply: Data): unknown =>
    (reply['schedule'] as readonly Data[]).map(({ date, amount }: Record<string, unknown>) => [date, amount]);
  t.equal(itemsOf(await h.query('loan.scheduleModifications', id, { limit: 10 })).length, 0, 'a preview changes nothing');
  t.same(shown(await ask('loan.deferSchedule', id, { days: 5, ...on('2024-04-16') })), shown(preview));
  const { id: live } = await active();
  t.match(await refusal(on('2024-06-20'), 'loan.deferSchedule', live), { statusCode: 409, errors: [{ path: 'migration' }] });
});

test('a plan that was over in the other system is over before the migration, by it and after it', async (t) => {
  const { h, ask, goTo, prepared, record } = await openPast();
  t.teardown(() => h.engine.close());
  await goTo('2024-06-20');
  const id = await prepared();
  const plan = {
    date: '2024-02-20',
    type: 'paymentPlan.create',
    body: { paymentPlanType: 'fixedAmountAndFees', numberOfPeriods: 2, amount: 100 },
  };
  await record(id, plan);
  const plans = async (): Promise<readonly Data[]> => itemsOf(await h.query('paymentPlan.list', id, { limit: 10 }));
  const over = { status: 'completed', endDate: '2024-04-15', updatedAt: /^2024-04-16/ };
  t.match(await plans(), [over]);
  await record(id, { ...plan, date: '2024-05-20' });
  t.match(await plans(), [{ status: 'active', endDate: '2024-07-15' }, over]);
  t.match(await ask('loan.migrate', id, {}), { migrationStatus: 'migrated' });
  t.match(await plans(), [{ status: 'active', endDate: '2024-07-15' }, over]);
  t.match(await h.query('loan.get', id), { current: { activePaymentPlanId: (await plans())[0]?.id } });
  t.same(
    itemsOf(await h.query('event.list', null, { loanId: id, eventType: ['paymentplan.statuschanged'] })),
    [],
    'nothing is published about the time before',
  );
  await goTo('2024-07-16');
  t.match(await plans(), [{ status: 'completed' }, over]);
});

test('a canceled plan of the past leaves the schedule as it was before', async (t) => {
  const { h, ask, goTo, prepared, record } = await openPast();
  t.teardown(() => h.engine.close());
  await goTo('2024-06-20');
  const id = await prepared();
  const plan = await record(id, {
    date: '2024-02-20',
    type: 'paymentPlan.create',
    body: { paymentPlanType: 'interestOnlyAndFees', numberOfPeriods: 6 },
  });
  const { items: plans } = (await h.query('paymentPlan.list', id, { limit: 10 })) as unknown as { items: readonly Data[] };
  t.match(plans, [{ status: 'active' }]);
  await h.data(
    'paymentPlan.cancel',
    id,
    { migration: { effectiveDate: '2024-04-20' } },
    { permissions: ['*'], params: { paymentPlanId: String(plans[0]?.id) } },
  );
  t.ok(plan);
  t.match(await ask('loan.migrate', id, {}), { migrationStatus: 'migrated' });
  t.match(itemsOf(await h.query('paymentPlan.list', id, { limit: 10 })), [{ status: 'canceled' }]);
});
