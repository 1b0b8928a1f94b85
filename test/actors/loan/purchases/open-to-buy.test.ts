import { test } from 'tap';
import {
  exceededLimit,
  heldCents,
  type Limit,
  openToBuyCents,
  type OpenToBuyLogic,
  roomCents,
} from '../../../../actors/loan/purchases/credit.js';
import { aPurchase } from './records.js';
import { centsFrom, rateFrom } from '../../../engine/numbers.js';

const PURCHASES = [
  aPurchase({ status: 'authorized', amountCents: centsFrom('100.00') }),
  aPurchase({ status: 'pending', amountCents: centsFrom('20.00') }),
  aPurchase({ status: 'pending', kind: 'refund', amountCents: centsFrom('5.00') }),
  aPurchase({ status: 'settled', amountCents: centsFrom('3000.00') }),
  aPurchase({ status: 'disputed', amountCents: centsFrom('3000.00') }),
  aPurchase({ status: 'canceled', amountCents: centsFrom('3000.00') }),
  aPurchase({ status: 'declined', amountCents: centsFrom('3000.00') }),
];

/** The three settings of the product. */
const HELD: Readonly<Record<OpenToBuyLogic, string>> = {
  limitMinusBalance: '0.00',
  limitMinusBalanceMinusPending: '20.00',
  limitMinusBalanceMinusAuthorized: '120.00',
};

for (const logic of ['limitMinusBalance', 'limitMinusBalanceMinusPending', 'limitMinusBalanceMinusAuthorized'] as const) {
  test(`${logic} holds ${HELD[logic]} of purchases that are not settled`, (t) => {
    t.equal(heldCents(logic, PURCHASES), centsFrom(HELD[logic]));
    t.end();
  });
}

const limit = (of: Limit['of'], limitText: string, available: string, held = '0.00'): Limit => ({
  of,
  limitCents: centsFrom(limitText),
  availableCents: centsFrom(available),
  heldCents: centsFrom(held),
});

test('a tolerance is a share of the limit, cut to the cent, and comes on top of open credit that may be below zero', (t) => {
  const line = limit('line', '1000.33', '100.00', '30.00');
  t.equal(openToBuyCents(line), centsFrom('70.00'));
  t.equal(roomCents(line, rateFrom('0')), centsFrom('70.00'));
  t.equal(roomCents(line, rateFrom('0.05')), centsFrom('120.01'));
  t.equal(roomCents(limit('line', '1000.00', '-40.00'), rateFrom('0.05')), centsFrom('10.00'));
  t.equal(roomCents(limit('line', '1000.00', '-60.00'), rateFrom('0.05')), 0);
  t.end();
});

test('a purchase needs room in the limit of the line and in that of the draw', (t) => {
  const line = limit('line', '1000.00', '300.00');
  const draw = limit('draw', '500.00', '200.00');
  t.equal(exceededLimit([line, draw], rateFrom('0'), centsFrom('200.00')), undefined);
  t.equal(exceededLimit([line, draw], rateFrom('0'), centsFrom('200.01')), draw);
  t.equal(exceededLimit([line, draw], rateFrom('0'), centsFrom('300.01')), line);
  t.equal(exceededLimit([line, draw], rateFrom('0.1'), centsFrom('250.00')), undefined);
  t.end();
});
