import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  accruedOf,
  balancesOf,
  cents,
  computeLedger,
  type Day,
  differences,
  type LedgerFact,
  type Refund,
  scheduleOf,
  stateDigest,
} from '../../../../engine/index.js';
import { allHistories, type History, moneyHistories, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { at, day, LATE_FEE, loan, money, pay, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);

function refund(date: string, amount: string, shape: Partial<Refund> = {}): Refund {
  return {
    type: 'refund',
    transaction: 900,
    amountCents: money(amount),
    fullCents: money('1200.00'),
    isOriginationFeeRefunded: false,
    areLateFeesCanceled: false,
    areOtherFeesCanceled: false,
    effective: at(date),
    sequence: 900,
    recordedDay: day(date),
    ...shape,
  };
}

test('a refund lowers principal, keeps the recurring amount and shortens the schedule', (t) => {
  const ledger = computeLedger(terms, [refund('2024-02-01', '400.00')], day('2024-02-01'));
  t.equal(text(balancesOf(ledger).outstanding.principalCents), '800.00');
  const rows = scheduleOf(ledger);
  t.equal(rows.length, 8);
  t.same([...new Set(rows.slice(0, -1).map((row) => row.amountCents))], [10_976]);
  t.equal(ledger.prepaidCents, 0);
  t.end();
});

test('a refund above the balance pays the loan off, and the rest is owed to the borrower', (t) => {
  const facts = [pay(1, '2024-02-15', '609.76'), refund('2024-02-15', '800.00', { effective: at('2024-02-15', 60_000) })];
  const ledger = computeLedger(terms, facts, day('2024-02-15'));
  t.equal(ledger.status, 'paidOff');
  t.equal(text(balancesOf(ledger).paid.reimbursementCents), '194.37', '800.00 less the 605.63 that were owed');
  t.end();
});

test('a full refund cancels interest and fees, including paid ones', (t) => {
  const settings = { lateFees: [LATE_FEE] };
  const facts: LedgerFact[] = [pay(1, '2024-02-15', '109.76'), refund('2024-03-30', '1200.00')];
  const ledger = computeLedger(
    loan({ ...SMALL_LOAN, settings, originationFee: { amountCents: cents(5000), logic: 'spread' } }),
    facts,
    day('2024-03-30'),
  );
  t.equal(ledger.status, 'paidOff');
  const { paid, outstanding } = balancesOf(ledger);
  t.equal(outstanding.totalCents, 0);
  t.equal(text(paid.reimbursementCents), '109.76', 'all that the borrower has paid');
  t.ok(ledger.fees.length > 0 && ledger.fees.every((fee) => fee.isCanceled));
  t.end();
});

test('a full refund pays out nothing that the lender has credited or forgiven', (t) => {
  const credit: LedgerFact = { ...pay(2, '2024-02-20', '300.00'), kind: 'credit' };
  const reimbursed = (facts: readonly LedgerFact[], settings = {}): string =>
    text(balancesOf(computeLedger(loan({ ...SMALL_LOAN, settings }), facts, day('2024-03-01'))).paid.reimbursementCents);
  t.equal(reimbursed([pay(1, '2024-02-15', '109.76'), credit, refund('2024-03-01', '1200.00')]), '109.76', 'and not what was credited');
  t.equal(reimbursed([credit, refund('2024-03-01', '1200.00')]), '0.00', 'the borrower has paid nothing');
  const short = pay(1, '2024-02-15', '1210.00');
  t.equal(
    reimbursed([short, refund('2024-03-01', '1200.00')], { smallBalanceCents: 1000 }),
    '1210.00',
    'and not the 5.39 that were given up',
  );
  t.equal(
    reimbursed([pay(1, '2024-02-15', '500.00'), credit, refund('2024-03-01', '600.00')]),
    '180.79',
    'what is left of it above the 419.21 that were owed',
  );
  t.equal(
    reimbursed([credit, refund('2024-03-01', '1200.00')], { rules: 1 }),
    '281.66',
    'under rules 1: the whole credit except the interest that it has paid',
  );
  t.end();
});

test('canceling an earlier refund makes the later one a partial refund', (t) => {
  const first = refund('2024-02-01', '500.00', { transaction: 901, sequence: 1 });
  const second = refund('2024-02-10', '700.00', { transaction: 902, sequence: 2 });
  const canceled: LedgerFact = {
    ...first,
    type: 'refundCanceled',
    sequence: 3,
    effective: at('2024-02-12'),
    recordedDay: day('2024-02-12'),
  };
  t.equal(computeLedger(terms, [first, second], day('2024-02-12')).status, 'paidOff');
  const ledger = computeLedger(terms, [first, second, canceled], day('2024-02-12'));
  t.equal(ledger.status, 'active');
  t.equal(text(balancesOf(ledger).outstanding.principalCents), '500.00');
  t.end();
});

test('on the day of activation the origination fee can be canceled', (t) => {
  const fee = { amountCents: cents(6000), logic: 'separate' } as const;
  const facts = [
    pay(1, '2024-01-20', '20.00'),
    refund('2024-01-20', '300.00', { isOriginationFeeRefunded: true, effective: at('2024-01-20', 60_000) }),
  ];
  const ledger = computeLedger(loan({ ...SMALL_LOAN, originationFee: fee }), facts, day('2024-01-20'));
  t.equal(balancesOf(ledger).outstanding.feesCents, 0);
  t.equal(text(balancesOf(ledger).paid.reimbursementCents), '20.00', 'what was paid of it');
  t.end();
});

test('fees charged after the refund date are canceled, later ones are charged', (t) => {
  const late = loan({ ...SMALL_LOAN, settings: { lateFees: [LATE_FEE] } });
  const shape = { recordedDay: day('2024-03-20'), areLateFeesCanceled: true };
  const through = day('2024-05-10');
  const areCanceled = (facts: readonly LedgerFact[]): readonly boolean[] =>
    computeLedger(late, facts, through).fees.map((fee) => fee.isCanceled);
  t.same(areCanceled([]), [false, false, false]);
  t.same(areCanceled([refund('2024-02-01', '10.00', shape)]), [true, false, false]);
  t.end();
});

function law(name: string, holds: (history: History) => boolean, histories = allHistories): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(histories, holds), PARAMETERS);
    t.pass('holds');
  });
}

const within = ({ terms: { activation }, through }: History): Day => Math.floor((activation + through) / 2) as Day;

const newRefund = (history: History, recordedDay: Day, shape: Partial<Refund> = {}): Refund =>
  refund('2024-02-01', '321.00', {
    transaction: 999,
    effective: { day: within(history), seconds: 40_000 },
    sequence: 999,
    recordedDay,
    ...shape,
  });

law('a refund that is taken back leaves no trace, whatever it took with it', (history) => {
  const flags = { areLateFeesCanceled: true, areOtherFeesCanceled: true, fullCents: cents(1) };
  const made = newRefund(history, history.through, flags);
  const canceled: LedgerFact = { ...made, type: 'refundCanceled', sequence: 1000 };
  const without = computeLedger(history.terms, history.facts, history.through);
  const taken = computeLedger(history.terms, [...history.facts, made, canceled], history.through);
  return stateDigest(without) === stateDigest(taken) && differences(without, taken).length === 0;
});

law('a refund recorded late equals one recorded in time', (history) => {
  const late = computeLedger(history.terms, [...history.facts, newRefund(history, history.through)], history.through);
  const inTime = computeLedger(history.terms, [...history.facts, newRefund(history, within(history))], history.through);
  return stateDigest(late) === stateDigest(inTime);
});

law(
  'a refund of all leaves nothing owed, and gives back all that the borrower has paid and nothing else',
  (history) => {
    const others: ReadonlySet<string> = new Set(['refund', 'refundCanceled', 'advance', 'advanceCanceled', 'reimbursed']);
    const plain = history.facts.filter(({ type }) => !others.has(type));
    const facts = plain.map((fact) => (fact.type === 'payment' ? { ...fact, isProcessing: false } : fact));
    const before = computeLedger(history.terms, facts, history.through);
    if (before.status === 'canceled' || before.totals.capitalizedInterestCents > 0) return true;
    const all = newRefund(history, history.through, {
      amountCents: history.terms.principalCents,
      fullCents: history.terms.principalCents,
      effective: { day: history.through, seconds: 86_399 },
    });
    const after = computeLedger(history.terms, [...facts, all], history.through);
    const { outstanding, chargedOff, paid } = balancesOf(after);
    const isNothingOwed = outstanding.totalCents === 0 && chargedOff.totalCents === 0 && accruedOf(after.nonDueInterest) === 0n;
    return (
      isNothingOwed &&
      after.obligations.every(({ remainingCents }) => remainingCents === 0) &&
      paid.reimbursementCents === paid.paymentsCents
    );
  },
  moneyHistories,
);

test('fees that a full refund cancels are not part of the refund', async (t) => {
  const charged = loan({ ...SMALL_LOAN, settings: { lateFees: [LATE_FEE] } });
  // The late fee of 10.00 for 15 February is booked on 1 March.
  const { totals } = computeLedger(charged, [refund('2024-03-02', '1200.00')], day('2024-03-02'));
  t.same([totals.refundsCents, totals.reversedFeesCents, totals.reimbursementCents].map(text), ['1200.00', '10.00', '0.00']);
});

test('the paid part of a canceled origination fee is owed to the borrower, and the rest is not owed any more', async (t) => {
  const charged = loan({ ...SMALL_LOAN, originationFee: { amountCents: cents(5000), logic: 'separate' } });
  const facts = [
    pay(1, '2024-01-20', '20.00', { seconds: 40_000 }),
    refund('2024-01-20', '100.00', { isOriginationFeeRefunded: true, effective: at('2024-01-20', 60_000) }),
  ];
  const { totals, dueOriginationFeeCents } = computeLedger(charged, facts, day('2024-01-20'));
  t.same(
    [totals.refundsCents, totals.returnedCents, totals.reimbursementCents, totals.reversedFeesCents, dueOriginationFeeCents].map(text),
    ['100.00', '20.00', '20.00', '30.00', '0.00'],
  );
});
