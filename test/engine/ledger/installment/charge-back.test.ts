import { test } from 'tap';
import {
  allocationOf,
  applyFact,
  balancesOf,
  cents,
  computeLedger,
  type LedgerFact,
  type LedgerState,
  obligationsOf,
  overdueOf,
  rate,
  recordLedger,
  stateDigest,
} from '../../../../engine/index.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';

/** Twelve installments of 100.00 without interest, from 2024-02-15 on. */
const terms = keptTerms(loan({ ...SMALL_LOAN, rate: '0' }), {
  ...PLAIN_KEEPING,
  chargebackOrder: ['fees', 'penalties', 'interest', 'principal'],
});

const back = (sequence: number, transaction: number, date: string, amount: string): LedgerFact => ({
  type: 'paymentChargedBack',
  chargeback: sequence,
  transaction,
  amountCents: money(amount),
  effective: at(date, 60_000),
  sequence,
  recordedDay: day(date),
});

const order = (type: 'accelerate' | 'cancel' | 'reverseAccelerate', date: string, sequence: number): LedgerFact => ({
  type,
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const fee = (sequence: number, date: string, amount: string): LedgerFact => ({
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money(amount),
  chargeLogic: 'nextDueDate',
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const ledger = (facts: readonly LedgerFact[], date: string): LedgerState => computeLedger(terms, facts, day(date));

const owed = (state: LedgerState): readonly string[] => {
  const { outstanding } = balancesOf(state);
  return [text(outstanding.principalCents), text(outstanding.feesCents)];
};

test('fees are owed again before principal, by the order of the terms, in the installment of the running period', async (t) => {
  const facts = [fee(1, '2024-02-01', '12.00'), pay(2, '2024-02-15', '112.00'), back(3, 2, '2024-02-20', '40.00')];
  const state = ledger(facts, '2024-02-20');
  t.same(owed(state), ['1128.00', '12.00']);
  t.same(
    [text(state.totals.paidPrincipalCents), text(state.totals.paidFeesCents), text(state.totals.paymentsCents)],
    ['72.00', '0.00', '72.00'],
  );
  t.equal(overdueOf(state).isOverdue, false);
  t.equal(text(obligationsOf(state).at(-1)?.obligationCents ?? 0), '140.00');
  const paid = ledger([...facts, pay(4, '2024-03-15', '140.00')], '2024-03-15');
  t.same(owed(paid), ['1000.00', '0.00']);
  t.ok(
    obligationsOf(paid)
      .filter(({ isOpen }) => !isOpen)
      .every(({ isFulfilled }) => isFulfilled),
  );
});

test('at most the amount of the payment is owed again, whatever is charged back', async (t) => {
  const facts = [pay(2, '2024-02-15', '100.00'), back(3, 2, '2024-02-20', '70.00'), back(4, 2, '2024-02-21', '70.00')];
  t.same(owed(ledger(facts, '2024-02-21')), ['1200.00', '0.00']);
});

test('the overpaid part of a payment is charged back first', async (t) => {
  const facts = [pay(2, '2024-02-15', '1230.00'), back(3, 2, '2024-02-20', '20.00')];
  const over = ledger(facts, '2024-02-20');
  t.equal(text(over.totals.reimbursementCents), '10.00');
  t.same([over.status, ...owed(over)], ['paidOff', '0.00', '0.00']);
  const reopened = ledger([...facts, back(4, 2, '2024-02-21', '60.00')], '2024-02-21');
  t.same([reopened.status, ...owed(reopened), text(reopened.totals.reimbursementCents)], ['active', '50.00', '0.00', '0.00']);
});

test('after the last due date a chargeback is due at once, and overdue on the next day', async (t) => {
  const rows = terms.rows.map(
    ({ date }, row): LedgerFact => ({
      ...pay(row + 1, '2024-02-15', '100.00'),
      effective: { day: date, seconds: 50_000 },
      recordedDay: date,
    }),
  );
  const facts = [...rows, back(90, 12, '2025-03-10', '30.00')];
  const state = ledger(facts, '2025-03-10');
  t.same([state.status, text(balancesOf(state).due.totalCents)], ['active', '30.00']);
  t.equal(text(overdueOf(ledger(facts, '2025-03-11')).overdueCents), '30.00');
  t.equal(ledger([...facts, pay(91, '2025-03-12', '30.00')], '2025-03-12').status, 'paidOff');
});

test('a chargeback joins the balance of accelerated and charged-off loans', async (t) => {
  const facts = [
    fee(1, '2024-02-01', '12.00'),
    pay(2, '2024-02-15', '112.00'),
    back(3, 2, '2024-02-16', '2.00'),
    order('accelerate', '2024-02-17', 4),
  ];
  const late = [...facts, back(5, 2, '2024-02-20', '40.00')];
  const accelerated = ledger(late, '2024-02-20');
  t.same(owed(accelerated), ['1130.00', '12.00'], '10.00 of the fee, then 30.00 of principal');
  const { paidPrincipalCents, paidInterestCents, paidFeesCents } = accelerated.totals;
  t.same([paidPrincipalCents, paidInterestCents, paidFeesCents].map(text), ['70.00', '0.00', '0.00']);
  t.equal(
    obligationsOf(accelerated).reduce((sum, { remainingCents }) => sum + remainingCents, 0),
    balancesOf(accelerated).outstanding.totalCents,
  );
  const chargeOff: LedgerFact = {
    type: 'chargeOff',
    reason: 'term',
    effective: at('2024-02-18'),
    sequence: 6,
    recordedDay: day('2024-02-18'),
  };
  const { chargedOff } = balancesOf(ledger([...late, chargeOff], '2024-02-20'));
  t.same([text(chargedOff.principalCents), text(chargedOff.feesCents)], ['1130.00', '12.00']);
  const again = ledger([...late, order('reverseAccelerate', '2024-02-21', 7)], '2024-02-21');
  t.same(owed(again), ['1130.00', '12.00']);
});

test('a reversed chargeback leaves no trace, and neither does a chargeback of a voided payment', async (t) => {
  const paid = pay(2, '2024-02-15', '100.00');
  const charged = back(3, 2, '2024-02-20', '40.00');
  const factPosition = { effective: at('2024-02-25'), sequence: 4, recordedDay: day('2024-02-25') };
  const reversed = ledger([paid, charged, { ...factPosition, type: 'chargebackReversed', chargeback: 3 }], '2024-02-25');
  t.equal(stateDigest(reversed), stateDigest(ledger([paid], '2024-02-25')));
  t.equal(
    stateDigest(ledger([paid, charged, { ...factPosition, type: 'paymentVoided', transaction: 2 }], '2024-02-25')),
    stateDigest(ledger([], '2024-02-25')),
  );
});

test('its entry says what is owed again; the published allocations of the payment do not change', async (t) => {
  const facts = [pay(2, '2024-02-15', '100.00'), back(3, 2, '2024-02-20', '40.00')];
  const recorded = recordLedger(terms, facts, day('2024-02-20'));
  const entry = recorded.entries.find(({ entryType }) => entryType === 'chargeback');
  t.same(
    entry?.lines.map(({ bucket, component }) => [bucket, component]),
    [
      ['nonDue', 'principal'],
      ['counter', 'counter'],
    ],
  );
  t.same(
    allocationOf(recorded, 2).map(({ bucket, amountCents }) => [bucket, amountCents]),
    [['duePrincipal', cents(10_000)]],
  );
});

test('on a due date a chargeback joins the row that begins then; under earlier rules the row that fell due', async (t) => {
  const facts = [pay(2, '2024-02-15', '100.00'), back(3, 2, '2024-02-15', '40.00'), fee(4, '2024-02-15', '5.00')];
  const asked = (rules: number): readonly string[] => {
    const settings = terms.settings.map(({ from, value }) => ({ from, value: { ...value, rules } }));
    const state = computeLedger({ ...terms, settings }, facts, day('2024-02-16'));
    return obligationsOf(state).map(({ obligationCents, remainingCents }) => `${text(obligationCents)} ${text(remainingCents)}`);
  };
  t.same(asked(3), ['100.00 0.00', '145.00 145.00']);
  t.same(asked(2), ['140.00 40.00', '105.00 105.00']);
});

test('a row after the last due date has the right digest, even if the ledger was digested before', async (t) => {
  const rows = terms.rows.map(
    ({ date }, row): LedgerFact => ({
      ...pay(row + 1, '2024-02-15', '100.00'),
      effective: { day: date, seconds: 50_000 },
      recordedDay: date,
    }),
  );
  const late = fee(90, '2025-01-20', '12.00');
  const live = computeLedger(terms, rows, day('2025-01-20'));
  stateDigest(live);
  applyFact(live, late);
  t.equal(stateDigest(live), stateDigest(computeLedger(terms, [...rows, late], day('2025-01-20'))));
});

test('a settled payment keeps its charge-backs', async (t) => {
  const settled: LedgerFact = {
    type: 'paymentSettled',
    transaction: 2,
    effective: at('2024-02-22'),
    sequence: 4,
    recordedDay: day('2024-02-22'),
  };
  const facts = [
    pay(2, '2024-02-15', '100.00', { isProcessing: true }),
    back(3, 2, '2024-02-20', '70.00'),
    settled,
    back(5, 2, '2024-02-23', '70.00'),
  ];
  t.same(owed(ledger(facts, '2024-02-23')), ['1200.00', '0.00'], 'no more comes back than the payment brought');
});

test('what is charged back of a canceled loan is no longer owed to the borrower, before the cancellation or after it', async (t) => {
  const life = [pay(2, '2024-02-15', '100.00'), back(3, 2, '2024-02-20', '30.00'), order('cancel', '2024-02-22', 4)];
  const owedBackOn = (date: string, ...more: readonly LedgerFact[]): string =>
    text(ledger([...life, ...more], date).totals.reimbursementCents);
  t.equal(owedBackOn('2024-02-22'), '70.00');
  t.equal(owedBackOn('2024-02-23', back(5, 2, '2024-02-23', '25.00')), '45.00');
  t.same(owed(ledger([...life, back(5, 2, '2024-02-23', '25.00')], '2024-02-23')), ['0.00', '0.00']);
});

test('a down payment that the lender kept back is not owed to the borrower of a canceled loan', async (t) => {
  const kept = keptTerms(loan({ ...SMALL_LOAN, rate: '0' }), {
    ...PLAIN_KEEPING,
    downPayment: { share: rate(20_000_000), isAutomatic: true },
  });
  const { totals } = computeLedger(kept, [pay(2, '2024-02-15', '100.00'), order('cancel', '2024-02-22', 4)], day('2024-02-22'));
  t.same([text(totals.paymentsCents), text(totals.reimbursementCents)], ['340.00', '100.00']);
});
