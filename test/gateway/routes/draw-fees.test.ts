import { test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { listOf } from './http-lender.js';
import { type LineOverHttp, openLineOverHttp } from './line-over-http.js';

/** Fees of the draws of a line of credit. */

const FLAT = { name: { displayName: 'Flat', apiName: 'flat' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 20, trigger: 'manual' };

const withFlatFee = async (lender: LineOverHttp): Promise<void> => {
  await lender.ask('POST', `/loan-types/${lender.loanTypeId}/fee-types`, FLAT);
};

const feesOf = (answer: HttpAnswer): readonly (readonly unknown[])[] =>
  listOf(answer).map(({ amount, remainingAmount, status }) => [Number(amount), Number(remainingAmount), status]);

test('a fee on a draw is refused before the activation of the draw, and counts from it on that day', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, goTo, emitted } = lender;
  await withFlatFee(lender);
  await goTo('2026-03-20');
  const draw = await lender.draw();
  for (const previewMode of [true, false]) {
    t.match(await ask('POST', `${draw}/fees`, { apiName: 'flat', chargeDate: '2026-03-19', previewMode }), {
      status: 422,
      json: { message: '`chargeDate` is before the activation of the draw.', errors: [{ path: 'chargeDate' }] },
    });
  }
  t.same(await emitted('loan.fee.booked'), []);
  const early = { apiName: 'flat', chargeDate: '2026-03-20', chargeTimeOfDay: { hour: 3, minute: 0, second: 0 } };
  t.match(await ask('POST', `${draw}/fees`, early), { status: 200 });
  t.same(feesOf(await ask('GET', `${draw}/fees`)), [[20, 20, 'booked']]);
  t.match(await ask('GET', `${lender.line}/balances`), { json: { data: { outstandingBalances: { outstandingFeesAmount: 20 } } } });
});

test('a draw fee is shown with its shares of all purchases', async (t) => {
  const { ask, line, draw } = await openLineOverHttp(t);
  const path = await draw({ atOrigination: { fees: { drawFeePercentageOfPrincipal: 0.02 } } });
  for (const amount of [100, 200]) await ask('POST', `${path}/purchases`, { amount, status: 'settled' });
  const whole = { type: 'drawFee', amount: 6, originalAmount: 6, remainingAmount: 6, status: 'booked' };
  for (const of of [path, line]) t.match(listOf(await ask('GET', `${of}/fees`)), [whole]);
  await ask('POST', `${line}/transactions`, { type: 'oneTime', amount: 306, isExternal: true, status: 'succeeded' });
  t.match(listOf(await ask('GET', `${path}/fees`)), [{ amount: 6, originalAmount: 6, remainingAmount: 0, status: 'paid' }]);
});

test('a scheduled fee is not charged to a draw that was canceled', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, line, goTo, emitted } = lender;
  await withFlatFee(lender);
  const draw = await lender.draw();
  await ask('POST', `${draw}/fees`, { apiName: 'flat', chargeDate: '2026-03-20' });
  await ask('POST', `${draw}/cancel`, { cancellationReason: 'other' });
  await goTo('2026-03-21');
  t.same(feesOf(await ask('GET', `${draw}/fees`)), [[0, 0, 'canceled']]);
  t.match(await emitted('loan.fee.canceled'), [{ amount: 20, reason: 'the draw is canceled' }]);
  t.same(await emitted('loan.fee.booked'), []);
  t.match(await ask('GET', `${line}/balances`), { json: { data: { outstandingBalances: { outstandingTotalAmount: 0 } } } });
  await goTo('2026-04-20');
  t.match(await ask('GET', line), { json: { data: { current: { isOverdue: false } } } });
});

test('the cancellation of a draw cancels its fees, and what paid them is applied again', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, line, goTo, emitted } = lender;
  await withFlatFee(lender);
  const draw = await lender.draw({ atOrigination: { fees: { drawFeeAmount: 30 } } });
  await ask('POST', `${draw}/fees`, { apiName: 'flat' });
  const other = await lender.draw();
  await ask('POST', `${other}/purchases`, { amount: 10, status: 'settled' });
  const payment = { type: 'oneTime', amount: 50, isExternal: true, status: 'succeeded', drawId: draw.split('/').at(-1) };
  await ask('POST', `${line}/transactions`, payment);
  t.same(feesOf(await ask('GET', `${draw}/fees`)), [
    [20, 0, 'paid'],
    [30, 0, 'paid'],
  ]);
  await goTo('2026-03-10');
  t.match(await ask('POST', `${draw}/cancel`, { cancellationReason: 'other' }), { json: { data: { status: 'canceled' } } });
  t.same(feesOf(await ask('GET', `${draw}/fees`)), [
    [0, 0, 'canceled'],
    [0, 0, 'canceled'],
  ]);
  t.match(listOf(await ask('GET', `${line}/transactions`)), [{ paidFeesAmount: 0, paidPrincipalAmount: 10, paidOverAmount: 40 }]);
  t.same((await emitted('loan.fee.canceled')).map(({ amount }) => Number(amount)).sort(), [20, 30]);
});

test('the fees of a canceled loan are shown as canceled', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, line } = lender;
  await withFlatFee(lender);
  await ask('POST', `${line}/fees`, { apiName: 'flat' });
  await lender.draw({ atOrigination: { fees: { drawFeeAmount: 30 } } });
  await ask('POST', `${line}/cancel`, { cancellationReason: 'other' });
  t.same(feesOf(await ask('GET', `${line}/fees`)), [
    [0, 0, 'canceled'],
    [0, 0, 'canceled'],
  ]);
});
