import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  type Bucket,
  cents,
  computeLedger,
  type Day,
  DEFAULT_PAYMENT_WATERFALL,
  encodeState,
  formatDay,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
} from '../../../../engine/index.js';
import type { Arrangement } from '../../../../engine/ledger/installment/arrange.js';
import { knownArrangement } from '../../../../engine/ledger/installment/compute.js';
import { beginPassage, endPassage, fold, applyNext } from '../../../../engine/ledger/installment/fold.js';
import { followPlainCourse } from '../../../../engine/ledger/installment/plain-course.js';
import { allHistories, type History, PARAMETERS, RUNS, termsHistories } from './histories.js';
import { SEED } from '../../../seed.js';
import { at, day, LATE_FEE, loan, pay, text } from './loans.js';

/** A handful of loans may have none whose facts the course takes. */
const ENOUGH_RUNS = 300;

/**
 * A payment for a row: its day relative to the due date, its amount relative to the row, in how many parts, and whether it settles
 * later.
 */
interface Habit {
  readonly daysLate: number;
  readonly moreCents: number;
  readonly parts: number;
  readonly settlesAfter: number | null;
  readonly isCredit: boolean;
  readonly isPaid: boolean;
}

const mostly = <Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const habits: fc.Arbitrary<readonly Habit[]> = fc.array(
  fc.record({
    daysLate: mostly(0, -3, 1, 20),
    moreCents: mostly(0, -1, 1, 5_000, -60),
    parts: mostly(1, 2, 3),
    settlesAfter: fc.constantFrom(null, null, 0, 4, 40),
    isCredit: mostly(false, true),
    isPaid: mostly(true, false),
  }),
  { minLength: 14, maxLength: 14 },
);

/** Facts of borrowers who pay the amounts of rows, among other facts. */
function orderly({ rows, activation }: LedgerTerms, paid: readonly Habit[]): readonly LedgerFact[] {
  return rows.flatMap((row, position): readonly LedgerFact[] => {
    const habit = paid[position];
    if (habit?.isPaid !== true) return [];
    const day = Math.max(activation, row.date + habit.daysLate) as Day;
    const wholeCents = Math.max(1, row.amountCents + habit.moreCents);
    return Array.from({ length: habit.parts }, (_, part) => {
      const amountCents = cents(
        part === 0 ? wholeCents - Math.floor(wholeCents / habit.parts) * (habit.parts - 1) : Math.floor(wholeCents / habit.parts),
      );
      const transaction = 2_000 + position * 10 + part;
      const factPosition = { effective: { day, seconds: 40_000 + part }, sequence: transaction, recordedDay: day };
      const payment: LedgerFact = {
        type: 'payment',
        transaction,
        kind: habit.isCredit ? 'credit' : 'payment',
        amountCents,
        isPrepaymentEnabled: null,
        isProcessing: habit.settlesAfter !== null,
        ...factPosition,
      };
      if (habit.settlesAfter === null) return [payment];
      const settled = addDays(day, habit.settlesAfter);
      return [
        payment,
        {
          type: 'paymentSettled',
          transaction,
          effective: { day: settled, seconds: 50_000 },
          sequence: transaction + 5_000,
          recordedDay: settled,
        } as const,
      ];
    }).flat();
  });
}

/** Fact by fact, without the plain course. */
function foldPlainly(terms: LedgerTerms, { facts, orders }: Arrangement, through: Day): LedgerState {
  const passage = beginPassage(terms, orders);
  for (const fact of facts) if (fact.effective.day <= through) applyNext(passage, fact);
  return endPassage(passage, through);
}

const FEES_LAST = [
  ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !bucket.endsWith('Fees')),
  'overdueFees',
  'dueFees',
  'nonDueFees',
] as const;

const shown = (state: LedgerState): string => JSON.stringify([encodeState(state), state.seconds, state.source, state.rateIndex]);

function course(name: string, histories: fc.Arbitrary<History>): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    let taken = 0;
    fc.assert(
      fc.property(histories, habits, fc.integer({ min: 0, max: 400 }), ({ terms, facts }, paid, days) => {
        const through = addDays(terms.activation, days);
        const arrangement = knownArrangement(terms, [...facts, ...orderly(terms, paid)], through);
        taken += followPlainCourse(beginPassage(terms, arrangement.orders).state, arrangement.facts, 0, through);
        return shown(fold(terms, arrangement, through, null)) === shown(foldPlainly(terms, arrangement, through));
      }),
      PARAMETERS,
    );
    t.ok(taken > 0 || RUNS < ENOUGH_RUNS, `${taken} facts taken by the course`);
  });
}

/** Loans with principal and interest only, mostly with settings that pay due balances first, and with this many other facts. */
const plainLoans = (others: number): fc.Arbitrary<History> =>
  fc
    .tuple(termsHistories, mostly(true, false), mostly(0, 2_000, 100_000), fc.boolean())
    .map(([{ terms, facts, ...history }, isDefault, smallBalance, isFractionKept]) => {
      const more = { smallBalanceCents: cents(smallBalance), ...(isDefault ? { paymentWaterfall: DEFAULT_PAYMENT_WATERFALL } : {}) };
      const settings = terms.settings.map(({ from, value }) => ({ from, value: { ...value, ...more } }));
      return {
        ...history,
        terms: { ...terms, settings, isFractionKept, originationFee: { amountCents: cents(0), logic: 'spread' } },
        facts: facts.slice(0, others),
      };
    });

course('a loan that is paid when it is due has the ledger that fact by fact would give it', plainLoans(0));

course('so has one whose rates and schedule change, perhaps from a day on that has passed', plainLoans(3));

course(
  'so has one to which anything else happens meanwhile',
  allHistories.map((history) => ({ ...history, facts: history.facts.slice(0, 4) })),
);

test('the rest of a fee within the tolerance becomes overdue', async (t) => {
  const settings = {
    overdueToleranceCents: cents(50),
    lateFees: [{ ...LATE_FEE, triggerDays: 1, amount: { type: 'fixed', amountCents: cents(3) } }],
    paymentWaterfall: FEES_LAST,
  } as const;
  const terms = loan({ principal: '50.00', rate: '0', activation: '2024-01-01', firstDue: '2024-02-01', rows: 4, settings });
  const facts = [pay(1, '2024-02-01', '11.90'), pay(2, '2024-03-01', '13.10'), pay(3, '2024-04-01', '12.50')];
  const through = day('2024-05-01');
  const arrangement = knownArrangement(terms, facts, through);
  t.equal(shown(fold(terms, arrangement, through, null)), shown(foldPlainly(terms, arrangement, through)));
});

/** Overdue balances of a component first, due balances last. */
const lastOf = (component: 'Fees' | 'Interest' | 'Principal'): readonly Bucket[] => [
  ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => bucket !== `due${component}` && !bucket.startsWith('nonDue')),
  `due${component}`,
  ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => bucket.startsWith('nonDue')),
];

for (const component of ['Fees', 'Interest', 'Principal'] as const)
  test(`the rest of ${component.toLowerCase()} within the tolerance is paid before later due amounts`, async (t) => {
    const settings = { overdueToleranceCents: cents(50), paymentWaterfall: lastOf(component) };
    const own = loan({ principal: '500.00', rate: '0.12', activation: '2024-01-01', firstDue: '2024-02-01', rows: 5, settings });
    const terms: LedgerTerms = { ...own, originationFee: { amountCents: cents(500), logic: 'firstPayment' } };
    const asked = terms.rows.map((row, position) => row.amountCents + (position === 0 ? 500 : 0));
    // 0.30 are missing of the first row. All others are paid in full, on their dates; an order between them lets the course begin again.
    const paid = terms.rows
      .slice(0, 4)
      .map((row, position) => pay(position + 1, formatDay(row.date), text((asked[position] ?? 0) - (position === 0 ? 30 : 0))));
    const held = {
      effective: at('2024-02-10'),
      sequence: 9,
      recordedDay: day('2024-02-10'),
      type: 'thresholdsHeld',
      holder: 'case',
    } as const;
    const facts: readonly LedgerFact[] = [...paid, held];
    for (const date of ['2024-02-01', '2024-02-02', '2024-03-01', '2024-03-02', '2024-05-01', '2024-05-15']) {
      const arrangement = knownArrangement(terms, facts, day(date));
      t.equal(shown(fold(terms, arrangement, day(date), null)), shown(foldPlainly(terms, arrangement, day(date))), date);
    }
    const balances = (date: string): readonly string[] => {
      const { overdueOriginationFeeCents, overdueInterestCents, overduePrincipalCents } = computeLedger(terms, facts, day(date));
      return [overdueOriginationFeeCents, overdueInterestCents, overduePrincipalCents].map(text);
    };
    const missing = (of: typeof component): string => (component === of ? '0.30' : '0.00');
    t.same(balances('2024-02-02'), [missing('Fees'), missing('Interest'), missing('Principal')]);
  });

test('a last row within the tolerance is followed by a row with the rest', async (t) => {
  const own = loan({
    ...{ principal: '100.30', rate: '0', activation: '2024-01-01', firstDue: '2024-02-01', rows: 3 },
    settings: { overdueToleranceCents: cents(50) },
  });
  const amounts = [5_000, 5_000, 30];
  const terms = { ...own, rows: own.rows.map((row, position) => ({ ...row, amountCents: cents(amounts[position] ?? 0) })) };
  const facts = [pay(1, '2024-02-01', '50.00'), pay(2, '2024-03-01', '50.00')];
  for (const date of ['2024-03-31', '2024-04-01', '2024-04-02']) {
    const arrangement = knownArrangement(terms, facts, day(date));
    const state = fold(terms, arrangement, day(date), null);
    t.equal(shown(state), shown(foldPlainly(terms, arrangement, day(date))), date);
    t.same(
      state.rows.slice(3).map((row) => [formatDay(row.date), row.isClosing]),
      date === '2024-03-31' ? [] : [['2024-05-01', true]],
    );
  }
});
