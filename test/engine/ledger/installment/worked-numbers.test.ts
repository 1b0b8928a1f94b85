import { test } from 'tap';
import {
  balancesOf,
  type BalanceBlock,
  computeLedger,
  constantRate,
  type DayCountMethod,
  differences,
  formatAccrued,
  type LedgerFact,
  type LedgerState,
  obligationsOf,
  overdueOf,
  rate,
  recordLedger,
  scheduleOf,
} from '../../../../engine/index.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';

const parts = (block: BalanceBlock): string[] => [text(block.principalCents), text(block.interestCents), text(block.feesCents)];

const TEN_THOUSAND: readonly [DayCountMethod, string, string, string, string, string, string][] = [
  ['daily365', '299.72', '42.47', '257.25', '38.70', '299.58', '789.78'],
  ['daily360', '300.03', '43.06', '256.97', '39.24', '299.99', '801.04'],
  ['monthly30360', '299.71', '41.67', '258.04', '40.59', '299.69', '789.54'],
  ['actualActual', '299.69', '42.35', '257.34', '38.60', '299.45', '788.60'],
];

for (const [dayCount, level, interest1, principal1, interest2, last, totalInterest] of TEN_THOUSAND) {
  test(`10,000.00 at 5% over 36 months by ${dayCount}, everything paid when due`, async (t) => {
    const terms = loan({ principal: '10000.00', rate: '0.05', activation: '2024-01-15', firstDue: '2024-02-15', rows: 36, dayCount });
    const facts: LedgerFact[] = terms.rows.map((row, position) => ({
      ...pay(position + 1, '2024-02-15', text(row.amountCents)),
      effective: { day: row.date, seconds: 54_000 },
      recordedDay: row.date,
    }));
    const ledger = computeLedger(terms, facts, day('2027-02-01'));
    const rows = scheduleOf(ledger);
    t.equal(text(rows[0]?.amountCents ?? 0), level);
    t.equal(text(rows[0]?.interestCents ?? 0), interest1);
    t.equal(text(rows[0]?.principalCents ?? 0), principal1);
    t.equal(text(rows[1]?.interestCents ?? 0), interest2);
    t.equal(text(rows[35]?.amountCents ?? 0), last);
    t.equal(text(rows.reduce((sum, row) => sum + row.interestCents, 0)), totalInterest);
    t.equal(text(ledger.totals.paidInterestCents), totalInterest);
    t.equal(ledger.status, 'paidOff');
    t.equal(balancesOf(ledger).outstanding.totalCents, 0);
  });
}

test('1,200.00 at 18% with a short first period: interest and balances of every row', async (t) => {
  const terms = loan(SMALL_LOAN);
  const ledger = computeLedger(terms, [], day('2024-01-20'));
  const rows = scheduleOf(ledger);
  t.same(
    rows.map((row) => text(row.interestCents)),
    ['15.39', '15.81', '15.47', '13.57', '12.55', '10.71', '9.55', '8.02', '6.26', '4.88', '3.18', '1.65'],
  );
  t.equal(text(rows[0]?.amountCents ?? 0), '109.76');
  t.equal(text(rows[11]?.amountCents ?? 0), '109.68');
  const balances = rows.map((_, position) => rows.slice(0, position + 1).reduce((left, row) => left - row.principalCents, 120_000));
  t.same(balances.slice(0, 3).map(text), ['1105.63', '1011.68', '917.39']);
  t.equal(balances[11], 0);
});

test('a first payment ten days late, to the cent of the worked example', async (t) => {
  const terms = loan(SMALL_LOAN);
  const facts = [pay(1, '2024-02-25', '109.76')];
  const on = (date: string): ReturnType<typeof computeLedger> => computeLedger(terms, facts, day(date));

  const due = on('2024-02-15');
  t.same(parts(balancesOf(due).due), ['94.37', '15.39', '0.00']);
  t.equal(formatAccrued(balancesOf(due).interestAndFees.interestAccrued), '15.3863013699');
  t.equal(formatAccrued(balancesOf(due).interestAndFees.forgoneInterestRounding), '-0.0036986301');

  const overdue = on('2024-02-16');
  t.same(parts(balancesOf(overdue).overdue), ['94.37', '15.39', '0.00']);
  t.match(overdueOf(overdue), { isOverdue: true, daysOverdue: 1, overdueCents: 10_976, overdueSince: day('2024-02-15') });
  t.equal(formatAccrued(balancesOf(overdue).interestAndFees.dailyInterest), '0.5917808219');

  const before = computeLedger(terms, [], day('2024-02-25'));
  t.equal(formatAccrued(balancesOf(before).nonDue.unroundedInterest), '5.9178082192');
  t.equal(overdueOf(before).daysOverdue, 10);

  const paid = on('2024-02-25');
  t.same(
    [...paid.payments].map((payment) => [text(payment.principalCents), text(payment.interestCents)]),
    [['94.37', '15.39']],
  );
  t.match(overdueOf(paid), { isOverdue: false, daysOverdue: 0, overdueCents: 0 });
  t.equal(obligationsOf(paid)[0]?.isFulfilled, true);
  t.equal(formatAccrued(balancesOf(paid).interestAndFees.dailyInterest), '0.5452421918');

  const nextEve = on('2024-03-14');
  t.equal(text(balancesOf(nextEve).nonDue.principalCents), '1105.63');
  const next = on('2024-03-15');
  t.same(parts(balancesOf(next).due), ['93.48', '16.28', '0.00']);
  t.equal(text(obligationsOf(next)[1]?.obligationCents ?? 0), '109.76');
  const schedule = scheduleOf(next);
  t.ok((schedule[11]?.amountCents ?? 0) > 10_968, 'the final row grows');
});

test('30 days of 2,500.00 at 19.99%, simple and compounding daily', async (t) => {
  const shape = { principal: '2500.00', rate: '0.1999', activation: '2024-03-01', firstDue: '2024-06-01', rows: 1 };
  const simple = computeLedger(loan(shape), [], day('2024-03-31'));
  t.equal(formatAccrued(balancesOf(simple).nonDue.unroundedInterest), '41.0753424658');
  t.equal(formatAccrued(balancesOf(simple).interestAndFees.dailyInterest), '1.3691780822');
  const compound = computeLedger(loan({ ...shape, accrualMethod: 'compound' }), [], day('2024-03-31'));
  t.equal(formatAccrued(balancesOf(compound).nonDue.unroundedInterest), '41.4032048536');
});

/* 1,200.00 without interest: twelve rows of 100.00 from 15 February 2024 to 15 January 2025. */
const on = (date: string, sequence: number) => ({ effective: at(date), recordedDay: day(date), sequence });
const feeOn = (date: string, chargeLogic: 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue'): LedgerFact => ({
  ...on(date, 90),
  type: 'feeCharged',
  fee: 90,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money('7.00'),
  chargeLogic,
});

test('a fee waits for a coming due date, and is due at once if there is none', async (t) => {
  const free = loan({ ...SMALL_LOAN, rate: '0' });
  const feeAfter = (date: string, logic: 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue', more: readonly LedgerFact[] = []) =>
    computeLedger(free, [...more, feeOn(date, logic)], day(date)).fees.map((fee) => [fee.dueStatus, fee.dueDay]);
  t.same(feeAfter('2024-02-20', 'immediate'), [['due', day('2024-02-20')]]);
  t.same(feeAfter('2024-02-20', 'nextDueDate'), [['nonDue', null]]);
  t.same(feeAfter('2024-02-20', 'nonDue'), [['nonDue', null]]);
  t.same(feeAfter('2025-01-20', 'nextDueDate'), [['due', day('2025-01-20')]]);
  t.same(feeAfter('2025-01-20', 'lastDueDate'), [['due', day('2025-01-20')]]);
  t.same(feeAfter('2025-01-20', 'nonDue'), [['nonDue', null]]);
  const accelerated: LedgerFact = { ...on('2024-02-01', 1), type: 'accelerate' };
  t.match(feeAfter('2024-02-01', 'nextDueDate', [accelerated]), [['due', day('2024-02-01')]]);
});

test('a charge-off unfreezes a frozen loan, without interest of the frozen days', async (t) => {
  const facts: readonly LedgerFact[] = [
    { ...on('2024-02-20', 1), type: 'freeze' },
    { ...on('2024-03-05', 2), type: 'chargeOff', reason: 'fraudulent' },
  ];
  // 1.20 a day: 26 days until 15 February and five more until it was frozen.
  const recorded = recordLedger(loan({ ...SMALL_LOAN, rate: '0.365' }), facts, day('2024-03-20'));
  const { state } = recorded;
  t.match(state, { status: 'chargedOff', statusSince: day('2024-03-05'), chargeOffReason: 'fraudulent' });
  t.same(parts(balancesOf(state).chargedOff), ['1200.00', '37.20', '0.00']);
  t.same(
    recorded.ledgerEvents.flatMap((event) => (event.type === 'statusChanged' ? [[event.newStatus, event.day]] : [])),
    [
      ['frozen', day('2024-02-20')],
      ['active', day('2024-03-05')],
      ['accelerated', day('2024-03-05')],
      ['chargedOff', day('2024-03-05')],
    ],
  );
});

test('an advance on an accelerated loan joins the single obligation, not an earlier fulfilled one', async (t) => {
  const advance: LedgerFact = {
    ...on('2024-03-01', 3),
    type: 'advance',
    advance: 3,
    amountCents: money('50.00'),
    reamortization: 'keepAmounts',
  };
  const facts = [pay(1, '2024-02-15', '100.00'), { ...on('2024-02-20', 2), type: 'accelerate' } as const, advance];
  const { obligations, duePrincipalCents } = computeLedger(loan({ ...SMALL_LOAN, rate: '0' }), facts, day('2024-02-20'));
  t.same([obligations.length, duePrincipalCents], [2, 110_000]);
  t.same(
    computeLedger(loan({ ...SMALL_LOAN, rate: '0' }), facts, day('2024-03-01')).obligations.map((one) =>
      [one.amountCents, one.remainingCents, one.withoutLateFeesCents].map(text),
    ),
    [
      ['100.00', '0.00', '0.00'],
      ['1150.00', '1150.00', '1150.00'],
    ],
  );
});

test('a changed balance is emitted even if only one part changes: interest, fees, or the overdue amount', async (t) => {
  const changed = (annual: string, late: LedgerFact, date: string): readonly string[] => {
    const terms = loan({ ...SMALL_LOAN, rate: annual });
    const found = differences(computeLedger(terms, [], day(date)), computeLedger(terms, [late], day(date)));
    return found.flatMap((event) => {
      if (event.type !== 'balanceChanged') return [];
      const { balances, previousBalances } = event;
      return [previousBalances, balances].map((of) =>
        [of.principalCents, of.interestCents, of.feesCents, of.overdueCents].map(text).join(' '),
      );
    });
  };
  const lowered: LedgerFact = { ...on('2024-02-01', 1), type: 'ratesChanged', rates: constantRate(rate(0)), reamortization: 'sameEndDate' };
  // 1.20 a day from 20 January to 10 February, or until 1 February.
  t.same(changed('0.365', lowered, '2024-02-10'), ['1200.00 25.20 0.00 0.00', '1200.00 14.40 0.00 0.00']);
  t.same(changed('0', feeOn('2024-02-05', 'nonDue'), '2024-02-10'), ['1200.00 0.00 0.00 0.00', '1200.00 0.00 7.00 0.00']);
  const deferred: LedgerFact = { ...on('2024-02-14', 1), type: 'dueDateDeferred', dueDay: day('2024-02-15'), newDay: day('2025-02-15') };
  t.same(changed('0', deferred, '2024-02-20'), ['1200.00 0.00 0.00 100.00', '1200.00 0.00 0.00 0.00']);
  t.same(changed('0', feeOn('2024-02-25', 'nonDue'), '2024-02-20'), []);
});

test('a charge-off includes the origination fee, whether a part of it was overdue or none was due', async (t) => {
  const terms = loan({ ...SMALL_LOAN, rate: '0', originationFee: { amountCents: money('24.00'), logic: 'spread' } });
  for (const date of ['2024-02-01', '2024-02-15', '2024-03-01']) {
    const state = computeLedger(terms, [{ ...on(date, 1), type: 'chargeOff', reason: 'term' }], day(date));
    const { chargedOff, outstanding } = balancesOf(state);
    t.same(
      [chargedOff.principalCents, chargedOff.originationFeesCents, chargedOff.totalCents].map(text),
      ['1200.00', '24.00', '1224.00'],
      date,
    );
    t.equal(outstanding.totalCents, 0, date);
    t.equal(state.obligations.at(-1)?.remainingCents, 122_400, date);
  }
});

test('accruals follow without gaps, whatever is read meanwhile, and each period begins once', async (t) => {
  const facts = [pay(1, '2024-02-01', '50.00'), pay(2, '2024-02-10', '30.00', { prepay: true }), pay(3, '2024-02-20', '60.00')];
  const recorded = recordLedger(loan({ ...SMALL_LOAN, rate: '0.365' }), facts, day('2024-03-20'));
  const bounds = recorded.accruals.filter(({ from, until }) => from < until);
  t.same(
    bounds.slice(1).map(({ from }) => from),
    bounds.slice(0, -1).map(({ until }) => until),
  );
  t.same([bounds[0]?.from, bounds.at(-1)?.until], [day('2024-01-20'), day('2024-03-20')]);
  const started = recorded.ledgerEvents.flatMap((event) => (event.type === 'periodStarted' ? [event.period] : []));
  t.same(started, [0, 1, 2]);
});

test('rows of a frozen loan are shown as if it were active from that day on', async (t) => {
  const frozen: LedgerFact = { ...on('2024-01-25', 1), type: 'freeze' };
  const [row] = scheduleOf(computeLedger(loan({ ...SMALL_LOAN, rate: '0.365' }), [frozen], day('2024-02-05')));
  // Five days of 1.20 before the freezing, and ten from 5 February on.
  t.equal(text(row?.interestCents ?? 0), '18.00');
});

test('an acceleration of a balance within the tolerance leaves nothing open', async (t) => {
  const terms = loan({ ...SMALL_LOAN, rate: '0', settings: { overdueToleranceCents: money('5.00') } });
  const accelerated: LedgerFact = { ...on('2024-02-01', 2), type: 'accelerate' };
  const whole = (paid: string): LedgerState => computeLedger(terms, [pay(1, '2024-01-25', paid), accelerated], day('2024-02-03'));
  t.match(whole('1195.00'), { firstOpenObligation: 1, isOverdue: false, obligations: [{ remainingCents: 500, isFulfilled: true }] });
  t.match(whole('1194.99'), { firstOpenObligation: 0, isOverdue: true, obligations: [{ remainingCents: 501, isFulfilled: false }] });
});
