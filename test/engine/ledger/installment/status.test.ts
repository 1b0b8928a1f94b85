import { test } from 'tap';
import {
  accruedOf,
  addDays,
  balancesOf,
  cents,
  computeLedger,
  type LedgerEvent,
  interestByDay,
  type LedgerFact,
  nextActionDay,
  obligationsOf,
  overdueOf,
  recordLedger,
  scheduleOf,
} from '../../../../engine/index.js';
import { at, day, LATE_FEE, loan, money, pay, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);

type Order = 'freeze' | 'accelerate' | 'reverseAccelerate' | 'reverseChargeOff' | 'cancel';

const order = (type: Order, date: string, sequence: number, seconds?: number): LedgerFact => ({
  type,
  effective: at(date, seconds),
  sequence,
  recordedDay: day(date),
});

const chargeOff = (date: string, sequence: number): LedgerFact => ({
  type: 'chargeOff',
  reason: 'bankruptcy',
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const unfreeze = (date: string, sequence: number, retroactivelyAccrueInterest: boolean, shiftDueDates: boolean): LedgerFact => ({
  type: 'unfreeze',
  retroactivelyAccrueInterest,
  shiftDueDates,
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const statuses = (ledgerEvents: readonly LedgerEvent[]): string[] =>
  ledgerEvents.flatMap((ledgerEvent) =>
    ledgerEvent.type === 'statusChanged' ? [`${ledgerEvent.oldStatus} ${ledgerEvent.newStatus}`] : [],
  );

const dates = (rows: readonly { readonly date: number }[]): number[] => rows.map((row) => row.date);

test('a frozen loan accrues nothing and misses its due dates without being overdue', async (t) => {
  const frozen = computeLedger(terms, [order('freeze', '2024-02-01', 1)], day('2024-04-20'));
  t.equal(frozen.status, 'frozen');
  // 12 nights, 20 January to 31 January.
  t.equal(text(balancesOf(frozen).nonDue.interestCents), '7.10');
  t.equal(overdueOf(frozen).isOverdue, false);
  t.equal(obligationsOf(frozen).filter((obligation) => !obligation.isOpen).length, 0);
});

test('days overdue do not increase while the loan is frozen', async (t) => {
  const facts = [order('freeze', '2024-02-20', 1)];
  t.equal(overdueOf(computeLedger(terms, facts, day('2024-04-20'))).daysOverdue, 5);
  const thawed = [...facts, unfreeze('2024-04-20', 2, false, false)];
  t.equal(overdueOf(computeLedger(terms, thawed, day('2024-04-20'))).daysOverdue, 5);
  t.equal(overdueOf(computeLedger(terms, thawed, day('2024-04-25'))).daysOverdue, 10);
});

test('unfreezing without shifting spreads missed amounts over the remaining rows', async (t) => {
  const facts = [order('freeze', '2024-02-01', 1), unfreeze('2024-04-20', 2, false, false)];
  const ledger = computeLedger(terms, facts, day('2024-04-20'));
  t.equal(text(balancesOf(ledger).nonDue.interestCents), '7.10');
  const rows = scheduleOf(ledger).filter((row) => row.status !== 'canceled');
  t.equal(rows.length, 9);
  t.equal(rows[0]?.date, day('2024-05-15'));
  t.equal(rows.at(-1)?.date, terms.rows.at(-1)?.date);
  t.ok((rows[0]?.amountCents ?? 0) > 10_976, `a higher level: ${rows[0]?.amountCents}`);
  t.same(
    rows.slice(0, -1).map((row) => row.amountCents),
    Array(8).fill(rows[0]?.amountCents),
  );
  t.ok(Math.abs((rows.at(-1)?.amountCents ?? 0) - (rows[0]?.amountCents ?? 0)) < 50);
  t.equal(overdueOf(ledger).isOverdue, false);
});

test('unfreezing with shifting moves every unpaid due date by the missed periods', async (t) => {
  const facts = [order('freeze', '2024-02-01', 1), unfreeze('2024-04-20', 2, false, true)];
  const rows = scheduleOf(computeLedger(terms, facts, day('2024-04-20')));
  t.equal(rows.length, 12);
  t.same(dates(rows).slice(0, 9), dates(terms.rows).slice(3));
  t.equal(rows.at(-1)?.date, day('2025-04-15'));
  t.equal(text(rows[0]?.amountCents ?? 0), '109.76');
});

test('retroactive accrual adds the interest of the frozen days', async (t) => {
  const without = computeLedger(terms, [], day('2024-02-14'));
  const retroactive = computeLedger(terms, [order('freeze', '2024-02-01', 1), unfreeze('2024-02-10', 2, true, false)], day('2024-02-14'));
  const lost = computeLedger(terms, [order('freeze', '2024-02-01', 1), unfreeze('2024-02-10', 2, false, false)], day('2024-02-14'));
  t.equal(accruedOf(retroactive.nonDueInterest), accruedOf(without.nonDueInterest));
  t.equal(text(balancesOf(lost).nonDue.interestCents), '9.47');
});

test('retroactive accrual uses the balance of each frozen day', async (t) => {
  const facts = [order('freeze', '2024-02-01', 1), pay(2, '2024-02-05', '607.10'), unfreeze('2024-02-11', 3, true, false)];
  const state = computeLedger(terms, facts, day('2024-02-11'));
  // 7.1013699 until the freezing, of which 7.10 was paid; then four nights on 1,200.00 and six on 600.00.
  t.equal(text(balancesOf(state).nonDue.principalCents), '600.00');
  t.equal(text(balancesOf(state).nonDue.interestCents), '4.14');
});

test('a frozen, paid-off loan is frozen again if something is owed again', async (t) => {
  const fee: LedgerFact = {
    type: 'feeCharged',
    fee: 3,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: cents(500),
    chargeLogic: 'immediate',
    effective: at('2024-02-20'),
    sequence: 3,
    recordedDay: day('2024-02-20'),
  };
  const facts = [order('freeze', '2024-02-01', 1), pay(2, '2024-02-05', '1207.10'), fee];
  t.equal(computeLedger(terms, facts, day('2024-02-19')).status, 'paidOff');
  t.equal(computeLedger(terms, facts, day('2024-02-20')).status, 'frozen');
  const thawed = computeLedger(terms, [...facts, unfreeze('2024-02-25', 4, true, false)], day('2024-02-25'));
  t.equal(thawed.status, 'active');
  t.equal(text(balancesOf(thawed).nonDue.interestCents), '2.37', 'four nights until it was paid off');
});

test('acceleration stops interest and makes one obligation of everything, with the oldest due date', async (t) => {
  const ledger = recordLedger(terms, [order('accelerate', '2024-03-01', 1)], day('2024-04-01'));
  const balances = balancesOf(ledger.state);
  t.equal(balances.nonDue.totalCents, 0);
  t.equal(balances.due.totalCents, 0);
  t.equal(text(balances.overdue.principalCents), '1200.00');
  // 15.39 due on 15 February and 15 nights of 0.5917808 until the acceleration.
  t.equal(text(balances.overdue.interestCents), '24.27');
  t.same(
    obligationsOf(ledger.state).map((obligation) => [obligation.dueDay, text(obligation.obligationCents), obligation.isOverdue]),
    [[day('2024-02-15'), '1224.27', true]],
  );
  t.match(overdueOf(ledger.state), { daysOverdue: 46, overdueCents: 122_427 });
  t.same(statuses(ledger.ledgerEvents), ['active accelerated']);
});

test('the acceleration of a current loan is due that day and overdue the next', async (t) => {
  const facts = [order('accelerate', '2024-02-01', 1)];
  t.equal(text(balancesOf(computeLedger(terms, facts, day('2024-02-01'))).due.totalCents), '1207.10');
  t.match(overdueOf(computeLedger(terms, facts, day('2024-02-02'))), { daysOverdue: 1, overdueCents: 120_710 });
});

test('an accelerated loan pays fees, interest, principal and ends paid off', async (t) => {
  const ledger = computeLedger(terms, [order('accelerate', '2024-03-01', 1), pay(2, '2024-03-05', '30.00')], day('2024-03-05'));
  t.match(ledger.payments.at(0), { interestCents: 2_427, principalCents: 573 });
  const done = computeLedger(terms, [order('accelerate', '2024-03-01', 1), pay(2, '2024-03-05', '1224.27')], day('2024-03-05'));
  t.equal(done.status, 'paidOff');
});

test('a reversed acceleration leaves no trace, also in interest', async (t) => {
  const facts = [order('accelerate', '2024-03-01', 1), pay(2, '2024-03-05', '109.76'), order('reverseAccelerate', '2024-03-10', 3)];
  const reversed = computeLedger(terms, facts, day('2024-03-20'));
  const never = computeLedger(terms, [pay(2, '2024-03-05', '109.76')], day('2024-03-20'));
  t.same(balancesOf(reversed), balancesOf(never));
  t.equal(reversed.status, 'active');
});

test('a threshold is reached on its day, even if nothing else happens after the due date', async (t) => {
  const single = (settings: { accelerationDueWithin: number | null; chargeOffDueWithin: number | null }) =>
    computeLedger(loan({ ...SMALL_LOAN, rows: 1, settings }), [], day('2024-06-01'));
  // The only due date is 15 February: 30 days later is 16 March, 45 days later 31 March.
  const both = single({ accelerationDueWithin: 30, chargeOffDueWithin: 45 });
  t.match(both, { status: 'chargedOff', acceleratedSince: day('2024-03-16'), chargedOffSince: day('2024-03-31') });
  t.match(single({ accelerationDueWithin: 30, chargeOffDueWithin: null }), { status: 'accelerated', statusSince: day('2024-03-16') });
  t.match(single({ accelerationDueWithin: null, chargeOffDueWithin: 45 }), { status: 'chargedOff', statusSince: day('2024-03-31') });
  t.match(single({ accelerationDueWithin: 1, chargeOffDueWithin: null }), { status: 'accelerated', statusSince: day('2024-02-16') });
});

test('frozen days postpone a threshold, and a reversed one is checked again the day after', async (t) => {
  const strict = loan({ ...SMALL_LOAN, rows: 1, settings: { accelerationDueWithin: 30 } });
  const since = (facts: readonly LedgerFact[]): readonly (string | number)[] => {
    const { status, statusSince } = computeLedger(strict, facts, day('2024-06-01'));
    return [status, statusSince];
  };
  t.same(since([order('freeze', '2024-03-01', 1), unfreeze('2024-03-11', 2, false, false)]), ['accelerated', day('2024-03-26')]);
  t.same(since([order('reverseAccelerate', '2024-03-20', 1)]), ['accelerated', day('2024-03-21')]);
});

test('thresholds accelerate and charge off on the day on which days overdue reach them', async (t) => {
  const strict = loan({ ...SMALL_LOAN, settings: { accelerationDueWithin: 30, chargeOffDueWithin: 60 } });
  const on = (date: string): string => computeLedger(strict, [], day(date)).status;
  t.equal(on(iso(29)), 'active');
  t.equal(on(iso(30)), 'accelerated');
  t.equal(on(iso(59)), 'accelerated');
  t.equal(on(iso(60)), 'chargedOff');
  const both = loan({ ...SMALL_LOAN, settings: { chargeOffDueWithin: 60 } });
  t.same(statuses(recordLedger(both, [], day(iso(60))).ledgerEvents), ['active accelerated', 'accelerated chargedOff']);
  t.equal(computeLedger(both, [], day(iso(60))).chargeOffReason, 'term');
});

/** So many days after the first due date. */
const iso = (days: number): string => new Date(Date.UTC(2024, 1, 15 + days)).toISOString().slice(0, 10);

test('a threshold stays in force after a reversal: the next daily job accelerates again', async (t) => {
  const strict = loan({ ...SMALL_LOAN, settings: { accelerationDueWithin: 30 } });
  const reversal = order('reverseAccelerate', iso(35), 1);
  t.equal(computeLedger(strict, [reversal], day(iso(35))).status, 'active');
  t.equal(computeLedger(strict, [reversal], day(iso(36))).status, 'accelerated');
  t.equal(computeLedger(strict, [reversal, pay(2, iso(35), '300.00')], day(iso(36))).status, 'active');
});

const held = (type: 'thresholdsHeld' | 'thresholdsReleased', date: string, sequence: number, holder = 'CS-1'): LedgerFact => ({
  type,
  holder,
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

test('thresholds wait as long as there is a holder, and the next daily job checks them again', async (t) => {
  const strict = loan({ ...SMALL_LOAN, settings: { accelerationDueWithin: 30, chargeOffDueWithin: 60 } });
  const facts = [
    held('thresholdsHeld', iso(20), 1),
    held('thresholdsHeld', iso(25), 2, 'CS-2'),
    held('thresholdsHeld', iso(25), 3),
    held('thresholdsReleased', iso(40), 4),
    held('thresholdsReleased', iso(45), 5, 'CS-2'),
  ];
  const on = (days: number, known: readonly LedgerFact[] = facts): string => computeLedger(strict, known, day(iso(days))).status;
  t.same(
    [on(30), on(40), on(44), on(45), on(46), on(59), on(60)],
    ['active', 'active', 'active', 'active', 'accelerated', 'accelerated', 'chargedOff'],
  );
  t.same([on(30, facts.slice(0, 1)), on(200, facts.slice(0, 1))], ['active', 'active']);
  t.equal(nextActionDay(computeLedger(strict, facts, day(iso(41)))), day(iso(42)), 'each day overdue is emitted');
  const late = [...facts.slice(0, 1), held('thresholdsReleased', iso(70), 2)];
  t.same(statuses(recordLedger(strict, late, day(iso(71))).ledgerEvents), ['active accelerated', 'accelerated chargedOff']);
  t.equal(on(35, [...facts, order('accelerate', iso(33), 6)]), 'accelerated', 'by hand it stays possible');
  t.equal(on(35, [...facts, chargeOff(iso(33), 6)]), 'chargedOff');
});

test('a hold does not affect earlier days: earlier accelerations and charge-offs stay', async (t) => {
  const strict = loan({ ...SMALL_LOAN, settings: { accelerationDueWithin: 30, chargeOffDueWithin: 60 } });
  const facts = [held('thresholdsHeld', iso(30), 1)];
  t.equal(computeLedger(strict, facts, day(iso(100))).status, 'accelerated');
  t.equal(
    computeLedger(strict, [...facts, order('reverseAccelerate', iso(35), 2)], day(iso(100))).status,
    'active',
    'and is not done again',
  );
});

test('a payment that is backdated before the threshold undoes an automatic acceleration', async (t) => {
  const strict = loan({ ...SMALL_LOAN, settings: { accelerationDueWithin: 30 } });
  const payment = { ...pay(1, '2024-02-20', '109.76'), recordedDay: day('2024-04-01') };
  t.equal(computeLedger(strict, [], day('2024-04-01')).status, 'accelerated');
  t.equal(computeLedger(strict, [payment], day('2024-04-01')).status, 'active');
});

test('a charge-off moves all balances to a block of their own, which stays payable, principal first', async (t) => {
  const facts = [chargeOff('2024-03-01', 1)];
  const ledger = recordLedger(terms, facts, day('2024-04-01'));
  const balances = balancesOf(ledger.state);
  t.equal(balances.outstanding.totalCents, 0);
  t.equal(text(balances.chargedOff.totalCents), '1224.27');
  t.same(statuses(ledger.ledgerEvents), ['active accelerated', 'accelerated chargedOff']);
  const paid = computeLedger(terms, [...facts, pay(2, '2024-04-01', '1210.00')], day('2024-04-01'));
  t.match(paid.payments.at(0), { principalCents: 120_000, interestCents: 1_000 });
  t.equal(text(balancesOf(paid).chargedOff.totalCents), '14.27');
});

test('a charged-off loan at zero stays charged off', async (t) => {
  const ledger = computeLedger(terms, [chargeOff('2024-03-01', 1), pay(2, '2024-04-01', '1224.27')], day('2024-04-02'));
  t.equal(ledger.status, 'chargedOff');
  t.equal(balancesOf(ledger).chargedOff.totalCents, 0);
});

test('a reversed charge-off leaves an active loan with the interest of the days between', async (t) => {
  const reversed = computeLedger(terms, [chargeOff('2024-03-01', 1), order('reverseChargeOff', '2024-03-10', 2)], day('2024-03-20'));
  t.same(balancesOf(reversed), balancesOf(computeLedger(terms, [], day('2024-03-20'))));
  t.equal(reversed.status, 'active');
});

test('a reversed charge-off does not restore the interest that an earlier acceleration had stopped', async (t) => {
  const facts = [order('accelerate', '2024-03-01', 1), chargeOff('2024-03-10', 2), order('reverseChargeOff', '2024-03-20', 3)];
  const ledger = recordLedger(terms, facts, day('2024-03-25'));
  const bearing = interestByDay(ledger, day('2024-02-28'), day('2024-03-24')).filter((found) => found.interest > 0n);
  t.same(
    bearing.map((found) => found.day),
    [28, 29, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53].map((offset) => addDays(day('2024-01-31'), offset)),
  );
});

test('a canceled loan owes nothing', async (t) => {
  const ledger = computeLedger(terms, [order('cancel', '2024-03-01', 1)], day('2024-04-20'));
  t.equal(ledger.status, 'canceled');
  t.equal(balancesOf(ledger).outstanding.totalCents, 0);
  t.equal(obligationsOf(ledger).length, 0);
});

test('money that was paid on a canceled loan is owed to the borrower, and credits and refunds are not', async (t) => {
  const facts: readonly LedgerFact[] = [
    pay(1, '2024-02-10', '100.00'),
    pay(2, '2024-02-12', '30.00', { kind: 'credit' }),
    {
      type: 'refund',
      transaction: 3,
      amountCents: money('50.00'),
      fullCents: money('1200.00'),
      isOriginationFeeRefunded: false,
      areLateFeesCanceled: false,
      areOtherFeesCanceled: false,
      effective: at('2024-02-14'),
      sequence: 3,
      recordedDay: day('2024-02-14'),
    },
    pay(4, '2024-02-28', '40.00', { isProcessing: true }),
    order('cancel', '2024-03-01', 5),
  ];
  const owedBackOn = (date: string, ...more: readonly LedgerFact[]): string => {
    const { totals } = computeLedger(terms, [...facts, ...more], day(date));
    return text(totals.reimbursementCents - totals.reimbursedCents);
  };
  t.equal(owedBackOn('2024-02-29'), '0.00');
  t.equal(owedBackOn('2024-03-01'), '140.00');
  const position = { effective: at('2024-03-05'), recordedDay: day('2024-03-05') };
  const failed: LedgerFact = { ...position, type: 'paymentVoided', transaction: 4, sequence: 6 };
  t.equal(owedBackOn('2024-03-05', failed), '100.00', 'without a payment that has failed since');
  const reimbursed: LedgerFact = { ...position, type: 'reimbursed', transaction: 7, amountCents: money('100.00'), sequence: 7 };
  t.equal(owedBackOn('2024-03-05', failed, reimbursed), '0.00', 'and without what was reimbursed');
  const { status, totals } = computeLedger(terms, [...facts, failed, reimbursed], day('2024-04-20'));
  t.match({ status, totals }, { status: 'canceled', totals: { owedAgainCents: 0, reimbursedCents: 10_000 } });
});

test('a canceled loan of an earlier release keeps its figures', async (t) => {
  const earlier = { ...terms, settings: terms.settings.map(({ from, value }) => ({ from, value: { ...value, rules: 2 } })) };
  const { totals } = computeLedger(earlier, [pay(1, '2024-02-10', '100.00'), order('cancel', '2024-03-01', 5)], day('2024-03-02'));
  t.equal(totals.reimbursementCents, 0);
});

test('unpaid due interest becomes principal the day after the due date, if configured', async (t) => {
  const capitalizing = loan({ ...SMALL_LOAN, settings: { capitalization: 'afterDueDate' } });
  const ledger = recordLedger(capitalizing, [], day('2024-02-16'));
  t.match(obligationsOf(ledger.state)[0], { capitalizedCents: 1_539, remainingCents: 9_437, isOverdue: true });
  t.equal(text(balancesOf(ledger.state).outstanding.principalCents), '1215.39');
  t.equal(text(balancesOf(ledger.state).overdue.interestCents), '0.00');
  t.same(
    ledger.ledgerEvents.filter((ledgerEvent) => ledgerEvent.type === 'interestCapitalized').map((ledgerEvent) => ledgerEvent.day),
    [day('2024-02-16')],
  );
});

test('a lifetime cap on interest stops accrual exactly', async (t) => {
  const capped = loan({ ...SMALL_LOAN, interestCap: '10.00' });
  const ledger = computeLedger(capped, [], day('2024-02-15'));
  t.equal(text(balancesOf(ledger).due.interestCents), '10.00');
  t.ok(balancesOf(ledger).interestAndFees.forgoneInterestCap > 0n);
});

test('what happens to a late loan, in order', async (t) => {
  const late = loan({
    ...SMALL_LOAN,
    settings: { lateFees: [{ ...LATE_FEE, triggerDays: 3, amount: { type: 'fixed', amountCents: cents(700) } }] },
  });
  const { ledgerEvents } = recordLedger(late, [pay(1, '2024-02-19', '109.76')], day('2024-02-20'));
  t.same(
    ledgerEvents.map((ledgerEvent) => `${ledgerEvent.day - late.activation} ${ledgerEvent.seconds} ${ledgerEvent.type}`),
    [
      '0 0 balanceChanged',
      '0 0 periodStarted',
      '0 0 current',
      '26 1200 periodStarted',
      '26 1800 obligationStatusChanged',
      '27 2400 obligationStatusChanged',
      '27 2400 overdue',
      '28 2400 overdueUpdate',
      '29 2400 overdueUpdate',
      '29 3000 balanceChanged',
      '29 3000 lateFeeBooked',
      '30 2400 overdueUpdate',
      '30 54000 obligationStatusChanged',
      '30 54000 balanceChanged',
      '30 54000 current',
    ],
  );
  t.equal(addDays(late.activation, 26), day('2024-02-15'));
});

test('freezing a loan that a backdated payment has paid off before applies once the loan is open again', async (t) => {
  const factPosition = (date: string, sequence: number): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
    effective: at(date),
    sequence,
    recordedDay: day(date),
  });
  const unfreeze: LedgerFact = {
    ...factPosition('2024-02-10', 2),
    type: 'unfreeze',
    retroactivelyAccrueInterest: false,
    shiftDueDates: false,
  };
  const fee: LedgerFact = {
    ...factPosition('2024-02-12', 3),
    type: 'feeCharged',
    fee: 3,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    chargeLogic: 'immediate',
    amountCents: cents(7_500),
  };
  const whole = { ...pay(4, '2024-02-05', '1250.00'), recordedDay: day('2024-02-13') };
  // More than what was paid over meets.
  t.equal(computeLedger(terms, [order('freeze', '2024-02-01', 1), unfreeze, fee, whole], day('2024-02-20')).status, 'active');
  t.equal(computeLedger(terms, [order('freeze', '2024-02-08', 1), fee, whole], day('2024-02-20')).status, 'frozen');
});

test('due dates of a loan that was frozen beyond its last one are after the freezing, by the rule', async (t) => {
  const short = loan({ ...SMALL_LOAN, rows: 3 });
  const facts = [order('freeze', '2024-02-01', 1), unfreeze('2024-06-20', 2, false, true)];
  t.same(
    dates(scheduleOf(computeLedger(short, facts, day('2024-06-20'))).filter((row) => row.status !== 'canceled')),
    ['2024-07-15', '2024-08-15', '2024-09-15'].map(day),
  );
});
