import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  accruedOf,
  addAccrued,
  accruedOfCents,
  amortize,
  balancesOf,
  cents,
  civil,
  computeLedger,
  constantRate,
  type Day,
  formatAccrued,
  formatCents,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  payoffOf,
  rateTimeline,
  type Rounding,
} from '../../../../engine/index.js';
import { missing, vectorsOf } from '../../../shared.js';
import { centsFrom, dayFrom, withDecimals } from '../../numbers.js';
import { moneyHistories, PARAMETERS } from './histories.js';
import { loan, SETTINGS } from './loans.js';
import { type DayVector, PLAYED_BY_DAY, promotionOf, type Row, STANDARD_RATE, publishedFigures, GIVEN_AMOUNTS } from './published-days.js';

const vectors = vectorsOf<DayVector>('ledger.json', 'ledger')?.filter(({ id }) => PLAYED_BY_DAY.includes(id));
const skip = vectors ? false : missing('domain', 'vectors', 'ledger.json');

test('published ledgers that keep the fraction of interest until it is paid are matched in every figure', { skip }, (t) => {
  t.equal(vectors?.length, PLAYED_BY_DAY.length);
  for (const { id, title, loan: published, expected } of vectors ?? []) {
    const solved = termsOf(published, expected?.rows ?? []);
    const terms = GIVEN_AMOUNTS.has(id) ? { ...solved, rows: givenRows(expected?.rows ?? []) } : solved;
    const facts: LedgerFact[] = [];
    let before = computeLedger(terms, facts, terms.activation);
    for (const row of expected?.rows ?? []) {
      const day = dayFrom(row['date'] ?? '');
      const asked = computeLedger(terms, facts, day);
      const paidCents = paidOn(row, asked, day);
      if (paidCents > 0) facts.push(payment(facts.length, day, paidCents));
      const after = computeLedger(terms, facts, day);
      t.same(figures({ row, terms, before, asked, after }), publishedFigures(row), `${id} on ${row['date'] ?? ''}: ${title}`);
      before = after;
    }
  }
  t.end();
});

/** 0.8 % a day over 365 days; the cap on total interest is a share of the principal. */
function termsOf(published: Row, rows: readonly Row[]): LedgerTerms {
  const activation = dayFrom(published['startDate'] ?? '');
  const principalCents = centsFrom(published['principal'] ?? '');
  const scheduled = rows.flatMap((row) => (row['scheduled'] === undefined ? [] : [dayFrom(row['date'] ?? '')]));
  const rates = constantRate(STANDARD_RATE);
  const rounding = { payment: 'up', paymentMultipleCents: 1, interest: 'down' } as const;
  const schedule = amortize({
    start: activation,
    principalCents,
    dueDates: scheduled,
    payment: { type: 'level' },
    rates,
    dayCount: 'daily365',
    rounding,
  });
  return {
    activation,
    interestFrom: activation,
    principalCents,
    originationFee: { amountCents: cents(0), logic: 'spread' },
    rates: ratesOf(published['promotionalRates'] ?? ''),
    dayCount: 'daily365',
    accrualMethod: 'simple',
    rows: schedule.rows.map((row) => ({ ...row, isForced: false })),
    dueDateRule: { type: 'monthly', day: civil(scheduled[0] ?? activation).day },
    rounding,
    isFractionKept: true,
    isLastAsScheduled: true,
    totalInterestCapCents: principalCents,
    settings: [{ from: activation, value: SETTINGS }],
  };
}

function givenRows(rows: readonly Row[]): LedgerTerms['rows'] {
  return rows.flatMap(({ date = '', scheduled }) =>
    scheduled === undefined
      ? []
      : [{ date: dayFrom(date), amountCents: centsFrom(scheduled), principalCents: cents(0), interestCents: cents(0), isForced: true }],
  );
}

function ratesOf(text: string): LedgerTerms['rates'] {
  const standard = { type: 'absolute', from: dayFrom('2000-01-01'), until: null, rate: STANDARD_RATE } as const;
  const promotion = promotionOf(text);
  return rateTimeline({ interest: promotion === null ? [standard] : [standard, { type: 'absolute', ...promotion }] });
}

/** A source that settles on its last day generates the payment of all that is owed. */
function paidOn(row: Row, ledger: LedgerState, day: Day): number {
  if (row['paymentStatus'] === 'generated') return payoffOf(ledger, day).payoffCents;
  return row['paid'] === undefined ? 0 : centsFrom(row['paid']);
}

function payment(number: number, day: Day, amountCents: number): LedgerFact {
  return {
    type: 'payment',
    transaction: number,
    kind: 'payment',
    amountCents: cents(amountCents),
    isPrepaymentEnabled: true,
    isProcessing: false,
    effective: { day, seconds: 40_000 },
    sequence: number,
    recordedDay: day,
  };
}

interface Look {
  readonly row: Row;
  readonly terms: LedgerTerms;
  readonly before: LedgerState;
  /** The day before anything is paid on it. */
  readonly asked: LedgerState;
  readonly after: LedgerState;
}

function figures({ row, terms, before, asked, after }: Look): Row {
  const day = after.day;
  const { outstanding } = balancesOf(after);
  const isPaying = after.payments.length > before.payments.length;
  const paid = isPaying ? after.payments.at(-1) : undefined;
  const dueCents = asked.obligations.find(({ dueDay }) => dueDay === day)?.remainingCents ?? 0;
  const earned = formatAccrued(
    (accruedOf(asked.totals.interestAccrued) - accruedOf(before.totals.interestAccrued)) as ReturnType<typeof accruedOf>,
  );
  const interest = addAccrued(accruedOf(after.nonDueInterest), accruedOfCents(cents(after.dueInterestCents + after.overdueInterestCents)));
  const all: Row = {
    scheduled: formatCents(terms.rows.find(({ date }) => date === day)?.amountCents ?? cents(0)),
    paymentDue: formatCents(cents(dueCents)),
    netEffect: formatCents(cents(paid?.amountCents ?? 0)),
    interestForPeriod: withDecimals(earned, 4),
    newInterest: withDecimals(earned, 4),
    interestPaid: formatCents(cents(paid?.interestCents ?? 0)),
    principalPaid: formatCents(cents(paid?.principalCents ?? 0)),
    interestBalance: withDecimals(formatAccrued(interest), 4),
    principalBalance: formatCents(outstanding.principalCents),
    payoff: formatCents(payoffOf(after, day).payoffCents),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => row[name] !== undefined));
}

const ROUNDINGS: readonly Rounding[] = ['halfUp', 'halfEven', 'up', 'down'];

test('interest that falls due is rounded as the loan says', (t) => {
  const interestOf = (principal: string, rounding: Rounding): number => {
    const terms = loan({
      principal,
      rate: '0.365',
      activation: '2024-01-01',
      firstDue: '2024-01-11',
      rows: 2,
      rule: { type: 'monthly', day: 11 },
    });
    const own = { ...terms, rounding: { ...terms.rounding, interest: rounding } };
    return computeLedger(own, [], dayFrom('2024-01-11')).obligations[0]?.interestCents ?? -1;
  };
  // A day bears a thousandth, ten days a hundredth: 4.50 bears 4.5 cents, 5.50 bears 5.5.
  t.same(
    ROUNDINGS.map((rounding) => interestOf('4.50', rounding)),
    [5, 4, 5, 4],
  );
  t.same(
    ROUNDINGS.map((rounding) => interestOf('5.50', rounding)),
    [6, 6, 6, 5],
  );
  t.same(
    ROUNDINGS.map((rounding) => interestOf('5.01', rounding)),
    [5, 5, 6, 5],
  );
  t.end();
});

test('with kept fractions a day owes what has accrued less what was paid, and a payment never drops more than a cent', (t) => {
  fc.assert(
    fc.property(moneyHistories, ({ terms, facts, through }) => {
      const payments = facts.filter(({ type }) => type === 'payment');
      const ledger = computeLedger(
        { ...terms, isFractionKept: true, rounding: { ...terms.rounding, interest: 'down' } },
        payments,
        through,
      );
      const { totals } = ledger;
      const CENT = accruedOfCents(cents(1));
      return (
        accruedOf(totals.forgoneRounding) >= 0n &&
        accruedOf(totals.forgoneRounding) <= CENT * BigInt(payments.length + 1) &&
        ledger.dueInterestCents >= 0
      );
    }),
    { ...PARAMETERS, numRuns: Math.ceil(PARAMETERS.numRuns / 3) },
  );
  t.end();
});
