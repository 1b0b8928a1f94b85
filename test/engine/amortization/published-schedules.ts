import {
  ACCRUED_ZERO,
  accrue,
  addAccrued,
  type AmortizationRounding,
  type Cents,
  cents,
  civil,
  type Day,
  type DayCountMethod,
  dayUnits,
  dueDates,
  formatAccrued,
  formatCents,
  formatDay,
  type LastPaymentLogic,
  type RowTerm,
  type ScheduleRow,
  sum,
} from '../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom, withDecimals } from '../numbers.js';

/** The terms of a published schedule in settings of the contract. */
export interface Settings {
  readonly dayCount: DayCountMethod;
  readonly rounding: AmortizationRounding;
  /** The first rows; the others are level. */
  readonly rowTerms?: readonly RowTerm[];
  readonly lastPayment?: LastPaymentLogic;
}

const TO_CENTS_UP: AmortizationRounding = { payment: 'up', paymentMultipleCents: 1, interest: 'halfUp' };
const TO_CENTS: AmortizationRounding = { payment: 'halfUp', paymentMultipleCents: 1, interest: 'halfEven' };
const TO_NEAREST_CENT: AmortizationRounding = { ...TO_CENTS_UP, payment: 'halfUp' };
const TO_WHOLE_UNITS: AmortizationRounding = { payment: 'halfUp', paymentMultipleCents: 100, interest: 'halfEven' };

const interestOnly = (count: number): readonly RowTerm[] => Array.from({ length: count }, () => ({ type: 'interestOnly' }));
const skipped = (count: number): readonly RowTerm[] => Array.from({ length: count }, () => ({ type: 'skipped' }));

/** Schedules whose conventions are settings of the contract. */
export const COMPUTED: Readonly<Record<string, Settings>> = {
  'fin-e2e-s02': { dayCount: 'monthly30360', rounding: TO_WHOLE_UNITS },
  'fin-e2e-s05': { dayCount: 'monthly30360', rounding: TO_WHOLE_UNITS, rowTerms: interestOnly(3) },
  'fin-e2e-s06': { dayCount: 'monthly30360', rounding: TO_WHOLE_UNITS, rowTerms: interestOnly(6) },
  'fin-e2e-s07': { dayCount: 'monthly30360', rounding: TO_WHOLE_UNITS, rowTerms: [...skipped(3), ...interestOnly(3)] },
  'fin-e2e-s09': { dayCount: 'monthly30360', rounding: TO_WHOLE_UNITS },
  'fin-e2e-s10': { dayCount: 'monthly30360', rounding: TO_WHOLE_UNITS },
  'fin-emi-s02': { dayCount: 'monthly30360', rounding: TO_CENTS },
  'fin-emi-s04': { dayCount: 'actualActual', rounding: TO_CENTS },
  'fin-emi-s07': { dayCount: 'daily360', rounding: TO_CENTS },
  'fin-emi-s08': { dayCount: 'monthly30360', rounding: TO_CENTS },
  'fin-cob-s01': { dayCount: 'monthly30360', rounding: TO_CENTS },
  'sce-s-adjlast': { dayCount: 'daily365', rounding: TO_CENTS_UP },
  'sce-s-single': { dayCount: 'daily365', rounding: TO_CENTS_UP },
  'fsp-s01': { dayCount: 'daily365', rounding: { ...TO_CENTS_UP, interest: 'down' } },
  'corefin-32': { dayCount: 'daily365', rounding: TO_CENTS, lastPayment: 'interestAbsorbs' },
  'sce-s-equal': { dayCount: 'daily365', rounding: TO_NEAREST_CENT, lastPayment: 'keepLevel' },
  'sce-s-skip': { dayCount: 'daily365', rounding: TO_NEAREST_CENT, lastPayment: 'keepLevel', rowTerms: skippedSummers(60) },
};

interface PublishedRow {
  readonly type?: string;
  readonly n?: number;
  readonly days?: number;
  readonly dueDate?: string;
  readonly due?: string;
  readonly principal?: string;
  readonly interest?: string;
  readonly principalBalanceAfter?: string;
  readonly balanceBefore?: string;
  readonly unpaidInterest?: string;
}

export type OurRow = Pick<
  ScheduleRow,
  'date' | 'amountCents' | 'principalCents' | 'interestCents' | 'remainingPrincipalCents' | 'unroundedInterest'
>;

interface DayRow {
  readonly day: string;
  readonly scheduled: string;
  readonly interestForPeriod: string;
  readonly interestPaid: string;
  readonly principalPaid: string;
  readonly principalBalance: string;
}

interface Expected {
  readonly schedule?: readonly PublishedRow[];
  readonly publishedRows?: readonly PublishedRow[];
  readonly rows?: readonly DayRow[];
  readonly payment?: string;
  readonly firstPayment?: string;
  readonly regularPayment?: string;
  readonly finalPayment?: string;
  readonly totalInterest?: string;
  readonly totalPrincipal?: string;
  readonly byYear?: Readonly<Record<string, { readonly payments: string; readonly interest: string; readonly principal: string }>>;
}

export interface ScheduleVector {
  readonly id: string;
  readonly title: string;
  readonly loan: {
    readonly principal?: string;
    readonly principalApplied?: string;
    readonly annualRate?: string;
    readonly standardRate?: string;
    readonly startDate?: string;
    readonly scheduleStartDate?: string;
    readonly firstPaymentDate?: string;
    readonly numberOfRepayments?: number;
    readonly paymentCount?: string;
    readonly paymentDates?: string;
  };
  readonly expected?: Expected;
  readonly steps?: readonly { readonly expect?: Expected }[];
}

/** What of the published figures ours do not meet, as readable text. */
export function differences(vector: ScheduleVector, rows: readonly OurRow[]): readonly string[] {
  const expected = expectedOf(vector);
  return [
    ...rowDifferences(vector, rows, publishedRows(expected)),
    ...dayRowDifferences(vector, rows, expected.rows ?? []),
    ...yearDifferences(rows, expected.byYear ?? {}),
    ...totalDifferences(rows, expected),
  ];
}

export function expectedOf(vector: ScheduleVector): Expected {
  return vector.expected ?? vector.steps?.find((step) => step.expect)?.expect ?? {};
}

export function principalOf({ loan }: ScheduleVector): Cents {
  return centsFrom(loan.principal ?? loan.principalApplied ?? '');
}

function rowDifferences(vector: ScheduleVector, schedule: readonly OurRow[], published: readonly PublishedRow[]): readonly string[] {
  return published.flatMap((row) => {
    const number = row.n ?? 0;
    const ours = schedule[number - 1];
    if (ours === undefined) return [`row ${number}: none`];
    const before = schedule[number - 2];
    return unequal(`row ${number}`, [
      [row.dueDate, formatDay(ours.date)],
      [row.days?.toString(), String(ours.date - (before?.date ?? startOf(vector)))],
      [row.balanceBefore, formatCents(before?.remainingPrincipalCents ?? principalOf(vector))],
      [row.unpaidInterest, unpaidInterest(schedule, number, vector)],
      [row.due, formatCents(ours.amountCents)],
      [row.principal, formatCents(ours.principalCents)],
      [row.interest, formatCents(ours.interestCents)],
      [row.principalBalanceAfter, formatCents(ours.remainingPrincipalCents)],
    ]);
  });
}

/** Rows by their days since the start; the first one is the start itself. */
function dayRowDifferences(vector: ScheduleVector, schedule: readonly OurRow[], published: readonly DayRow[]): readonly string[] {
  return published.slice(1).flatMap((row, position) => {
    const ours = schedule[position];
    if (ours === undefined) return [`day ${row.day}: none`];
    return unequal(`day ${row.day}`, [
      [row.day, String(ours.date - startOf(vector))],
      [row.scheduled, formatCents(ours.amountCents)],
      [row.interestForPeriod, withDecimals(formatAccrued(ours.unroundedInterest), 4)],
      [row.interestPaid, formatCents(ours.interestCents)],
      [row.principalPaid, formatCents(ours.principalCents)],
      [row.principalBalance, formatCents(ours.remainingPrincipalCents)],
    ]);
  });
}

/** Interest that rows before this one and itself have left unpaid: exact, printed with four decimals. */
function unpaidInterest(schedule: readonly OurRow[], number: number, vector: ScheduleVector): string {
  let unpaid = ACCRUED_ZERO;
  let from = startOf(vector);
  let balance = principalOf(vector);
  for (const row of schedule.slice(0, number)) {
    const earned = accrue(balance, rateFrom(annualRateOf(vector)), dayUnits('daily365', from, row.date));
    unpaid = row.amountCents > 0 ? ACCRUED_ZERO : addAccrued(unpaid, earned);
    balance = row.remainingPrincipalCents;
    from = row.date;
  }
  return withDecimals(formatAccrued(unpaid), 4);
}

function yearDifferences(rows: readonly OurRow[], published: NonNullable<Expected['byYear']>): readonly string[] {
  return Object.entries(published).flatMap(([year, figures]) => {
    const ofYear = rows.filter(({ date }) => formatDay(date).startsWith(year));
    return unequal(year, [
      [figures.payments, total(ofYear, 'amountCents')],
      [figures.interest, total(ofYear, 'interestCents')],
      [figures.principal, total(ofYear, 'principalCents')],
    ]);
  });
}

function total(rows: readonly OurRow[], key: 'amountCents' | 'interestCents' | 'principalCents'): string {
  return formatCents(sum(rows.map((row) => row[key])));
}

function totalDifferences(rows: readonly OurRow[], expected: Expected): readonly string[] {
  const [first, second] = rows;
  const last = rows.at(-1);
  return unequal('loan', [
    [expected.payment ?? expected.firstPayment, formatCents(first?.amountCents ?? cents(0))],
    [expected.regularPayment, formatCents(second?.amountCents ?? cents(0))],
    [expected.finalPayment, formatCents(last?.amountCents ?? cents(0))],
    [expected.totalInterest, total(rows, 'interestCents')],
    [expected.totalPrincipal, total(rows, 'principalCents')],
  ]);
}

/** Figures that were published and differ. */
function unequal(place: string, pairs: readonly (readonly [published: string | undefined, ours: string])[]): readonly string[] {
  return pairs.flatMap(([published, ours]) =>
    published === undefined || published === ours ? [] : [`${place}: ${published} published, ${ours} computed`],
  );
}

function publishedRows(expected: Expected): readonly PublishedRow[] {
  return (expected.schedule ?? expected.publishedRows ?? []).filter((row) => row.type !== 'disbursement');
}

export function startOf({ loan }: ScheduleVector): Day {
  return dayFrom(loan.startDate ?? loan.scheduleStartDate ?? '');
}

export function datesOf(vector: ScheduleVector, expected: Expected): readonly Day[] {
  const { loan } = vector;
  const count = Number(loan.numberOfRepayments ?? loan.paymentCount);
  const published = publishedRows(expected);
  if (published.length === count) return published.map((row) => dayFrom(row.dueDate ?? ''));
  const monthly = /^monthly from (\d{4}-\d{2}) on (\d{2})$/.exec(loan.paymentDates ?? '');
  const first = monthly ? `${monthly[1]}-${monthly[2]}` : (loan.firstPaymentDate ?? published[0]?.dueDate ?? '');
  return dueDates({ type: 'monthly', day: civil(dayFrom(first)).day }, dayFrom(first), count);
}

/** A yearly rate, or 365 times a rate `per day`. */
export function annualRateOf({ loan }: ScheduleVector): string {
  const daily = /^([\d.]+) % per day$/.exec(loan.standardRate ?? '');
  if (!daily) return loan.annualRate ?? '';
  const basisPoints = BigInt(centsFrom(daily[1] ?? '')) * 365n;
  return `${basisPoints / 10_000n}.${(basisPoints % 10_000n).toString().padStart(4, '0')}`;
}

/** Nothing is due in June, July and August: rows from October on, as published. */
function skippedSummers(count: number): readonly RowTerm[] {
  return Array.from({ length: count }, (_, position) => {
    const month = ((position + 9) % 12) + 1;
    return { type: month >= 6 && month <= 8 ? 'skipped' : 'level' };
  });
}
