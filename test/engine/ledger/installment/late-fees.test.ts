import { test } from 'tap';
import {
  balancesOf,
  cents,
  computeLedger,
  differences,
  largestLateFeeCents,
  type LateFeeTerms,
  type LedgerFact,
  type LedgerSettings,
  type LedgerState,
  obligationsOf,
  rate,
} from '../../../../engine/index.js';
import { at, day, LATE_FEE, loan, money, pay, percent, SMALL_LOAN, text } from './loans.js';

const withFees = (fee: Partial<LateFeeTerms>, settings: Partial<LedgerSettings> = {}): ReturnType<typeof loan> =>
  loan({ ...SMALL_LOAN, settings: { lateFees: [{ ...LATE_FEE, ...fee }], ...settings } });

const feesOn = (terms: ReturnType<typeof loan>, facts: readonly LedgerFact[], date: string): string[] =>
  computeLedger(terms, facts, day(date)).fees.map((fee) => `${fee.obligation} ${text(fee.amountCents)} ${fee.dueStatus}`);

test('a late fee is charged triggerDays after the due date, once, and is due at once', async (t) => {
  const terms = withFees({});
  t.same(feesOn(terms, [], '2024-02-29'), []);
  t.same(feesOn(terms, [], '2024-03-01'), ['0 10.00 due']);
  t.same(feesOn(terms, [], '2024-03-14'), ['0 10.00 due']);
});

test('no late fee is charged on the due date itself, on which money is in time', async (t) => {
  const terms = withFees({ triggerDays: 0 });
  t.same(feesOn(terms, [], '2024-02-15'), []);
  t.same(feesOn(terms, [], '2024-02-16'), ['0 10.00 due']);
  t.same(feesOn(terms, [pay(1, '2024-02-15', '109.76')], '2024-02-29'), []);
});

test('a payment in time, also one that is recorded late, leaves no late fee', async (t) => {
  const terms = withFees({});
  const late = computeLedger(terms, [], day('2024-03-05'));
  const backdated = computeLedger(terms, [{ ...pay(1, '2024-02-15', '109.76'), recordedDay: day('2024-03-05') }], day('2024-03-05'));
  t.equal(backdated.fees.length, 0);
  t.match(
    differences(late, backdated).map((difference) => difference.type),
    ['feeCanceled', 'balanceChanged', 'obligationStatusChanged', 'current'],
  );
});

test('amounts follow their logic and are clipped', async (t) => {
  const amount = (fee: Partial<LateFeeTerms>): string => feesOn(withFees(fee), [], '2024-03-02')[0] ?? 'none';
  const five = rate(5_000_000);
  t.equal(amount({ amount: { type: 'percentage', percentage: five, base: 'overdueAmount' } }), '0 5.49 due');
  t.equal(amount({ amount: { type: 'percentage', percentage: five, base: 'principal' } }), '0 60.00 due');
  t.equal(amount({ amount: { type: 'greaterOf', percentage: five, base: 'obligationAmount', amountCents: cents(600) } }), '0 6.00 due');
  t.equal(amount({ amount: { type: 'lesserOf', percentage: five, base: 'obligationAmount', amountCents: cents(600) } }), '0 5.49 due');
  t.equal(amount({ maxCents: cents(725) }), '0 7.25 due');
  t.equal(amount({ minCents: cents(1200) }), '0 12.00 due');
  t.equal(amount({ stateRule: { maxCents: cents(500), graceDays: 10 } }), '0 5.00 due');
  t.equal(amount({ stateRule: { maxCents: null, graceDays: 17 } }), 'none');
  t.equal(amount({ maxCents: cents(0) }), 'none');
  t.equal(amount({ toleranceCents: cents(10_976) }), 'none');
  t.equal(amount({ chargeLogic: 'nextDueDate' }), '0 10.00 nonDue');
  t.equal(amount({ chargeLogic: 'lastDueDate' }), '0 10.00 nonDue');
});

test('a percentage of the overdue amount uses the remaining amount of the obligation', async (t) => {
  const terms = withFees({ amount: { type: 'percentage', percentage: rate(10_000_000), base: 'overdueAmount' } });
  t.same(feesOn(terms, [pay(1, '2024-02-20', '59.76')], '2024-03-02'), ['0 5.00 due']);
});

test('caps of a loan and of a period end the fees', async (t) => {
  const perLoan = withFees({ capPerLoanCents: cents(1500) });
  t.same(feesOn(perLoan, [], '2024-07-01'), ['0 10.00 overdue', '1 5.00 overdue']);
  const perPeriod = withFees({ triggerDays: 45, capPerPeriodCount: 1 });
  t.same(feesOn(perPeriod, [], '2024-05-10').length, 2);
});

test('the count of a period begins again with each due date, also while the loan is frozen or paid off', async (t) => {
  const onePerPeriod = withFees({ triggerDays: 29, capPerPeriodCount: 1 }, { lateFeePyramiding: 'none' });
  const frozen = (until: string): readonly LedgerFact[] => [
    { type: 'freeze', effective: at('2024-03-20'), sequence: 1, recordedDay: day('2024-03-20') },
    {
      type: 'unfreeze',
      retroactivelyAccrueInterest: false,
      shiftDueDates: false,
      effective: at(until),
      sequence: 2,
      recordedDay: day(until),
    },
  ];
  // The first fee is of 15 March, the second one waits as many days as the loan was frozen.
  t.same(feesOn(onePerPeriod, frozen('2024-03-21'), '2024-04-14').length, 1, 'the same period');
  t.same(feesOn(onePerPeriod, frozen('2024-04-14'), '2024-05-08').length, 2, 'April falls due in time');
  t.same(feesOn(onePerPeriod, frozen('2024-04-16'), '2024-05-10').length, 2, 'April has passed while the loan was frozen');
  const fee: LedgerFact = {
    type: 'feeCharged',
    fee: 3,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    // More than what was paid over meets.
    amountCents: cents(15_000),
    chargeLogic: 'immediate',
    effective: at('2024-04-20'),
    sequence: 3,
    recordedDay: day('2024-04-20'),
  };
  const reopened = computeLedger(loan(SMALL_LOAN), [pay(1, '2024-02-10', '1300.00'), fee], day('2024-04-20'));
  t.match(reopened, { status: 'active', periodStart: day('2024-04-15') });
});

test('a late fee falls due with the next obligation and never with its own', async (t) => {
  const terms = withFees({ chargeLogic: 'nextDueDate' });
  const ledger = computeLedger(terms, [], day('2024-03-15'));
  const [first, second] = obligationsOf(ledger);
  t.equal(text(first?.obligationCents ?? 0), '109.76');
  t.equal(text(second?.obligationCents ?? 0), '119.76');
  t.equal(text(balancesOf(ledger).due.lateFeesCents), '10.00');
});

test('no pyramiding: a shortfall that only comes from an earlier late fee earns no new one', async (t) => {
  const facts = [pay(1, '2024-03-05', '109.76'), pay(2, '2024-03-15', '109.76'), pay(3, '2024-04-15', '109.76')];
  const blocked = computeLedger(withFees({}), facts, day('2024-05-10'));
  t.same(
    blocked.fees.map((fee) => fee.obligation),
    [0],
  );
  t.equal(obligationsOf(blocked).find((obligation) => obligation.isLateFeeBlockedByPyramidingConfig)?.ordinal !== undefined, true);
  const pyramiding = computeLedger(withFees({}, { lateFeePyramiding: 'none' }), facts, day('2024-05-10'));
  t.ok(pyramiding.fees.length > 1, 'without the protection each month earns a fee');
});

test('no pyramiding: a shortfall of its own earns a fee', async (t) => {
  // Without the fee, 10.00 of the first payment would have met the second obligation ahead: 10.00 more are missing of it.
  const facts = [pay(1, '2024-03-05', '119.76'), pay(2, '2024-03-15', '89.76')];
  const ledger = computeLedger(withFees({}), facts, day('2024-04-10'));
  t.same(
    ledger.fees.map((fee) => fee.obligation),
    [0, 1],
  );
});

test('blockOnOldestObligation: one late fee until the oldest obligation is fulfilled', async (t) => {
  const terms = withFees({}, { lateFeePyramiding: 'blockOnOldestObligation' });
  t.same(
    computeLedger(terms, [], day('2024-06-10')).fees.map((fee) => fee.obligation),
    [0],
  );
});

test('a waived late fee is removed, and its money is allocated again', async (t) => {
  const terms = withFees({});
  const paid = pay(1, '2024-03-05', '119.76');
  const waiver: LedgerFact = {
    type: 'feeCanceled',
    fee: { type: 'late', feeTypeId: 'late', obligation: 0 },
    effective: at('2024-03-08'),
    sequence: 2,
    recordedDay: day('2024-03-08'),
  };
  const before = computeLedger(terms, [paid], day('2024-03-10'));
  const after = computeLedger(terms, [paid, waiver], day('2024-03-10'));
  t.equal(text(before.totals.paidFeesCents), '10.00');
  t.equal(text(after.totals.paidFeesCents), '0.00');
  t.same(
    after.fees.map((fee) => fee.isCanceled),
    [true],
  );
  t.equal(
    before.totals.paidPrincipalCents + before.totals.paidInterestCents + 1000,
    after.totals.paidPrincipalCents + after.totals.paidInterestCents,
  );
});

test('a frozen, an accelerated and a charged-off loan earn no late fee', async (t) => {
  for (const type of ['freeze', 'accelerate'] as const) {
    const fact: LedgerFact = { type, effective: at('2024-02-20'), sequence: 1, recordedDay: day('2024-02-20') };
    t.equal(computeLedger(withFees({}), [fact], day('2024-06-01')).fees.length, 0, type);
  }
  const chargeOff: LedgerFact = {
    type: 'chargeOff',
    reason: 'term',
    effective: at('2024-02-20'),
    sequence: 1,
    recordedDay: day('2024-02-20'),
  };
  t.equal(computeLedger(withFees({}), [chargeOff], day('2024-06-01')).fees.length, 0);
});

test('a manual fee that is recorded late makes no past obligation overdue', async (t) => {
  const facts: LedgerFact[] = [
    pay(1, '2024-02-15', '109.76'),
    pay(2, '2024-03-15', '109.76'),
    {
      type: 'feeCharged',
      fee: 1,
      feeTypeId: 'nsf',
      kind: 'otherFee',
      amountCents: cents(2500),
      chargeLogic: 'immediate',
      effective: at('2024-02-01'),
      sequence: 3,
      recordedDay: day('2024-03-20'),
    },
  ];
  const ledger = computeLedger(withFees({}), facts, day('2024-04-15'));
  t.same(
    ledger.fees.map((fee) => [fee.feeTypeId, fee.dueStatus, text(fee.openCents)]),
    [['nsf', 'due', '25.00']],
  );
  t.equal(obligationsOf(ledger)[1]?.isFulfilled, true);
  t.equal(text(obligationsOf(ledger)[2]?.obligationCents ?? 0), '134.76');
});

test('statements warn of the largest fee of any tier that can apply to an obligation', (t) => {
  const tiers = [
    { upToCents: money('50.00'), amountCents: money('30.00'), percentage: null },
    { upToCents: null, amountCents: null, percentage: percent('0.10') },
  ];
  const ledger = (base: 'overdueAmount' | 'obligationAmount'): LedgerState =>
    computeLedger(withFees({ amount: { type: 'tiered', base, tiers } }), [], day('2024-02-15'));
  t.equal(text(largestLateFeeCents(ledger('overdueAmount'), 10_976)), '30.00', 'most of it may be paid by then');
  t.equal(text(largestLateFeeCents(ledger('obligationAmount'), 10_976)), '10.98');
  t.equal(text(largestLateFeeCents(ledger('overdueAmount'), 40_000)), '40.00');
  t.end();
});

test('an obligation earns a fee once, even if later settings charge it later', async (t) => {
  const terms = withFees({});
  const later = { ...LATE_FEE, triggerDays: 20 };
  const [first] = terms.settings;
  if (first === undefined) throw new Error('a loan has settings');
  const changed = { ...terms, settings: [first, { from: day('2024-03-02'), value: { ...first.value, lateFees: [later] } }] };
  t.same(feesOn(changed, [], '2024-03-14'), ['0 10.00 due']);
  t.same(feesOn(changed, [], '2024-04-05'), ['0 10.00 overdue', '1 10.00 due'], 'the next one twenty days after its due date');
  t.same(feesOn(changed, [], '2024-04-03'), ['0 10.00 overdue']);
});

test("statements warn of a fee by its logic and bounds, less the used part of the loan's cap", async (t) => {
  const five = percent('0.05');
  const largest = (fee: Partial<LateFeeTerms>, obligation = '109.76', date = '2024-02-15', facts: readonly LedgerFact[] = []): string =>
    text(largestLateFeeCents(computeLedger(withFees(fee), facts, day(date)), money(obligation)));
  t.equal(largest({}), '10.00');
  t.equal(largest({}, '0.00'), '0.00', 'nothing is asked for');
  t.equal(largest({ toleranceCents: money('109.76') }), '0.00');
  t.equal(largest({ toleranceCents: money('109.75') }), '10.00');
  t.equal(largest({ minCents: money('12.00') }), '12.00');
  t.equal(largest({ maxCents: money('7.25') }), '7.25');
  t.equal(largest({ stateRule: { maxCents: money('5.00'), graceDays: 10 } }), '5.00');
  t.equal(largest({ amount: { type: 'percentage', percentage: five, base: 'principal' } }), '60.00');
  t.equal(largest({ amount: { type: 'percentage', percentage: five, base: 'overdueAmount' } }), '5.49');
  t.equal(largest({ amount: { type: 'percentage', percentage: five, base: 'obligationAmount' } }), '5.49');
  t.equal(largest({ amount: { type: 'greaterOf', percentage: five, base: 'principal', amountCents: money('60.01') } }), '60.01');
  t.equal(largest({ amount: { type: 'lesserOf', percentage: five, base: 'principal', amountCents: money('60.01') } }), '60.00');
  // 10.00 are charged on 1 March.
  const capped = { capPerLoanCents: money('15.00') };
  t.equal(largest(capped, '109.76', '2024-02-29'), '10.00');
  t.equal(largest(capped, '109.76', '2024-03-01'), '5.00');
  const waived: LedgerFact = {
    type: 'feeCanceled',
    fee: { type: 'late', feeTypeId: 'late', obligation: 0 },
    effective: at('2024-03-02'),
    sequence: 1,
    recordedDay: day('2024-03-02'),
  };
  t.equal(largest(capped, '109.76', '2024-03-02', [waived]), '10.00');
  const two = loan({ ...SMALL_LOAN, settings: { lateFees: [LATE_FEE, { ...LATE_FEE, feeTypeId: 'later', maxCents: money('9.00') }] } });
  t.equal(text(largestLateFeeCents(computeLedger(two, [], day('2024-02-15')), 10_976)), '10.00', 'the larger of two');
});

test('a tier includes its bound, and above all tiers nothing is charged', async (t) => {
  const tiers = [
    { upToCents: money('100.00'), amountCents: money('3.00'), percentage: null },
    { upToCents: money('109.76'), amountCents: null, percentage: percent('0.10') },
  ];
  const amount = { type: 'tiered', base: 'overdueAmount', tiers } as const;
  const after = (paid: string): readonly string[] =>
    feesOn(withFees({ amount }), paid === '0.00' ? [] : [pay(1, '2024-02-15', paid)], '2024-03-02');
  t.same(after('9.75'), ['0 10.00 due'], 'of 100.01');
  t.same(after('9.76'), ['0 3.00 due'], 'of 100.00');
  t.same(after('0.00'), ['0 10.98 due'], 'of 109.76');
  t.same(feesOn(withFees({ amount: { ...amount, tiers: tiers.slice(0, 1) } }), [], '2024-03-02'), []);
  t.same(
    feesOn(withFees({ amount: { ...amount, tiers: [{ upToCents: null, amountCents: null, percentage: null }] } }), [], '2024-03-02'),
    [],
  );
});
