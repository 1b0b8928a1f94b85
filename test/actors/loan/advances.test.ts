import { test } from 'tap';
import { itemsOf } from '../harness.js';
import { openSetting } from './setting.js';

type Row = Readonly<Record<string, unknown>>;

const PRODUCT = { structure: { allowMultipleAdvances: true } };
const TERMS = { atOrigination: { principalAmount: 4000 } };

test('a settled advance raises principal and re-amortizes the rows over the same end date', async (t) => {
  const { h, active, goTo } = await openSetting(PRODUCT);
  const loan = await active(TERMS);
  const before = await h.query('loan.get', loan.id);
  await goTo('2024-02-20');
  const preview = (await h.data('advance.preview', loan.id, { amount: 3000 }))['schedule'] as readonly Row[];
  t.match(itemsOf(await h.query('advance.list', loan.id)), []);
  const advance = await h.data('advance.create', loan.id, {
    amount: 3000,
    externalId: 'adv-1',
    advanceDetails: { merchantName: 'Roofers' },
  });
  t.match(advance, { id: /^LA-/, status: 'settled', amount: 3000, advanceDate: '2024-02-20', advanceDetails: { merchantName: 'Roofers' } });
  t.match(await h.query('loan.get', loan.id), { endDate: before['endDate'] });
  const schedule = (await h.query('loan.expectedPayments', loan.id))['schedule'] as readonly Row[];
  t.same(schedule, preview, 'the preview is what is booked');
  t.ok((schedule[1]?.['amount'] as number) > 1.5 * (schedule[0]?.['amount'] as number));
  t.equal((await h.refusal('advance.create', loan.id, { amount: 1, externalId: 'adv-1' })).statusCode, 409);
  t.match(await h.refusal('advance.create', loan.id, { amount: 3000.01 }), { statusCode: 422, errorType: 'amountExceedsEligible' });
  const backdated = await h.data('advance.create', loan.id, { amount: 500, advanceDate: '2024-02-01' });
  t.match(backdated, { advanceDate: '2024-02-01' });
  const state = await h.query('loan.balances', loan.id);
  await h.restart();
  t.same(await h.query('loan.balances', loan.id), state);
  t.match(await h.data('advance.cancel', loan.id, {}, { params: { advanceId: 'ext-adv-1' } }), { status: 'canceled' });
  const events = itemsOf(await h.query('event.list', null, { loanId: loan.id, order: 'asc', limit: 100 })) as unknown as readonly Row[];
  t.match(
    events.filter((event) => event['eventType'] === 'advance.statuschanged'),
    [
      { objectType: 'advance', data: { advanceId: advance.id, oldStatus: null, newStatus: 'settled' } },
      {},
      { data: { oldStatus: 'settled', newStatus: 'canceled' } },
    ],
  );
});

test('a scheduled advance is changed, settled on its day, or canceled the day after it', async (t) => {
  const { h, active, goTo } = await openSetting(PRODUCT);
  const loan = await active(TERMS);
  const plan = (body: object): Promise<{ readonly id: string }> =>
    h.data('advance.create', loan.id, { status: 'scheduled', amount: 1000, ...body });
  const first = await plan({ advanceDate: '2024-02-01' });
  const second = await plan({ advanceDate: '2024-02-10' });
  const one = (id: string): Promise<unknown> => h.query('advance.get', loan.id, {}, { params: { advanceId: id } });
  await h.command('advance.update', loan.id, { amount: 1500 }, { params: { advanceId: first.id } });
  t.match(await one(first.id), { amount: 1500, originalAmount: 1000, status: 'scheduled' });
  await goTo('2024-02-01');
  await h.command('advance.update', loan.id, { status: 'pending' }, { params: { advanceId: first.id } });
  t.match(
    await h.query('loan.balances', loan.id),
    { outstandingBalances: { outstandingPrincipalAmount: 4000 } },
    'pending money raises nothing',
  );
  await h.command('advance.update', loan.id, { status: 'settled' }, { params: { advanceId: first.id } });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingPrincipalAmount: 5500 } });
  t.equal((await h.refusal('advance.update', loan.id, { amount: 1 }, { params: { advanceId: first.id } })).statusCode, 409);
  await goTo('2024-02-10');
  t.match(await one(second.id), { status: 'scheduled' });
  await goTo('2024-02-11');
  t.match(await one(second.id), { status: 'canceled' });
  t.match(itemsOf(await h.query('advance.list', loan.id, { statuses: ['settled'] })), [{ id: first.id }]);
});

test('the schedule of advances at origination is paid out on its days, and can be replaced', async (t) => {
  const { h, active, goTo } = await openSetting(PRODUCT);
  const loan = await active({
    atOrigination: {
      advanceSchedule: [
        { advanceDate: '2024-01-15', amount: 4000 },
        { advanceDate: '2024-02-20', amount: 6000, externalId: 'second' },
      ],
    },
  });
  t.match(loan, { amountsValidation: { totalAdvancesMatch: true } });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingPrincipalAmount: 4000 } });
  t.match(itemsOf(await h.query('advance.list', loan.id)), [
    { status: 'scheduled', amount: 6000, externalId: 'second' },
    { status: 'settled', amount: 4000 },
  ]);
  const rows = [
    { advanceDate: '2024-02-05', amount: 2000 },
    { advanceDate: '2024-03-05', amount: 4000 },
  ];
  await h.command('advance.replaceSchedule', loan.id, { advanceSchedule: rows });
  t.match(itemsOf(await h.query('advance.list', loan.id, { statuses: ['scheduled'] })), [{ amount: 4000 }, { amount: 2000 }]);
  t.equal(
    (await h.refusal('advance.replaceSchedule', loan.id, { advanceSchedule: [{ advanceDate: '2024-02-05', amount: 6000.01 }] })).statusCode,
    422,
  );
  await goTo('2024-02-05');
  const [, due] = itemsOf(await h.query('advance.list', loan.id, { statuses: ['scheduled'] }));
  await h.command('advance.update', loan.id, { status: 'settled' }, { params: { advanceId: due?.id ?? '' } });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingPrincipalAmount: 6000 } });
});

test('advances need a product that allows them, an active loan, and days that fit their status', async (t) => {
  const { h, active } = await openSetting();
  const single = await active(TERMS);
  t.equal((await h.refusal('advance.create', single.id, { amount: 10 })).statusCode, 409);
  const other = await openSetting(PRODUCT);
  const waiting = await other.create(TERMS);
  t.equal((await other.h.refusal('advance.create', waiting.id, { amount: 10 })).statusCode, 409);
  t.match(await other.h.data('advance.create', waiting.id, { amount: 10, status: 'scheduled', advanceDate: '2024-03-01' }), {
    status: 'scheduled',
  });
  const loan = await other.active(TERMS);
  t.equal((await other.h.refusal('advance.create', loan.id, { amount: 10, status: 'scheduled' })).statusCode, 400);
  t.equal(
    (await other.h.refusal('advance.create', loan.id, { amount: 10, status: 'scheduled', advanceDate: '2024-01-15' })).statusCode,
    422,
  );
  t.equal((await other.h.refusal('advance.create', loan.id, { amount: 10, advanceDate: '2024-01-16' })).statusCode, 422);
});

test('an advance that is on its way by the day of activation is paid out with it, and not again', async (t) => {
  const { h, create, goTo, personId } = await openSetting(PRODUCT);
  t.teardown(() => h.engine.close());
  const loan = await create({ atOrigination: { principalAmount: 10_000 } });
  const { id } = await h.data('advance.create', loan.id, { amount: 4_000, status: 'scheduled', advanceDate: '2024-01-20' });
  await h.command('advance.update', loan.id, { status: 'pending' }, { params: { advanceId: id } });
  await goTo('2024-01-22');
  await h.command('loan.activate', loan.id, {}, { params: { personId } });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingPrincipalAmount: 10_000 } });
  t.match(await h.query('advance.get', loan.id, {}, { params: { advanceId: id } }), { status: 'settled' });
  t.equal((await h.refusal('advance.update', loan.id, { status: 'pending' }, { params: { advanceId: id } })).statusCode, 409);
});

test('two advances of one schedule have not the same external id', async (t) => {
  const { h, active } = await openSetting(PRODUCT);
  t.teardown(() => h.engine.close());
  const loan = await active(TERMS);
  const rows = [
    { advanceDate: '2024-02-05', amount: 1_000, externalId: 'same' },
    { advanceDate: '2024-03-05', amount: 1_000, externalId: 'same' },
  ];
  t.match(await h.refusal('advance.replaceSchedule', loan.id, { advanceSchedule: rows }), { statusCode: 409, errorType: 'duplicate' });
});
