import { test } from 'tap';
import { dayOf, judge, must, type ScreenedLoan, SEED_RULES } from '../../../engine/index.js';
import { readingsOf } from '../../../engine/compliance/rules/limitations.js';
import { in_, on, overdueLoan, plan } from './situations.js';

/** Years after which a suit on a loan may be barred, worked out by hand from the readings of each state. */
const YEARS: Readonly<Record<string, number>> = {
  ...{ AK: 3, AL: 6, AR: 5, AZ: 4, CA: 4, CO: 6, CT: 6, DC: 3, DE: 3, FL: 5, GA: 6, HI: 4, IA: 5, IL: 5, IN: 6, KS: 5, KY: 5 },
  ...{ LA: 3, MD: 3, ME: 6, MI: 6, MN: 6, MO: 5, MT: 5, NC: 3, ND: 6, NE: 5, NH: 3, NJ: 6, NM: 4, NV: 6, NY: 3, OH: 6, OK: 5 },
  ...{ OR: 6, PA: 4, RI: 10, SC: 3, SD: 6, TN: 6, TX: 4, UT: 6, VA: 5, VT: 6, WA: 6, WI: 6, WV: 5, WY: 5 },
};
/** States without a text, and territories. */
const UNREAD = ['ID', 'MA', 'MS', 'PR', 'GU', 'VI', 'AS', 'MP'];
const SHORTEST = 3;

const rule = must(
  SEED_RULES.find(({ code }) => code === 'US-TIMEBARRED'),
  'the rule about old debts',
);

/** Whether the rule blocks a call on 2 June 2026 about a debt that is overdue since that day of an earlier year, or a day later. */
function isBarred(state: string, years: number, { daysLess = 0, loan = {} }: { daysLess?: number; loan?: Partial<ScreenedLoan> } = {}) {
  const { rules } = judge(
    plan(on('2026-06-02 15:30')),
    in_(state, null, { loans: [overdueLoan({ overdueSince: dayOf(2026 - years, 6, 2 + daysLess), ...loan })] }),
  );
  return must(
    rules.find(({ code }) => code === 'US-TIMEBARRED'),
    'it is judged',
  ).blocks;
}

test('a debt is too old on the day on which the shortest period of its state is over, not the day before', async (t) => {
  t.same(rule.parameters['limitationYears'], YEARS);
  for (const [state, years] of Object.entries(YEARS)) {
    t.equal(isBarred(state, years), true, `${state}, ${years} years`);
    t.equal(isBarred(state, years, { daysLess: 1 }), false, `${state}, a day less`);
  }
});

test('a place whose law nobody has read has the shortest period of all', async (t) => {
  t.equal(rule.parameters['limitationYearsOfOthers'], SHORTEST);
  t.equal(Math.min(...Object.values(YEARS)), SHORTEST);
  for (const state of UNREAD) {
    t.equal(YEARS[state], undefined);
    t.equal(isBarred(state, SHORTEST), true, state);
    t.equal(isBarred(state, SHORTEST, { daysLess: 1 }), false, `${state}, a day less`);
  }
});

test('no period stands without the words of a text that name it', async (t) => {
  const numerals = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  for (const [state, years] of Object.entries(YEARS)) {
    const readings = readingsOf(state);
    const named = new RegExp(`\\b(${numerals[years]}|${years}) years|\\(${years}\\) years`, 'i');
    t.ok(
      readings.some(({ quote, summary }) => named.test(`${quote} ${summary ?? ''}`)),
      `${state} names ${years} years`,
    );
    for (const { citation, quote, readFrom } of readings) {
      t.not(readFrom, 'secondHand', citation);
      t.type(quote, 'string', citation);
      t.ok(rule.basis.readings.some((reading) => reading.citation === citation));
    }
  }
  t.same(UNREAD.flatMap(readingsOf), []);
});

test('a loan that may be a credit sale has the four years of sales, but in Ohio, whose text names them', async (t) => {
  const loan = { mayBeSale: true };
  t.equal(rule.parameters['limitationYearsOfSales'], 4);
  t.equal(isBarred('CO', 4, { loan, daysLess: 1 }), false);
  t.equal(isBarred('CO', 4, { loan }), true);
  t.equal(isBarred('CO', 4), false, 'no sale');
  t.equal(isBarred('NY', 3, { loan }), true, 'a shorter period of the state stays');
  t.equal(isBarred('OH', 4, { loan }), false);
  t.equal(isBarred('OH', 6, { loan }), true);
});
