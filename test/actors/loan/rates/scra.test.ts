import { test } from 'tap';
import { type Data, itemsOf } from '../../harness.js';
import { openSetting, type Setting } from '../setting.js';

type Row = Readonly<Record<string, unknown>>;

const TERMS = { atOrigination: { interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }] } };

const schedule = async ({ h }: Setting, loanId: string): Promise<readonly Row[]> =>
  (await h.query('loan.expectedPayments', loanId))['schedule'] as readonly Row[];

const eventsOf = async ({ h }: Setting, loanId: string): Promise<readonly Data[]> =>
  itemsOf(await h.query('event.list', null, { loanId, order: 'asc', limit: 100 }));

test('SCRA terms lower rate and payment, from the past on, over the same dates', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo } = setting;
  const loan = await active(TERMS);
  await goTo('2024-03-20');
  const before = await schedule(setting, loan.id);
  const reply = await h.data('loanScra.add', loan.id, { startDate: '2024-02-15', endDate: '2024-08-14' });
  const after = await schedule(setting, loan.id);
  t.match(reply, { rateId: /^RA-/, paymentFrequency: 'monthly' });
  t.same(reply['schedule'], after);
  t.equal(after.length, before.length);
  t.same(after[0], before[0]);
  t.ok(Number(after[1]?.['amount']) < Number(before[1]?.['amount']), 'what fell due in the period falls');
  t.ok(Number(after[2]?.['amount']) < Number(before[2]?.['amount']));
  t.match(await h.query('loan.scra', loan.id), [
    { rateId: reply['rateId'], status: 'active', annualRate: 0.06, startDate: '2024-02-15', endDate: '2024-08-14', isCancelFees: false },
  ]);
  t.match(await h.query('loan.rates', loan.id), {
    interestRates: [{ interestType: 'absolute' }, { interestType: 'absoluteScra', annualRate: 0.06 }],
  });
  const emitted = (await eventsOf(setting, loan.id)).filter((event) => event['eventType'] === 'loan.changeloanterms.scra.update');
  t.match(emitted, [{ data: { rateCapId: reply['rateId'], maxRate: 0.06, startDate: '2024-02-15', endDate: '2024-08-14' } }]);
});

test('SCRA terms change and go; periods do not overlap and lie in the loan’s life', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo } = setting;
  const loan = await active(TERMS);
  await goTo('2024-02-10');
  const before = await h.query('loan.balances', loan.id);
  const plan = (await schedule(setting, loan.id)).map((row) => row['amount']);
  const { rateId } = await h.data('loanScra.add', loan.id, { startDate: '2024-02-01', endDate: '2024-05-31' });
  const refused = async (body: object): Promise<number> => (await h.refusal('loanScra.add', loan.id, body)).statusCode;
  t.equal(await refused({ startDate: '2024-05-31', endDate: null }), 409);
  t.equal(await refused({ startDate: '2024-01-16', endDate: null }), 409);
  t.equal(await refused({ startDate: '2023-12-01', endDate: '2023-12-31' }), 422);
  t.equal(await refused({ startDate: '2024-06-01', endDate: '2030-01-01' }), 422);
  t.equal(await refused({ startDate: '2024-06-02', endDate: '2024-06-01' }), 400);
  await h.command('loanScra.add', loan.id, { startDate: '2024-09-01', endDate: '2024-09-30', annualRate: 0.03 });
  t.equal((await h.refusal('loanScra.change', loan.id, { endDate: null })).statusCode, 400, 'which one');
  t.equal((await h.refusal('loanScra.change', loan.id, { rateId, endDate: null })).statusCode, 409);
  await h.command('loanScra.change', loan.id, { rateId, startDate: '2024-02-05' });
  const [first, second] = (await h.query('loan.scra', loan.id)) as unknown as readonly Row[];
  t.match(first, { startDate: '2024-02-05', endDate: '2024-05-31' });
  await h.command('loanScra.remove', loan.id, { rateId: second?.['rateId'] });
  await h.command('loanScra.remove', loan.id);
  t.same(await h.query('loan.balances', loan.id), before);
  t.same(
    (await schedule(setting, loan.id)).map((row) => row['amount']),
    plan,
  );
  t.equal((await h.refusal('loanScra.remove', loan.id)).statusCode, 404);
  const emitted = (await eventsOf(setting, loan.id)).map((event) => event['eventType']).filter((type) => String(type).includes('scra'));
  t.same(emitted, [
    'loan.changeloanterms.scra.update',
    'loan.changeloanterms.scra.update',
    'loan.scraplan.changed',
    'loan.scraplan.deleted',
    'loan.scraplan.deleted',
  ]);
});

test('SCRA terms waive the fees of their period when they say so', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo, loanTypeId } = setting;
  const fee = { name: { displayName: 'Wire', apiName: 'wire' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 25, trigger: 'manual' };
  await h.command('feeType.create', h.company, fee, { params: { loanTypeId } });
  const late = { name: { displayName: 'Late', apiName: 'late' }, feeType: 'lateFee', amountLogic: 'fixed', amount: 30, triggerDays: 5 };
  await h.command('feeType.create', h.company, late, { params: { loanTypeId } });
  const loan = await active(TERMS);
  await h.command('loanFee.charge', loan.id, { apiName: 'wire' });
  await goTo('2024-02-25');
  await h.command('loanFee.charge', loan.id, { apiName: 'wire' });
  const fees = async (): Promise<readonly string[]> =>
    itemsOf(await h.query('loanFee.list', loan.id, { limit: 10 }))
      .map((row) => String(row['status']))
      .sort();
  t.same(await fees(), ['booked', 'booked', 'booked']);
  await h.command('loanScra.add', loan.id, { startDate: '2024-02-01', endDate: '2024-12-31', isCancelFees: true });
  t.same(await fees(), ['booked', 'canceled', 'canceled']);
  t.equal((await eventsOf(setting, loan.id)).filter((event) => event['eventType'] === 'loan.fee.canceled').length, 2);
});
