import { test } from 'tap';
import {
  allocationOf,
  balancesOf,
  cents,
  computeLedger,
  type ScheduledKeeping,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  payoffOf,
  recordLedger,
} from '../../../../engine/index.js';
import { PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';
import { areObligationsWhole, isNothingLost } from './sums.js';

/*
 * Overpaid money pays later fees, charges and chargebacks of the loan automatically.
 */

const interestFree = (more: object = {}) => loan({ ...SMALL_LOAN, rate: '0', ...more });
const kept = (keeping: Partial<ScheduledKeeping> = {}): LedgerTerms => ({ ...interestFree(), keeping: { ...PLAIN_KEEPING, ...keeping } });

const on = (sequence: number, date: string, recorded = date) => ({ effective: at(date, 60_000), recordedDay: day(recorded), sequence });

const fee = (sequence: number, date: string, amount: string, recorded = date): LedgerFact => ({
  ...on(sequence, date, recorded),
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money(amount),
  chargeLogic: 'immediate',
});

const chargedBack = (transaction: number, date: string, amount: string): LedgerFact => ({
  ...on(9, date),
  type: 'paymentChargedBack',
  chargeback: 1,
  transaction,
  amountCents: money(amount),
});

const reimbursed = (sequence: number, date: string, amount: string): LedgerFact => ({
  ...on(sequence, date),
  type: 'reimbursed',
  transaction: sequence,
  amountCents: money(amount),
});

/** 1,200.00 are paid in two payments, with 50.00 overpaid. */
const PAID_OFF = [pay(1, '2024-02-01', '1000.00'), pay(2, '2024-02-10', '250.00')];

const owedBack = ({ totals }: LedgerState): string => text(totals.reimbursementCents - totals.reimbursedCents);
const owed = (ledger: LedgerState): string => text(balancesOf(ledger).outstanding.totalCents);

for (const [name, terms] of [
  ['by the day', interestFree()],
  ['by installment', kept()],
] as const) {
  const through = (date: string, ...facts: readonly LedgerFact[]): LedgerState => computeLedger(terms, [...PAID_OFF, ...facts], day(date));

  test(`a covered fee leaves a loan ${name} paid off, and lowers what is owed to the borrower`, async (t) => {
    const { state, ledgerEvents, ...recorded } = recordLedger(terms, [...PAID_OFF, fee(3, '2024-02-20', '20.00')], day('2024-03-30'));
    t.match(state, { status: 'paidOff', statusSince: day('2024-02-10'), isOverdue: false });
    t.same([owed(state), owedBack(state)], ['0.00', '30.00']);
    t.match(state.payments.at(1), { principalCents: 20_000, feesCents: 2_000, overCents: 3_000 });
    t.notOk(
      ledgerEvents.some(({ type, day: changedOn }) => type === 'statusChanged' && changedOn > day('2024-02-10')),
      'it never becomes active',
    );
    t.same(
      allocationOf({ state, ledgerEvents, ...recorded }, 2)
        .filter(({ bucket }) => !bucket.endsWith('Principal'))
        .map(({ bucket, amountCents }) => [bucket.replace(/^(due|nonDue)/, ''), amountCents]),
      [
        ['Fees', 2_000],
        ['paidOver', 3_000],
      ],
    );
    t.ok(recorded.entries.some(({ entryType }) => entryType === 'paidOverMet'));
    t.ok(isNothingLost(state));
  });

  test(`a fee above the overpaid money reopens a loan ${name} for the rest`, async (t) => {
    const state = through('2024-02-21', fee(3, '2024-02-20', '70.00'));
    t.match(state, { status: 'active' });
    t.same([owed(state), owedBack(state)], ['20.00', '0.00']);
    t.match(state.payments.at(1), { feesCents: 5_000, overCents: 0 });
    t.ok(isNothingLost(state));
  });

  test(`money of a loan ${name} that was refunded, or is being refunded, is not used`, async (t) => {
    const state = through('2024-02-21', reimbursed(3, '2024-02-12', '40.00'), fee(4, '2024-02-20', '30.00'));
    t.match(state, { status: 'active' });
    t.same([owed(state), owedBack(state)], ['20.00', '0.00']);
    const again = through('2024-02-26', reimbursed(3, '2024-02-12', '50.00'), fee(4, '2024-02-20', '30.00'), pay(5, '2024-02-25', '30.00'));
    t.match(again, { status: 'paidOff' });
    t.equal(owedBack(again), '0.00');
  });

  test(`overpaid money pays a backdated fee of a loan ${name}`, async (t) => {
    const state = through('2024-02-25', fee(3, '2024-02-05', '20.00', '2024-02-20'));
    t.match(state, { status: 'paidOff' });
    t.same([owed(state), owedBack(state)], ['0.00', '30.00']);
  });
}

test('a waived fee releases the overpaid money that had paid it', async (t) => {
  const waived: LedgerFact = { ...on(4, '2024-02-22'), type: 'feeCanceled', fee: { type: 'charged', fee: 3 } };
  const state = computeLedger(interestFree(), [...PAID_OFF, fee(3, '2024-02-20', '20.00'), waived], day('2024-02-25'));
  t.same([state.status, owedBack(state)], ['paidOff', '50.00']);
});

test('the oldest overpaid money is used first', async (t) => {
  const twice = [...PAID_OFF, pay(3, '2024-02-12', '10.00')];
  const state = computeLedger(interestFree(), [...twice, fee(4, '2024-02-20', '55.00')], day('2024-02-21'));
  t.match([...state.payments].slice(1), [
    { feesCents: 5_000, overCents: 0 },
    { feesCents: 500, overCents: 500 },
  ]);
  t.equal(owedBack(state), '5.00');
});

test('overpaid money of other payments pays a chargeback of a loan with scheduled interest', async (t) => {
  const terms = kept({ chargebackOrder: ['penalties', 'fees', 'interest', 'principal'] });
  const covered = computeLedger(terms, [...PAID_OFF, chargedBack(1, '2024-02-20', '30.00')], day('2024-04-01'));
  t.match(covered, { status: 'paidOff', isOverdue: false });
  t.same([owed(covered), owedBack(covered)], ['0.00', '20.00']);
  const more = computeLedger(terms, [...PAID_OFF, chargedBack(1, '2024-02-20', '80.00')], day('2024-02-21'));
  t.match(more, { status: 'active' });
  t.same([owed(more), owedBack(more)], ['30.00', '0.00']);
});

test('the unused rest of a credit does not pay a chargeback of a loan with scheduled interest', async (t) => {
  const terms = kept({ chargebackOrder: ['penalties', 'fees', 'interest', 'principal'] });
  const credit: LedgerFact = { ...pay(1, '2024-02-01', '1220.00'), kind: 'credit' };
  const paid = pay(2, '2024-01-25', '30.00');
  const state = computeLedger(terms, [paid, credit, chargedBack(2, '2024-02-20', '30.00')], day('2024-02-21'));
  t.same([owed(state), owedBack(state)], ['30.00', '0.00']);
});

test('of two charges of one day after the last due date, the second is owed if the first is covered', async (t) => {
  const facts = [...PAID_OFF, fee(3, '2025-03-01', '20.00'), fee(4, '2025-03-01', '45.00')];
  const state = computeLedger(kept(), facts, day('2025-03-02'));
  t.match(state, { status: 'active', isOverdue: true });
  t.same([owed(state), owedBack(state)], ['15.00', '0.00']);
  t.equal(
    state.obligations.reduce((sum, { remainingCents }) => sum + remainingCents, 0),
    1_500,
  );
});

test('overpaid money pays a fee on a due date and keeps its obligation fulfilled, while the payment is in processing', async (t) => {
  const all: LedgerFact = { ...pay(1, '2024-01-25', '1300.00'), isProcessing: true };
  const last = kept().rows.at(-1)?.date ?? day('2024-02-15');
  const onLastDay = { ...fee(3, '2024-02-20', '20.00'), effective: { day: last, seconds: 60_000 }, recordedDay: last };
  const state = computeLedger(kept(), [all, onLastDay], last);
  t.same([state.status, owed(state)], ['active', '0.00']);
  t.match(state.obligations.at(-1), { amountCents: 2_000, paymentsCents: 2_000, remainingCents: 0, isFulfilled: true });
});

test('overpaid money also pays a reopened accelerated or charged-off loan', async (t) => {
  const accelerated: LedgerFact = { ...on(0, '2024-01-25'), type: 'accelerate' };
  const state = computeLedger(interestFree(), [accelerated, ...PAID_OFF, fee(3, '2024-02-20', '20.00')], day('2024-02-21'));
  t.match(state, { status: 'paidOff' });
  t.same([owed(state), owedBack(state)], ['0.00', '30.00']);
  t.ok(areObligationsWhole(state));
});

test('days that were computed under rules 2 do not change', async (t) => {
  const terms = interestFree({ settings: { rules: 2 } });
  const state = computeLedger(terms, [...PAID_OFF, fee(3, '2024-02-20', '20.00')], day('2024-02-21'));
  t.match(state, { status: 'active' });
  t.same([owed(state), owedBack(state), cents(0)], ['20.00', '50.00', 0]);
});

test('scheduled interest paid before it accrued and charged back is owed at once, if nothing else is owed', async (t) => {
  const inAdvance = ['interest', 'fees', 'penalties', 'principal'] as const;
  const terms: LedgerTerms = {
    ...kept({
      interest: { type: 'daily', dayCount: 'daily365' },
      recalculation: { type: 'progressive', isOverdueBearing: true },
      allocation: { ...PLAIN_KEEPING.allocation, inAdvance },
      chargebackOrder: inAdvance,
      payoffInterest: 'toPeriodEnd',
    }),
    rates: loan(SMALL_LOAN).rates,
  };
  const early = pay(1, '2024-01-25', '3.00');
  const { payoffCents } = payoffOf(computeLedger(terms, [early], day('2024-01-26')), day('2024-01-26'));
  const paid = [early, pay(2, '2024-01-26', text(payoffCents))];
  t.equal(computeLedger(terms, paid, day('2024-01-26')).status, 'paidOff');
  const state = computeLedger(terms, [...paid, chargedBack(1, '2024-01-26', '0.06')], day('2024-01-26'));
  t.same([state.status, owed(state)], ['active', '0.06']);
});

test('overpaid money also pays a fee on a charged-off loan', async (t) => {
  const chargedOff: LedgerFact = { ...on(1, '2024-02-01'), type: 'chargeOff', reason: 'term' };
  const facts = [chargedOff, pay(2, '2024-02-10', '1250.00'), fee(3, '2024-02-20', '20.00')];
  const state = computeLedger(interestFree(), facts, day('2024-02-20'));
  t.match(state, { status: 'chargedOff', payments: [{ principalCents: 120_000, feesCents: 2_000, overCents: 3_000 }] });
  t.same([text(balancesOf(state).chargedOff.totalCents), owedBack(state)], ['0.00', '30.00']);
});

test('a chargeback takes no overpaid money of another payment, which pays what is owed again by itself', async (t) => {
  const terms = kept({ chargebackOrder: ['fees', 'penalties', 'interest', 'principal'] });
  const facts = [pay(1, '2024-02-01', '1250.00'), pay(2, '2024-02-10', '50.00'), fee(3, '2024-02-11', '50.00')];
  const overOf = (state: LedgerState): readonly string[] =>
    [...state.payments].map(({ overCents, chargedBack }) => text(overCents - (chargedBack?.overCents ?? 0)));
  const met = computeLedger(terms, facts, day('2024-02-11'));
  t.same([overOf(met), owedBack(met), owed(met)], [['0.00', '50.00'], '50.00', '0.00'], 'the fee is paid by the older overpaid money');
  const back = computeLedger(terms, [...facts, chargedBack(1, '2024-02-12', '1250.00')], day('2024-02-12'));
  t.same([overOf(back), owedBack(back), owed(back)], [['0.00', '0.00'], '0.00', '1200.00']);
  t.ok(isNothingLost(back));
});
