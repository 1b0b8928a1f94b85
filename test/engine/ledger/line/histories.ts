import fc from '../../../fast-check.js';
import {
  type AutoAmortization,
  cents,
  type Day,
  day as dayOf,
  type DrawActivated,
  type DueDateRule,
  type LineFact,
  type LineSchedule,
  type LineSettings,
  type LineTerms,
  rate,
} from '../../../../engine/index.js';
import { ratesFrom } from '../installment/histories.js';
import { lateFee, settings } from '../installment/loan-settings.js';
import { draw, line, LINE_SETTINGS } from './lines.js';

/** A line and what was recorded about it, in the order of recording, with the last day to look at. */
export interface LineHistory {
  readonly terms: LineTerms;
  readonly facts: readonly LineFact[];
  readonly through: Day;
}

const START = 19_737;
const iso = (value: number): string => new Date(value * 86_400_000).toISOString().slice(0, 10);

const rule: fc.Arbitrary<DueDateRule> = fc.oneof(
  fc.integer({ min: 1, max: 31 }).map((monthday): DueDateRule => ({ type: 'monthly', day: monthday })),
  fc.constantFrom<DueDateRule>(
    { type: 'weekly', weekday: 3 },
    { type: 'everyTwoWeeks', weekday: 5, cycleStart: null },
    { type: 'twiceMonthly', days: [5, 20] },
  ),
);

const schedule: fc.Arbitrary<LineSchedule> = fc.oneof(
  fc
    .record({ due: rule, days: fc.constantFrom(14, 21) })
    .map(({ due, days }): LineSchedule => ({ type: 'fixedDueDate', due, statementToDueDays: days })),
  fc
    .record({ statement: rule, days: fc.constantFrom(14, 21) })
    .map(({ statement, days }): LineSchedule => ({ type: 'fixedStatementDate', statement, statementToDueDays: days })),
  fc.record({ statement: fc.integer({ min: 1, max: 31 }), due: fc.integer({ min: 1, max: 31 }) }).map(
    (days): LineSchedule => ({
      type: 'fixedBoth',
      statement: { type: 'monthly', day: days.statement },
      due: { type: 'monthly', day: days.due },
    }),
  ),
);

const lineSettings: fc.Arbitrary<Partial<LineSettings>> = fc
  .record({
    shared: settings,
    lateFees: fc.array(lateFee, { maxLength: 1 }),
    areLineFeesFirst: fc.boolean(),
    drawOrder: fc.constantFrom<LineSettings['drawOrder']>(LINE_SETTINGS.drawOrder, ['highestRate', 'oldest'], []),
    minimumInterestChargeCents: fc.constantFrom(null, null, cents(150)),
    isInterestInMinimum: fc.boolean(),
    areFeesInMinimum: fc.boolean(),
    isOverLimitInMinimum: fc.boolean(),
  })
  .map(({ shared, ...own }) => ({ ...shared, ...own }));

export const lineTerms: fc.Arbitrary<LineTerms> = fc
  .record({
    startOffset: fc.integer({ min: 0, max: 400 }),
    schedule,
    limit: fc.integer({ min: 50_000, max: 1_000_000 }),
    dayCount: fc.constantFrom('daily365' as const, 'daily360' as const, 'actualActual' as const, 'monthly30360' as const),
    accrualMethod: fc.constantFrom('simple' as const, 'simple' as const, 'compound' as const, 'compoundWithFees' as const),
    settings: lineSettings,
    laterSettings: fc.option(lineSettings, { freq: 4 }),
    settingsAfter: fc.integer({ min: 0, max: 120 }),
    interestLag: fc.constantFrom(0, 0, 1),
    floor: fc.constantFrom(0, 0, 4_000),
    isOverLimitIncluded: fc.boolean(),
    feeCents: fc.constantFrom(0, 0, 5_001),
    feeLogic: fc.constantFrom('firstPayment' as const, 'spread' as const, 'separate' as const),
  })
  .map((shape) => {
    const activation = START + shape.startOffset;
    const made = line({
      activation: iso(activation),
      schedule: shape.schedule,
      settings: shape.settings,
      terms: {
        creditLimitCents: cents(shape.limit),
        dayCount: shape.dayCount,
        accrualMethod: shape.accrualMethod,
        originationFee: { amountCents: cents(shape.feeCents), logic: shape.feeLogic },
        minimum: { percentageOfPrincipal: rate(0), minCents: cents(shape.floor), isOverLimitIncluded: shape.isOverLimitIncluded },
        interestFrom: dayOf(activation + shape.interestLag),
      },
    });
    if (shape.laterSettings === null) return made;
    // Another tolerance closes nothing before the next payment, in either ledger its own way.
    const { overdueToleranceCents = LINE_SETTINGS.overdueToleranceCents } = shape.settings;
    const value = { ...LINE_SETTINGS, ...shape.laterSettings, overdueToleranceCents };
    return { ...made, settings: [...made.settings, { from: dayOf(activation + shape.settingsAfter), value }] };
  });

/** One thing that was recorded: how long after the record before it, and how far back it reaches. */
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

const MONEY = ['buy', 'buy', 'buy', 'buy', 'pay', 'pay', 'pay', 'payAll', 'credit', 'back', 'draw', 'reimburse', 'unreimburse'];
export const ORDINARY = [
  ...MONEY,
  'void',
  'move',
  'unbuy',
  'settle',
  'fee',
  'waive',
  'waiveLate',
  'limit',
  'changeFee',
  'drawFee',
  'originationFee',
];
export const DRASTIC = [
  'freeze',
  'unfreeze',
  'unfreeze',
  'accelerate',
  'reverseAccelerate',
  'chargeOff',
  'reverseChargeOff',
  'rates',
  'schedule',
  'amortize',
  'defer',
  'closeDraw',
  'cancelDraw',
  'close',
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
    { maxLength: 18 },
  );

/** Draws, purchases, payments and credits in the order in which they were recorded. */
export const plainLines: fc.Arbitrary<LineHistory> = histories(MONEY, { isInTime: true });

/** The same with draws that are amortized by order, principal that is owed again, other rates, freezing, acceleration and charge-off. */
export const handKeptLines: fc.Arbitrary<LineHistory> = histories(
  [...MONEY, 'amortize', 'raise', 'rates', 'freeze', 'unfreeze', 'unfreeze', 'accelerate', 'chargeOff'],
  { isInTime: true },
);

/** The same recorded late, with fees, limits and what is taken back of them. */
export const ordinaryLines: fc.Arbitrary<LineHistory> = histories(ORDINARY, { isInTime: false });

/** The same with freezing, acceleration, charge-off, rates, schedules and their reversals. */
export const allLines: fc.Arbitrary<LineHistory> = histories([...ORDINARY, ...DRASTIC], { isInTime: false });

export function histories(kinds: readonly string[], { isInTime }: { readonly isInTime: boolean }): fc.Arbitrary<LineHistory> {
  return fc
    .record({ terms: lineTerms, first: stepsOf(['draw']), steps: stepsOf(kinds), tail: fc.integer({ min: 0, max: 120 }) })
    .map((shape) => {
      const { terms } = shape;
      let today: number = terms.activation;
      const facts: LineFact[] = [];
      [...shape.first.slice(0, 1).map((step) => ({ ...step, gap: 0 })), ...shape.steps].forEach((step, sequence) => {
        today += step.gap;
        const fact = factOf(terms, isInTime ? { ...step, lag: 0 } : step, { sequence, today: dayOf(today), known: facts });
        if (fact !== null) facts.push(fact);
      });
      return { terms, facts, through: dayOf(today + shape.tail) };
    });
}

interface Known {
  readonly sequence: number;
  readonly today: Day;
  readonly known: readonly LineFact[];
}

const numbersOf = (known: readonly LineFact[], of: (fact: LineFact) => readonly number[]): readonly number[] => known.flatMap(of);

function factOf(terms: LineTerms, step: Step, { sequence, today, known }: Known): LineFact | null {
  const back = Math.max(terms.activation, today - step.lag) as Day;
  const factPosition = { effective: { day: back, seconds: step.seconds }, sequence, recordedDay: today };
  const inTime = { ...factPosition, effective: { day: today, seconds: step.seconds } };
  const picked = (numbers: readonly number[]): number | undefined => numbers[step.pick % Math.max(1, numbers.length)];
  const of = picked(numbersOf(known, (fact) => (fact.type === 'drawActivated' ? [fact.draw] : [])));
  const transaction = picked(numbersOf(known, (fact) => (fact.type === 'payment' ? [fact.transaction] : [])));
  const reimbursed = picked(numbersOf(known, (fact) => (fact.type === 'reimbursed' ? [fact.transaction] : [])));
  const purchase = picked(numbersOf(known, (fact) => (fact.type === 'purchase' ? [fact.purchase] : [])));
  const fee = picked(numbersOf(known, (fact) => (fact.type === 'feeCharged' ? [fact.fee] : [])));
  const amountCents = cents(step.share * (step.other ? 731 : 93));
  switch (step.kind) {
    case 'draw':
      return { ...drawOf(step, sequence), ...inTime };
    case 'buy':
      if (of === undefined) return null;
      return {
        ...factPosition,
        type: 'purchase',
        purchase: sequence,
        draw: of,
        kind: step.flag ? 'regular' : 'cashAdvance',
        amountCents,
        transaction: null,
        ...(step.pick % 9 === 0 ? { isPostedAgain: true as const } : {}),
      };
    case 'back':
      if (of === undefined) return null;
      return {
        ...factPosition,
        type: 'purchase',
        purchase: sequence,
        draw: of,
        kind: step.flag ? 'refund' : 'cashBack',
        amountCents,
        transaction: 1000 + sequence,
      };
    case 'pay':
    case 'payAll':
    case 'credit':
      return {
        ...factPosition,
        type: 'payment',
        transaction: sequence,
        kind: step.kind === 'credit' ? 'credit' : 'payment',
        amountCents: step.kind === 'payAll' ? cents(500_000) : amountCents,
        isPrepaymentEnabled: step.flag ? step.other : null,
        isProcessing: step.flag && step.share > 100,
        draw: step.pick % 4 === 0 ? (of ?? null) : null,
        ...(step.pick % 3 === 0 ? { principalOnlyCents: cents(step.share * 11) } : {}),
        holdUntil: step.flag ? ((back + 5) as Day) : null,
      };
    case 'raise':
      return of === undefined ? null : { ...inTime, type: 'principalRaised', draw: of, amountCents };
    case 'pastFee':
      return of === undefined ? null : { ...inTime, type: 'pastFeeCanceled', draw: of, amountCents, transaction: 2_000 + sequence };
    case 'void':
      return transaction === undefined ? null : { ...inTime, type: 'paymentVoided', transaction };
    case 'settle':
      return transaction === undefined ? null : { ...inTime, type: 'paymentSettled', transaction };
    case 'move':
      return transaction === undefined ? null : { ...inTime, type: 'paymentMoved', transaction, newEffective: factPosition.effective };
    case 'reimburse':
      return { ...inTime, type: 'reimbursed', transaction: sequence, amountCents };
    case 'unreimburse':
      return reimbursed === undefined ? null : { ...inTime, type: 'paymentVoided', transaction: reimbursed };
    case 'unbuy':
      return purchase === undefined ? null : { ...inTime, type: 'purchaseVoided', purchase };
    case 'fee':
      return {
        ...factPosition,
        type: 'feeCharged',
        fee: sequence,
        feeTypeId: 'byHand',
        kind: step.flag ? 'modificationFee' : 'otherFee',
        amountCents: cents(step.share * 20),
        chargeLogic: (['immediate', 'nextDueDate', 'lastDueDate', 'nonDue'] as const)[step.pick % 4] ?? 'nonDue',
        draw: step.other ? (of ?? null) : null,
      };
    case 'waive':
      return fee === undefined ? null : { ...inTime, type: 'feeCanceled', fee: { type: 'charged', fee } };
    case 'waiveLate':
      return { ...inTime, type: 'feeCanceled', fee: { type: 'late', feeTypeId: 'late', obligation: step.pick } };
    case 'changeFee':
      return fee === undefined
        ? null
        : { ...inTime, type: 'feeChanged', fee: { type: 'charged', fee }, amountCents: cents(1 + step.share * 15) };
    case 'drawFee':
      return of === undefined ? null : { ...inTime, type: 'drawFeeChanged', draw: of, amountCents: cents(step.share) };
    case 'originationFee':
      return {
        ...inTime,
        type: 'originationFeeChanged',
        amountCents: cents(Math.floor((terms.originationFee.amountCents * (step.share % 5)) / 5)),
      };
    case 'limit':
      return { ...inTime, type: 'limitChanged', draw: step.flag ? (of ?? null) : null, limitCents: cents(step.share * 1_000) };
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
        type: 'lineScheduleChanged',
        schedule: { type: 'fixedDueDate', due: { type: 'monthly', day: 1 + step.pick }, statementToDueDays: 21 },
      };
    case 'amortize':
      if (of === undefined) return null;
      return {
        ...inTime,
        type: 'drawAmortized',
        draw: of,
        payment: step.flag ? { type: 'periods', count: 1 + step.pick } : { type: 'amount', amountCents },
      };
    case 'defer':
      return { ...inTime, type: 'balancesDeferred' };
    case 'closeDraw':
      return of === undefined ? null : { ...inTime, type: 'drawClosed', draw: of };
    case 'cancelDraw':
      return of === undefined ? null : { ...inTime, type: 'drawCanceled', draw: of };
    case 'close':
      return { ...inTime, type: 'lineClosed' };
    default: {
      const begun = known.find((fact) => fact.type === 'drawActivated' && fact.draw === of)?.effective;
      if (of === undefined || begun === undefined) return null;
      // The service gives a draw no rates from before its beginning.
      const effective = secondsOf(factPosition.effective) < secondsOf(begun) ? begun : factPosition.effective;
      return { ...factPosition, effective, type: 'drawRatesChanged', draw: of, rates: ratesFrom(effective.day, step.share) };
    }
  }
}

const secondsOf = ({ day, seconds }: LineFact['effective']): number => day * 86_400 + seconds;

const AMORTIZATIONS: readonly (AutoAmortization | null)[] = [
  null,
  null,
  { logic: 'aggregatePurchasesInPeriod', payment: { type: 'periods', count: 3 } },
  { logic: 'perPurchase', payment: { type: 'amount', amountCents: cents(5_000) } },
];

function drawOf(step: Step, number: number): DrawActivated {
  return draw(number, {
    drawType: step.share % 11 === 0 ? 'static' : 'regularPurchase',
    rate: (step.share / 400).toFixed(4),
    minimum: {
      percentageOfPrincipal: rate(step.flag ? 1_000_000 : 5_000_000),
      minCents: cents(step.other ? 2_500 : 0),
      isOverLimitIncluded: step.pick % 5 === 0,
    },
    grace: { isApplicable: step.pick % 2 === 0, periodsToRestore: 1 + (step.share % 3) },
    fee: {
      amountCents: cents(step.pick % 3 === 0 ? step.share * 10 : 0),
      logic: (['firstPayment', 'spread', 'separate'] as const)[step.share % 3] ?? 'separate',
      percentageOfPrincipal: rate(step.pick % 7 === 0 ? 3_000_000 : 0),
    },
    limitCents: step.pick % 5 === 1 ? cents(40_000) : null,
    amortization: AMORTIZATIONS[step.pick % 4] ?? null,
  });
}
