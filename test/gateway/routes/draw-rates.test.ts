import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { dataOf, idOf, openHttpLender } from './http-lender.js';
import { lineBody, type LineOverHttp, openLineOverHttp } from './line-over-http.js';
import { DECEMBER, FEBRUARY, JANUARY } from './old-line.js';

const band = (rate: number, days: number | null = null, interestType = 'absolute'): object => ({ interestType, days, rate });
const at = (...interestRates: readonly object[]): object => ({ atOrigination: { interestRates } });

/** The interest of a draw of 1,000.00: the sum of a yearly rate in percent on a number of days. */
const charged = (...spans: readonly (readonly [days: number, percent: number])[]): string =>
  (Math.round((spans.reduce((sum, [days, percent]) => sum + days * percent, 0) * 1e11) / 365) / 1e10).toFixed(10);

type Asking = Pick<LineOverHttp, 'ask'>;

const interestOf = async ({ ask }: Asking, draw: string): Promise<unknown> =>
  (dataOf(await ask('GET', `${draw}/balances`))['outstandingBalances'] as Record<string, unknown>)['outstandingInterestAmount'];

/** The effective rate of each range of days, as it is read. */
const ratesOf = async ({ ask }: Asking, draw: string, days = 'fromDate=2026-03-02&toDate=2026-03-11'): Promise<unknown> =>
  (dataOf(await ask('GET', `${draw}/rates/details?${days}`))['rates'] as { startDate: string; effectiveRate: number }[]).map(
    ({ startDate, effectiveRate }) => [startDate, effectiveRate],
  );

const drawOf1000 = async (l: LineOverHttp, body: object = {}): Promise<string> => {
  const draw = await l.draw(body);
  await l.ask('POST', `${draw}/purchases`, { amount: 1_000 });
  return draw;
};

const index = async (l: LineOverHttp, annualRate: number, startDate: string): Promise<void> => {
  await l.ask('POST', `/loan-types/${l.loanTypeId}/index-rates`, { indexDescription: 'prime', country: 'US', annualRate, startDate });
  await l.h.engine.settled();
};

test('a spread of a draw follows the index, also when the line has an absolute rate', async (t) => {
  for (const lineRate of [band(0.18, null, 'spread'), band(0.18)]) {
    const l = await openLineOverHttp(t, {}, { interestRates: [lineRate] });
    await index(l, 0.05, '2026-01-01');
    const draw = await drawOf1000(l, at(band(0.1, null, 'spread')));
    await l.goTo('2026-03-12');
    t.equal(await interestOf(l, draw), charged([10, 15]));
    await index(l, 0.06, '2026-03-07');
    t.equal(await interestOf(l, draw), charged([5, 15], [5, 16]), 'an index of the past');
    await index(l, 0.1, '2026-03-15');
    await l.goTo('2026-03-22');
    t.equal(await interestOf(l, draw), charged([5, 15], [8, 16], [7, 20]), 'an index that was to come');
    const added = await l.ask('POST', `${draw}/rates`, { interestRate: { annualRate: 0.02, startDate: '2026-03-22' } });
    t.match(await l.ask('GET', `${draw}/rates/${String(dataOf(added)['interestRateId'])}`), {
      json: { data: { interestType: 'spread' } },
    });
    t.same(l.failures, []);
  }
});

test('a draw with one kind of rates of its own has the other kinds of its line, in the ledger as they are read', async (t) => {
  const l = await openLineOverHttp(t);
  const [own, promo, none] = [
    await drawOf1000(l, at(band(0.4))),
    await drawOf1000(l, { atOrigination: { promoRates: [{ days: 5, rate: 0.08 }] } }),
    await drawOf1000(l, { atOrigination: { promoRates: [] } }),
  ];
  await l.goTo('2026-03-12');
  await l.ask('POST', `${l.line}/rates`, { interestRate: { annualRate: 0.1, startDate: '2026-03-02' } });
  t.equal(await interestOf(l, promo), charged([5, 2], [5, 10]), 'an interest rate of the line reaches a draw with its own promo rate');
  t.equal(await interestOf(l, none), charged([10, 10]), 'an empty list is no rate of its own');
  t.equal(await interestOf(l, own), charged([10, 40]));
  await l.ask('POST', `${l.line}/rate-caps`, { maxRate: 0.36, startDate: '2026-03-02', rateCapReason: 'MLA' });
  t.same(await ratesOf(l, own), [['2026-03-02', 0.36]]);
  t.equal(await interestOf(l, own), charged([10, 36]), 'a cap of the line');
  await l.ask('POST', `${l.line}/rates`, { promoRate: { annualRate: 0.05, startDate: '2026-03-07', endDate: '2026-04-01' } });
  t.same(await ratesOf(l, own), [
    ['2026-03-02', 0.36],
    ['2026-03-07', 0.31],
  ]);
  t.equal(await interestOf(l, own), charged([5, 36], [5, 31]), 'a promo rate of the line');
  t.equal(await interestOf(l, promo), charged([5, 2], [5, 10]), 'but not of a draw with its own');
  await l.ask('POST', `${own}/rates`, { interestRate: { annualRate: 0.4, startDate: '2026-06-01' } });
  t.equal(await interestOf(l, own), charged([5, 36], [5, 31]), 'a rate to come changes no past day');
  await l.ask('POST', `${l.line}/rate-caps`, { maxRate: 0.3, startDate: '2026-03-02', rateCapReason: 'state' });
  t.same(await ratesOf(l, own), [
    ['2026-03-02', 0.3],
    ['2026-03-07', 0.25],
  ]);
  t.equal(await interestOf(l, own), charged([5, 30], [5, 25]), 'caps stay those of the line when an interest rate was added');
  await l.ask('POST', `${own}/rate-caps`, { maxRate: 0.2, startDate: '2026-03-02', rateCapReason: 'other' });
  await l.ask('POST', `${l.line}/rate-caps`, { maxRate: 0.1, startDate: '2026-03-02', rateCapReason: 'state' });
  t.equal(await interestOf(l, own), charged([5, 20], [5, 15]), 'a draw with its own cap takes a cap of the line');
  await l.ask('POST', `${l.line}/rate-caps`, { maxRate: 0.1, startDate: '2026-03-02', rateCapReason: 'state', applyTo: 'lineAndDraws' });
  t.equal(await interestOf(l, own), charged([5, 10], [5, 5]), 'if it is meant');
  t.match(await l.ask('POST', `${l.line}/replay`, {}), { status: 200 });
  t.equal(await interestOf(l, own), charged([5, 10], [5, 5]));
  t.same(l.failures, []);
});

test('a rate for line and draws ends the rates of each draw, not those of the line on it', async (t) => {
  const l = await openLineOverHttp(t);
  const own = await drawOf1000(l, at(band(0.4)));
  await l.goTo('2026-03-12');
  const interestRate = { annualRate: 0.5, startDate: '2026-03-07', isEndExistingRates: true };
  await l.ask('POST', `${l.line}/rates`, { interestRate });
  t.equal(await interestOf(l, own), charged([10, 40]));
  await l.ask('POST', `${l.line}/rates`, { interestRate: { ...interestRate, annualRate: 0.6 }, applyTo: 'lineAndDraws' });
  t.equal(await interestOf(l, own), charged([5, 40], [5, 60]));
  t.same(l.failures, []);
});

test('changes of the line before the activation of a draw do not begin its rates', async (t) => {
  const l = await openLineOverHttp(t);
  const made = async (body: object): Promise<string> => `${l.line}/draws/${idOf(await l.ask('POST', `${l.line}/draws`, body))}`;
  const bands = await made({ status: 'originated', ...at(band(0.1, 7), band(0.4)) });
  const edited = await made({ status: 'pending', ...at(band(0.4)) });
  const ended = await made({ status: 'originated', ...at(band(0.4)) });
  await l.goTo('2026-03-05');
  const both = { startDate: '2026-03-05', applyTo: 'lineAndDraws' };
  await l.ask('POST', `${l.line}/rate-caps`, { maxRate: 0.9, rateCapReason: 'state', ...both });
  await l.ask('POST', `${l.line}/rates`, { interestRate: { annualRate: 0.8, startDate: '2026-03-05' }, applyTo: 'lineAndDraws' });
  t.match(await l.ask('PUT', edited, at(band(0.1))), { status: 200 });
  await l.ask('PUT', edited, { status: 'originated' });
  await l.goTo('2026-03-12');
  await l.ask('POST', `${l.line}/rates`, {
    interestRate: { annualRate: 0.6, startDate: '2026-03-15', isEndExistingRates: true },
    applyTo: 'lineAndDraws',
  });
  for (const draw of [bands, edited, ended]) {
    t.match(await l.ask('POST', `${draw}/activate`, {}), { status: 200 });
    await l.ask('POST', `${draw}/purchases`, { amount: 1_000 });
  }
  const days = 'fromDate=2026-03-12&toDate=2026-03-21';
  t.same(await ratesOf(l, ended, days), [
    ['2026-03-12', 0.4],
    ['2026-03-15', 0.6],
  ]);
  await l.goTo('2026-03-22');
  t.equal(await interestOf(l, bands), charged([7, 10], [3, 60]), 'the introductory band counts from the activation');
  t.equal(await interestOf(l, edited), charged([3, 10], [7, 60]), 'its edited rate, until it was ended');
  t.equal(await interestOf(l, ended), charged([3, 40], [7, 60]));
  t.same(l.failures, []);
});

test('the rates of a draw that came from another system begin with its line', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const { id: loanTypeId } = await h.data('loanType.create', lender.company, { type: 'lineOfCredit', name: 'Card' });
  await ask('POST', '/people', ANN);
  const made = async (path: string, body: object): Promise<string> => `${path}/${idOf(await ask('POST', path, body))}`;
  const bands = at(band(0.05, 180), band(0.2));
  const line = await made('/people/ext-ann-1/loans', lineBody(loanTypeId, { migration: { activatedDate: '2025-10-01' }, ...bands }));
  const draw = await made(`${line}/draws`, { status: 'originated', ...bands });
  await ask('POST', `${line}/migration/past-periods`, { pastPeriods: [DECEMBER, JANUARY] });
  await ask('POST', `${line}/migration/period`, { ...FEBRUARY, obligation: { obligationAmount: 0 } });
  const nonDueBalances = { nonDuePrincipalAmount: 1_000 };
  await ask('POST', `${draw}/migration/period`, { ...FEBRUARY, nonDueBalances, fullBalanceAmount: 1_000 });
  t.match(await ask('POST', `${line}/migrate`, {}), { status: 200 });
  t.same(await ratesOf(lender, draw, 'fromDate=2026-02-22&toDate=2026-03-31'), [
    ['2026-02-22', 0.05],
    ['2026-03-30', 0.2],
  ]);
  t.equal(await interestOf(lender, draw), charged([8, 5]));
  t.match(await ask('POST', `${draw}/rates`, { interestRate: { annualRate: 0.04, startDate: '2026-06-01' } }), { status: 201 });
  t.equal(await interestOf(lender, draw), charged([8, 5]), 'a rate to come keeps the interest since the cutoff');
  t.same(lender.failures, []);
});
