import { test } from 'tap';
import { loanBody } from '../../actors/loan/setting.js';
import type { HttpAnswer } from '../harness.js';
import { dataOf, type HttpLender, idOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { openLoanOverHttp, SMALL } from './loan-over-http.js';

const AMORTIZED = { mdrRate: 0.025, isAmortized: true, amortizationPeriod: 7 };

type Figures = Readonly<Record<string, number>> | null;

const discountOf = async (ask: HttpLender['ask'], path: string): Promise<Figures> =>
  (dataOf(await ask('GET', path))['current'] as { readonly merchantDiscount: Figures }).merchantDiscount;

test('the merchant gets what is paid out less its discount, which is earned month by month', async (t) => {
  const { ask, loan, active, goTo, failures } = await openLoanOverHttp(t, {}, { ...SMALL, mdr: AMORTIZED });
  const whole = { financedAmount: 1200, discountAmount: 30, merchantAmount: 1170 };
  const untilLast = await active({ atOrigination: { ...SMALL, mdr: { mdrRate: 0.025, isAmortized: true } } });
  t.strictSame(await discountOf(ask, loan), { ...whole, earnedAmount: 0, deferredAmount: 30 });
  await goTo('2026-04-01');
  t.match(await discountOf(ask, loan), { earnedAmount: 0 });
  await goTo('2026-04-02');
  t.strictSame(await discountOf(ask, loan), { ...whole, earnedAmount: 4.29, deferredAmount: 25.71 }, '30.00 / 7 is 4.286');
  t.strictSame(await discountOf(ask, untilLast), { ...whole, earnedAmount: 2.5, deferredAmount: 27.5 }, 'the last due date is the twelfth');
  await ask('POST', `${loan}/refunds`, { refundAmount: 700.5, atFaultParty: 'merchant' });
  t.match(await discountOf(ask, loan), { discountAmount: 30, earnedAmount: 4.29 }, 'a refund leaves the discount');
  await goTo('2026-10-02');
  t.strictSame(await discountOf(ask, loan), { ...whole, earnedAmount: 30, deferredAmount: 0 });
  const payoff = Number(dataOf(await ask('GET', `${untilLast}/payoff`))['payoffAmount']);
  t.match(await discountOf(ask, untilLast), { earnedAmount: 17.5 });
  await ask('POST', `${untilLast}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: payoff });
  t.match(await discountOf(ask, untilLast), { earnedAmount: 30, deferredAmount: 0 }, 'nothing is left to earn of a loan that is paid off');
  t.same(failures, []);
});

test('an amount is the discount, a rate beside it is not used; without a period it is earned at once', async (t) => {
  const { ask, active, created, loan } = await openLoanOverHttp(t);
  t.equal(await discountOf(ask, loan), null);
  const mdr = { mdrRate: 0.5, mdrAmount: 40.25, isAmortized: false, amortizationPeriod: 12 };
  const path = await active({ atOrigination: { ...SMALL, mdr } });
  t.strictSame(await discountOf(ask, path), {
    financedAmount: 1200,
    discountAmount: 40.25,
    merchantAmount: 1159.75,
    earnedAmount: 40.25,
    deferredAmount: 0,
  });
  t.equal(await discountOf(ask, await created({ atOrigination: { ...SMALL, mdr } })), null, 'nothing is paid out before activation');
  const alone = await active({ atOrigination: { ...SMALL, mdr: { mdrRate: 0.1, amortizationPeriod: 1 } } });
  t.match(await ask('GET', alone), {
    json: {
      data: { atOrigination: { mdr: { isAmortized: true } }, current: { merchantDiscount: { discountAmount: 120, earnedAmount: 0 } } },
    },
  });
});

test('a draw has a discount on its purchases at merchants, by its own terms or those of its line', async (t) => {
  const { ask, line, draw, goTo, failures } = await openLineOverHttp(t, {}, { mdr: { mdrRate: 0.03 } });
  t.strictSame(await discountOf(ask, line), null, 'it has no draw');
  const shop = await draw();
  const other = await draw({ atOrigination: { mdr: { mdrAmount: 5, amortizationPeriod: 1 } } });
  await goTo('2026-03-10');
  const bought = `${shop}/purchases/${idOf(await ask('POST', `${shop}/purchases`, { amount: 100.17 }))}`;
  await ask('POST', `${shop}/purchases`, { amount: 0.5 });
  await ask('POST', `${shop}/purchases`, { amount: 60, status: 'authorized' });
  await ask('POST', `${shop}/purchases`, { amount: 9, type: 'cashBack' });
  await ask('POST', `${other}/purchases`, { amount: 20 });
  const both = { financedAmount: 100.67, discountAmount: 3.03, merchantAmount: 97.64, earnedAmount: 3.03, deferredAmount: 0 };
  t.strictSame(await discountOf(ask, shop), both, '3.0051 and 0.015, each rounded half up');
  t.match(await discountOf(ask, other), { financedAmount: 20, discountAmount: 5, merchantAmount: 15, earnedAmount: 0, deferredAmount: 5 });
  const all = { financedAmount: 120.67, discountAmount: 8.03, merchantAmount: 112.64, earnedAmount: 3.03, deferredAmount: 5 };
  t.strictSame(await discountOf(ask, line), all);
  const dispute = idOf(await ask('POST', `${bought}/disputes`, { disputedAmount: 100.17, createDisputeCase: false }));
  t.strictSame(await discountOf(ask, shop), both, 'a dispute leaves the discount');
  t.match(await ask('POST', `${bought}/disputes/${dispute}/cancel`, {}), { status: 200 });
  t.strictSame(await discountOf(ask, shop), both, 'a purchase that is posted once more counts once');
  await goTo('2026-04-10');
  t.match(await discountOf(ask, other), { earnedAmount: 5, deferredAmount: 0 });
  t.same(failures, []);
});

test('a purchase that is canceled bears no discount', async (t) => {
  const { ask, draw } = await openLineOverHttp(t, {}, { mdr: { mdrRate: 0.03 } });
  const shop = await draw();
  const bought = idOf(await ask('POST', `${shop}/purchases`, { amount: 100 }));
  t.match(await discountOf(ask, shop), { discountAmount: 3 });
  await ask('POST', `${shop}/purchases/${bought}/cancel`, {});
  t.match(await discountOf(ask, shop), { financedAmount: 0, discountAmount: 0 });
});

test('terms of a discount that cannot be computed are refused with all their faults', async (t) => {
  const { ask, line } = await openLineOverHttp(t);
  const loan = await openLoanOverHttp(t);
  const ofLoan = (mdr: object): Promise<HttpAnswer> =>
    loan.ask('POST', '/people/ext-ann-1/loans', loanBody(loan.loanTypeId, { atOrigination: { mdr } }));
  const ofDraw = (mdr: object): Promise<HttpAnswer> => ask('POST', `${line}/draws`, { status: 'originated', atOrigination: { mdr } });
  const faultsOf = async (sent: Promise<HttpAnswer>): Promise<unknown> => {
    const { status, json } = await sent;
    const faults = json['errors'] as readonly { readonly path: string }[] | undefined;
    return [status, faults?.map(({ path }) => path.replace('atOrigination.mdr.', ''))];
  };
  for (const send of [ofLoan, ofDraw]) {
    t.strictSame(await faultsOf(send({ mdrRate: 1.00000001, amortizationPeriod: 601 })), [400, ['mdrRate', 'amortizationPeriod']]);
    t.strictSame(await faultsOf(send({ amortizationPeriod: 0 })), [400, ['mdrRate', 'amortizationPeriod']]);
    t.strictSame(await faultsOf(send({ isAmortized: true, amortizationPeriod: 12 })), [400, ['mdrRate']]);
    t.strictSame(await faultsOf(send({ mdrRate: 1, mdrAmount: 10, isAmortized: false, amortizationPeriod: 0 })), [200, undefined]);
    t.strictSame(await faultsOf(send({})), [200, undefined]);
  }
  t.strictSame(await faultsOf(ofDraw({ mdrRate: 0.1, isAmortized: true })), [400, ['amortizationPeriod']]);
});

test('loans are selected by the discount of their merchants and by their discount programs', async (t) => {
  const { ask, created, active } = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  await active({ externalId: 'both', atOrigination: { ...SMALL, mdr: AMORTIZED, discountProgramIds: [12, 7] } });
  await created({ externalId: 'none' });
  const sql = `SELECT l.external_id, s.merchant_discount_amount, s.discount_program_ids FROM v_terms s JOIN v_loans l USING (loan_id)
    WHERE l.external_id IS NOT NULL ORDER BY 1`;
  t.strictSame(dataOf(await ask('POST', '/questions', { sql }))['rows'], [
    ['both', '30.00', '12,7'],
    ['none', null, null],
  ]);
});
