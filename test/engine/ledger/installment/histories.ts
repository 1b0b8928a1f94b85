import fc from '../../../fast-check.js';
import {
  addDays,
  cents,
  type Day,
  day as dayOf,
  type LedgerFact,
  type LedgerTerms,
  rate,
  type Rate,
  type RateInput,
  rateTimeline,
} from '../../../../engine/index.js';
import { loan, SETTINGS, text } from './loans.js';
import { loanSettings } from './loan-settings.js';
import { changedRates, originationRates, rateFactOf } from './rate-histories.js';
import { SEED } from '../../../seed.js';

/** A loan and its facts in the order of recording, with the last day to compute. */
export interface History {
  readonly terms: LedgerTerms;
  readonly facts: readonly LedgerFact[];
  readonly through: Day;
  /** Rates as recorded, by the sequence of the fact; `null` for the origination. */
  readonly rateRows: ReadonlyMap<number | null, RateInput>;
}

const START = 19_737;

const iso = (value: number): string => new Date(value * 86_400_000).toISOString().slice(0, 10);

const cadence = fc.constantFrom(
  { gap: 30, rule: 'monthly' },
  { gap: 7, rule: 'weekly' },
  { gap: 14, rule: 'everyTwoWeeks' },
  { gap: 15, rule: 'twiceMonthly' },
  { gap: 45, rule: 'singleTerm' },
);

function ruleOf(kind: string, first: number): NonNullable<Parameters<typeof loan>[0]['rule']> {
  const date = new Date(first * 86_400_000);
  const dayOfMonth = date.getUTCDate();
  const weekday = ((first + 3) % 7) + 1;
  if (kind === 'weekly') return { type: 'weekly', weekday };
  if (kind === 'everyTwoWeeks') return { type: 'everyTwoWeeks', weekday, cycleStart: null };
  if (kind === 'twiceMonthly') {
    const other = dayOfMonth <= 15 ? dayOfMonth + 15 : dayOfMonth - 15;
    return { type: 'twiceMonthly', days: [Math.min(dayOfMonth, other), Math.max(dayOfMonth, other)] };
  }
  return { type: kind === 'singleTerm' ? 'singleTerm' : 'monthly', day: dayOfMonth };
}

const termsWithRates: fc.Arbitrary<{ readonly terms: LedgerTerms; readonly rates: RateInput }> = fc
  .record({
    principalCents: fc.integer({ min: 5_000, max: 2_000_000 }),
    ratesFrom: originationRates,
    startOffset: fc.integer({ min: 0, max: 400 }),
    cadence,
    rows: fc.integer({ min: 1, max: 14 }),
    dayCount: fc.constantFrom('daily365' as const, 'daily360' as const, 'actualActual' as const, 'monthly30360' as const),
    accrualMethod: fc.constantFrom('simple' as const, 'simple' as const, 'compound' as const, 'compoundWithFees' as const),
    settings: loanSettings,
    laterSettings: fc.option(loanSettings, { freq: 4 }),
    settingsAfter: fc.integer({ min: 0, max: 90 }),
    feeCents: fc.constantFrom(0, 0, 5_001),
    feeLogic: fc.constantFrom('firstPayment' as const, 'spread' as const, 'separate' as const),
    interestCap: fc.constantFrom(null, null, null, 3_000),
    firstNight: fc.constantFrom(0, 0, 0, 1),
    isLastAsScheduled: fc.constantFrom(false, false, false, true),
  })
  .map((shape) => {
    const activation = START + shape.startOffset;
    const firstDue = activation + shape.cadence.gap;
    const rates = shape.ratesFrom(activation as Day);
    const agreed = loan({
      principal: text(shape.principalCents),
      rate: rateTimeline(rates),
      activation: iso(activation),
      firstDue: iso(firstDue),
      rows: shape.rows,
      rule: ruleOf(shape.cadence.rule, firstDue),
      dayCount: shape.dayCount,
      accrualMethod: shape.accrualMethod,
      settings: shape.settings,
      originationFee: { amountCents: cents(shape.feeCents), logic: shape.feeLogic },
      ...(shape.interestCap === null ? {} : { interestCap: text(shape.interestCap) }),
    });
    const made = { ...agreed, interestFrom: addDays(activation as Day, shape.firstNight), isLastAsScheduled: shape.isLastAsScheduled };
    if (shape.laterSettings === null) return { terms: made, rates };
    const later = { from: addDays(made.activation, shape.settingsAfter), value: { ...SETTINGS, ...shape.laterSettings } };
    return { terms: { ...made, settings: [...made.settings, later] }, rates };
  });

export const terms: fc.Arbitrary<LedgerTerms> = termsWithRates.map((made) => made.terms);

/** A same-as-cash program that was met: no interest from the activation on. */
const withoutInterest = (rows: RateInput, from: Day): RateInput => ({
  ...rows,
  promos: [...(rows.promos ?? []), { from, until: null, rate: rate(100_000_000) }],
});

/** A recorded fact: how long after the one before it was recorded, and how far back it takes effect. */
interface Step {
  readonly kind: string;
  readonly gap: number;
  readonly lag: number;
  readonly seconds: number;
  readonly share: number;
  readonly pick: number;
  readonly flag: boolean;
  readonly other: boolean;
}

const ORDINARY = [
  'pay',
  'pay',
  'pay',
  'pay',
  'row',
  'row',
  'row',
  'credit',
  'void',
  'move',
  'settle',
  'fee',
  'waive',
  'waiveLate',
  'advance',
  'unadvance',
  'refund',
  'unrefund',
  'reimburse',
  'unreimburse',
  'changeFee',
  'changeLate',
  'originationFee',
  'scra',
];
const TERMS = ['rateRows', 'rateRows', 'rateRows', 'schedule', 'amount', 'defer', 'defer', 'lateAdvance'];
const STATUSES = [
  'freeze',
  'freeze',
  'unfreeze',
  'unfreeze',
  'unfreeze',
  'accelerate',
  'reverseAccelerate',
  'chargeOff',
  'reverseChargeOff',
  'exercise',
  'hold',
  'release',
];
const DRASTIC = [
  ...TERMS,
  'freeze',
  'unfreeze',
  'accelerate',
  'reverseAccelerate',
  'chargeOff',
  'reverseChargeOff',
  'rates',
  'schedule',
  'unfreeze',
  'defer',
  'defer',
  'hold',
  'hold',
  'release',
];

const stepsOf = (kinds: readonly string[]): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      gap: fc.integer({ min: 0, max: 30 }),
      lag: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 70 })),
      seconds: fc.integer({ min: 7_200, max: 86_399 }),
      share: fc.integer({ min: 1, max: 150 }),
      pick: fc.nat(20),
      flag: fc.boolean(),
      other: fc.boolean(),
    }),
    { maxLength: 16 },
  );

/** Payments, credits, fees, and their reversals. */
export const moneyHistories: fc.Arbitrary<History> = histories(ORDINARY);

/** The same with rates, schedules and due dates that change. */
export const termsHistories: fc.Arbitrary<History> = histories([...ORDINARY, ...TERMS]);

/** The same with freezing, acceleration and charge-off, their reversals, and promo programs that are exercised. */
export const statusHistories: fc.Arbitrary<History> = histories([...ORDINARY, ...TERMS, ...STATUSES]);

/** Loans whose status changes often. */
export const restlessHistories: fc.Arbitrary<History> = histories([
  'pay',
  'pay',
  'row',
  'fee',
  'advance',
  'refund',
  'reimburse',
  'void',
  ...STATUSES,
  'accelerate',
  'chargeOff',
  'reverseChargeOff',
]);

/** The same with rates of any kind. */
export const allHistories: fc.Arbitrary<History> = histories([...ORDINARY, ...DRASTIC]);

function histories(kinds: readonly string[]): fc.Arbitrary<History> {
  return fc
    .record({ origination: termsWithRates, steps: stepsOf(kinds), tail: fc.integer({ min: 0, max: 120 }) })
    .map(({ origination: { terms: loanTerms, rates }, steps, tail }) => {
      let today: number = loanTerms.activation;
      let rows = rates;
      const rateRows = new Map<number | null, RateInput>([[null, rates]]);
      const facts: LedgerFact[] = [];
      steps.forEach((step, sequence) => {
        today += step.gap;
        if (step.kind === 'rateRows' || step.kind === 'exercise') {
          const before = facts.findLast((fact) => fact.type === 'ratesChanged')?.rates ?? loanTerms.rates;
          if (step.kind === 'exercise') rows = withoutInterest(rows, loanTerms.activation);
          else rows = changedRates(rows, step, Math.max(loanTerms.activation, today + (step.flag ? step.pick : 0) - step.lag) as Day);
          const rateFact = rateFactOf(before, rows, loanTerms.activation, { day: dayOf(today), seconds: step.seconds });
          if (rateFact === null) return;
          rateRows.set(sequence, rows);
          facts.push({ ...rateFact, sequence, recordedDay: dayOf(today) });
          return;
        }
        const fact = factOf(loanTerms, step, sequence, dayOf(today), facts);
        if (fact !== null) facts.push(fact);
      });
      return { terms: loanTerms, facts, through: dayOf(today + tail), rateRows };
    });
}

function factOf(loanTerms: LedgerTerms, step: Step, sequence: number, today: Day, known: readonly LedgerFact[]): LedgerFact | null {
  const back = Math.max(loanTerms.activation, today - step.lag) as Day;
  const factPosition = { effective: { day: back, seconds: step.seconds }, sequence, recordedDay: today };
  const inTime = { ...factPosition, effective: { day: today, seconds: step.seconds } };
  const level = loanTerms.rows[0]?.amountCents ?? 0;
  const transactions = known.flatMap((fact) => (fact.type === 'payment' ? [fact.transaction] : []));
  const transaction = transactions[step.pick % Math.max(1, transactions.length)];
  const fees = known.flatMap((fact) => (fact.type === 'feeCharged' ? [fact.fee] : []));
  const fee = fees[step.pick % Math.max(1, fees.length)];
  const advance = known.flatMap((other) => (other.type === 'advance' ? [other.advance] : []))[step.pick % 2];
  const reimbursed = known.flatMap((other) => (other.type === 'reimbursed' ? [other.transaction] : []))[step.pick % 2];
  const refund = known.flatMap((other) => (other.type === 'refund' ? [other.transaction] : []))[step.pick % 2];
  const advanced = { type: 'advance', advance: sequence, amountCents: cents(Math.max(1, level * (step.pick + 1) + step.share)) } as const;
  switch (step.kind) {
    case 'pay':
    case 'credit':
      return {
        ...factPosition,
        type: 'payment',
        transaction: sequence,
        kind: step.kind === 'credit' ? 'credit' : step.pick === 7 ? 'downPayment' : 'payment',
        amountCents: cents(Math.max(1, Math.round((level * step.share) / 60))),
        isPrepaymentEnabled: step.flag ? step.other : null,
        isProcessing: step.flag && step.share > 100,
        ...(step.flag && step.other ? { principalOnlyCents: cents(step.pick * 100) } : {}),
      };
    case 'row':
      return {
        ...factPosition,
        type: 'payment',
        transaction: sequence,
        kind: 'payment',
        amountCents: cents(Math.max(1, level)),
        isPrepaymentEnabled: null,
        isProcessing: false,
      };
    case 'void':
      return transaction === undefined ? null : { ...inTime, type: 'paymentVoided', transaction };
    case 'settle':
      return transaction === undefined ? null : { ...inTime, type: 'paymentSettled', transaction };
    case 'move':
      return transaction === undefined ? null : { ...inTime, type: 'paymentMoved', transaction, newEffective: factPosition.effective };
    case 'fee':
      return {
        ...factPosition,
        type: 'feeCharged',
        fee: sequence,
        feeTypeId: 'byHand',
        kind: step.flag ? 'modificationFee' : 'otherFee',
        amountCents: cents(step.share * 20),
        chargeLogic: step.other ? 'immediate' : (CHARGED[step.pick % CHARGED.length] ?? 'nextDueDate'),
        ...(step.pick > 14 ? { isWaivedDuringScra: true } : {}),
      };
    case 'waive':
      return fee === undefined ? null : { ...inTime, type: 'feeCanceled', fee: { type: 'charged', fee } };
    case 'waiveLate':
      return { ...inTime, type: 'feeCanceled', fee: { type: 'late', feeTypeId: 'late', obligation: step.pick } };
    case 'changeLate':
      return {
        ...inTime,
        type: 'feeChanged',
        fee: { type: 'late', feeTypeId: step.flag ? 'late' : 'later', obligation: step.pick % 4 },
        amountCents: cents(step.share * 15),
      };
    case 'scra':
      return { ...inTime, type: 'scraDaysSet', spans: [{ from: back, until: step.flag ? addDays(back, step.share) : null }] };
    case 'advance':
      return { ...inTime, ...advanced, reamortization: step.flag ? 'sameEndDate' : 'keepAmounts' };
    case 'lateAdvance':
      return { ...factPosition, ...advanced, reamortization: step.flag ? 'sameEndDate' : 'keepAmounts' };
    case 'unadvance':
      return advance === undefined ? null : { ...inTime, type: 'advanceCanceled', advance };
    case 'refund':
      return {
        ...factPosition,
        type: 'refund',
        transaction: sequence,
        amountCents: cents(Math.max(1, Math.round((loanTerms.principalCents * step.share) / 200))),
        fullCents: loanTerms.principalCents,
        isOriginationFeeRefunded: step.flag,
        areLateFeesCanceled: step.other,
        areOtherFeesCanceled: step.pick % 3 === 0,
      };
    case 'unrefund':
      return refund === undefined ? null : { ...inTime, type: 'refundCanceled', transaction: refund };
    case 'reimburse':
      return { ...inTime, type: 'reimbursed', transaction: sequence, amountCents: cents(step.share * (step.flag ? 7 : 700)) };
    case 'unreimburse':
      return reimbursed === undefined ? null : { ...inTime, type: 'paymentVoided', transaction: reimbursed };
    case 'changeFee':
      return fee === undefined
        ? null
        : { ...inTime, type: 'feeChanged', fee: { type: 'charged', fee }, amountCents: cents(1 + step.share * 15) };
    case 'originationFee':
      return {
        ...inTime,
        type: 'originationFeeChanged',
        amountCents: cents(Math.floor((loanTerms.originationFee.amountCents * (step.share % 5)) / 5)),
      };
    case 'freeze':
      return { ...inTime, type: 'freeze' };
    case 'unfreeze':
      return { ...inTime, type: 'unfreeze', retroactivelyAccrueInterest: step.flag, shiftDueDates: step.other };
    case 'accelerate':
      return { ...factPosition, type: 'accelerate' };
    case 'reverseAccelerate':
      return { ...inTime, type: 'reverseAccelerate' };
    case 'chargeOff':
      return { ...factPosition, type: 'chargeOff', reason: 'bankruptcy' };
    case 'reverseChargeOff':
      return { ...inTime, type: 'reverseChargeOff' };
    case 'hold':
      return { ...inTime, type: 'thresholdsHeld', holder: step.flag ? 'CS-1' : 'CS-2' };
    case 'release':
      return { ...inTime, type: 'thresholdsReleased', holder: step.other ? 'CS-1' : 'CS-2' };
    case 'schedule':
      return {
        ...inTime,
        type: 'scheduleChanged',
        dueDates: Array.from({ length: 1 + (step.pick % 8) }, (_, position) =>
          addDays(today, 10 + step.share + (STEPS[step.seconds % STEPS.length] ?? 30) * position),
        ),
        payment: step.flag ? { type: 'level' } : { type: 'fixed', amountCents: cents(level + step.share) },
        ...(step.other ? { from: addDays(today, 1), rowTerms: SPECIAL_ROWS.slice(0, step.pick % 8) } : {}),
      };
    case 'amount':
      return {
        ...inTime,
        type: 'scheduleChanged',
        dueDates: Array.from({ length: 40 }, (_, position) => addDays(today, 5 + step.pick + 15 * position)),
        payment: { type: step.flag ? 'openEnded' : 'fixed', amountCents: cents(Math.max(1, Math.round((level * step.share) / 100))) },
      };
    case 'defer': {
      const dueDay = loanTerms.rows[step.pick % loanTerms.rows.length]?.date ?? today;
      const isPast = dueDay <= today;
      const rowAfter = loanTerms.rows.find((row) => row.date > today && row.date > dueDay)?.date;
      const newDay = step.flag && rowAfter !== undefined ? rowAfter : addDays(Math.max(today, dueDay) as Day, step.share);
      const at = isPast ? { effective: { day: addDays(dueDay, -1), seconds: 86_399 } } : {};
      return { ...inTime, ...at, type: 'dueDateDeferred', dueDay, newDay };
    }
    default:
      return {
        ...factPosition,
        type: 'ratesChanged',
        rates: ratesFrom(back, step.share),
        reamortization: step.flag ? 'sameEndDate' : 'keepAmounts',
      };
  }
}

/** Days between due dates: also day by day. */
const STEPS = [30, 30, 7, 1];

const CHARGED = ['nextDueDate', 'nextDueDate', 'lastDueDate', 'nonDue'] as const;

/** Rows of each kind; the last row of a changed schedule is level. */
const SPECIAL_ROWS = [
  { type: 'interestOnly' },
  { type: 'skipped' },
  { type: 'forced', amountCents: cents(1_234) },
  { type: 'level' },
  { type: 'interestOnly' },
  { type: 'forced', amountCents: cents(1) },
  { type: 'skipped' },
] as const;

export function ratesFrom(from: Day, share: number): { segments: { from: Day; until: Day; gross: Rate; net: Rate }[] } {
  const value = rate(share * 200_000);
  const split = addDays(from, 40);
  return {
    segments: [
      { from: -10_000_000 as Day, until: split, gross: value, net: value },
      { from: split, until: 10_000_000 as Day, gross: value, net: rate(Math.floor(value / 2)) },
    ],
  };
}

export const RUNS = Number(process.env['TENOR_RUNS'] ?? 300);
export const PARAMETERS = { seed: SEED, numRuns: RUNS };
