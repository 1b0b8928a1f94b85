import { test } from 'tap';
import { addDays, addMonths, cents, type Day, dayOf, formatDay, generalLedger, type Rate, RATE_ONE, rate } from '../../../engine/index.js';
import fc from '../../fast-check.js';

const { keptDiscountOf } = generalLedger;
const FROM = dayOf(2026, 3, 2);
const share = (value: number): Rate => rate(Math.round(value * RATE_ONE));

test('a discount is a share of each payout, rounded half up to the cent, and is earned in equal parts month by month', (t) => {
  const terms = { rate: share(0.03), amountCents: null, months: { count: 7 } };
  const payouts = [
    { day: FROM, amountCents: cents(10_017) },
    { day: addDays(FROM, 8), amountCents: cents(50) },
  ];
  t.strictSame(keptDiscountOf(terms, payouts, addDays(FROM, 7)), {
    financedCents: 10_017,
    discountCents: 301,
    merchantCents: 9_716,
    earnedCents: 0,
    deferredCents: 301,
  });
  t.strictSame(
    keptDiscountOf(terms, payouts, dayOf(2026, 6, 9)),
    { financedCents: 10_067, discountCents: 303, merchantCents: 9_764, earnedCents: 130, deferredCents: 173 },
    '301 x 3 / 7 is 129, 2 x 2 / 7 is 0.57',
  );
  t.match(keptDiscountOf(terms, payouts, dayOf(2026, 10, 9)), { earnedCents: 303, deferredCents: 0 });
  t.match(keptDiscountOf({ ...terms, months: null }, payouts, addDays(FROM, 8)), { earnedCents: 303, deferredCents: 0 });
  t.match(keptDiscountOf(terms, payouts, addDays(FROM, -1)), { financedCents: 0, discountCents: 0, earnedCents: 0 });
  t.end();
});

test('through a last day there is a part for each month before it, and one for that day', (t) => {
  const earned = (last: Day, through: Day): number =>
    keptDiscountOf({ rate: null, amountCents: cents(1_200), months: { last } }, [{ day: FROM, amountCents: cents(50_000) }], through)
      .earnedCents;
  const last = dayOf(2027, 2, 15);
  t.equal(earned(last, dayOf(2026, 4, 1)), 0);
  t.equal(earned(last, dayOf(2026, 4, 2)), 100, 'one of twelve parts');
  t.equal(earned(last, addDays(last, -1)), 1_100);
  t.equal(earned(last, last), 1_200);
  t.equal(earned(dayOf(2026, 4, 2), dayOf(2026, 4, 1)), 0, 'a month that ends on the last day is its part');
  t.equal(earned(dayOf(2026, 4, 2), dayOf(2026, 4, 2)), 1_200);
  t.equal(earned(FROM, FROM), 1_200);
  t.end();
});

test('an amount is the discount as a whole: the first payouts bear it, and never more than they are', (t) => {
  const terms = { rate: share(0.5), amountCents: cents(2_500), months: null };
  const payouts = [
    { day: FROM, amountCents: cents(1_000) },
    { day: addDays(FROM, 1), amountCents: cents(9_000) },
  ];
  t.match(keptDiscountOf(terms, payouts, FROM), { discountCents: 1_000, merchantCents: 0 });
  t.match(keptDiscountOf(terms, payouts, addDays(FROM, 1)), { discountCents: 2_500, merchantCents: 7_500 });
  t.end();
});

test('a month ends on its last day where it has no such day', (t) => {
  const after = (from: Day, months: number): string => formatDay(addMonths(from, months));
  t.equal(after(dayOf(2024, 1, 31), 1), '2024-02-29');
  t.equal(after(dayOf(2025, 11, 30), 3), '2026-02-28');
  t.equal(after(dayOf(2026, 3, 15), 24), '2028-03-15');
  t.end();
});

const payout = fc.record({ after: fc.nat({ max: 400 }), amountCents: fc.integer({ min: 1, max: 10_000_000 }) });
const months = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 1, max: 60 }).map((count) => ({ count })),
  fc.nat({ max: 2_000 }).map((after) => ({ last: addDays(FROM, after) })),
);

test('parts sum to the whole, each month earns what those before have left, and nothing is taken back', (t) => {
  fc.assert(
    fc.property(
      fc.array(payout, { minLength: 1, maxLength: 8 }),
      fc.nat({ max: RATE_ONE }),
      fc.option(fc.nat({ max: 20_000_000 })),
      months,
      (made, ofEach, amount, over) => {
        const terms = { rate: rate(ofEach), amountCents: amount === null ? null : cents(amount), months: over };
        const payouts = made.map(({ after, amountCents }) => ({ day: addDays(FROM, after), amountCents: cents(amountCents) }));
        let before = 0;
        for (let day = FROM; day <= addDays(FROM, 2_400); day = addDays(day, 53)) {
          const found = keptDiscountOf(terms, payouts, day);
          if (found.merchantCents + found.discountCents !== found.financedCents) return false;
          if (found.earnedCents + found.deferredCents !== found.discountCents) return false;
          if (found.merchantCents < 0 || found.deferredCents < 0 || found.earnedCents < before) return false;
          before = found.earnedCents;
        }
        const end = keptDiscountOf(terms, payouts, addDays(FROM, 2_400));
        return end.deferredCents === 0 && (amount === null || end.discountCents <= amount);
      },
    ),
  );
  t.end();
});
