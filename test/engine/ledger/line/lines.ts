import {
  accruedOf,
  cents,
  constantRate,
  CONTRACT_ROUNDING,
  type DrawActivated,
  type DueStatus,
  type EffectiveTime,
  formatAccrued,
  formatDay,
  type LineFact,
  type LinePayment,
  type LineSchedule,
  type LineSettings,
  type LineState,
  type LineTerms,
  type Purchase,
  type PurchaseKind,
  rate,
  type SeededFee,
} from '../../../../engine/index.js';
import { day, money, percent, SETTINGS, text } from '../installment/loans.js';

export const LINE_SETTINGS: LineSettings = {
  ...SETTINGS,
  areLineFeesFirst: true,
  drawOrder: ['overdueAmount', 'dueAmount', 'highestRate', 'oldest'],
  minimumInterestChargeCents: null,
  isInterestInMinimum: true,
  areFeesInMinimum: true,
  isOverLimitInMinimum: false,
  isOverdueInMinimum: true,
  overLimitTolerance: rate(0),
  isRevolving: true,
};

/** A statement on that day of each month, due 20 days later. */
export const statementOn = (dayOfMonth: number): LineSchedule => ({
  type: 'fixedStatementDate',
  statement: { type: 'monthly', day: dayOfMonth },
  statementToDueDays: 20,
});

export interface LineShape {
  readonly activation?: string;
  readonly limit?: string;
  readonly schedule?: LineSchedule;
  readonly settings?: Partial<LineSettings>;
  readonly terms?: Partial<LineTerms>;
}

export function line(shape: LineShape = {}): LineTerms {
  const activation = day(shape.activation ?? '2024-01-10');
  return {
    activation,
    interestFrom: activation,
    creditLimitCents: money(shape.limit ?? '5000.00'),
    originationFee: { amountCents: cents(0), logic: 'separate' },
    dayCount: 'daily365',
    accrualMethod: 'simple',
    schedule: shape.schedule ?? statementOn(10),
    rounding: CONTRACT_ROUNDING,
    minimum: { percentageOfPrincipal: rate(0), minCents: cents(0), isOverLimitIncluded: false },
    settings: [{ from: activation, value: { ...LINE_SETTINGS, ...shape.settings } }],
    ...shape.terms,
  };
}

const at = (date: string, seconds = 43_200): EffectiveTime => ({ day: day(date), seconds });

export interface DrawShape extends Partial<Omit<DrawActivated, 'type' | 'draw' | 'rates'>> {
  readonly rate?: string;
}

/** A draw, activated when the line is unless its shape says so, at 1% of principal and interest, at least 25.00. */
export function draw(number: number, { rate: annual = '0.1999', ...shape }: DrawShape = {}, date = '2024-01-10'): DrawActivated {
  return {
    type: 'drawActivated',
    effective: at(date, 7200 + number),
    recordedDay: day(date),
    sequence: number,
    draw: number,
    drawType: 'regularPurchase',
    rates: constantRate(percent(annual)),
    minimum: { percentageOfPrincipal: percent('0.01'), minCents: money('25.00'), isOverLimitIncluded: false },
    grace: { isApplicable: false, periodsToRestore: 1 },
    fee: { amountCents: cents(0), logic: 'separate', percentageOfPrincipal: rate(0) },
    limitCents: null,
    amortization: null,
    ...shape,
  };
}

/** Numbers from 100 on name purchases, from 200 on payments, so that they are sequences, too. */
export function buy(number: number, date: string, amount: string, of = 1, kind: PurchaseKind = 'regular'): Purchase {
  const isLowering = kind === 'refund' || kind === 'cashBack';
  return {
    type: 'purchase',
    effective: at(date),
    recordedDay: day(date),
    sequence: number,
    purchase: number,
    draw: of,
    kind,
    amountCents: money(amount),
    transaction: isLowering ? number + 1000 : null,
  };
}

export function payLine(number: number, date: string, amount: string, shape: Partial<LinePayment> = {}): LinePayment {
  return {
    type: 'payment',
    effective: at(date, 54_000),
    recordedDay: day(date),
    sequence: number,
    transaction: number,
    kind: 'payment',
    amountCents: money(amount),
    isPrepaymentEnabled: null,
    isProcessing: false,
    draw: null,
    holdUntil: null,
    ...shape,
  };
}

/** A draw of 2,500.00 on the day of activation. */
export const DRAWN: readonly LineFact[] = [draw(1), buy(100, '2024-01-10', '2500.00')];

/** When a fact was made. Its number comes last in what was recorded of its day. */
export const factPosition = (
  sequence: number,
  date: string,
  seconds = 50_000,
): Pick<LineFact, 'sequence' | 'effective' | 'recordedDay'> => ({
  sequence,
  effective: at(date, seconds),
  recordedDay: day(date),
});

/** An unpaid fee that a line has when it comes from another system. */
export const seededFee = (kind: SeededFee['kind'], dueStatus: DueStatus, amountCents: number): SeededFee => ({
  kind,
  standing: dueStatus,
  amountCents: cents(amountCents),
});

export interface ChargeShape {
  readonly draw?: number | null;
  readonly kind?: 'lateFee' | 'modificationFee' | 'otherFee';
  readonly chargeLogic?: 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue';
}

/** A fee by hand of the line itself, due at once unless its shape says otherwise. */
export const charge = (sequence: number, date: string, amount: string, shape: ChargeShape = {}): LineFact => ({
  ...factPosition(sequence, date),
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money(amount),
  chargeLogic: 'immediate',
  draw: null,
  ...shape,
});

/** All amounts of a record that are not zero, by name: `amount 75.00, remaining 37.00`. Exact interest has its decimals. */
export function amountsIn(record: object): string {
  const found = Object.entries(record).flatMap(([name, value]: readonly [string, unknown]): readonly string[] => {
    if (typeof value === 'number') return name.endsWith('Cents') && value !== 0 ? [`${name.slice(0, -5)} ${text(value)}`] : [];
    if (typeof value !== 'object' || value === null || !('cents' in value && 'parts' in value)) return [];
    const interest = { cents: Number(value.cents), parts: Number(value.parts) };
    return interest.cents === 0 && interest.parts === 0 ? [] : [`${name} ${formatAccrued(accruedOf(interest))}`];
  });
  return found.join(', ');
}

/** What each draw, and the line itself, holds. */
export const holdingsOf = ({ draws, fees }: LineState): readonly string[] => [
  ...openIn(fees),
  ...draws.flatMap(({ draw: number, balances, fees: ofDraw }) => [`${number}: ${amountsIn(balances)}`, ...openIn(ofDraw)]),
];

/** Unpaid fees, in the order of their charge. */
const openIn = (fees: LineState['fees']): readonly string[] =>
  fees.flatMap(({ openCents, dueStatus, draw: of }) =>
    openCents === 0 ? [] : [`  ${dueStatus} fee of ${of ?? 'the line'} ${text(openCents)}`],
  );

/** What each obligation asks for, and below it what its draws bring to it (0: the line's own fees), where that is anything. */
export const obligationsIn = ({ obligations }: LineState): readonly string[] =>
  obligations.flatMap((obligation) => [
    `${obligation.ordinal} ${formatDay(obligation.dueDay)}: ${amountsIn(obligation)}`,
    ...obligation.draws.flatMap((part) =>
      part.amountCents === 0 && part.capitalizedCents === 0 ? [] : [`  ${part.draw ?? 0}: ${amountsIn(part)}`],
    ),
  ]);

/** The allocations of each payment. */
export const splitsIn = ({ payments }: LineState): readonly string[] =>
  payments.flatMap((payment) => [
    `${payment.transaction}: ${amountsIn(payment)}`,
    ...payment.splits.map((split) => `  ${split.draw ?? 0}: ${amountsIn(split)}`),
  ]);
