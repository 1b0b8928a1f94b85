import { test } from 'tap';
import { type Data, itemsOf } from '../../harness.js';
import { openSetting, type Setting } from '../setting.js';

type Row = Readonly<Record<string, unknown>>;

const SPREAD = { atOrigination: { interestRates: [{ interestType: 'spread', days: null, rate: 0.02 }] } };

/** The product's index is 3 % from 2024-01-01 on. */
async function withIndex(loanType: object = {}): Promise<Setting & { index(body: object): Promise<Data> }> {
  const setting = await openSetting(loanType);
  const { h, loanTypeId } = setting;
  const index = (body: object): Promise<Data> => h.data('indexRate.create', h.company, body, { params: { loanTypeId } });
  await index({ annualRate: 0.03, startDate: '2024-01-01', indexDescription: 'Prime', country: 'US', externalId: 'prime-1' });
  return { ...setting, index };
}

const outstanding = async ({ h }: Setting, loanId: string): Promise<unknown> =>
  ((await h.query('loan.balances', loanId))['outstandingBalances'] as Row)['outstandingInterestAmount'];

const amounts = async ({ h }: Setting, loanId: string): Promise<readonly unknown[]> =>
  ((await h.query('loan.expectedPayments', loanId))['schedule'] as readonly Row[]).map((row) => row['amount']);

const eventsOf = async ({ h }: Setting, query: object): Promise<readonly Data[]> =>
  itemsOf(await h.query('event.list', null, { order: 'asc', limit: 100, ...query }));

test('a spread is added to the index from activation on', async (t) => {
  const setting = await withIndex();
  const { h, active, goTo } = setting;
  const spread = await active(SPREAD);
  const absolute = await active();
  t.same(await amounts(setting, spread.id), await amounts(setting, absolute.id));
  await goTo('2024-02-10');
  t.equal(await outstanding(setting, spread.id), '35.6164383562');
  t.match(await h.query('loan.rateDetails', spread.id, {}), {
    rates: [{ interestRate: 0.05, interestType: 'spread', indexRate: 0.03, spread: 0.02, effectiveRate: 0.05 }],
  });
});

test('an index value in the past is taken over by every active loan with a spread, by itself', async (t) => {
  const setting = await withIndex();
  const { h, active, create, goTo, index, loanTypeId } = setting;
  const loan = await active(SPREAD);
  const absolute = await active();
  await create(SPREAD);
  await goTo('2024-02-10');
  const plan = await amounts(setting, loan.id);
  const outcome = await h.command('indexRate.create', h.company, { annualRate: 0.05, startDate: '2024-02-01' }, { params: { loanTypeId } });
  t.match(outcome, { status: 202, operationId: /^[0-9a-f]{32}$/ });
  // 17 nights at 5 % and 9 at 7 %
  t.equal(await outstanding(setting, loan.id), '40.5479452055');
  t.equal(await outstanding(setting, absolute.id), '35.6164383562');
  await h.engine.mass.idle();
  await h.engine.settled();
  t.ok(Number((await amounts(setting, loan.id))[0]) > Number(plan[0]));
  const events = await eventsOf(setting, { loanId: loan.id, eventType: ['loan.balance.changed'] });
  t.match(events.at(-1), { data: { cause: 'replay', isReplay: true } });
  t.same((await eventsOf(setting, { eventType: ['indexrate.created'] })).map((event) => event['data']).at(-1), {
    loanTypeId,
    indexRateId: (outcome.data as Data).id,
    rate: 0.05,
    effectiveDate: '2024-02-01',
    changes: [],
  });
  await h.restart();
  t.equal(await outstanding(setting, loan.id), '40.5479452055');
  // 17 nights at 5 %, 5 at 7 % and 4 at 3 %
  await index({ annualRate: 0.01, startDate: '2024-02-06' });
  t.equal(await outstanding(setting, loan.id), '36.1643835616');
});

test('an index value to come changes what is expected only', async (t) => {
  const setting = await withIndex();
  const { active, goTo, index } = setting;
  const loan = await active(SPREAD);
  await goTo('2024-02-20');
  const before = await amounts(setting, loan.id);
  const interest = await outstanding(setting, loan.id);
  await index({ annualRate: 0.06, startDate: '2024-07-01' });
  const after = await amounts(setting, loan.id);
  t.equal(after[0], before[0]);
  t.ok(Number(after[1]) > Number(before[1]));
  t.equal(await outstanding(setting, loan.id), interest);
});

test('loans take the values of an index one after the other, whether they come together or apart', async (t) => {
  const taken = async (isTogether: boolean): Promise<unknown> => {
    const setting = await withIndex();
    const { h, active, goTo, index } = setting;
    const loan = await active(SPREAD);
    await goTo('2024-07-20');
    const values = [
      { annualRate: 0.06, startDate: '2024-03-01' },
      { annualRate: 0.09, startDate: '2024-05-01' },
      { annualRate: 0.02, startDate: '2024-06-10' },
    ];
    const order = async (value: object): Promise<void> => {
      await index(value);
      if (!isTogether) await h.engine.mass.idle();
    };
    if (isTogether) await Promise.all(values.map(order));
    else for (const value of values) await order(value);
    await h.engine.mass.idle();
    await h.restart();
    return [await amounts(setting, loan.id), await outstanding(setting, loan.id)];
  };
  t.same(await taken(true), await taken(false));
});

test('a value ends the day before the next; removing one lets its predecessor hold again', async (t) => {
  const setting = await withIndex();
  const { h, active, goTo, index, loanTypeId } = setting;
  const params = { loanTypeId };
  const loan = await active(SPREAD);
  await goTo('2024-02-10');
  const second = await index({ annualRate: 0.05, startDate: '2024-02-01' });
  const list = async (query: object = {}): Promise<readonly Data[]> =>
    itemsOf(await h.query('indexRate.list', h.company, { limit: 10, ...query }, { params }));
  t.match(await list(), [
    { id: second.id, annualRate: 0.05, startDate: '2024-02-01', endDate: null },
    {
      object: 'indexRate',
      annualRate: 0.03,
      endDate: '2024-01-31',
      indexDescription: 'Prime',
      country: 'US',
      externalId: 'prime-1',
      loanTypeId,
    },
  ]);
  t.match(await list({ effectiveDate: '2024-01-31' }), [{ annualRate: 0.03 }]);
  t.equal((await h.refusal('indexRate.create', h.company, { annualRate: 0.04, startDate: '2024-02-01' }, { params })).statusCode, 409);
  await h.command('indexRate.update', h.company, { annualRate: 0.04 }, { params: { ...params, indexRateId: second.id } });
  t.equal(await outstanding(setting, loan.id), '38.0821917808');
  await h.command('indexRate.delete', h.company, {}, { params: { ...params, indexRateId: second.id } });
  t.equal(await outstanding(setting, loan.id), '35.6164383562');
  t.match(await list(), [{ annualRate: 0.03, endDate: null }]);
  t.equal((await eventsOf(setting, { eventType: ['indexrate.updated'] })).length, 2);
});

test('a cap bounds a spread with its index', async (t) => {
  const setting = await withIndex();
  const { h, active, goTo, index } = setting;
  const loan = await active({
    atOrigination: { ...SPREAD.atOrigination, rateCaps: [{ days: null, maxRate: 0.06, rateCapReason: 'MLA' }] },
  });
  await goTo('2024-02-10');
  await index({ annualRate: 0.05, startDate: '2024-02-01' });
  t.match(await h.query('loan.rateDetails', loan.id, { fromDate: '2024-01-31', toDate: '2024-02-01' }), {
    rates: [{ effectiveRate: 0.05 }, { interestRate: 0.07, rateCap: 0.06, effectiveRate: 0.06 }],
  });
  const added = await h.data('loanRate.add', loan.id, { interestRate: { annualRate: -0.01, startDate: '2024-02-05' } });
  t.match(await h.query('loan.rateDetails', loan.id, { fromDate: '2024-02-05' }), {
    rates: [{ spread: -0.01, indexRate: 0.05, interestRate: 0.04, effectiveRate: 0.04, rateIds: [added['interestRateId'], /^RC-/] }],
  });
});
