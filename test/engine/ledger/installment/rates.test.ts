import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  balancesOf,
  computeLedger,
  type Day,
  formatAccrued,
  interestByDay,
  type LedgerFact,
  obligationsOf,
  overdueOf,
  rate,
  type RateTimeline,
  rateTimeline,
  recordLedger,
  scheduleOf,
} from '../../../../engine/index.js';
import { moneyHistories, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { at, day, loan, pay, percent, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);

const ratesOf = (...bands: readonly (readonly [string, string])[]): RateTimeline =>
  rateTimeline({
    interest: bands.map(([from, value], position) => ({
      type: 'absolute' as const,
      from: day(from),
      until: bands[position + 1] === undefined ? null : day(bands[position + 1]?.[0] ?? from),
      rate: percent(value),
    })),
  });

const change = (
  from: string,
  recorded: string,
  rates: RateTimeline,
  reamortization: 'sameEndDate' | 'keepAmounts' = 'sameEndDate',
): LedgerFact => ({
  type: 'ratesChanged',
  rates,
  reamortization,
  effective: at(from, 7_200),
  sequence: 900,
  recordedDay: day(recorded),
});

test('a new rate counts from its own day', async (t) => {
  const facts = [change('2024-01-25', '2024-01-25', ratesOf(['2024-01-20', '0.18'], ['2024-01-25', '0.36']))];
  const ledger = recordLedger(terms, facts, day('2024-01-27'));
  t.same(
    interestByDay(ledger, day('2024-01-23'), day('2024-01-26')).map((found) => formatAccrued(found.interest)),
    ['0.5917808219', '0.5917808219', '1.1835616438', '1.1835616438'],
  );
});

test('a lower rate lowers the payment over the same end date', async (t) => {
  const facts = [
    pay(1, '2024-02-15', '109.76'),
    change('2024-02-16', '2024-02-16', ratesOf(['2024-01-20', '0.18'], ['2024-02-16', '0.06'])),
  ];
  const rows = scheduleOf(computeLedger(terms, facts, day('2024-02-20')));
  t.equal(rows.length, 12);
  t.ok((rows[1]?.amountCents ?? 0) < 10_400, text(rows[1]?.amountCents ?? 0));
  t.same(
    rows.slice(1, -1).map((row) => row.amountCents),
    Array(10).fill(rows[1]?.amountCents),
  );
});

test('a rate that keeps amounts changes only the split and the end', async (t) => {
  const facts = [change('2024-02-16', '2024-02-16', ratesOf(['2024-01-20', '0.18'], ['2024-02-16', '0.30']), 'keepAmounts')];
  const rows = scheduleOf(computeLedger(terms, facts, day('2024-02-20')));
  t.same(
    rows.slice(0, -1).map((row) => text(row.amountCents)),
    Array(11).fill('109.76'),
  );
  t.ok((rows.at(-1)?.amountCents ?? 0) > 10_976);
});

test('a higher rate recorded late makes no borrower late: obligations that fell due keep their amount', async (t) => {
  const paid = [pay(1, '2024-02-15', '109.76'), pay(2, '2024-03-15', '109.76'), pay(3, '2024-04-15', '109.76')];
  const ledger = computeLedger(
    terms,
    [...paid, change('2024-02-01', '2024-04-20', ratesOf(['2024-01-20', '0.18'], ['2024-02-01', '0.36']))],
    day('2024-04-20'),
  );
  t.equal(overdueOf(ledger).isOverdue, false);
  t.same(
    obligationsOf(ledger)
      .slice(0, 3)
      .map((obligation) => text(obligation.obligationCents)),
    Array(3).fill('109.76'),
  );
  t.ok(ledger.totals.paidInterestCents > computeLedger(terms, paid, day('2024-04-20')).totals.paidInterestCents, 'the split has changed');
  t.ok((obligationsOf(ledger)[3]?.obligationCents ?? 0) > 10_976, 'the next obligation may rise');
});

test('a higher rate recorded after the last due date keeps the last obligation, and the rest falls due later', async (t) => {
  const paid = terms.rows.map((row, position) => ({
    ...pay(position + 1, '2024-02-15', text(row.amountCents)),
    effective: { day: row.date, seconds: 54_000 },
  }));
  const ledger = computeLedger(
    terms,
    [...paid, change('2024-02-01', '2025-02-01', ratesOf(['2024-01-20', '0.18'], ['2024-02-01', '0.36']))],
    day('2025-02-01'),
  );
  t.equal(ledger.status, 'active');
  t.equal(overdueOf(ledger).isOverdue, false);
  t.equal(text(obligationsOf(ledger)[11]?.obligationCents ?? 0), '109.68');
  t.ok(balancesOf(ledger).nonDue.totalCents > 0);
});

test('rates that were recorded later stay in force beyond the days of earlier ones', async (t) => {
  const first = { ...change('2024-01-25', '2024-01-25', ratesOf(['2024-01-20', '0.18'], ['2024-01-25', '0.36'])), sequence: 1 };
  const second = { ...change('2024-01-22', '2024-01-27', ratesOf(['2024-01-20', '0.18'], ['2024-01-22', '0.09'])), sequence: 2 };
  const expected = interestByDay(recordLedger(terms, [second], day('2024-01-28')), day('2024-01-20'), day('2024-01-27'));
  t.same(interestByDay(recordLedger(terms, [first, second], day('2024-01-28')), day('2024-01-20'), day('2024-01-27')), expected);
});

test('on each day the rates apply that were recorded last for that day or earlier', async (t) => {
  const anyChange = fc.record({ from: fc.integer({ min: 0, max: 20 }), percent: fc.integer({ min: 0, max: 40 }) });
  const first = day('2024-01-20');
  const until = (first + 25) as Day;
  fc.assert(
    fc.property(fc.array(anyChange, { minLength: 1, maxLength: 6 }), fc.boolean(), (changes, isLate) => {
      const facts = changes.map(
        ({ from, percent: value }, index): LedgerFact => ({
          type: 'ratesChanged',
          rates: ratesOf(['2024-01-20', (value / 100).toFixed(2)]),
          reamortization: 'sameEndDate',
          effective: { day: (first + from) as Day, seconds: 600 },
          sequence: index + 1,
          recordedDay: isLate ? until : ((first + from) as Day),
        }),
      );
      const found = interestByDay(recordLedger(terms, facts, until), first, (until - 1) as Day).map(({ interest }) =>
        formatAccrued(interest),
      );
      const expected = found.map((_, position) => {
        const last = changes.findLast(({ from }) => from <= position);
        return ((120_000 * (last?.percent ?? 18)) / 365 / 10_000).toFixed(8);
      });
      return found.every((text, position) => Math.abs(Number(text) - Number(expected[position])) < 1e-7);
    }),
    PARAMETERS,
  );
  t.pass();
});

test('a late change of rates never raises an obligation that had fallen due', async (t) => {
  t.comment(`seed ${SEED}`);
  const shape = fc.record({
    history: moneyHistories,
    back: fc.integer({ min: 1, max: 200 }),
    percent: fc.integer({ min: 0, max: 50 }),
    keep: fc.boolean(),
  });
  fc.assert(
    fc.property(shape, ({ history, back, percent: value, keep }) => {
      const { terms: loanTerms, facts, through } = history;
      const from = Math.max(loanTerms.activation, through - back) as Day;
      const segments = [
        { from: -10_000_000 as Day, until: 10_000_000 as Day, gross: rate(value * 1_000_000), net: rate(value * 1_000_000) },
      ];
      const late: LedgerFact = {
        type: 'ratesChanged',
        rates: { segments },
        reamortization: keep ? 'keepAmounts' : 'sameEndDate',
        effective: { day: from, seconds: 7_200 },
        sequence: 900,
        recordedDay: through,
      };
      const old = computeLedger(loanTerms, facts, through);
      if (old.acceleratedSince !== null) return true;
      const before = new Map([...old.obligations, ...old.replaced].map((found) => [found.ordinal, found]));
      return computeLedger(loanTerms, [...facts, late], through).obligations.every((obligation) => {
        const oldCents = before.get(obligation.ordinal)?.baseCents ?? 0;
        return obligation.ordinal >= loanTerms.rows.length || obligation.baseCents <= oldCents;
      });
    }),
    PARAMETERS,
  );
  t.pass('holds');
});
