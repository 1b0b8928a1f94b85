import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  cents,
  computeLedger,
  constantRate,
  type Day,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  rate,
  scheduleOf,
  type ScheduleRowView,
} from '../../../../engine/index.js';
import { PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { at, day, loan, pay, percent, SMALL_LOAN } from './loans.js';

/** 220.00 of 1,200.00 are paid in advance, five days after activation: two of the twelve rows, and something of the third. */
const PREPAID = pay(1, '2024-01-25', '220.00', { prepay: true });

const on = (date: string, sequence: number): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const cheaper: LedgerFact = {
  ...on('2024-01-26', 2),
  type: 'ratesChanged',
  rates: constantRate(percent('0.17')),
  reamortization: 'sameEndDate',
};

const ledgerOf = (facts: readonly LedgerFact[], date: string, terms: LedgerTerms = loan(SMALL_LOAN)): LedgerState =>
  computeLedger(terms, facts, day(date));

const amountsOf = (state: LedgerState): readonly number[] =>
  scheduleOf(state)
    .filter(({ amountCents }) => amountCents > 0)
    .map(({ amountCents }) => amountCents);

test('a rate that changes after a prepayment leaves level rows', async (t) => {
  const state = ledgerOf([PREPAID, cheaper], '2024-01-26');
  t.same(amountsOf(state), [...Array<number>(11).fill(10_885), 10_883]);
  const march = ledgerOf([PREPAID, cheaper], '2024-04-15').obligations;
  t.same(
    march.map(({ prepaidCents, remainingCents }) => [prepaidCents, remainingCents]),
    [
      [10_885, 0],
      [10_885, 0],
      [230, 10_655],
    ],
  );
});

/** Twelve rows of 100.00 with 5.00 each of an origination fee of 60.00, without interest. */
const WITH_FEE = loan({ ...SMALL_LOAN, rate: '0', originationFee: { amountCents: cents(6_000), logic: 'spread' } });

test('money in advance that pays the origination fee counts once: the other rows do not change', async (t) => {
  const ahead = pay(1, '2024-01-25', '105.00', { prepay: true });
  const state = ledgerOf([ahead], '2024-02-15', WITH_FEE);
  t.equal(state.payments.at(0)?.feesCents, 6_000, 'the fee is met first');
  t.same(
    state.obligations.map(({ amountCents, remainingCents }) => [amountCents, remainingCents]),
    [[10_500, 0]],
  );
  t.same(amountsOf(state), Array<number>(12).fill(10_500));
  const years = WITH_FEE.rows
    .slice(1)
    .map(({ date }, row) => ({ ...pay(row + 2, '2024-02-15', '105.00'), effective: { day: date, seconds: 40_000 }, recordedDay: date }));
  t.equal(ledgerOf([ahead, ...years], '2025-01-15', WITH_FEE).status, 'paidOff');
});

test('money that only lowers the balance removes the paid shares of the fee from the rows', async (t) => {
  const only = (amount: string) => ({ ...pay(1, '2024-01-25', amount, { prepay: false }), principalOnlyCents: cents(10_000) });
  t.same(amountsOf(ledgerOf([only('80.00')], '2024-01-25', WITH_FEE)), [...Array<number>(11).fill(10_000), 8_000]);
  const fees = [...Array<number>(5).fill(10_500), 10_400, ...Array<number>(6).fill(10_000)];
  t.same(amountsOf(ledgerOf([only('31.00')], '2024-01-25', WITH_FEE)), fees);
});

test('money for the open obligation keeps the paid shares of the fee in the rows', async (t) => {
  const early = pay(1, '2024-01-25', '80.00', { prepay: false });
  const state = ledgerOf([early], '2024-02-15', WITH_FEE);
  t.match(state.obligations[0], { amountCents: 10_500, prepaidCents: 8_000, remainingCents: 2_500 });
  t.same(amountsOf(state), Array<number>(12).fill(10_500));
});

test('the first row shows a fee that falls due with it and was paid in advance', async (t) => {
  const terms = loan({ ...SMALL_LOAN, rate: '0', originationFee: { amountCents: cents(6_000), logic: 'firstPayment' } });
  const state = ledgerOf([pay(1, '2024-01-25', '70.00', { prepay: true })], '2024-02-15', terms);
  t.same(
    state.obligations.map(({ amountCents, remainingCents }) => [amountCents, remainingCents]),
    [[16_000, 9_000]],
  );
  t.same(amountsOf(state), [16_000, ...Array<number>(11).fill(10_000)]);
});

test('a re-amortization after the fee was paid in advance makes rows that are level including their shares', async (t) => {
  const advance: LedgerFact = {
    ...on('2024-02-16', 2),
    type: 'advance',
    advance: 1,
    amountCents: cents(11_000),
    reamortization: 'sameEndDate',
  };
  const state = ledgerOf([pay(1, '2024-01-25', '105.00', { prepay: true }), advance], '2024-02-16', WITH_FEE);
  t.same(amountsOf(state), [10_500, ...Array<number>(11).fill(11_500)]);
});

test('an advance after a prepayment spreads over level rows', async (t) => {
  const advance: LedgerFact = {
    ...on('2024-01-26', 2),
    type: 'advance',
    advance: 1,
    amountCents: cents(30_000),
    reamortization: 'sameEndDate',
  };
  const amounts = amountsOf(ledgerOf([PREPAID, advance], '2024-01-26'));
  t.equal(amounts.length, 12);
  t.ok(isLevel(amounts), amounts.join(' '));
});

test('due dates missed while frozen are spread over level rows, also with money in advance', async (t) => {
  const facts: readonly LedgerFact[] = [
    PREPAID,
    { ...on('2024-02-01', 2), type: 'freeze' },
    { ...on('2024-04-20', 3), type: 'unfreeze', retroactivelyAccrueInterest: false, shiftDueDates: false },
  ];
  const state = ledgerOf(facts, '2024-04-20');
  const amounts = amountsOf(state);
  t.equal(amounts.length, 9);
  t.ok(isLevel(amounts), amounts.join(' '));
  t.equal(state.prepaidCents, 22_000, 'nothing fell due that could have taken it');
});

test('a deferred date keeps the other amounts, and money in advance pays the dates with an amount', async (t) => {
  const deferred: LedgerFact = { ...on('2024-01-26', 2), type: 'dueDateDeferred', dueDay: day('2024-02-15'), newDay: day('2025-02-15') };
  const state = ledgerOf([PREPAID, deferred], '2024-04-15');
  t.same(
    state.obligations.map(({ prepaidCents }) => prepaidCents),
    [10_976, 10_976],
  );
  const amounts = amountsOf(ledgerOf([PREPAID, deferred], '2024-01-26'));
  t.same(
    amounts.slice(0, -1),
    loan(SMALL_LOAN)
      .rows.slice(1)
      .map(({ amountCents }) => amountCents),
  );
});

test('new terms with a named amount take as many rows as needed after money in advance', async (t) => {
  const dueDates = Array.from({ length: 40 }, (_, month) => addDays(day('2024-02-15'), 30 * month));
  const change: LedgerFact = {
    ...on('2024-01-26', 2),
    type: 'scheduleChanged',
    dueDates,
    payment: { type: 'openEnded', amountCents: cents(8_000) },
  };
  const amounts = amountsOf(ledgerOf([PREPAID, change], '2024-01-26'));
  t.same(new Set(amounts.slice(0, -1)), new Set([8_000]));
  t.ok((amounts.at(-1) ?? 0) <= 8_000, 'the last one is no balloon');
});

test('a level schedule that replaces a plan keeps money in advance', async (t) => {
  const rows = loan(SMALL_LOAN).rows.map(({ date }) => date);
  const plan: LedgerFact = {
    ...on('2024-01-26', 2),
    type: 'scheduleChanged',
    dueDates: rows,
    payment: { type: 'fixed', amountCents: cents(4_000) },
  };
  const end: LedgerFact = { ...on('2024-03-20', 3), type: 'scheduleChanged', dueDates: rows.slice(2), payment: { type: 'level' } };
  const amounts = amountsOf(ledgerOf([PREPAID, plan, end], '2024-03-20')).slice(2);
  t.equal(amounts.length, 10);
  t.ok(isLevel(amounts), amounts.join(' '));
});

test('a refund ends the loan sooner, and money in advance pays its next rows', async (t) => {
  const refund: LedgerFact = {
    ...on('2024-01-26', 2),
    type: 'refund',
    transaction: 2,
    amountCents: cents(50_000),
    fullCents: cents(120_000),
    isOriginationFeeRefunded: false,
    areLateFeesCanceled: false,
    areOtherFeesCanceled: false,
  };
  const amounts = amountsOf(ledgerOf([PREPAID, refund], '2024-01-26'));
  t.ok(amounts.length < 9);
  t.ok(amounts.slice(0, -1).every((amount) => amount === 10_976));
  t.ok((amounts.at(-1) ?? 0) <= 10_976);
  const releveled = amountsOf(ledgerOf([PREPAID, refund, { ...cheaper, sequence: 3 }], '2024-01-27'));
  t.ok(isLevel(releveled), releveled.join(' '));
});

/** All rows have the same amount, except that the last differs by a few cents. */
function isLevel(amounts: readonly number[]): boolean {
  const [level = 0] = amounts;
  const last = amounts.at(-1) ?? 0;
  return amounts.slice(0, -1).every((amount) => amount === level) && last - level <= amounts.length && level - last <= 2 * amounts.length;
}

/** A payment during a freeze removes the shares of the fee that it has paid from the oldest rows. */
const NO_FEE = { amountCents: cents(0), logic: 'spread' } as const;

const releveling = fc.record({
  principalCents: fc.integer({ min: 100_000, max: 5_000_000 }),
  rows: fc.integer({ min: 2, max: 36 }),
  rates: fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 })),
  accrualMethod: fc.constantFrom('simple' as const, 'simple' as const, 'compound' as const),
  prepaidShare: fc.integer({ min: 1, max: 95 }),
  fee: fc.constantFrom(NO_FEE, { amountCents: cents(6_001), logic: 'spread' as const }),
  how: fc.constantFrom('rate' as const, 'advance' as const, 'unfreeze' as const, 'schedule' as const),
  after: fc.integer({ min: 1, max: 200 }),
  isPaying: fc.boolean(),
});

test('after any re-amortization no row but the last differs from the level, whatever was paid in advance', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(releveling, ({ principalCents, rows, rates, accrualMethod, prepaidShare, fee, how, after, isPaying }) => {
      const principal = (principalCents / 100).toFixed(2);
      const terms = loan({
        principal,
        rate: (rates[0] / 100).toFixed(2),
        activation: '2024-01-20',
        firstDue: '2024-02-15',
        rows,
        accrualMethod,
        originationFee: how === 'unfreeze' && isPaying ? NO_FEE : fee,
      });
      const today = Math.min(terms.activation + after, (terms.rows.at(-2)?.date ?? 0) - 1) as Day;
      const isMissing = terms.rows.some(({ date }) => date <= today);
      if (how === 'unfreeze' && !isMissing) return true;
      const prepaid = pay(1, '2024-01-20', ((principalCents * prepaidShare) / 10_000).toFixed(2), { prepay: true });
      const paid = isPaying
        ? terms.rows
            .filter(({ date }) => date <= today)
            .map(({ date, amountCents }, row) => ({
              ...prepaid,
              effective: { day: date, seconds: 40_000 },
              transaction: row + 2,
              sequence: row + 2,
              amountCents,
            }))
        : [];
      const facts = [prepaid, ...paid, ...relevelings(how, terms, today, rates[1])];
      const state = computeLedger(terms, facts, today);
      if (state.status !== 'active') return true;
      const coming = scheduleOf(state).filter(({ date, amountCents }) => date > today && amountCents > 0);
      return isLevel(coming.map((row) => row.amountCents - missedShares(state, row)));
    }),
    PARAMETERS,
  );
  t.pass('holds');
});

/** The last row takes the shares of rows that passed while the loan was frozen. */
const missedShares = ({ originationShareCents }: LedgerState, { feesCents }: ScheduleRowView): number =>
  Math.max(0, feesCents - originationShareCents);

function relevelings(
  how: 'rate' | 'advance' | 'unfreeze' | 'schedule',
  terms: LedgerTerms,
  today: Day,
  percents: number,
): readonly LedgerFact[] {
  const factPosition = (sequence: number, seconds: number) => ({ effective: { day: today, seconds }, recordedDay: today, sequence });
  switch (how) {
    case 'rate':
      return [
        {
          ...factPosition(900, 50_000),
          type: 'ratesChanged',
          rates: constantRate(rate(percents * 1_000_000)),
          reamortization: 'sameEndDate',
        },
      ];
    case 'advance':
      return [{ ...factPosition(900, 50_000), type: 'advance', advance: 1, amountCents: cents(50_000), reamortization: 'sameEndDate' }];
    case 'unfreeze': {
      const frozen: LedgerFact = {
        ...factPosition(900, 50_000),
        type: 'freeze',
        effective: { day: addDays(terms.activation, 1), seconds: 50_000 },
      };
      return [frozen, { ...factPosition(901, 50_001), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false }];
    }
    case 'schedule':
      return [
        {
          ...factPosition(900, 50_000),
          type: 'scheduleChanged',
          dueDates: terms.rows.map(({ date }) => date).filter((date) => date > today),
          payment: { type: 'level' },
        },
      ];
  }
}
