import { test } from 'tap';
import {
  addDays,
  type Cents,
  cents,
  datesOf,
  type DatedAmount,
  type Day,
  civil,
  dueDates,
  wholeFixed,
  multiplyFixed,
  nominalFromPeriodic,
  periodsPerYear,
  solveUnitPeriodRate,
  type TimedAmount,
  timings,
  type UnitPeriod,
  unitPeriodOf,
  type UnitRate,
  unitRateOf,
} from '../../../engine/index.js';
import { missing, vectorsOf } from '../../shared.js';
import { centsFrom, dayFrom, fixedFrom, isWithin } from '../numbers.js';

interface Series {
  readonly count: number;
  readonly amount: string;
  readonly firstDate?: string;
  readonly every?: string;
  readonly start?: { readonly t: number; readonly f: string };
}

interface AprVector {
  readonly id: string;
  readonly title: string;
  readonly conventions: { readonly tolerance: string };
  readonly inputs: {
    readonly advances: readonly { readonly date: string; readonly amount: string }[];
    readonly payments: readonly Series[];
    readonly unitPeriod: string;
    readonly unitPeriodsPerYear: string;
    readonly timing: { readonly firstPayment?: string };
  };
  readonly expected: { readonly aprPercent: string };
}

/** Published by its unit periods, not by its dates. */
const TIMED_VECTOR = 'regz-c6i';

const VECTOR_COUNT = 22;

const vectors = vectorsOf<AprVector>('apr.json', 'apr');

test('the published APRs of Regulation Z and others', { skip: vectors ? false : missing('domain', 'vectors', 'apr.json') }, (t) => {
  t.equal(vectors?.length, VECTOR_COUNT);
  for (const vector of vectors ?? []) {
    void t.test(`${vector.id}: ${vector.title}`, (t) => {
      if (vector.id === TIMED_VECTOR) {
        const unit: UnitPeriod = { type: 'weeks', count: 4 };
        t.ok(isPublished(vector, { unit, unitRate: solveUnitPeriodRate(timedAmounts(vector)) }));
        t.equal(nameOf(unit), vector.inputs.unitPeriod);
        t.end();
        return;
      }
      const advances = vector.inputs.advances.map(({ date, amount }) => ({ date: dayFrom(date), amountCents: centsFrom(amount) }));
      const payments = vector.inputs.payments.flatMap(datedPayments);
      const unit = unitPeriodOf(datesOf({ advances, payments }));
      t.equal(nameOf(unit), vector.inputs.unitPeriod, 'the unit period follows from the dates');
      t.equal(periodsText(unit), vector.inputs.unitPeriodsPerYear);
      t.equal(firstTiming(unit, advances, payments), vector.inputs.timing.firstPayment);
      t.ok(isPublished(vector, unitRateOf({ advances, payments })), `${vector.expected.aprPercent} %`);
      t.end();
    });
  }
  t.end();
});

/** Within the tolerance that the publication's decimals allow, in percentage points. */
function isPublished(vector: AprVector, { unit, unitRate }: UnitRate): boolean {
  if (unitRate === null) return false;
  const tolerance = vector.conventions.tolerance.split(' ')[0] ?? '';
  const percent = multiplyFixed(nominalFromPeriodic(unitRate, periodsPerYear(unit)), wholeFixed(100));
  return isWithin(percent, fixedFrom(vector.expected.aprPercent), fixedFrom(tolerance));
}

function datedPayments(series: Series): readonly DatedAmount[] {
  const first = dayFrom(series.firstDate ?? '');
  const dates = datesEvery(series.every ?? '', first, series.count);
  return dates.map((date) => ({ date, amountCents: centsFrom(series.amount) }));
}

function datesEvery(every: string, first: Day, count: number): readonly Day[] {
  if (every === 'single') return [first];
  const days = /^semimonth: days (\d+) and (\d+)$/.exec(every);
  if (days) return dueDates({ type: 'twiceMonthly', days: [Number(days[1]), Number(days[2])] }, first, count);
  const [, number, unit] = /^(\d+) (day|week|month)s?$/.exec(every) ?? [];
  const step = Number(number);
  if (unit === 'month')
    return dueDates({ type: 'monthly', day: civil(first).day }, first, (count - 1) * step + 1).filter((_, n) => n % step === 0);
  return Array.from({ length: count }, (_, index) => addDays(first, index * step * (unit === 'week' ? 7 : 1)));
}

function timedAmounts(vector: AprVector): readonly TimedAmount[] {
  const start = { whole: 0, part: 0, parts: 1 };
  const advances = vector.inputs.advances.map(({ amount }) => ({ amountCents: centsFrom(amount), timing: start }));
  const payments = vector.inputs.payments.flatMap(({ count, amount, start }) => {
    const [part, parts] = (start?.f ?? '').split('/').map(Number);
    return Array.from({ length: count }, (_, index) => ({
      amountCents: negative(centsFrom(amount)),
      timing: { whole: (start?.t ?? 0) + index, part: part ?? 0, parts: parts ?? 1 },
    }));
  });
  return [...advances, ...payments];
}

function negative(amount: Cents): Cents {
  return cents(-amount);
}

function firstTiming(unit: UnitPeriod, advances: readonly DatedAmount[], payments: readonly DatedAmount[]): string {
  const origin = advances[0]?.date ?? dayFrom('');
  const [first] = timings(
    unit,
    origin,
    payments.map(({ date }) => date),
  );
  return `t=${first?.whole} f=${first?.part === 0 ? '0' : `${first?.part}/${first?.parts}`}`;
}

function nameOf(unit: UnitPeriod): string {
  const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
  switch (unit.type) {
    case 'day':
      return '1 day';
    case 'weeks':
      return counted(unit.count, 'week');
    case 'semimonth':
      return 'semimonth';
    case 'months':
      return counted(unit.count, 'month');
    case 'year':
      return '1 year';
    case 'termInDays':
      return counted(unit.days, 'day');
    case 'termInMonths':
      return counted(unit.months, 'month');
  }
}

function periodsText(unit: UnitPeriod): string {
  if (unit.type === 'termInDays') return `365/${unit.days}`;
  const { numerator, denominator } = periodsPerYear(unit);
  return denominator === 1 ? `${numerator}` : `${numerator}/${denominator}`;
}
