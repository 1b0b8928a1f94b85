import { test } from 'tap';
import {
  computeLine,
  type Day,
  formatDay,
  type LineFact,
  lineOwedCents,
  type LineState,
  type LineTerms,
  type MinimumPaymentWarning,
  minimumPaymentWarningOf,
  must,
} from '../../../../engine/index.js';
import { day, money, percent, text } from '../installment/loans.js';
import { buy, charge, draw, DRAWN, factPosition, line, payLine } from './lines.js';

/** Statements are on the 10th, the first on 2024-02-10. */
const FIRST = day('2024-02-10');

const ledgerOn = (facts: readonly LineFact[], on: Day = FIRST, terms: LineTerms = line()): LineState => computeLine(terms, facts, on);

const warned = (facts: readonly LineFact[], on: Day = FIRST, terms?: LineTerms): MinimumPaymentWarning | null => {
  const state = ledgerOn(facts, on, terms);
  return minimumPaymentWarningOf(state, must(state.periods.at(-2), 'a period that has ended').ordinal);
};

/** The months and the sum that the ledger needs if the minimum of each statement is paid on its due date. */
function rolledForward(terms: LineTerms, facts: readonly LineFact[]): { readonly months: number; readonly paidCents: number } {
  const all = [...facts];
  let [months, paidCents] = [0, 0];
  for (let state = ledgerOn(all, FIRST, terms); lineOwedCents(state) > 0; months += 1) {
    const obligation = must(state.obligations.at(-1), 'a statement');
    all.push(payLine(1_000 + months, formatDay(obligation.dueDay), text(obligation.remainingCents)));
    paidCents += obligation.remainingCents;
    const next = must(state.periods.at(-1), 'the running period').statementDate;
    state = computeLine(terms, all, next);
  }
  return { months, paidCents };
}

test('the estimate is what the ledger comes to, within the two months that Appendix M1 allows', (t) => {
  const terms = line();
  const facts = [draw(1), buy(100, '2024-01-10', '1500.00'), draw(2, { rate: '0.2499' }), buy(101, '2024-01-20', '600.00', 2)];
  const found = must(warned(facts), 'a warning');
  const rolled = rolledForward(terms, facts);
  t.ok(Math.abs(must(found.monthsToPayoff, 'it ends') - rolled.months) <= 2, `${found.monthsToPayoff ?? ''} and ${rolled.months} months`);
  const share = must(found.totalPaidCents, 'it ends') / rolled.paidCents;
  // The ledger gets each payment 20 days into the month, the estimate at its end.
  t.ok(share >= 1 && share < 1.05, `${found.totalPaidCents ?? ''} and ${rolled.paidCents}`);
  t.end();
});

test('a statement has the estimates of Regulation Z', (t) => {
  t.same(warned(DRAWN), {
    monthsToPayoff: 158,
    totalPaidCents: money('5699.25'),
    threeYearPaymentCents: money('94.47'),
    threeYearSavingsCents: money('2298.33'),
  });
  t.end();
});

test('a balance that is repaid within three years, in whole years, has no estimates for three years', (t) => {
  const months = (min: string): MinimumPaymentWarning => {
    const minimum = { percentageOfPrincipal: percent('0.01'), minCents: money(min), isOverLimitIncluded: false };
    return must(warned([draw(1, { minimum, rate: '0' }), buy(100, '2024-01-10', '1000.00')]), 'a warning');
  };
  t.match(months('24.40'), { monthsToPayoff: 41, threeYearPaymentCents: null, threeYearSavingsCents: null });
  t.match(months('24.30'), { monthsToPayoff: 42, threeYearPaymentCents: money('27.78'), threeYearSavingsCents: money('-0.08') });
  t.end();
});

test('a balance that minimum payments never repay has the payment for three years alone', (t) => {
  const terms = line({ settings: { isInterestInMinimum: false } });
  const facts = [draw(1, { rate: '0.2999' }), buy(100, '2024-01-10', '4000.00')];
  t.match(warned(facts, FIRST, terms), { monthsToPayoff: null, totalPaidCents: null, threeYearSavingsCents: null });
  t.ok((warned(facts, FIRST, terms)?.threeYearPaymentCents ?? 0) > money('160.00'));
  t.end();
});

test('there is no warning without a balance, or where the minimum payment is the whole balance', (t) => {
  t.equal(warned([draw(1)]), null, 'nothing was bought');
  t.equal(warned([draw(1), buy(100, '2024-01-10', '20.00')]), null, 'less than the floor');
  t.equal(warned([...DRAWN, payLine(200, '2024-02-01', '2600.00')]), null, 'a credit balance');
  const overdue = [draw(1), buy(100, '2024-01-10', '48.00')];
  t.equal(warned(overdue, day('2024-03-10')), null, 'overdue and minimum amount are the whole balance');
  t.end();
});

test('there is no warning after two statements in a row that were paid in full by their due dates', (t) => {
  const [second, third, fourth] = [day('2024-03-10'), day('2024-04-10'), day('2024-05-10')];
  const inFull = (facts: readonly LineFact[], on: Day, number: number, late = 0): LineFact => {
    const state = ledgerOn(facts, on);
    const dueDay = must(state.obligations.at(-1), 'a statement').dueDay + late;
    return payLine(number, formatDay(dueDay as Day), text(lineOwedCents(state)));
  };
  const bought = [...DRAWN, buy(101, '2024-03-05', '800.00'), buy(102, '2024-04-05', '800.00'), buy(103, '2024-05-05', '800.00')];
  const once = [...bought, inFull(bought, FIRST, 200)];
  t.ok(warned(once, second), 'one statement was paid');
  const twice = [...once, inFull(once, second, 201)];
  t.equal(warned(twice, third), null);
  t.ok(warned(twice, fourth), 'the last one was not paid');
  const frozen: LineFact[] = [
    ...twice,
    { ...factPosition(300, '2024-03-31'), type: 'freeze' },
    { ...factPosition(301, '2024-05-01'), type: 'unfreeze', retroactivelyAccrueInterest: false, shiftDueDates: false },
  ];
  t.ok(warned(frozen, fourth), 'the last period was frozen and had no statement');
  const late = [...once, inFull(once, second, 201, 3)];
  t.ok(warned(late, third), 'paid after its due date');
  t.end();
});

test('a line that asks for no minimum payment has no warning', (t) => {
  t.equal(warned([...DRAWN, { ...factPosition(300, '2024-02-01'), type: 'freeze' }]), null, 'frozen');
  t.equal(warned([...DRAWN, { ...factPosition(300, '2024-02-15'), type: 'accelerate' }], day('2024-03-01')), null, 'owed as a whole');
  t.end();
});

test('an amortized draw is repaid by its rows, beside a revolving draw without estimates for three years', (t) => {
  const amortized = draw(1, { amortization: { logic: 'aggregatePurchasesInPeriod', payment: { type: 'periods', count: 12 } } });
  const facts = [amortized, buy(100, '2024-01-10', '1200.00')];
  t.match(warned(facts), { monthsToPayoff: 12, threeYearPaymentCents: null });
  const both = [...facts, draw(2), buy(101, '2024-01-12', '2000.00', 2)];
  t.match(warned(both), { threeYearPaymentCents: null, threeYearSavingsCents: null });
  t.ok((warned(both)?.monthsToPayoff ?? 0) > 42);
  t.end();
});

test('fees of the line and of a draw are part of the first payment', (t) => {
  const without = must(warned(DRAWN)?.totalPaidCents, 'it ends');
  const fees = [charge(300, '2024-02-01', '30.00'), charge(301, '2024-02-01', '15.00', { draw: 1 })];
  t.equal(warned([...DRAWN, ...fees])?.totalPaidCents, without + money('45.00'));
  t.end();
});
