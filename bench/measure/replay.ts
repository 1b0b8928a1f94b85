import {
  addDays,
  amortize,
  balancesOf,
  cents,
  computeLedger,
  constantRate,
  CONTRACT_ROUNDING,
  type Day,
  DEFAULT_ACCELERATED_WATERFALL,
  DEFAULT_CHARGED_OFF_WATERFALL,
  DEFAULT_PAYMENT_WATERFALL,
  differences,
  type DueDateRule,
  dueDates,
  formatCents,
  formatRate,
  type DueRow,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  must,
  obligationsOf,
  parseDay,
  parseRate,
  type Rate,
  recordLedger,
  scheduleOf,
} from '../../engine/index.js';
import { type NaiveLoan, replayByDay, replayBySegment } from './compare/naive-replay.js';
import type { Benchmark, Measure } from './benchmark.js';
import { median } from './machine.js';

/** Without late fees, tolerance and thresholds. */
export const PLAIN_SETTINGS: LedgerTerms['settings'][number]['value'] = {
  isAccruingOnOverdue: true,
  capitalization: 'none',
  isPrepaymentEnabled: false,
  paymentWaterfall: DEFAULT_PAYMENT_WATERFALL,
  creditWaterfall: DEFAULT_PAYMENT_WATERFALL,
  acceleratedWaterfall: DEFAULT_ACCELERATED_WATERFALL,
  chargedOffWaterfall: DEFAULT_CHARGED_OFF_WATERFALL,
  overdueToleranceCents: cents(0),
  accelerationDueWithin: null,
  chargeOffDueWithin: null,
  lateFees: [],
  lateFeePyramiding: 'blockOnFeeOnly',
};

const REPEATS = 9;
const dayOf = (text: string): Day => must(parseDay(text), text);
const rateOf = (text: string): Rate => must(parseRate(text), text);

const ACTIVATION = dayOf('2024-01-15');
const FIRST_DUE = dayOf('2024-02-15');
const RULE: DueDateRule = { type: 'monthly', day: 15 };
const PRINCIPAL = cents(1_500_000);
const [FIRST_RATE, LATER_RATE] = [rateOf('0.0799'), rateOf('0.0849')];
/** The first rate changes before the first due date. */
const CHANGED = dayOf('2024-01-20');
const DAYS_BETWEEN_RATES = 31;

/** A loan of 60 months at an age: every due date so far is paid, and rates were changed after these payments. */
interface Life {
  readonly months: number;
  readonly payments: number;
  readonly rateChanges: number;
}

interface Case {
  readonly terms: LedgerTerms;
  /** The loan as it was booked, and the facts that come late. */
  readonly booked: readonly LedgerFact[];
  readonly facts: readonly LedgerFact[];
  readonly today: Day;
}

const STANDARD: Life = { months: 24, payments: 24, rateChanges: 1 };

/** Parameters that the time depends on: one of three varies at a time. */
const GROWTH: readonly Life[] = [
  { months: 12, payments: 12, rateChanges: 1 },
  { months: 48, payments: 48, rateChanges: 1 },
  { months: 24, payments: 0, rateChanges: 1 },
  { months: 24, payments: 96, rateChanges: 1 },
  { months: 24, payments: 24, rateChanges: 0 },
  { months: 24, payments: 24, rateChanges: 12 },
];

/** One loan of 60 months with 24 payments, its rate changed 24 months back: the whole ledger computed again. */
export const replayBenchmark: Benchmark = {
  name: 'replay',
  title: 'Replay of one loan: 60 months, 24 payments, rate changed 24 months back; beside replays by segment and by day in big.js',
  size: null,
  run({ report }) {
    const { terms, booked, facts, today } = caseOf(STANDARD);
    const before = computeLedger(terms, booked, today);
    report(`24 payments, ${obligationsOf(before).length} obligations`);
    const naive = naiveLoan(terms, facts, today);
    const balances = microseconds(2_000, () => computeLedger(terms, facts, today));
    const whole = microseconds(1_000, () => wholeLedger(before, terms, facts, today));
    const recorded = microseconds(500, () => recordLedger(terms, facts, today));
    const bySegment = microseconds(100, () => replayBySegment(naive));
    const byDay = microseconds(20, () => replayByDay(naive));
    return Promise.resolve([
      { name: 'to the balances', value: balances, unit: 'us' },
      { name: 'whole: schedule, obligations, balances, differences', value: whole, unit: 'us', budget: { atMost: 5 } },
      { name: 'with every entry recorded', value: recorded, unit: 'us' },
      { name: 'by segment in big.js, to the balances', value: bySegment, unit: 'us' },
      { name: 'day by day in big.js, to the balances', value: byDay, unit: 'us' },
      { name: 'times as fast as by segment', value: Number((bySegment / balances).toFixed(1)), unit: 'x' },
      { name: 'times as fast as day by day', value: Number((byDay / balances).toFixed(1)), unit: 'x' },
      ...GROWTH.map(growthOf),
    ]);
  },
};

function growthOf(life: Life): Measure {
  const { terms, booked, facts, today } = caseOf(life);
  const before = computeLedger(terms, booked, today);
  const value = microseconds(500, () => wholeLedger(before, terms, facts, today));
  return { name: `whole: ${life.months} months, ${life.payments} payments, ${life.rateChanges} rate changes`, value, unit: 'us' };
}

function wholeLedger(before: LedgerState, terms: LedgerTerms, facts: readonly LedgerFact[], today: Day): unknown {
  const after = computeLedger(terms, facts, today);
  return [scheduleOf(after), obligationsOf(after), balancesOf(after), differences(before, after)];
}

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

function caseOf({ months, payments, rateChanges }: Life): Case {
  const dates = dueDates(RULE, FIRST_DUE, 60);
  const { rows } = amortize({
    start: ACTIVATION,
    principalCents: PRINCIPAL,
    dueDates: dates,
    payment: { type: 'level' },
    rates: constantRate(FIRST_RATE),
    dayCount: 'daily365',
  });
  const today = addDays(must(dates[months - 1], 'a life ends within the schedule'), 1);
  const level = rows[0]?.amountCents ?? cents(0);
  const booked = Array.from({ length: payments }, (_, index): LedgerFact => {
    // More payments than due dates: each due date is paid in parts.
    const parts = Math.max(1, payments / months);
    const day = must(dates[Math.floor(index / parts)], 'a payment has its due date');
    return {
      type: 'payment',
      transaction: index + 1,
      kind: 'payment',
      amountCents: cents(Math.floor(level / parts)),
      isPrepaymentEnabled: null,
      isProcessing: false,
      effective: { day, seconds: 54_000 + (index % parts) },
      sequence: index + 1,
      recordedDay: day,
    };
  });
  const changes = Array.from(
    { length: rateChanges },
    (_, index): LedgerFact => ({
      type: 'ratesChanged',
      rates: constantRate(index % 2 === 0 ? LATER_RATE : FIRST_RATE),
      reamortization: 'keepAmounts',
      effective: { day: addDays(CHANGED, index * DAYS_BETWEEN_RATES), seconds: 54_000 },
      sequence: payments + 1 + index,
      recordedDay: today,
    }),
  );
  return { terms: termsOf(rows), booked, facts: [...booked, ...changes], today };
}

const termsOf = (rows: readonly Omit<DueRow, 'isForced'>[]): LedgerTerms => ({
  activation: ACTIVATION,
  interestFrom: ACTIVATION,
  principalCents: PRINCIPAL,
  originationFee: { amountCents: cents(0), logic: 'spread' },
  rates: constantRate(FIRST_RATE),
  dayCount: 'daily365',
  accrualMethod: 'simple',
  rows: rows.map(({ date, amountCents, principalCents, interestCents }) => ({
    date,
    amountCents,
    principalCents,
    interestCents,
    isForced: false,
  })),
  dueDateRule: RULE,
  rounding: CONTRACT_ROUNDING,
  totalInterestCapCents: null,
  settings: [
    {
      from: ACTIVATION,
      value: PLAIN_SETTINGS,
    },
  ],
});

function naiveLoan(terms: LedgerTerms, facts: readonly LedgerFact[], today: Day): NaiveLoan {
  const payments = new Map(
    facts.flatMap((fact) => (fact.type === 'payment' ? [[fact.effective.day as number, formatCents(fact.amountCents)] as const] : [])),
  );
  return {
    principal: formatCents(terms.principalCents),
    firstDay: ACTIVATION,
    lastDay: today,
    rateOn: (day) => formatRate(day < CHANGED ? FIRST_RATE : LATER_RATE),
    rateDays: [CHANGED],
    dueDays: new Set<number>(terms.rows.map((row) => row.date)),
    level: formatCents(terms.rows[0]?.amountCents ?? cents(0)),
    payments,
    remainingRows: 36,
  };
}
