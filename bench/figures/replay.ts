import {
  amortize, balancesOf, cents, computeLedger, constantRate, CONTRACT_ROUNDING, type Day, DEFAULT_ACCELERATED_WATERFALL, DEFAULT_CHARGED_OFF_WATERFALL,
  DEFAULT_PAYMENT_WATERFALL, type DueDateRule, dueDates, formatCents, formatRate, type LedgerFact, type LedgerTerms, must, obligationsOf, parseDay, parseRate,
  type Rate, recordLedger, scheduleOf,
} from '../../engine/index.js';
import { type NaiveLoan, naiveReplay } from '../compare/naive-replay.js';
import type { Benchmark } from './benchmark.js';
import { median } from './statistics.js';

const REPEATS = 9;
const dayOf = (text: string): Day => must(parseDay(text), text);
const rateOf = (text: string): Rate => must(parseRate(text), text);

const ACTIVATION = dayOf('2024-01-15');
const TODAY = dayOf('2026-01-16');
const RULE: DueDateRule = { type: 'monthly', day: 15 };
const PRINCIPAL = cents(1_500_000);
const [FIRST_RATE, LATER_RATE] = [rateOf('0.0799'), rateOf('0.0849')];
/** The rate changes 24 months before the last due date. */
const CHANGED = dayOf('2024-01-20');

/** One loan of 60 months with 24 payments, its rate changed 24 months back: the whole ledger computed again. */
export const replayBenchmark: Benchmark = {
  name: 'replay',
  title: 'Replay of one loan: 60 months, 24 payments, rate changed 24 months back; beside a day-by-day replay in big.js',
  size: null,
  run({ tell }) {
    const { terms, facts } = loanAndFacts();
    const ledger = computeLedger(terms, facts, TODAY);
    tell(`24 payments, ${obligationsOf(ledger).length} obligations`);
    const naive = naiveLoan(terms, facts);
    const ours = microseconds(2_000, () => computeLedger(terms, facts, TODAY));
    const whole = microseconds(1_000, () => {
      const again = computeLedger(terms, facts, TODAY);
      return [scheduleOf(again), obligationsOf(again), balancesOf(again)];
    });
    const recorded = microseconds(500, () => recordLedger(terms, facts, TODAY));
    const theirs = microseconds(20, () => naiveReplay(naive));
    return Promise.resolve([
      { name: 'replay to the balances', value: ours, unit: 'us', budget: '<= 20 us' },
      { name: 'replay, schedule, obligations and balances read', value: whole, unit: 'us' },
      { name: 'replay with every entry recorded', value: recorded, unit: 'us' },
      { name: 'day by day in big.js', value: theirs, unit: 'us' },
      { name: 'times as fast', value: Number((theirs / ours).toFixed(1)), unit: 'x' },
    ]);
  },
};

/** Median over the repeats of the time of one call, after a warm-up. */
function microseconds(calls: number, work: () => unknown): number {
  const runs: number[] = [];
  let seen = 0;
  for (let run = 0; run <= REPEATS; run++) {
    const begun = performance.now();
    for (let call = 0; call < calls; call++) seen += work() === null ? 1 : 0;
    if (run > 0) runs.push(((performance.now() - begun) * 1000) / calls);
  }
  return Number((median(runs) + seen).toFixed(2));
}

function loanAndFacts(): { readonly terms: LedgerTerms; readonly facts: readonly LedgerFact[] } {
  const dates = dueDates(RULE, dayOf('2024-02-15'), 60);
  const { rows } = amortize({ start: ACTIVATION, principalCents: PRINCIPAL, dueDates: dates, payment: { type: 'level' }, rates: constantRate(FIRST_RATE), dayCount: 'daily365' });
  const terms: LedgerTerms = {
    activation: ACTIVATION, interestFrom: ACTIVATION, principalCents: PRINCIPAL, originationFee: { amountCents: cents(0), logic: 'spread' },
    rates: constantRate(FIRST_RATE), dayCount: 'daily365', accrualMethod: 'simple',
    rows: rows.map(({ date, amountCents, principalCents, interestCents }) => ({ date, amountCents, principalCents, interestCents, isForced: false })),
    dueDateRule: RULE, rounding: CONTRACT_ROUNDING, totalInterestCapCents: null,
    settings: [{
      from: ACTIVATION,
      value: {
        isAccruingOnOverdue: true, capitalization: 'none', isPrepaymentEnabled: false, paymentWaterfall: DEFAULT_PAYMENT_WATERFALL,
        creditWaterfall: DEFAULT_PAYMENT_WATERFALL, acceleratedWaterfall: DEFAULT_ACCELERATED_WATERFALL, chargedOffWaterfall: DEFAULT_CHARGED_OFF_WATERFALL,
        overdueToleranceCents: cents(0), accelerationDueWithin: null, chargeOffDueWithin: null, lateFees: [], lateFeePyramiding: 'blockOnFeeOnly',
      },
    }],
  };
  const payments = dates.slice(0, 24).map((day, index): LedgerFact => ({
    type: 'payment', transaction: index + 1, kind: 'payment', amountCents: rows[index]?.amountCents ?? cents(0), isPrepaymentEnabled: null, isProcessing: false,
    effective: { day, seconds: 54_000 }, sequence: index + 1, recordedDay: day,
  }));
  const rates: LedgerFact = {
    type: 'ratesChanged', rates: constantRate(LATER_RATE), reamortization: 'keepAmounts', effective: { day: CHANGED, seconds: 54_000 }, sequence: 25, recordedDay: TODAY,
  };
  return { terms, facts: [...payments, rates] };
}

function naiveLoan(terms: LedgerTerms, facts: readonly LedgerFact[]): NaiveLoan {
  const payments = new Map(facts.flatMap((fact) => (fact.type === 'payment' ? [[fact.effective.day as number, formatCents(fact.amountCents)] as const] : [])));
  return {
    principal: formatCents(terms.principalCents), firstDay: ACTIVATION, lastDay: TODAY,
    rateOn: (day) => formatRate(day < CHANGED ? FIRST_RATE : LATER_RATE),
    dueDays: new Set<number>(terms.rows.map((row) => row.date)), level: formatCents(terms.rows[0]?.amountCents ?? cents(0)), payments, remainingRows: 36,
  };
}
