import { test } from 'tap';
import {
  computeLine,
  constantRate,
  formatDay,
  lineBalancesOf,
  lineDigest,
  type LineFact,
  type LineState,
} from '../../../../engine/index.js';
import { day, money, percent, text } from '../installment/loans.js';
import { buy, charge, draw, DRAWN, holdingsOf, line, payLine, factPosition, splitsIn, statementOn } from './lines.js';

/* A fact about the past changes the facts that it refers to, and leaves all others as they were recorded. */
const TERMS = line({ schedule: statementOn(9), settings: { accelerationDueWithin: 40 } });
const through = (facts: readonly LineFact[], date: string): LineState => computeLine(TERMS, facts, day(date));

/** A payment that was voided at once: it changes no figures, but the history is arranged like one with late facts. */
const NO_PAYMENT: LineFact = { ...factPosition(900, '2024-04-19'), type: 'paymentVoided', transaction: 899 };

/** Draws of 2,500.00 and 300.00, a payment in processing, and the facts that are named after them. */
const BEGUN: readonly LineFact[] = [
  ...DRAWN,
  draw(2, { fee: { amountCents: money('8.00'), logic: 'separate', percentageOfPrincipal: percent('0') } }),
  buy(101, '2024-01-10', '300.00', 2),
  payLine(200, '2024-02-15', '30.00', { isProcessing: true }),
];
const OTHERS: Readonly<Record<string, readonly LineFact[]>> = {
  purchase: [buy(300, '2024-02-20', '10.00')],
  payment: [payLine(300, '2024-02-20', '10.00')],
  paymentSettled: [{ ...factPosition(300, '2024-02-20'), type: 'paymentSettled', transaction: 200 }],
  reimbursed: [{ ...factPosition(300, '2024-02-20'), type: 'reimbursed', transaction: 300, amountCents: money('5.00') }],
  feeCharged: [charge(300, '2024-02-20', '7.00')],
  accelerate: [{ ...factPosition(300, '2024-02-20'), type: 'accelerate' }],
  chargeOff: [{ ...factPosition(300, '2024-02-20'), type: 'chargeOff', reason: 'term' }],
  balancesDeferred: [{ ...factPosition(300, '2024-02-20'), type: 'balancesDeferred' }],
  cancel: [{ ...factPosition(300, '2024-02-20'), type: 'cancel' }],
  drawActivated: [draw(3, {}, '2024-02-20')],
  drawAmortized: [{ ...factPosition(300, '2024-02-20'), type: 'drawAmortized', draw: 1, payment: { type: 'periods', count: 3 } }],
  drawCanceled: [{ ...factPosition(300, '2024-02-20'), type: 'drawCanceled', draw: 2 }],
  drawClosed: [{ ...factPosition(300, '2024-02-20'), type: 'drawClosed', draw: 2 }],
  drawRatesChanged: [{ ...factPosition(300, '2024-02-20'), type: 'drawRatesChanged', draw: 2, rates: constantRate(percent('0.05')) }],
  freeze: [{ ...factPosition(300, '2024-02-20'), type: 'freeze' }],
  unfreeze: [
    { ...factPosition(300, '2024-02-20'), type: 'freeze' },
    { ...factPosition(301, '2024-02-25'), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false },
  ],
  limitChanged: [{ ...factPosition(300, '2024-02-20'), type: 'limitChanged', draw: null, limitCents: money('4000.00') }],
  lineClosed: [{ ...factPosition(300, '2024-02-20'), type: 'lineClosed' }],
  lineScheduleChanged: [{ ...factPosition(300, '2024-02-20'), type: 'lineScheduleChanged', schedule: statementOn(20) }],
  principalRaised: [{ ...factPosition(300, '2024-02-20'), type: 'principalRaised', draw: 2, amountCents: money('3.00') }],
  pastFeeCanceled: [{ ...factPosition(300, '2024-02-20'), type: 'pastFeeCanceled', draw: 2, amountCents: money('3.00'), transaction: 300 }],
  thresholdsHeld: [{ ...factPosition(300, '2024-02-20'), type: 'thresholdsHeld', holder: 'case' }],
};

test('a fact about one payment leaves every other fact where it was', async (t) => {
  const [none] = ['2024-04-20'].map((date) => lineDigest(through(BEGUN, date)));
  for (const [name, facts] of Object.entries(OTHERS)) {
    const digest = lineDigest(through([...BEGUN, ...facts], '2024-04-20'));
    t.not(digest, none, `${name} counts`);
    t.equal(lineDigest(through([...BEGUN, ...facts, NO_PAYMENT], '2024-04-20')), digest, name);
  }
  const released: LineFact = { ...factPosition(301, '2024-03-01'), type: 'thresholdsReleased', holder: 'case' };
  const held = [...BEGUN, ...(OTHERS['thresholdsHeld'] ?? []), released];
  t.equal(lineDigest(through([...held, NO_PAYMENT], '2024-04-20')), none, 'held no more');
});

test('voided facts have no effect, and moved or changed facts apply as if recorded that way', async (t) => {
  const same = (facts: readonly LineFact[], others: readonly LineFact[], name: string): void =>
    void t.equal(lineDigest(through([...BEGUN, ...facts], '2024-04-20')), lineDigest(through([...BEGUN, ...others], '2024-04-20')), name);
  const paid = payLine(300, '2024-03-05', '40.00', { isProcessing: true });
  const settled: LineFact = { ...factPosition(301, '2024-03-07'), type: 'paymentSettled', transaction: 300 };
  same(
    [paid, settled, { ...factPosition(302, '2024-03-10'), type: 'paymentVoided', transaction: 300 }],
    [],
    'a payment with its settlement',
  );
  const newEffective = { day: day('2024-02-20'), seconds: 54_000 };
  same(
    [paid, settled, { ...factPosition(302, '2024-03-10'), type: 'paymentMoved', transaction: 300, newEffective }],
    [payLine(300, '2024-02-20', '40.00', { isProcessing: true }), settled],
    'a moved payment',
  );
  same([buy(300, '2024-02-20', '10.00'), { ...factPosition(301, '2024-03-10'), type: 'purchaseVoided', purchase: 300 }], [], 'a purchase');
  const changed = (amount: string, sequence: number): LineFact => ({
    ...factPosition(sequence, '2024-03-10'),
    type: 'feeChanged',
    fee: { type: 'charged', fee: 300 },
    amountCents: money(amount),
  });
  same([charge(300, '2024-02-20', '7.00'), changed('9.00', 301)], [charge(300, '2024-02-20', '9.00')], 'a fee of another amount');
  const ordered: LineFact = { ...factPosition(300, '2024-02-20'), type: 'accelerate' };
  const back: LineFact = { ...factPosition(301, '2024-02-20', 51_000), type: 'reverseAccelerate' };
  t.equal(through([...BEGUN, ordered, back], '2024-02-20').status, 'active');
  t.equal(through([...BEGUN, ordered], '2024-02-20').status, 'accelerated');
  const off: LineFact = { ...factPosition(300, '2024-02-20'), type: 'chargeOff', reason: 'term' };
  const onAgain: LineFact = { ...factPosition(301, '2024-02-20', 51_000), type: 'reverseChargeOff' };
  t.equal(through([...BEGUN, off, onAgain], '2024-02-20').status, 'active');
  t.equal(through([...BEGUN, off, onAgain, { ...off, ...factPosition(302, '2024-02-21') }], '2024-02-21').status, 'chargedOff');
});

test('the fee of a draw is the last recorded amount, in whatever order facts are read', async (t) => {
  const changed = (sequence: number, amount: string): LineFact => ({
    ...factPosition(sequence, '2024-01-20'),
    type: 'drawFeeChanged',
    draw: 2,
    amountCents: money(amount),
  });
  const fee = (...facts: readonly LineFact[]): string =>
    text(lineBalancesOf(through([...BEGUN.slice(0, -1), ...facts], '2024-01-20'), 2).due.drawFeesCents);
  t.equal(fee(), '8.00');
  t.equal(fee(changed(300, '5.00')), '5.00');
  t.equal(fee(changed(301, '6.00'), changed(300, '5.00')), '6.00');
  t.equal(fee(changed(300, '5.00'), changed(301, '6.00')), '6.00');
});

test('a draw that was amortized late does not raise due dates that had passed', async (t) => {
  const late: LineFact = {
    ...factPosition(300, '2024-01-20'),
    recordedDay: day('2024-03-05'),
    type: 'drawAmortized',
    draw: 1,
    payment: { type: 'periods', count: 2 },
  };
  const asked = (fact: LineFact): readonly string[] =>
    through([draw(1, { rate: '0' }), buy(100, '2024-01-10', '1000.00'), fact], '2024-03-09').obligations.map(
      ({ dueDay, amountCents }) => `${formatDay(dueDay)} ${text(amountCents)}`,
    );
  // The floor of 25.00; then the last row asks for all that is left.
  t.same(asked(late), ['2024-02-29 25.00', '2024-03-29 975.00']);
  t.same(asked({ ...late, recordedDay: day('2024-01-20') }), ['2024-02-29 500.00', '2024-03-29 500.00']);
});

test('rates of a later day apply from that day on, whatever second they were recorded for', async (t) => {
  const rates = (sequence: number, date: string, seconds: number, annual: string): LineFact => ({
    ...factPosition(sequence, date, seconds),
    type: 'drawRatesChanged',
    draw: 1,
    rates: constantRate(percent(annual)),
  });
  const facts = [
    draw(1, { rate: '0' }),
    buy(100, '2024-01-10', '1000.00'),
    rates(300, '2024-01-15', 50_000, '0.365'),
    rates(301, '2024-01-20', 45_000, '0.73'),
  ];
  // Five days of 1.00 and two of 2.00.
  t.same(holdingsOf(through(facts, '2024-01-22')), ['1: nonDuePrincipal 1000.00, nonDueInterest 9.0000000000']);
});

test('a voided reimbursement was not paid out', async (t) => {
  const over = payLine(300, '2024-01-11', '2900.00');
  const back: LineFact = { ...factPosition(301, '2024-01-12'), type: 'reimbursed', transaction: 301, amountCents: money('50.00') };
  const voided: LineFact = { ...factPosition(302, '2024-01-13'), type: 'paymentVoided', transaction: 301 };
  const facts = [...BEGUN.slice(0, -1), over, back];
  // 2,800.00, the fee of 8.00, and a day of interest: 1.36 and 0.16 of whole cents.
  t.same(splitsIn(through(facts, '2024-01-13'))[0], '300: amount 2900.00, principal 2800.00, interest 1.52, fees 8.00, over 90.48');
  t.same(
    [facts, [...facts, voided]].map((of) => through(of, '2024-01-13').totals.reimbursedCents),
    [5_000, 0],
  );
});
