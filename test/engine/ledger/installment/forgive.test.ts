import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  advanceTo,
  allocationOf,
  applyFact,
  balancesOf,
  canApply,
  cents,
  computeLedger,
  DEFAULT_PAYMENT_WATERFALL,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  recordLedger,
  startLedger,
  stateDigest,
} from '../../../../engine/index.js';
import { allHistories, type History, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { keptHistories } from './kept-loans.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';
import { areObligationsWhole, isNothingNegative } from './sums.js';

/** 1,200.00 without interest; the lender forgives balances of up to 5.00. */
const terms = loan({ ...SMALL_LOAN, rate: '0', settings: { smallBalanceCents: money('5.00') } });

const ledger = (facts: readonly LedgerFact[], date: string): LedgerState => computeLedger(terms, facts, day(date));

const statusAndOwed = (state: LedgerState): readonly string[] => [state.status, text(balancesOf(state).outstanding.totalCents)];

test('a payment that leaves at most the small balance pays the loan off', async (t) => {
  t.same(statusAndOwed(ledger([pay(1, '2024-02-01', '1195.00')], '2024-02-01')), ['paidOff', '0.00']);
  t.same(statusAndOwed(ledger([pay(1, '2024-02-01', '1194.99')], '2024-02-01')), ['active', '5.01']);
  const { state, entries } = recordLedger(terms, [pay(1, '2024-02-01', '1196.40')], day('2024-02-01'));
  t.same(
    [text(state.totals.paymentsCents), text(state.totals.creditsCents), text(state.totals.reimbursementCents)],
    ['1196.40', '3.60', '0.00'],
  );
  t.equal(entries.filter(({ entryType }) => entryType === 'smallBalanceForgiven').length, 1);
  t.equal(state.payments.length, 1, 'nobody has paid it');
});

test('its due amounts are fulfilled, as by a credit', async (t) => {
  const rows = terms.rows.slice(0, 11).map(
    ({ date }, row): LedgerFact => ({
      ...pay(row + 1, '2024-02-15', '100.00'),
      effective: { day: date, seconds: 50_000 },
      recordedDay: date,
    }),
  );
  const state = ledger([...rows, pay(20, '2025-01-15', '97.00')], '2025-01-20');
  t.same(statusAndOwed(state), ['paidOff', '0.00']);
  t.match(state.obligations.at(-1), { remainingCents: 0, creditsCents: 300, isFulfilled: true });
});

test('money in processing forgives nothing before it settles, and voided money restores the balance', async (t) => {
  const processing = pay(1, '2024-02-01', '1196.00', { isProcessing: true });
  const settled: LedgerFact = {
    type: 'paymentSettled',
    transaction: 1,
    effective: at('2024-02-05'),
    sequence: 2,
    recordedDay: day('2024-02-05'),
  };
  t.same(statusAndOwed(ledger([processing], '2024-02-04')), ['active', '4.00']);
  t.same(statusAndOwed(ledger([processing, settled], '2024-02-05')), ['paidOff', '0.00']);
  const voided: LedgerFact = {
    type: 'paymentVoided',
    transaction: 1,
    effective: at('2024-02-09'),
    sequence: 3,
    recordedDay: day('2024-02-09'),
  };
  t.same(statusAndOwed(ledger([processing, settled, voided], '2024-02-09')), ['active', '1200.00']);
});

test('a fee that is charged later is owed: only payments leave a small balance', async (t) => {
  const fee: LedgerFact = {
    type: 'feeCharged',
    fee: 9,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: money('3.00'),
    chargeLogic: 'immediate',
    effective: at('2024-02-10'),
    sequence: 9,
    recordedDay: day('2024-02-10'),
  };
  t.same(statusAndOwed(ledger([pay(1, '2024-02-01', '1200.00'), fee], '2024-02-10')), ['active', '3.00']);
});

const forgiving = (history: History): History => ({ ...history, terms: withSmallBalance(history.terms) });

const withSmallBalance = (from: LedgerTerms): LedgerTerms => ({
  ...from,
  settings: from.settings.map(({ from: since, value }) => ({
    from: since,
    value: { ...value, smallBalanceCents: cents(Math.ceil(from.principalCents / 10)) },
  })),
});

function live({ terms: own, facts, through }: History): LedgerState {
  let state = startLedger(own);
  const known: LedgerFact[] = [];
  for (const fact of facts) {
    known.push(fact);
    advanceTo(state, fact.recordedDay);
    if (canApply(state, fact)) applyFact(state, fact);
    else state = computeLedger(own, known, fact.recordedDay);
  }
  advanceTo(state, through);
  return state;
}

for (const [kind, histories] of [
  ['by the day', allHistories],
  ['by installment', keptHistories],
] as const) {
  test(`loans that forgive small balances, kept ${kind}, lose no cent, and running ledgers equal their replays`, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(
      fc.property(histories.map(forgiving), (history) => {
        const state = computeLedger(history.terms, history.facts, history.through);
        const { totals } = state;
        const paid = totals.paidPrincipalCents + totals.paidInterestCents + totals.paidFeesCents + totals.paidOverCents;
        const isPaidFor = paid === totals.paymentsCents + totals.creditsCents + totals.refundsCents;
        return isPaidFor && isNothingNegative(state) && areObligationsWhole(state) && stateDigest(live(history)) === stateDigest(state);
      }),
      { ...PARAMETERS, numRuns: Math.ceil(PARAMETERS.numRuns / 10) },
    );
    t.pass('holds');
  });
}

test('forgiven interest is a credit of the lender, like principal, and no allocation is empty', async (t) => {
  const principalFirst = [...DEFAULT_PAYMENT_WATERFALL].sort((a, b) => Number(b.endsWith('Principal')) - Number(a.endsWith('Principal')));
  const bearing = loan({ ...SMALL_LOAN, settings: { smallBalanceCents: money('5.00'), paymentWaterfall: principalFirst } });
  // 15.39 are due with the first row: 1,212.00 pay all principal, and 12.00 of them.
  const recorded = recordLedger(bearing, [pay(1, '2024-02-15', '1212.00')], day('2024-02-15'));
  const { status, totals } = recorded.state;
  t.same([totals.paymentsCents, totals.creditsCents, totals.paidPrincipalCents, totals.paidInterestCents, totals.paidFeesCents].map(text), [
    '1212.00',
    '3.39',
    '1200.00',
    '15.39',
    '0.00',
  ]);
  t.equal(status, 'paidOff');
  // Any money counts toward the obligation: the 3.39 are in the row that lowers principal.
  t.same(
    allocationOf(recorded, 1).map(({ bucket, obligation, amountCents }) => `${bucket} ${obligation} ${text(amountCents)}`),
    ['duePrincipal 0 94.37', 'nonDuePrincipal 0 3.39', 'nonDuePrincipal null 1102.24', 'dueInterest 0 12.00'],
  );
});
