import { test } from 'tap';
import { type Data, itemsOf } from '../../harness.js';
import { openSetting, type Setting } from '../setting.js';

type Row = Readonly<Record<string, unknown>>;

const events = async ({ h }: Setting, loanId: string, ...eventType: string[]): Promise<readonly Data[]> =>
  itemsOf(await h.query('event.list', null, { loanId, order: 'asc', limit: 100, eventType }));

const schedule = async ({ h }: Setting, loanId: string): Promise<readonly Row[]> =>
  (await h.query('loan.expectedPayments', loanId))['schedule'] as readonly Row[];

const details = async ({ h }: Setting, loanId: string, fromDate: string, toDate = fromDate): Promise<readonly Row[]> =>
  (await h.query('loan.rateDetails', loanId, { fromDate, toDate }))['rates'] as readonly Row[];

const amounts = (rows: readonly Row[]): readonly unknown[] => rows.map((row) => row['amount']);

test('a rate to come changes what is expected and nothing that was', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo } = setting;
  const loan = await active();
  await goTo('2024-02-20');
  const before = await schedule(setting, loan.id);
  const outstanding = async (): Promise<unknown> => (await h.query('loan.balances', loan.id))['outstandingBalances'];
  const balances = await outstanding();
  const added = await h.data('loanRate.add', loan.id, { interestRate: { annualRate: 0.03, startDate: '2024-06-15' } });
  t.match(added, {
    ratesValidation: { interestRateExceedsMax: false, interestRateBelowMinOrZero: false },
    interestRateId: /^RA-/,
    promoRateId: null,
  });
  const after = await schedule(setting, loan.id);
  t.equal(after.length, 36);
  t.same(after[0], before[0], 'what fell due');
  t.ok(Number(after[1]?.['amount']) < Number(before[1]?.['amount']));
  t.same(added['schedule'], after, 'the reply shows it');
  t.same(await outstanding(), balances);
  t.match(await details(setting, loan.id, '2024-06-14', '2024-06-15'), [
    { startDate: '2024-06-14', endDate: '2024-06-14', interestRate: 0.05, effectiveRate: 0.05 },
    { startDate: '2024-06-15', endDate: '2024-06-15', interestRate: 0.03, effectiveRate: 0.03, rateIds: [added['interestRateId']] },
  ]);
  t.match(await events(setting, loan.id, 'loan.rate.created'), [
    { data: { rateId: added['interestRateId'], rate: 0.03, rateType: 'interestRate', effectiveDate: '2024-06-15', changes: [] } },
  ]);
});

test('of several interest rates the lowest counts, promo rates are summed, and nothing accrues below zero', async (t) => {
  const setting = await openSetting();
  const { h, active } = setting;
  const loan = await active();
  await h.command('loanRate.add', loan.id, { interestRate: { annualRate: 0.2, startDate: '2024-02-01' } });
  t.match(await details(setting, loan.id, '2024-02-01'), [{ interestRate: 0.05, effectiveRate: 0.05 }]);
  await h.command('loanRate.add', loan.id, { promoRate: { annualRate: 0.02, startDate: '2024-02-01', endDate: '2024-02-29' } });
  await h.command('loanRate.add', loan.id, { promoRate: { annualRate: 0.02, startDate: '2024-02-10', endDate: '2024-02-20' } });
  await h.command('loanRate.add', loan.id, { promoRate: { annualRate: 0.5, startDate: '2024-02-15', endDate: '2024-02-16' } });
  t.match(await details(setting, loan.id, '2024-02-01', '2024-03-01'), [
    { endDate: '2024-02-09', promoRate: 0.02, effectiveRate: 0.03 },
    { endDate: '2024-02-14', promoRate: 0.04, effectiveRate: 0.01 },
    { endDate: '2024-02-16', promoRate: 0.54, effectiveRate: 0 },
    { endDate: '2024-02-20', promoRate: 0.04, effectiveRate: 0.01 },
    { endDate: '2024-02-29', promoRate: 0.02, effectiveRate: 0.03 },
    { endDate: '2024-03-01', promoRate: 0, effectiveRate: 0.05 },
  ]);
});

test('a rate in the past accrues interest again, and what has fallen due never rises', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo } = setting;
  const loan = await active();
  await goTo('2024-03-20');
  const before = await schedule(setting, loan.id);
  const past = await h.data('loanRate.add', loan.id, {
    interestRate: { annualRate: 0.09, startDate: '2024-02-01', isEndExistingRates: true },
  });
  const after = await schedule(setting, loan.id);
  t.same(amounts(after.slice(0, 2)), amounts(before.slice(0, 2)));
  t.ok(Number(after[1]?.['interestAmount']) > Number(before[1]?.['interestAmount']), 'the split changes');
  t.ok(Number(after[2]?.['amount']) > Number(before[2]?.['amount']));
  t.match(await h.query('loan.rates', loan.id), {
    interestRates: [
      { annualRate: 0.05, endDate: '2024-01-31', status: 'active', setAtActivation: true },
      {
        id: past['interestRateId'],
        annualRate: 0.09,
        startDate: '2024-02-01',
        endDate: null,
        setAtActivation: false,
        interestType: 'absolute',
      },
    ],
  });
  t.match(await events(setting, loan.id, 'loan.rate.updated'), [
    { data: { changes: [{ field: 'endDate', oldValue: null, newValue: '2024-01-31' }], isReplay: true } },
  ]);
});

test('a rate that is removed leaves the loan as if it had not been', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo } = setting;
  const loan = await active();
  await goTo('2024-02-10');
  const before = await h.query('loan.balances', loan.id);
  const plan = await schedule(setting, loan.id);
  const added = await h.data('loanRate.add', loan.id, { interestRate: { annualRate: 0.01, startDate: '2024-01-20' } });
  const other = await h.data('loanRate.add', loan.id, { promoRate: { annualRate: 0.01, startDate: '2024-01-18', endDate: '2024-01-25' } });
  t.notSame(await h.query('loan.balances', loan.id), before);
  await h.command('loanRate.remove', loan.id, {}, { params: { rateId: String(other['promoRateId']) } });
  await h.command('loanRate.remove', loan.id, {}, { params: { rateId: String(added['interestRateId']) } });
  t.same(await h.query('loan.balances', loan.id), before);
  t.same(amounts(await schedule(setting, loan.id)), amounts(plan));
  t.match(await h.query('loan.rates', loan.id), {
    interestRates: [{ status: 'active' }, { status: 'inactive' }],
    promoRates: [{ status: 'inactive' }],
  });
  t.equal((await h.refusal('loanRate.remove', loan.id, {}, { params: { rateId: String(added['interestRateId']) } })).statusCode, 409);
  await h.restart();
  t.same(await h.query('loan.balances', loan.id), before);
});

test('rates that come in any order leave the loan that they would have left in time', async (t) => {
  const one = await openSetting();
  const first = await one.active();
  await one.goTo('2024-02-10');
  await one.h.command('loanRate.add', first.id, { interestRate: { annualRate: 0.02, startDate: '2024-02-01', endDate: '2024-02-05' } });
  await one.h.command('loanRate.add', first.id, { promoRate: { annualRate: 0.01, startDate: '2024-01-20', endDate: '2024-02-03' } });
  const two = await openSetting();
  const second = await two.active();
  await two.goTo('2024-02-10');
  await two.h.command('loanRate.add', second.id, { promoRate: { annualRate: 0.01, startDate: '2024-01-20', endDate: '2024-02-03' } });
  await two.h.command('loanRate.add', second.id, { interestRate: { annualRate: 0.02, startDate: '2024-02-01', endDate: '2024-02-05' } });
  t.same(amounts(await schedule(one, first.id)), amounts(await schedule(two, second.id)));
  t.same(await one.h.query('loan.balances', first.id), await two.h.query('loan.balances', second.id));
  // 5 nights at 5 %, 12 at 4 %, 3 at 1 %, 2 at 2 %, 4 at 5 % on 10,000.00 by 365
  t.match(await one.h.query('loan.balances', first.id), { outstandingBalances: { outstandingInterestAmount: '27.3972602740' } });
});

test('a rate outside of the product’s range is refused with its flags', async (t) => {
  const { h, active } = await openSetting({ interest: { maxRate: 0.1, minRate: 0.02 } });
  const loan = await active();
  const high = await h.refusal('loanRate.add', loan.id, { interestRate: { annualRate: 0.2 } });
  t.match(high, { errorType: 'rateOutOfRange', statusCode: 422, extra: { ratesValidation: { interestRateExceedsMax: true } } });
  const low = await h.refusal('loanRate.add', loan.id, { interestRate: { annualRate: 0.01 } });
  t.match(low, { errorType: 'rateOutOfRange', extra: { ratesValidation: { interestRateBelowMinOrZero: true } } });
  t.match(await h.data('loanRate.add', loan.id, { interestRate: { annualRate: 0.03 } }), {
    ratesValidation: { interestRateExceedsMax: false },
  });
});

test('what a rate must be: given, ordered in time, within the loan’s life, on an active loan', async (t) => {
  const { h, active, create } = await openSetting();
  const waiting = await create();
  t.equal((await h.refusal('loanRate.add', waiting.id, { interestRate: { annualRate: 0.01 } })).statusCode, 409);
  const loan = await active();
  const refused = async (body: object): Promise<number> => (await h.refusal('loanRate.add', loan.id, body)).statusCode;
  t.equal(await refused({}), 400);
  t.equal(await refused({ interestRate: { annualRate: 0.01, startDate: '2024-03-02', endDate: '2024-03-01' } }), 400);
  t.equal(await refused({ promoRate: { annualRate: 0.01, startDate: '2024-03-01', endDate: '2024-03-01' } }), 400);
  t.equal(await refused({ interestRate: { annualRate: 0.01, startDate: '2024-01-14' } }), 422);
  t.equal(await refused({ promoRate: { annualRate: 0.01, startDate: '2027-01-16' } }), 422);
  t.equal(await refused({ interestRate: { annualRate: -0.01 } }), 422);
  const [own] = (await h.query('loan.rates', loan.id))['interestRates'] as readonly Data[];
  const asked = { params: { rateId: String(own?.id) } };
  t.equal((await h.refusal('loanRate.remove', loan.id, {}, asked)).statusCode, 409, 'origination');
  t.equal((await h.refusal('loanRate.change', loan.id, { annualRate: 0.01 }, asked)).statusCode, 409);
  t.equal((await h.refusal('loanRate.change', loan.id, { annualRate: 0.01 }, { params: { rateId: 'RA-AAAA-AAAA' } })).statusCode, 404);
  await h.command('loanRate.change', loan.id, { endDate: '2024-12-31' }, asked);
  t.match(await h.query('loan.rates', loan.id), { interestRates: [{ endDate: '2024-12-31' }] });
});

test('a rate that is only tried changes nothing, and shows what booking brings', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo } = setting;
  const loan = await active();
  await goTo('2024-03-20');
  const before = await schedule(setting, loan.id);
  const body = { interestRate: { annualRate: 0.02, startDate: '2024-02-01' } };
  const tried = await h.data('loanRate.add', loan.id, { ...body, previewMode: true });
  t.same(await schedule(setting, loan.id), before);
  const booked = await h.data('loanRate.add', loan.id, body);
  t.same(tried['schedule'], booked['schedule']);
});

test('a cap bounds what accrues; one that changes nothing is no replay', async (t) => {
  const setting = await openSetting();
  const { h, active, goTo } = setting;
  const loan = await active({ atOrigination: { rateCaps: [{ days: null, maxRate: 0.36, rateCapReason: 'MLA' }] } });
  await goTo('2024-02-10');
  const own = (await h.query('loan.rateCaps', loan.id)) as unknown as readonly Row[];
  t.match(own, [{ id: /^RC-/, maxRate: 0.36, startDate: '2024-01-15', endDate: null, rateCapReason: 'MLA', setAtActivation: true }]);
  const idle = await h.data('loanRateCap.add', loan.id, { maxRate: 0.3, startDate: '2024-01-20', rateCapReason: 'state' });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingInterestAmount: '35.6164383562' } });
  const plan = await h.query('loan.activity', loan.id, { limit: 100 });
  t.notMatch(JSON.stringify(plan), 'ratesChanged');
  const cap = await h.data('loanRateCap.add', loan.id, { maxRate: 0.03, startDate: '2024-01-31', endDate: '2024-02-04' });
  t.match(cap, { rateCapReason: 'other', endDate: '2024-02-04' });
  t.match(await details(setting, loan.id, '2024-01-30', '2024-01-31'), [
    { effectiveRate: 0.05, rateCap: 0.3 },
    { interestRate: 0.05, effectiveRate: 0.03, rateCap: 0.03, rateIds: [/^RA-/, cap.id] },
  ]);
  // 21 nights at 5 % and 5 at 3 %
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingInterestAmount: '32.8767123288' } });
  await h.command('loanRateCap.change', loan.id, { maxRate: 0.04, endDate: '2024-02-02' }, { params: { rateCapId: cap.id } });
  t.match(await h.query('loan.rateCap', loan.id, {}, { params: { rateCapId: cap.id } }), { maxRate: 0.04, endDate: '2024-02-02' });
  await h.command('loanRateCap.remove', loan.id, {}, { params: { rateCapId: cap.id } });
  await h.command('loanRateCap.remove', loan.id, {}, { params: { rateCapId: idle.id } });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingInterestAmount: '35.6164383562' } });
  t.equal((await h.refusal('loanRateCap.remove', loan.id, {}, { params: { rateCapId: cap.id } })).statusCode, 404);
});
