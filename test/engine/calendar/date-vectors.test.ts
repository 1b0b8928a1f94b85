import { test } from 'tap';
import { type DayCountConvention, daysBetween, dueDates, fixedRatio, formatDay, yearFraction } from '../../../engine/index.js';
import { missing, vectorsOf } from '../../shared.js';
import { dayFrom, fixedFrom, isWithin, toleranceFrom } from '../numbers.js';

const FILE = 'dates-and-daycount.json';

const CONVENTIONS: Readonly<Record<string, DayCountConvention>> = {
  '30/360 US (NASD)': 'thirty360Us',
  '30/360 US': 'thirty360Us',
  '30E/360': 'thirtyE360',
  'ACT/ACT (spreadsheet basis 1)': 'actualActualSpreadsheet',
  'ACT/360': 'actual360',
  'ACT/365': 'actual365',
};

interface DueDateVector {
  readonly id: string;
  readonly title: string;
  readonly inputs: { readonly firstDueDate: string; readonly every: string; readonly anchorDay: number };
  readonly expected: { readonly dueDates: readonly string[] };
}

const dueDateVectors = vectorsOf<DueDateVector>(FILE, 'dueDates');

test('due dates keep their anchor day as published', { skip: dueDateVectors ? false : missing('domain', 'vectors', FILE) }, (t) => {
  t.equal(dueDateVectors?.length, 2);
  for (const { id, title, inputs, expected } of dueDateVectors ?? []) {
    t.equal(inputs.every, '1 month');
    const dates = dueDates({ type: 'monthly', day: inputs.anchorDay }, dayFrom(inputs.firstDueDate), expected.dueDates.length);
    t.same(dates.map(formatDay), expected.dueDates, `${id}: ${title}`);
  }
  t.end();
});

interface DayCountVector {
  readonly id: string;
  readonly inputs: { readonly from: string; readonly to: string; readonly convention?: string };
  readonly expected: Readonly<Record<string, string | number>>;
  readonly tolerance?: string;
}

const dayCountVectors = vectorsOf<DayCountVector>(FILE, 'dayCount');

test('days and year fractions are as published', { skip: dayCountVectors ? false : missing('domain', 'vectors', FILE) }, (t) => {
  t.equal(dayCountVectors?.length, 26);
  for (const { id, inputs, expected, tolerance } of dayCountVectors ?? []) {
    const from = dayFrom(inputs.from);
    const to = dayFrom(inputs.to);
    if (inputs.convention !== undefined) {
      t.equal(daysBetween(conventionOf(inputs.convention), from, to), expected['days'], `${id} ${inputs.convention}`);
      continue;
    }
    for (const [name, wanted] of Object.entries(expected)) {
      const { numerator, denominator } = yearFraction(conventionOf(name), from, to);
      const actual = fixedRatio(BigInt(numerator), BigInt(denominator));
      t.ok(isWithin(actual, fixedFrom(String(wanted)), toleranceFrom(tolerance ?? '')), `${id} ${name}`);
    }
  }
  t.end();
});

function conventionOf(name: string): DayCountConvention {
  const convention = CONVENTIONS[name];
  if (convention === undefined) throw new Error(`no such day count convention: ${name}`);
  return convention;
}
