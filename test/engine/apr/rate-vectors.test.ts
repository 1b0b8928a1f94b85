import { test } from 'tap';
import {
  divideFixed,
  effectiveFromNominal,
  type Fixed,
  FIXED_ONE,
  interestPart,
  levelPayment,
  multiplyFixed,
  nominalFromEffective,
  xirr,
} from '../../../engine/index.js';
import { missing, vectorsOf } from '../../shared.js';
import { centsFrom, dayFrom, fixedFrom, isWithin, toleranceFrom } from '../numbers.js';

const FILE = 'rates-annuity-xirr.json';

interface ConversionVector {
  readonly id: string;
  readonly inputs: { readonly nominal?: string; readonly effective?: string; readonly periodsPerYear: number };
  readonly expected: { readonly nominal?: string; readonly effective?: string };
  readonly tolerance: string;
}

const conversions = vectorsOf<ConversionVector>(FILE, 'rateConversion');

test('nominal and effective rates convert as published', { skip: conversions ? false : missing('domain', 'vectors', FILE) }, (t) => {
  t.equal(conversions?.length, 5);
  for (const { id, inputs, expected, tolerance } of conversions ?? []) {
    const converted =
      inputs.nominal === undefined
        ? nominalFromEffective(fixedFrom(inputs.effective ?? ''), inputs.periodsPerYear)
        : effectiveFromNominal(fixedFrom(inputs.nominal), inputs.periodsPerYear);
    t.ok(isWithin(converted, fixedFrom(expected.effective ?? expected.nominal ?? ''), toleranceFrom(tolerance)), id);
  }
  t.end();
});

interface AnnuityVector {
  readonly id: string;
  readonly inputs: {
    readonly periodicRate: string;
    readonly period?: number;
    readonly periods: number;
    readonly presentValue: string;
    readonly futureValue?: string;
    readonly paymentAtPeriodStart?: boolean;
  };
  readonly expected: { readonly payment?: string; readonly interest?: string };
  readonly tolerance: string;
}

const annuities = vectorsOf<AnnuityVector>(FILE, 'annuity');

test('level payments and their interest parts are as published', { skip: annuities ? false : missing('domain', 'vectors', FILE) }, (t) => {
  t.equal(annuities?.length, 6);
  for (const { id, inputs, expected, tolerance } of annuities ?? []) {
    const annuity = {
      periodicRate: ratioFrom(inputs.periodicRate),
      periods: inputs.periods,
      presentValue: fixedFrom(inputs.presentValue),
      futureValue: fixedFrom(inputs.futureValue ?? '0'),
      paymentAtPeriodStart: inputs.paymentAtPeriodStart ?? false,
    };
    const actual = inputs.period === undefined ? levelPayment(annuity) : interestPart(annuity, inputs.period);
    t.ok(isWithin(actual, fixedFrom(expected.payment ?? expected.interest ?? ''), toleranceFrom(tolerance)), id);
  }
  t.end();
});

interface XirrVector {
  readonly id: string;
  readonly inputs: { readonly amounts: readonly string[]; readonly dates: readonly string[] };
  readonly expected: { readonly rate: string };
  readonly tolerance: string;
}

const yields = vectorsOf<XirrVector>(FILE, 'xirr');

test('yields of dated cash flows are as published', { skip: yields ? false : missing('domain', 'vectors', FILE) }, (t) => {
  t.equal(yields?.length, 8);
  for (const { id, inputs, expected, tolerance } of yields ?? []) {
    t.equal(tolerance, '1e-6 relative');
    const flows = inputs.amounts.map((amount, position) => ({
      amountCents: centsFrom(amount),
      date: dayFrom(inputs.dates[position] ?? ''),
    }));
    const wanted = fixedFrom(expected.rate);
    const allowed = multiplyFixed(wanted < 0n ? (-wanted as Fixed) : wanted, toleranceFrom('1e-6'));
    t.ok(isWithin(xirr(flows) ?? FIXED_ONE, wanted, allowed), id);
    t.ok(isWithin(xirr([...flows].reverse()) ?? FIXED_ONE, wanted, allowed), `${id} in another order`);
  }
  t.end();
});

test('flows of one sign have no yield', (t) => {
  t.equal(
    xirr([
      { amountCents: centsFrom('5'), date: dayFrom('2024-01-01') },
      { amountCents: centsFrom('7'), date: dayFrom('2024-05-01') },
    ]),
    undefined,
  );
  t.end();
});

function ratioFrom(text: string): Fixed {
  const [numerator = '', denominator = '1'] = text.split('/');
  return divideFixed(fixedFrom(numerator), fixedFrom(denominator));
}
