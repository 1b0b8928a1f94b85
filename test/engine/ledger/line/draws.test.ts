import { test } from 'tap';
import {
  formatAccrued,
  constantRate,
  applyLineFact,
  availableCredit,
  cents,
  computeLine,
  creditOf,
  isDrawPaidOff,
  largestLineLateFeeCents,
  type LineFact,
  lineBalancesOf,
  lineDigest,
  lineInterestDays,
  lineObligationsOf,
  lineOverdueOf,
  lineScheduleOf,
  MAX_CENTS,
  rate,
  recordLine,
} from '../../../../engine/index.js';
import { day, LATE_FEE, money, percent, text } from '../installment/loans.js';
import { buy, draw, DRAWN, line, payLine, statementOn } from './lines.js';

const TERMS = line({ schedule: statementOn(9) });
const factPosition = (sequence: number, date: string) => ({
  sequence,
  effective: { day: day(date), seconds: 50_000 },
  recordedDay: day(date),
});

test('credit is the limit less the balances of all draws; a draw with a limit of its own has the smaller rest', async (t) => {
  const facts = [draw(1), draw(2, { limitCents: money('700.00') }), buy(100, '2024-01-10', '2500.00'), buy(101, '2024-01-10', '600.00', 2)];
  const state = computeLine(TERMS, facts, day('2024-01-10'));
  t.equal(text(availableCredit(state)), '1900.00');
  t.equal(text(availableCredit(state, 1)), '1900.00');
  t.equal(text(availableCredit(state, 2)), '100.00');
  t.equal(text(creditOf(state).utilizedCents), '3100.00');
});

test('a payment counts at once and frees credit when its hold has ended', async (t) => {
  const facts = [...DRAWN, payLine(200, '2024-01-15', '500.00', { holdUntil: day('2024-01-20') })];
  const held = computeLine(TERMS, facts, day('2024-01-20'));
  const before = creditOf(held);
  t.equal(text(before.heldCents), '500.00');
  const after = creditOf(computeLine(TERMS, facts, day('2024-01-21')));
  t.equal(after.heldCents, 0);
  t.ok(after.availableCents > before.availableCents);
});

test('the used part of a limit is what is owed, what is held, and paid principal of a line that does not revolve', async (t) => {
  const paid = payLine(200, '2024-01-10', '500.00', { holdUntil: day('2024-01-20') });
  const seen = (facts: readonly LineFact[], isRevolving: boolean): readonly string[] => {
    const state = computeLine(line({ schedule: statementOn(9), settings: { isRevolving } }), [...DRAWN, ...facts], day('2024-01-10'));
    const { utilizedCents, heldCents, spentCents, availableCents } = creditOf(state);
    return [utilizedCents, heldCents, spentCents, availableCents].map(text);
  };
  t.same(seen([paid], true), ['2000.00', '500.00', '0.00', '2500.00']);
  t.same(seen([payLine(200, '2024-01-10', '500.00')], true), ['2000.00', '0.00', '0.00', '3000.00']);
  t.same(seen([paid], false), ['2000.00', '0.00', '500.00', '2500.00']);
  const returned = buy(101, '2024-01-10', '500.00', 1, 'refund');
  t.same(seen([returned], false), ['2000.00', '0.00', '0.00', '3000.00'], 'what is given back was never spent');
});

test('the balance of a draw above its own limit is due if its terms say so', async (t) => {
  const asked = (isOverLimitIncluded: boolean): readonly string[] => {
    const minimum = { percentageOfPrincipal: percent('0.01'), minCents: money('25.00'), isOverLimitIncluded };
    const facts = [draw(1, { limitCents: money('2400.00'), minimum }), buy(100, '2024-01-10', '2500.00')];
    const [obligation] = lineObligationsOf(computeLine(TERMS, facts, day('2024-02-09')));
    return [text(obligation?.obligationCents ?? 0), text(obligation?.overLimitCents ?? 0)];
  };
  // 2,541.07 is owed: 141.07 above the limit, beside 25.00 of principal and 41.07 of interest.
  t.same(asked(true), ['207.14', '141.07']);
  t.same(asked(false), ['66.07', '0.00']);
});

test('of draws with the same rate, the one that was activated first is paid first', async (t) => {
  const paidOf = (rate: string): readonly string[] => {
    const facts = [draw(1), buy(100, '2024-01-10', '500.00'), draw(2, { rate }, '2024-01-12'), buy(101, '2024-01-12', '500.00', 2)];
    const { draws } = computeLine(TERMS, [...facts, payLine(200, '2024-01-12', '100.00')], day('2024-01-12'));
    return draws.map(({ totals }) => text(totals.paidPrincipalCents + totals.paidInterestCents));
  };
  t.same(paidOf('0.1999'), ['100.00', '0.00']);
  t.same(paidOf('0.2000'), ['0.54', '99.46'], 'the dearer one before that, once the interest of both is paid');
});

test('the ledger of a day does not depend on later facts', async (t) => {
  const later = [payLine(200, '2024-01-21', '100.00'), buy(101, '2024-01-25', '40.00')];
  const state = computeLine(TERMS, [...DRAWN, ...later], day('2024-01-20'));
  t.equal(state.day, day('2024-01-20'));
  t.equal(lineDigest(state), lineDigest(computeLine(TERMS, DRAWN, day('2024-01-20'))));
});

test('a balance above a lowered limit is due if the product says so', async (t) => {
  const terms = line({ schedule: statementOn(9), settings: { isOverLimitInMinimum: true } });
  const lowered: LineFact = { ...factPosition(300, '2024-01-20'), type: 'limitChanged', draw: null, limitCents: money('2000.00') };
  const [obligation] = lineObligationsOf(computeLine(terms, [...DRAWN, lowered], day('2024-02-09')));
  t.equal(text(obligation?.overLimitCents ?? 0), '541.07');
  t.equal(text(obligation?.obligationCents ?? 0), '607.14');
});

test('the floor of the line raises the minimum above that of its draws', async (t) => {
  const terms = line({
    schedule: statementOn(9),
    terms: { minimum: { percentageOfPrincipal: rate(0), minCents: money('100.00'), isOverLimitIncluded: false } },
  });
  const [obligation] = lineObligationsOf(computeLine(terms, DRAWN, day('2024-02-09')));
  t.equal(text(obligation?.obligationCents ?? 0), '100.00');
});

test('a refund of a payment that failed is principal of the oldest draw, and later money pays it', async (t) => {
  const paid = payLine(200, '2024-01-15', '2600.00');
  const back: LineFact = { ...factPosition(201, '2024-01-16'), type: 'reimbursed', transaction: 201, amountCents: money('80.00') };
  const voided = (transaction: number, sequence: number): LineFact => ({
    ...factPosition(sequence, '2024-01-20'),
    type: 'paymentVoided',
    transaction,
  });
  const seen = (facts: readonly LineFact[], date: string): readonly string[] => {
    const { draws, totals } = computeLine(TERMS, [...DRAWN, ...facts], day(date));
    return [text(draws[0]?.balances.nonDuePrincipalCents ?? 0), text(totals.reimbursementCents - totals.reimbursedCents)];
  };
  t.same(seen([paid, back], '2024-01-16'), ['0.00', '13.16'], 'what was paid over less what has gone back of it');
  t.same(seen([paid, back, voided(200, 202)], '2024-01-20'), ['2580.00', '0.00']);
  t.same(seen([paid, back, voided(200, 202), voided(201, 203)], '2024-01-20'), ['2500.00', '0.00'], 'unless it did not arrive');
});

test('interest of a period is at least the minimum charge, if there is any interest', async (t) => {
  const terms = line({ schedule: statementOn(9), settings: { minimumInterestChargeCents: money('1.50') } });
  const recorded = recordLine(terms, [draw(1), buy(100, '2024-02-08', '100.00')], day('2024-02-09'));
  t.equal(text(lineBalancesOf(recorded.state).due.interestCents), '1.50');
  t.ok(recorded.ledgerEvents.some(({ type }) => type === 'minimumInterestCharged'));
  const days = lineInterestDays(recorded, day('2024-02-08'), day('2024-02-09')).map(({ interest }) => formatAccrued(interest));
  t.same(days, ['1.5000000000'], 'interest by day has it on the last day of the period');
  const without = computeLine(terms, [draw(1)], day('2024-02-09'));
  t.equal(lineBalancesOf(without).outstanding.totalCents, 0);
});

test('a refund lowers non-due principal first, then due balances; the rest is owed to the borrower', async (t) => {
  const facts = [...DRAWN, buy(101, '2024-02-10', '2600.00', 1, 'refund')];
  const state = computeLine(TERMS, facts, day('2024-02-10'));
  t.equal(lineBalancesOf(state).outstanding.principalCents, 0);
  t.equal(text(state.totals.refundsCents), '2475.00');
  t.equal(text(state.payments[0]?.amountCents ?? 0), '125.00');
  // The due 66.07, and 1.36 of the interest since the statement.
  t.equal(text(lineBalancesOf(state).paid.reimbursementCents), '57.57');
});

test('an amortized draw has its level on each due date, and the whole rest on the last', async (t) => {
  const amortized: LineFact = {
    ...factPosition(300, '2024-01-10'),
    type: 'drawAmortized',
    draw: 1,
    payment: { type: 'periods', count: 3 },
  };
  const state = computeLine(TERMS, [...DRAWN, amortized], day('2024-01-10'));
  const rows = lineScheduleOf(state, 1).filter(({ amountCents }) => amountCents > 0);
  t.equal(rows[0]?.amountCents, rows[1]?.amountCents);
  t.equal(rows[0]?.date, day('2024-02-29'));
  // Interest of the days from the last statement to its payment is asked for with the next one.
  t.equal(rows.length, 4);
  t.equal(
    rows.reduce((sum, row) => sum + row.principalCents, 0),
    250_000,
  );
});

test('purchases of a period are paid off together from its due date on', async (t) => {
  const facts = [
    draw(1, { amortization: { logic: 'aggregatePurchasesInPeriod', payment: { type: 'periods', count: 4 } } }),
    buy(100, '2024-01-10', '600.00'),
    buy(101, '2024-01-20', '600.00'),
  ];
  const state = computeLine(TERMS, facts, day('2024-02-09'));
  t.same(state.draws[0]?.rows.length, 3);
  const asked = lineObligationsOf(state, 1)[0]?.obligationCents ?? 0;
  t.ok(asked > 30_000 && asked < 33_000);
});

test('a draw fee that is a share of purchases is charged with each purchase', async (t) => {
  const facts = [
    draw(1, { fee: { amountCents: cents(0), logic: 'separate', percentageOfPrincipal: percent('0.03') } }),
    buy(100, '2024-01-10', '200.00'),
  ];
  const state = computeLine(TERMS, facts, day('2024-01-10'));
  t.equal(text(lineBalancesOf(state).due.drawFeesCents), '6.00');
  t.equal(text(lineBalancesOf(state, 1).outstanding.totalCents), '206.00');
});

test('a minimum payment earns a late fee of the line once', async (t) => {
  const terms = line({ schedule: statementOn(9), settings: { lateFees: [{ ...LATE_FEE, triggerDays: 10 }] } });
  const state = computeLine(terms, DRAWN, day('2024-03-20'));
  t.same(
    state.fees.map(({ origin, obligation, chargeDay }) => [origin, obligation, chargeDay]),
    [['late', 0, day('2024-03-10')]],
  );
  const paid = { ...payLine(200, '2024-02-29', '66.07'), recordedDay: day('2024-03-20') };
  t.same(computeLine(terms, [...DRAWN, paid], day('2024-03-20')).fees, []);
  t.equal(largestLineLateFeeCents(state, 6607), 1000);
});

test('the largest balances at the highest rates stop at the largest amount', async (t) => {
  const facts = [draw(1, { rate: '9999' }), { ...buy(100, '2024-01-10', '1.00'), amountCents: MAX_CENTS }];
  const state = computeLine(TERMS, facts, day('2034-01-10'));
  t.ok(Number.isSafeInteger(lineBalancesOf(state).outstanding.totalCents));
  t.ok(state.totals.interestAccrued.cents <= MAX_CENTS);
});

test('thresholds accelerate and charge off a line; its draws follow, and nothing accrues', async (t) => {
  const terms = line({ schedule: statementOn(9), settings: { accelerationDueWithin: 30, chargeOffDueWithin: 60 } });
  const accelerated = computeLine(terms, DRAWN, day('2024-03-30'));
  t.equal(accelerated.status, 'accelerated');
  t.equal(lineOverdueOf(accelerated).daysOverdue, 30);
  t.equal(lineBalancesOf(accelerated, 1).nonDue.totalCents, 0);
  const charged = computeLine(terms, DRAWN, day('2024-05-30'));
  t.equal(charged.status, 'chargedOff');
  t.equal(lineBalancesOf(charged).chargedOff.totalCents, lineBalancesOf(accelerated).outstanding.totalCents);
});

test('thresholds of a line wait as long as there is a holder', async (t) => {
  const terms = line({ schedule: statementOn(9), settings: { accelerationDueWithin: 30, chargeOffDueWithin: 60 } });
  const held: LineFact = { ...factPosition(300, '2024-03-20'), type: 'thresholdsHeld', holder: 'CS-1' };
  const released: LineFact = { ...factPosition(301, '2024-05-01'), type: 'thresholdsReleased', holder: 'CS-1' };
  const on = (facts: readonly LineFact[], date: string): string => computeLine(terms, [...DRAWN, ...facts], day(date)).status;
  t.same([on([held], '2024-03-30'), on([held], '2024-12-31')], ['active', 'active']);
  t.same([on([held, released], '2024-05-01'), on([held, released], '2024-05-02')], ['active', 'chargedOff']);
  t.equal(on([held, { ...factPosition(302, '2024-04-02'), type: 'accelerate' }], '2024-04-02'), 'accelerated');
});

test('deferring remaining balances makes the borrower current: interest and fees become principal', async (t) => {
  const deferred: LineFact = { ...factPosition(300, '2024-03-05'), type: 'balancesDeferred' };
  const state = computeLine(TERMS, [...DRAWN, deferred], day('2024-03-05'));
  t.equal(lineOverdueOf(state).isOverdue, false);
  t.equal(text(lineBalancesOf(state).nonDue.principalCents), '2541.07');
  const [obligation] = lineObligationsOf(state);
  t.same([obligation?.capitalizedCents, obligation?.remainingCents, obligation?.isFulfilled], [6607, 0, true]);
  const [part] = lineObligationsOf(state, 1);
  t.same([part?.capitalizedCents, part?.remainingCents, part?.isFulfilled], [6607, 0, true], 'and so of the draw');
});

test('deferring also closes an obligation with a single remaining cent', async (t) => {
  const facts: LineFact[] = [
    ...DRAWN,
    payLine(200, '2024-02-20', '66.06'),
    { ...factPosition(300, '2024-03-05'), type: 'balancesDeferred' },
  ];
  t.equal(lineOverdueOf(computeLine(TERMS, facts, day('2024-03-04'))).overdueCents, 1);
  const [obligation] = lineObligationsOf(computeLine(TERMS, facts, day('2024-03-05')));
  t.same([obligation?.capitalizedCents, obligation?.remainingCents, obligation?.isFulfilled], [1, 0, true]);
});

test('a charge-off ends a freezing: the rest is charged off, and the frozen days are not overdue', async (t) => {
  const facts: LineFact[] = [
    ...DRAWN,
    { ...factPosition(300, '2024-02-20'), type: 'freeze' },
    { ...factPosition(301, '2024-03-05'), type: 'chargeOff', reason: 'bankruptcy' },
  ];
  const { state, ledgerEvents } = recordLine(TERMS, facts, day('2024-03-05'));
  t.same([state.status, state.isFrozen], ['chargedOff', false]);
  // 2,541.07 at the statement, and eleven days of interest on 2,500.00: 15.0609589041.
  t.equal(text(lineBalancesOf(state).chargedOff.totalCents), '2556.13');
  t.same(
    ledgerEvents.flatMap((event) => (event.type === 'statusChanged' ? [[event.newStatus, event.day, event.seconds]] : [])),
    [
      ['frozen', day('2024-02-20'), 50_000],
      ['active', day('2024-03-05'), 50_000],
      ['accelerated', day('2024-03-05'), 50_000],
      ['chargedOff', day('2024-03-05'), 50_000],
    ],
  );
});

test('a frozen line accrues nothing and has no minimum payments; its periods continue', async (t) => {
  const facts: LineFact[] = [...DRAWN, { ...factPosition(300, '2024-01-20'), type: 'freeze' }];
  const frozen = computeLine(TERMS, facts, day('2024-04-01'));
  t.equal(frozen.obligations.length, 0);
  t.equal(text(lineBalancesOf(frozen).outstanding.totalCents), '2513.69');
  const unfreeze: LineFact = {
    ...factPosition(301, '2024-04-01'),
    type: 'unfreeze',
    retroactivelyAccrueInterest: true,
    shiftDueDates: false,
  };
  const active = computeLine(TERMS, [...facts, unfreeze], day('2024-04-01'));
  t.equal(text(lineBalancesOf(active).outstanding.totalCents), '2612.27');
  t.equal(active.periods.at(-1)?.statementDate, day('2024-04-09'));
});

test('interest of frozen days is on the balance of each day, with the payments of these days', async (t) => {
  const frozen: LineFact = { ...factPosition(300, '2024-01-20'), type: 'freeze' };
  const paid = payLine(200, '2024-03-01', '1000.00');
  const unfrozen: LineFact = {
    ...factPosition(301, '2024-04-01'),
    type: 'unfreeze',
    retroactivelyAccrueInterest: true,
    shiftDueDates: false,
  };
  const state = computeLine(TERMS, [...DRAWN, frozen, paid, unfrozen], day('2024-04-01'));
  // 41 days on 2,500.00 are 56.1363, 31 days on the 1,513.69 that the payment has left are 25.6991.
  t.equal(text(lineBalancesOf(state).outstanding.principalCents), '1513.69');
  t.equal(text(lineBalancesOf(state).outstanding.interestCents), '81.84');
});

test('a closed line is paid off when nothing is owed and no payment is in processing', async (t) => {
  const closed: LineFact = { ...factPosition(300, '2024-01-12'), type: 'lineClosed' };
  const paid = payLine(200, '2024-01-20', '2513.69', { isProcessing: true });
  const processing = computeLine(TERMS, [...DRAWN, closed, paid], day('2024-01-21'));
  t.equal(processing.status, 'active');
  const settled: LineFact = { ...factPosition(301, '2024-01-22'), type: 'paymentSettled', transaction: 200 };
  t.equal(computeLine(TERMS, [...DRAWN, closed, paid, settled], day('2024-01-22')).status, 'paidOff');
  t.equal(computeLine(TERMS, [...DRAWN, { ...paid, isProcessing: false }], day('2024-01-22')).status, 'active');
});

test('a closed draw without a balance is paid off, which is emitted once', async (t) => {
  const closed: LineFact = { ...factPosition(300, '2024-01-12'), type: 'drawClosed', draw: 1 };
  const { state, ledgerEvents } = recordLine(TERMS, [...DRAWN, closed, payLine(200, '2024-01-20', '2513.69')], day('2024-01-25'));
  t.equal(ledgerEvents.filter(({ type }) => type === 'drawPaidOff').length, 1);
  t.equal(state.draws.every(isDrawPaidOff), true);
});

test('another due day applies from the next period on', async (t) => {
  const changed: LineFact = { ...factPosition(300, '2024-01-20'), type: 'lineScheduleChanged', schedule: statementOn(20) };
  const state = computeLine(TERMS, [...DRAWN, changed], day('2024-03-21'));
  t.same(
    state.periods.map(({ statementDate }) => statementDate),
    [day('2024-02-09'), day('2024-03-20'), day('2024-04-20')],
  );
});

test('a fee that joins an acceleration becomes overdue with the next daily job, in a preview as in a replay', (t) => {
  const feeOn = (date: string, fee: number, amount = '20.00'): LineFact => ({
    ...factPosition(fee, date),
    type: 'feeCharged',
    fee,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: money(amount),
    chargeLogic: 'immediate',
    draw: null,
  });
  const terms = line();
  const facts: readonly LineFact[] = [
    draw(1),
    feeOn('2024-01-11', 50),
    payLine(200, '2024-01-12', '93.00'),
    { ...factPosition(201, '2024-01-12'), effective: { day: day('2024-01-12'), seconds: 60_000 }, type: 'accelerate' },
  ];
  // 73.00 were paid over and meet it.
  const fee = feeOn('2024-01-13', 202, '93.00');
  const preview = computeLine(terms, facts, day('2024-01-13'));
  applyLineFact(preview, fee);
  const replayed = computeLine(terms, [...facts, fee], day('2024-01-13'));
  t.equal(lineDigest(preview), lineDigest(replayed));
  t.equal(lineOverdueOf(replayed).isOverdue, false);
  t.equal(lineOverdueOf(computeLine(terms, [...facts, fee], day('2024-01-14'))).overdueCents, 2000);
  t.end();
});

test('rates of a draw that were recorded last replace earlier records from their day on', async (t) => {
  const changed = (sequence: number, from: string, recorded: string, annual: string): LineFact => ({
    type: 'drawRatesChanged',
    draw: 1,
    rates: constantRate(percent(annual)),
    sequence,
    effective: { day: day(from), seconds: 50_000 },
    recordedDay: day(recorded),
  });
  const daily = (...facts: readonly LineFact[]): string =>
    formatAccrued(lineBalancesOf(computeLine(TERMS, [...DRAWN, ...facts], day('2024-02-05'))).interestAndFees.dailyInterest);
  // 2,500.00 at 36.5 % and at 7.3 %: 2.50 and 0.50 a day.
  const first = changed(300, '2024-02-01', '2024-02-01', '0.365');
  t.equal(daily(first), '2.5000000000');
  t.equal(daily(first, changed(301, '2024-01-20', '2024-02-02', '0.073')), '0.5000000000');
  t.equal(daily(first, changed(301, '2024-02-01', '2024-02-02', '0.073')), '0.5000000000');
  t.equal(daily(changed(300, '2024-01-20', '2024-01-20', '0.073'), changed(301, '2024-02-01', '2024-02-02', '0.365')), '2.5000000000');
});
