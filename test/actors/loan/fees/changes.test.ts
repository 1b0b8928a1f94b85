import { test } from 'tap';
import { type Data, itemsOf } from '../../harness.js';
import { openSetting, type Setting } from '../setting.js';

const feeType = async ({ h, loanTypeId }: Setting, body: object): Promise<Data> =>
  h.data(
    'feeType.create',
    h.company,
    { name: { displayName: 'Service', apiName: 'service' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 30, ...body },
    {
      params: { loanTypeId },
    },
  );

const feesOf = async ({ h }: Setting, loanId: string): Promise<readonly Data[]> => itemsOf(await h.query('loanFee.list', loanId));

const eventsOf = async ({ h }: Setting, loanId: string, eventType: string): Promise<readonly Data[]> => {
  const events = itemsOf(await h.query('event.list', null, { loanId, order: 'asc', limit: 100 }));
  return events.filter((event) => event['eventType'] === eventType);
};

test('the amount of a fee by hand changes from its charge on, within the bounds of its type', async (t) => {
  const s = await openSetting();
  await feeType(s, { maxAmount: 40 });
  const loan = await s.active();
  const charge = (body: object = {}): Promise<unknown> => s.h.command('loanFee.charge', loan.id, { apiName: 'service', ...body });
  await charge();
  await charge({ chargeDate: '2024-01-25' });
  const [waiting, booked] = await feesOf(s, loan.id);
  const change = (fee: Data | undefined, body: object): Promise<Data> =>
    s.h.data('loanFee.change', loan.id, body, { params: { feeId: String(fee?.id) } });
  t.match(await change(booked, { feeAmount: 20, previewMode: true }), { amount: 20, remainingAmount: 20, originalAmount: 30 });
  t.match(
    await s.h.query('loan.balances', loan.id),
    { outstandingBalances: { outstandingDynamicFeesAmount: 30 } },
    'a preview changes nothing',
  );
  t.match(await change(booked, { feeAmount: 99 }), { amount: 40, originalAmount: 30 });
  t.match(await change(waiting, { feeAmount: 12.5 }), { amount: 12.5, status: 'scheduled' });
  t.match(await eventsOf(s, loan.id, 'loan.fee.changed'), [
    { data: { feeId: booked?.id, amount: 40, changes: [{ field: 'amount', oldValue: 30, newValue: 40 }] } },
    { data: { feeId: waiting?.id, amount: 12.5 } },
  ]);
  await s.goTo('2024-01-26');
  t.match(await s.h.query('loan.balances', loan.id), { outstandingBalances: { outstandingDynamicFeesAmount: 52.5 } });
  t.equal(
    (await s.h.refusal('loanFee.change', loan.id, { feeAmount: 0 }, { params: { feeId: String(booked?.id) } })).errorType,
    'feeNotCharged',
  );
  t.equal((await s.h.refusal('loanFee.change', loan.id, { feeAmount: 1 }, { params: { feeId: 'LF-ZZZZ-ZZZZ' } })).statusCode, 404);
});

test('a late fee has the amount that somebody gave it over every replay; its tiers decide what it was', async (t) => {
  const s = await openSetting();
  const tiers = [
    { upToAmount: 100, amount: 5 },
    { upToAmount: 299.72, percentage: 0.1 },
    { upToAmount: null, amount: 50 },
  ];
  await feeType(s, {
    name: { displayName: 'Late fee', apiName: 'late' },
    feeType: 'lateFee',
    amountLogic: 'tiered',
    amount: null,
    percentageBase: 'overdueAmount',
    tiers,
    trigger: 'overdueDays',
    triggerDays: 10,
  });
  const loan = await s.active();
  await s.goTo('2024-03-01');
  const [fee] = await feesOf(s, loan.id);
  t.match(fee, { amount: 29.97, status: 'booked' });
  const params = { feeId: String(fee?.id) };
  await s.h.command('loanFee.change', loan.id, { feeAmount: 10 }, { params });
  await s.h.command('loan.replay', loan.id, { fromDate: '2024-01-15' });
  t.match(await s.h.query('loanFee.get', loan.id, {}, { params }), { amount: 10, remainingAmount: 10 });
  await s.h.command('loanFee.cancel', loan.id, {}, { params });
  t.match(await s.h.query('loanFee.get', loan.id, {}, { params }), { status: 'canceled' });
});

test('the origination fee may be lowered, never raised, and the loan is replayed from its activation', async (t) => {
  const s = await openSetting({ fees: { originationFeeLogic: 'firstPayment' } });
  const loan = await s.active({ atOrigination: { fees: { originationFeeAmount: 100 } } });
  await s.goTo('2024-02-20');
  t.match(await s.h.query('loan.balances', loan.id), {
    overdueBalances: { overdueOriginationFeesAmount: 100, overdueTotalAmount: 399.72 },
  });
  const outcome = await s.h.command('loanFee.changeOrigination', loan.id, { feeAmount: 40 });
  t.equal(outcome.status, 204);
  t.match(await s.h.query('loan.balances', loan.id), { overdueBalances: { overdueOriginationFeesAmount: 40, overdueTotalAmount: 339.72 } });
  t.match((await feesOf(s, loan.id)).at(-1), { type: 'originationFee', amount: 40, originalAmount: 100, remainingAmount: 40 });
  t.equal((await s.h.refusal('loanFee.changeOrigination', loan.id, { feeAmount: 100.01 })).statusCode, 422);
  await s.h.command('loanFee.changeOrigination', loan.id, {});
  t.match(await s.h.query('loan.balances', loan.id), { overdueBalances: { overdueOriginationFeesAmount: 0 } });
});

test('a service fee comes with each period, a membership fee with each year, while the loan is active', async (t) => {
  const s = await openSetting();
  const monthly = {
    name: { displayName: 'Service', apiName: 'service' },
    feeType: 'serviceFee',
    amount: 5,
    chargeLogic: 'nextDueDate',
    capPerLoanAmount: 62,
  };
  await feeType(s, monthly);
  await feeType(s, { name: { displayName: 'Membership', apiName: 'member' }, feeType: 'membershipFee', amount: 45 });
  const loan = await s.active();
  const named = async (apiName: string): Promise<readonly unknown[]> =>
    (await feesOf(s, loan.id))
      .filter((fee) => (fee['dynamicFeeDetails'] as Data)['apiName'] === apiName)
      .map((fee) => fee['scheduledDate'])
      .reverse();
  t.same(await named('service'), ['2024-01-15'], 'the first period begins with the activation');
  await s.goTo('2024-03-16');
  t.same(await named('service'), ['2024-01-15', '2024-02-15', '2024-03-15']);
  t.same(await named('member'), []);
  await s.h.command('loan.freeze', loan.id);
  await s.goTo('2024-04-20');
  await s.h.command('loan.unfreeze', loan.id, {});
  const beforeRestart = await named('service');
  await s.h.restart();
  t.same(await named('service'), beforeRestart);
  t.notOk(beforeRestart.includes('2024-04-15'), 'none while it is frozen');
  await s.goTo('2025-01-16');
  t.same(await named('member'), ['2025-01-15']);
  const fees = await feesOf(s, loan.id);
  const total = fees
    .filter((fee) => (fee['dynamicFeeDetails'] as Data)['apiName'] === 'service')
    .reduce((sum, fee) => sum + Number(fee['amount']), 0);
  t.ok(total <= 62, 'the cap of the loan clips');
  t.equal(
    (await eventsOf(s, loan.id, 'loan.membershipfee.booked')).length + (await eventsOf(s, loan.id, 'loan.servicefee.booked')).length > 0,
    true,
  );
});

test('a recurring fee type made later begins with the next period', async (t) => {
  const s = await openSetting();
  const loan = await s.active();
  await s.goTo('2024-03-20');
  await feeType(s, { feeType: 'serviceFee', amount: 5 });
  await s.goTo('2024-05-16');
  t.same(
    (await feesOf(s, loan.id)).map((fee) => fee['scheduledDate']),
    ['2024-05-15', '2024-04-15'],
  );
});

test('a fee gets back the amount that it was charged with', async (t) => {
  const s = await openSetting();
  await feeType(s, {});
  const loan = await s.active();
  await s.h.command('loanFee.charge', loan.id, { apiName: 'service' });
  const [fee] = await feesOf(s, loan.id);
  const change = (feeAmount: number): Promise<Data> =>
    s.h.data('loanFee.change', loan.id, { feeAmount }, { params: { feeId: String(fee?.id) } });
  t.match(await change(20), { amount: 20 });
  t.match(await change(30), { amount: 30 });
  t.match(await s.h.query('loan.balances', loan.id), { outstandingBalances: { outstandingDynamicFeesAmount: 30 } });
});

test('a changed fee stays below what the borrower’s state and the loan’s cap allow', async (t) => {
  const s = await openSetting();
  await feeType(s, { maxAmount: 100, capPerLoanAmount: 70, stateRules: [{ state: 'IL', maxAmount: 45 }] });
  const loan = await s.active();
  for (const _ of ['one', 'two']) await s.h.command('loanFee.charge', loan.id, { apiName: 'service' });
  const [newest, oldest] = await feesOf(s, loan.id);
  const change = (fee: Data | undefined): Promise<Data> =>
    s.h.data('loanFee.change', loan.id, { feeAmount: 99 }, { params: { feeId: String(fee?.id) } });
  t.match(await change(newest), { amount: 40 }, 'the other one takes 30.00 of the cap');
  t.match(await change(oldest), { amount: 30 });
  await s.h.command('loanFee.cancel', loan.id, {}, { params: { feeId: String(oldest?.id) } });
  t.match(await change(newest), { amount: 45 }, 'the rule of the state');
});
