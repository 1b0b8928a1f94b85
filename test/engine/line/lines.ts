import {
  cents,
  constantRate,
  CONTRACT_ROUNDING,
  type DrawActivated,
  type EffectiveTime,
  type LineFact,
  type LinePayment,
  type LineSchedule,
  type LineSettings,
  type LineTerms,
  type Purchase,
  type PurchaseKind,
  rate,
} from '../../../engine/index.js';
import { day, money, percent, SETTINGS } from '../replay/loans.js';

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
