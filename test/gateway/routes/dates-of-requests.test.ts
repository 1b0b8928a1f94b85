import { test } from 'tap';
import { dateTimesOf } from '../../../gateway/routing/date-times.js';
import { ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { dataOf, idOf } from './http-lender.js';
import { openLoanOverHttp, SMALL } from './loan-over-http.js';

/** Half past ten in the evening of the 15th in Los Angeles, half past one of the 16th in New York, which is the company's zone. */
const LATE_ON_THE_15TH = '2026-03-16T05:30:00Z';

const PAYMENT = { type: 'oneTime', amount: 10, isExternal: true, status: 'succeeded' };

test('a date-time stands for its day in the zone of the product', async (t) => {
  const { ask, loan, loanTypeId, goTo, h, company } = await openLoanOverHttp(t);
  const { id: western } = await h.data('loanType.create', company, { type: 'installment', name: 'West', timezone: 'America/Los_Angeles' });
  const loans = loan.slice(0, loan.lastIndexOf('/'));
  const inTheWest = `${loans}/${idOf(await ask('POST', loans, loanBody(western, { atOrigination: SMALL })))}`;
  t.match(await ask('POST', `${inTheWest}/activate`, {}), { status: 200 });
  await goTo('2026-03-20');
  const paidOn = async (path: string, effectiveDate: string): Promise<unknown> => {
    const paid = await ask('POST', `${path}/transactions`, { ...PAYMENT, effectiveDate });
    t.match(paid, { status: 201 });
    return (dataOf(paid)['timestamps'] as { readonly effectiveDate: string }).effectiveDate;
  };
  t.equal(await paidOn(loan, LATE_ON_THE_15TH), '2026-03-16');
  t.equal(await paidOn(inTheWest, LATE_ON_THE_15TH), '2026-03-15');
  t.equal(await paidOn(inTheWest, '2026-03-15T23:30:00.123456-07:00'), '2026-03-15', 'with an offset and fractions of a second');
  t.equal(await paidOn(inTheWest, '2026-03-16'), '2026-03-16');
  const rows = [1, 2].map((month) => ({ date: `2026-0${3 + month}-16T05:30:00Z`, amount: 700 }));
  const given = { ...SMALL, duration: 2, expectedPayments: rows };
  const preview = async (type: string): Promise<unknown> => {
    const made = await ask('POST', loans, loanBody(type, { atOrigination: given }));
    t.match(made, { status: 200 });
    const { atOrigination } = dataOf(made) as {
      readonly atOrigination: { readonly expectedPayments: readonly { readonly date: string }[] };
    };
    return atOrigination.expectedPayments.map(({ date }) => date);
  };
  t.same(await preview(western), ['2026-04-15', '2026-05-15'], 'dates inside of lists, by the product that the body names');
  t.same(await preview(loanTypeId), ['2026-04-16', '2026-05-16']);
});

test('a date-time in a query stands for its day in the zone of the product, too', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t, { timezone: 'America/Los_Angeles' });
  await goTo('2026-03-20');
  t.match(await ask('POST', `${loan}/transactions`, { ...PAYMENT, effectiveDate: '2026-03-16' }), { status: 201 });
  const late = encodeURIComponent(LATE_ON_THE_15TH);
  const same = async (path: string): Promise<void> => {
    const [byMoment, byDay] = [await ask('GET', `${path}${late}`), await ask('GET', `${path}2026-03-15`)];
    t.equal(byDay.status, 200, path);
    t.same([byMoment.status, byMoment.json['data']], [200, byDay.json['data']], path);
  };
  await same(`${loan}/balances?toEffectiveDate=`);
  await same(`${loan}/interest?toEffectiveDate=2026-03-18&fromEffectiveDate=`);
  await same(`${loan}/obligations?dueDate=`);
  await same(`${loan}/transactions?fromEffectiveDate=`);
  const payoff = await ask('GET', `${loan}/payoff?payoffDate=${encodeURIComponent('2026-03-22T05:30:00Z')}`);
  t.match(payoff, { status: 200, json: { data: { payoffDate: '2026-03-21' } } });
  t.match(await ask('GET', `/promise-to-pay-plans?startDateAfter=${late}`), { status: 200 });
  t.match(await ask('GET', `${loan}/balances?toEffectiveDate=2026-03-16T25:00:00Z`), { status: 400 });
});

test('without a product a date-time stands for its day in the zone of the company', async (t) => {
  const { ask } = await openLoanOverHttp(t);
  await ask('POST', '/people', { ...ANN, externalId: 'ben', dateOfBirth: '1980-05-02T02:00:00Z' });
  t.match(await ask('GET', '/people/ext-ben'), { json: { data: { dateOfBirth: '1980-05-01' } } });
});

test('a field that accepts date-times keeps them', async (t) => {
  const date = { type: 'string', format: 'date' };
  const moment = { type: 'string', format: 'date-time' };
  const properties = {
    day: { oneOf: [{ type: 'null' }, date] },
    moment,
    either: { oneOf: [date, moment] },
    text: { type: 'string' },
    days: { type: 'array', items: { $ref: '#/components/schemas/Day' } },
    byName: { type: 'object', additionalProperties: date },
  };
  const schemas = { Day: { type: 'object', properties: { on: date } } };
  const find = dateTimesOf({ version: '3.1', components: { schemas }, schemas: [{ type: 'object', properties }] });
  const at = '2026-03-16T05:30:00Z';
  const body = {
    day: at,
    moment: at,
    either: at,
    text: at,
    days: [{ on: at }, { on: '2026-03-01' }],
    byName: { first: at },
    unknown: { on: at },
  };
  for (const found of find(body)) found.replace('America/Los_Angeles');
  const day = '2026-03-15';
  t.same(body, { ...body, day, days: [{ on: day }, { on: '2026-03-01' }], byName: { first: day } });
  t.same([body.day, body.byName.first, body.moment, body.either], [day, day, at, at]);
});

test('a date-time that does not exist is refused as a date is, and so is one where nothing of the kind is asked for', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  for (const effectiveDate of ['2026-02-30T10:00:00Z', '2026-03-02T25:00:00Z', '2026-03-02 10:00', '2026-03-02T10:00:00']) {
    t.match(
      await ask('POST', `${loan}/transactions`, { ...PAYMENT, effectiveDate }),
      { status: 400, json: { errors: [{ path: 'effectiveDate' }] } },
      effectiveDate,
    );
  }
  const unknown = await ask('POST', '/people/ext-ann-1/loans/ext-nobody/transactions', { ...PAYMENT, effectiveDate: LATE_ON_THE_15TH });
  t.match(unknown, { status: 404 }, 'a loan that is not there is refused as ever');
});
