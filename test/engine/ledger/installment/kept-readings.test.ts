import { test } from 'tap';
import {
  advanceTo,
  allocationOf,
  applyFact,
  balancesOf,
  formatAccrued,
  type LedgerEvent,
  type LedgerFact,
  obligationsOf,
  overdueOf,
  rate,
  recordLedger,
  startLedger,
} from '../../../../engine/index.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, LATE_FEE, loan, pay, money, SMALL_LOAN, text } from './loans.js';

/*
 * Twelve installments of 100.00 without interest from 2024-02-15 on, by hand:
 *
 *   02-01  fee of 12.00        joins the first installment: 112.00
 *   03-01  late fee of 10.00   15 days after 02-15, joins the second one: 110.00
 *   03-05  60.00               meets the first: fee 12.00, principal 48.00; it lacks 52.00
 *   03-20  70.00               52.00 of the first, then of the second: late fee 10.00, principal 8.00; it lacks 92.00
 *   03-25  credit of 5.00      of the second, which lacks 87.00
 */
const terms = keptTerms(loan({ ...SMALL_LOAN, rate: '0', settings: { lateFees: [LATE_FEE] } }), PLAIN_KEEPING);
const FACTS: readonly LedgerFact[] = [
  {
    type: 'feeCharged',
    fee: 1,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: money('12.00'),
    chargeLogic: 'nextDueDate',
    effective: at('2024-02-01'),
    sequence: 1,
    recordedDay: day('2024-02-01'),
  },
  pay(2, '2024-03-05', '60.00'),
  pay(3, '2024-03-20', '70.00'),
  pay(4, '2024-03-25', '5.00', { kind: 'credit' }),
];
const recorded = recordLedger(terms, FACTS, day('2024-03-25'));

test('allocations of a loan with scheduled interest name charges and principal of each installment', async (t) => {
  const met = (transaction: number): readonly unknown[] =>
    allocationOf(recorded, transaction).map(({ bucket, obligation, amountCents }) => [bucket, obligation, text(amountCents)]);
  t.same(met(2), [
    ['overdueFees', 0, '12.00'],
    ['overduePrincipal', 0, '48.00'],
  ]);
  t.same(met(3), [
    ['overduePrincipal', 0, '52.00'],
    ['overdueFees', 1, '10.00'],
    ['overduePrincipal', 1, '8.00'],
  ]);
  t.same(met(4), [['overduePrincipal', 1, '5.00']]);
});

test('the views of a loan with scheduled interest show by component what was paid, charged and is owed', async (t) => {
  const { paid, nonDue, overdue, interestAndFees } = balancesOf(recorded.state);
  t.same([paid.principalCents, paid.interestCents, paid.feesCents, paid.paymentsCents, paid.creditsCents].map(text), [
    '113.00',
    '0.00',
    '22.00',
    '130.00',
    '5.00',
  ]);
  t.same([nonDue.totalCents, overdue.principalCents, overdue.feesCents].map(text), ['1000.00', '87.00', '0.00']);
  t.equal(text(interestAndFees.feesChargedCents), '22.00');
});

test('obligations of a loan with scheduled interest count payments, credits and their late fees', async (t) => {
  const [first, second] = obligationsOf(recorded.state);
  t.same(
    [first?.obligationCents, first?.paymentsCents, first?.serviceCreditsCents, first?.remainingCents].map((cents) => text(cents ?? -1)),
    ['112.00', '112.00', '0.00', '0.00'],
  );
  t.same(
    [second?.obligationCents, second?.paymentsCents, second?.serviceCreditsCents, second?.remainingCents].map((cents) => text(cents ?? -1)),
    ['110.00', '18.00', '5.00', '87.00'],
  );
  // Without charges.
  t.same(
    recorded.state.obligations.map(({ baseCents }) => text(baseCents)),
    ['100.00', '100.00'],
  );
  t.match(overdueOf(recorded.state), { isOverdue: true, daysOverdue: 10, overdueSince: day('2024-03-15'), oldestObligation: 1 });
  const early = recordLedger(terms, FACTS, day('2024-03-15')).state.obligations[1];
  // 110.00 with a late fee of 10.00 that nobody has paid.
  t.equal(text(early?.withoutLateFeesCents ?? -1), '100.00');
});

test('a watcher of events receives all events, and needs no method for allocations', async (t) => {
  const state = startLedger(terms);
  const emitted: LedgerEvent[] = [];
  state.watcher = { happened: (ledgerEvent) => void emitted.push(ledgerEvent) };
  for (const fact of FACTS) {
    advanceTo(state, fact.recordedDay);
    applyFact(state, fact);
  }
  t.same(
    emitted.filter(({ day: on }) => on > day('2024-01-20')),
    recorded.ledgerEvents.filter(({ day: on }) => on > day('2024-01-20')),
  );
});

test('interest that payments do not change has an entry at activation, and so has a down payment that is kept back', async (t) => {
  const plain = { ...SMALL_LOAN, rate: '0.12' };
  const entered = (annual: string, keeping: Partial<typeof PLAIN_KEEPING>): readonly (readonly string[])[] =>
    recordLedger(keptTerms(loan({ ...plain, rate: annual }), { ...PLAIN_KEEPING, ...keeping }), [], day('2024-01-20')).entries.map(
      ({ entryType, lines }) => [
        entryType,
        ...lines.map(({ bucket, component, amount }) => `${bucket} ${component} ${formatAccrued(amount).slice(0, -8)}`),
      ],
    );
  const disbursed = ['disbursement', 'nonDue principal 1200.00', 'counter counter -1200.00'];
  // Flat: 12 % a year of 1,200.00 over twelve months.
  t.same(entered('0.12', { interest: { type: 'flat', periodsPerYear: 12 } }), [
    disbursed,
    ['interestAccrual', 'nonDue interest 144.00', 'counter counter -144.00'],
  ]);
  // A quarter of 1,200.00.
  t.same(entered('0', { downPayment: { share: rate(25_000_000), isAutomatic: true } }), [
    disbursed,
    ['downPayment', 'nonDue principal -300.00', 'counter counter 300.00'],
  ]);
});

test('flat interest of a loan with scheduled interest has the same total, whatever its due status', async (t) => {
  const keeping = { ...PLAIN_KEEPING, interest: { type: 'flat', periodsPerYear: 12 } } as const;
  // 12.00 of 144.00 with each of twelve installments of 112.00; the first is paid in part, the second not at all.
  const flat = keptTerms(loan({ ...SMALL_LOAN, rate: '0.12' }), keeping);
  const on = (date: string): readonly string[] => {
    const { nonDue, due, overdue, paid, interestAndFees } = balancesOf(recordLedger(flat, [pay(1, '2024-02-20', '5.00')], day(date)).state);
    const blocks = [nonDue, due, overdue].map(({ interestCents }) => text(interestCents));
    return [...blocks, text(paid.interestCents), formatAccrued(interestAndFees.interestAccrued).slice(0, -8)];
  };
  t.same(on('2024-02-15'), ['132.00', '12.00', '0.00', '0.00', '144.00']);
  t.same(on('2024-02-20'), ['132.00', '0.00', '7.00', '5.00', '144.00']);
  t.same(on('2024-03-15'), ['120.00', '12.00', '7.00', '5.00', '144.00']);
});

test('money in advance of a coming installment is counted once, whatever happens later', async (t) => {
  const on = (date: string): string => text(recordLedger(terms, [pay(1, '2024-01-25', '30.00'), ...FACTS], day(date)).state.prepaidCents);
  t.same(['2024-01-25', '2024-02-01', '2024-02-14', '2024-02-15'].map(on), ['30.00', '30.00', '30.00', '0.00']);
});
