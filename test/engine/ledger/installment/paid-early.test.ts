import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  advanceTo,
  applyFact,
  type Day,
  type LedgerFact,
  startLedger,
  computeLedger,
  type LedgerState,
  type LedgerTerms,
  obligationsOf,
  overdueOf,
  scheduleOf,
} from '../../../../engine/index.js';
import { PARAMETERS, terms as someTerms } from './histories.js';
import { SEED } from '../../../seed.js';
import { PLAIN_KEEPING } from './kept-loans.js';
import { at, day, LATE_FEE, loan, money, pay, SMALL_LOAN, text } from './loans.js';

/*
 * An early payment of the open period's obligation fulfills it, regardless of the setting for prepayments.
 */

const terms = loan({ ...SMALL_LOAN, settings: { lateFees: [LATE_FEE] } });
const under = (rules: number): LedgerTerms => loan({ ...SMALL_LOAN, settings: { lateFees: [LATE_FEE], rules } });

const paidOn = (date: string, amount: string, through: string, of = terms): LedgerState =>
  computeLedger(of, [pay(1, date, amount)], day(through));

test('an installment paid a day or two weeks early is fulfilled, never overdue and earns no late fee', async (t) => {
  for (const date of ['2024-01-30', '2024-02-14']) {
    const early = paidOn(date, '109.76', '2024-02-14');
    t.match(obligationsOf(early)[0], { isOpen: true, isFulfilled: true, remainingCents: 0, overpaymentsCents: 10_976, unassignedCents: 0 });
    t.match(
      overdueOf(early),
      { nextDueDate: day('2024-03-15'), nextDueCents: 10_976 },
      'what is asked for next is the installment after it',
    );
    const later = paidOn(date, '109.76', '2024-03-14');
    t.match(overdueOf(later), { isOverdue: false, daysOverdue: 0 });
    t.same(later.fees, []);
    t.match(obligationsOf(later)[0], { isFulfilled: true, isOpen: false, obligationCents: 10_976 });
  }
});

test('money above the obligation of the open period lowers principal and keeps later obligations as scheduled', async (t) => {
  const early = paidOn('2024-02-14', '309.76', '2024-03-15');
  const [first, second] = obligationsOf(early);
  t.match(first, { isFulfilled: true, overpaymentsCents: 10_976, unassignedCents: 20_000 });
  t.match(second, { isFulfilled: false, remainingCents: 10_976, overpaymentsCents: 0 });
});

test('a part that is paid early leaves the rest, and a second payment pays the next installment only from its period on', async (t) => {
  const part = paidOn('2024-02-10', '50.00', '2024-02-20');
  t.match(overdueOf(part), { isOverdue: true, overdueCents: 5_976 });
  const twice = computeLedger(terms, [pay(1, '2024-02-10', '109.76'), pay(2, '2024-02-12', '109.76')], day('2024-03-15'));
  t.equal(text(obligationsOf(twice)[1]?.remainingCents ?? 0), '109.76');
});

test('balances are those of a payment that lowers principal: only fulfilment changes', async (t) => {
  const now = paidOn('2024-02-14', '109.76', '2024-02-14');
  const before = paidOn('2024-02-14', '109.76', '2024-02-14', under(2));
  t.equal(now.nonDuePrincipalCents, before.nonDuePrincipalCents);
  t.same(now.nonDueInterest, before.nonDueInterest);
});

test('days that were computed under rules 2 do not change', async (t) => {
  const before = paidOn('2024-02-14', '109.76', '2024-03-14', under(2));
  t.equal(overdueOf(before).isOverdue, true);
  t.equal(before.fees.length, 1);
});

test('an interest-only row that is paid early is fulfilled, however little has accrued by then', async (t) => {
  const rows = terms.rows.map((row) => row.date);
  const interestOnly = {
    ...pay(9, '2024-01-21', '0.00'),
    type: 'scheduleChanged' as const,
    dueDates: rows,
    payment: { type: 'level' as const },
    rowTerms: [{ type: 'interestOnly' as const }, { type: 'interestOnly' as const }],
  };
  const asked = scheduleOf(computeLedger(terms, [interestOnly], day('2024-01-25')))[0]?.amountCents ?? 0;
  const early = { ...pay(10, '2024-02-12', '0.00'), amountCents: asked };
  const ledger = computeLedger(terms, [interestOnly, early as never], day('2024-02-20'));
  t.match(obligationsOf(ledger)[0], { obligationCents: asked, isFulfilled: true });
  t.equal(overdueOf(ledger).isOverdue, false);
});

/** Pays the next due amount that the borrower sees, some days early, with all that is already due. */
function payEarly(state: LedgerState, daysBefore: readonly number[]): void {
  for (let number = 0; state.status === 'active' && number < 60; number += 1) {
    const next = overdueOf(state).nextDueDate;
    if (next === null) return;
    const on = Math.max(state.day, next - (daysBefore[number % daysBefore.length] ?? 0)) as Day;
    advanceTo(state, on);
    const { nextDueCents, nextDueDate } = overdueOf(state);
    if (nextDueDate !== next || nextDueCents === null || nextDueCents === 0) continue;
    const fact = { ...pay(number + 1, '2024-01-01', '1.00'), amountCents: nextDueCents, effective: { day: on, seconds: 50_000 + number } };
    applyFact(state, { ...fact, sequence: number + 1, recordedDay: on });
    advanceTo(state, next);
  }
}

const isDueFirst = (waterfall: readonly string[]): boolean =>
  waterfall.findLastIndex((bucket) => !bucket.startsWith('nonDue')) < waterfall.findIndex((bucket) => bucket.startsWith('nonDue'));

test('borrowers who pay each obligation some days early are never overdue and get no late fee, over random loans', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(someTerms, fc.array(fc.nat(13), { minLength: 1, maxLength: 8 }), (made, daysBefore) => {
      // A fee that is due on its own from the first day on is not an obligation that can be paid early.
      fc.pre(made.originationFee.logic !== 'separate' || made.originationFee.amountCents === 0);
      // A product may allocate money to non-due balances before due ones; such early money is not tested here.
      fc.pre(made.settings.every(({ value }) => isDueFirst(value.paymentWaterfall)));
      const state = startLedger(made);
      payEarly(state, daysBefore);
      advanceTo(state, addDays(state.day, 40));
      const late = state.obligations.filter(({ isEnforced, isFulfilled }) => isEnforced && !isFulfilled);
      if (late.length > 0 || state.isOverdue) throw new Error(`overdue: ${JSON.stringify(late)}`);
      if (state.fees.some(({ kind }) => kind === 'lateFee')) throw new Error('a late fee was charged');
    }),
    PARAMETERS,
  );
});

test('the setting for prepayments does not decide whether the open obligation is fulfilled, over random loans', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(someTerms, fc.nat(20), fc.integer({ min: 1, max: 60_000 }), (made, after, amountCents) => {
      const on = addDays(made.activation, after);
      const [with_, without] = [true, false].map((prepay) => {
        const fact = { ...pay(1, '2024-01-01', '1.00', { prepay }), amountCents, effective: { day: on, seconds: 50_000 }, recordedDay: on };
        return computeLedger(made, [fact as never], on);
      }) as [LedgerState, LedgerState];
      const [one, other] = [with_, without].map((state) => obligationsOf(state).find(({ isOpen, isFulfilled }) => isOpen && !isFulfilled));
      if ((one === undefined) !== (other === undefined) || one?.remainingCents !== other?.remainingCents)
        throw new Error(`${JSON.stringify(one)} ${JSON.stringify(other)}`);
    }),
    PARAMETERS,
  );
});

test('with scheduled interest, money in advance pays the installment of the period before the last ones', async (t) => {
  for (const excess of ['next', 'last', 'spread'] as const) {
    const kept = { ...terms, keeping: { ...PLAIN_KEEPING, excess } };
    const asked = obligationsOf(computeLedger(kept, [], day('2024-02-10')))[0]?.remainingCents ?? 0;
    const early = { ...pay(1, '2024-02-10', '0.00'), amountCents: asked } as LedgerFact;
    t.match(overdueOf(computeLedger(kept, [early], day('2024-02-20'))), { isOverdue: false }, excess);
    t.same(computeLedger(kept, [early], day('2024-03-14')).fees, [], excess);
    const more = { ...early, amountCents: (asked + 1_000) as never } as LedgerFact;
    const second = obligationsOf(computeLedger(kept, [more], day('2024-03-15')))[1];
    t.equal((second?.overpaymentsCents ?? 0) === 1_000, excess === 'next', `the rest goes by the setting: ${excess}`);
  }
});

test('a payment in advance of an interest-only row pays its expected amount, which is fixed from then on', async (t) => {
  // A tenth of a percent a day: 31.00 on 1 February, of which half is not earned once 500.00 of principal are paid.
  const terms = loan({ principal: '1000.00', rate: '0.365', activation: '2024-01-01', firstDue: '2024-02-01', rows: 3 });
  const changed: LedgerFact = {
    type: 'scheduleChanged',
    effective: at('2024-01-02'),
    sequence: 1,
    recordedDay: day('2024-01-02'),
    dueDates: ['2024-02-01', '2024-03-01', '2024-04-01'].map(day),
    payment: { type: 'level' },
    from: day('2024-01-03'),
    rowTerms: [{ type: 'interestOnly' }],
  };
  const alone = { ...pay(2, '2024-01-06', '505.00'), principalOnlyCents: money('505.00') };
  // 26 nights of 0.50 are 13.00; on 16 January 20.00 pay 5.00 of interest, and 15.00 of principal.
  const facts = [changed, alone, pay(3, '2024-01-16', '20.00')];
  t.equal(text(computeLedger(terms, [changed], day('2024-01-06')).rows[0]?.amountCents ?? -1), '31.00');
  t.equal(text(computeLedger(terms, facts, day('2024-01-16')).rows[0]?.amountCents ?? -1), '13.00');
  const [obligation] = computeLedger(terms, facts, day('2024-02-01')).obligations;
  t.same(
    [obligation?.amountCents, obligation?.prepaidCents, obligation?.remainingCents].map((cents) => text(cents ?? -1)),
    ['13.00', '13.00', '0.00'],
  );
  // 16 nights of 0.485 have accrued since. What was paid in advance has lowered principal, so that they are asked for later.
  t.equal(text(computeLedger(terms, facts, day('2024-02-01')).nonDueInterest.cents), '7.76');
});
