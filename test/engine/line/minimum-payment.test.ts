import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  type Cents,
  cents,
  drawMinimum,
  formatCents,
  lineMinimum,
  type LineMinimumRule,
  type MinimumPaymentRule,
  overLimitCents,
  rate,
  ZERO,
} from '../../../engine/index.js';
import { missing, vectorsOf } from '../../shared.js';
import { centsFrom, rateFrom } from '../numbers.js';

const FILE = 'accrual-and-balance.json';

interface MinimumVector {
  readonly id: string;
  readonly inputs: { readonly rule: string };
  readonly expected: { readonly examples: readonly Example[] };
}

interface Example {
  readonly balance: string;
  readonly interest?: string;
  readonly fees?: string;
  readonly pastDue?: string;
  readonly limit?: string;
  readonly minimum: string;
}

interface Rules {
  readonly text: string;
  readonly draw: MinimumPaymentRule;
  readonly line: LineMinimumRule;
}

const RULE: MinimumPaymentRule = {
  percentage: rate(0),
  percentageOf: 'balance',
  fixedCents: ZERO,
  minCents: ZERO,
  isInterestIncluded: true,
  areFeesIncluded: true,
};

/** The published rules in settings. */
const RULES: Readonly<Record<string, Rules>> = {
  'minpay-1': {
    text: 'max(25, 2% of balance + interest) + pastDue; if balance < 25 then balance',
    draw: { ...RULE, percentage: rateFrom('0.02'), minCents: cents(2_500), areFeesIncluded: false },
    line: { minCents: ZERO, overLimit: 'excluded', isOverdueIncluded: true },
  },
  'minpay-2': {
    text: '10 + interest + fees + max(pastDue, balance - limit); if balance <= 10 then balance',
    draw: { ...RULE, fixedCents: cents(1_000) },
    line: { minCents: ZERO, overLimit: 'greaterOfOverdue', isOverdueIncluded: true },
  },
};

const vectors = vectorsOf<MinimumVector>(FILE, 'minimumPayment');
const skip = vectors ? false : missing('domain', 'vectors', FILE);

test('published minimum payment rules come out to the cent', { skip }, (t) => {
  for (const { id, inputs, expected } of vectors ?? []) {
    const rules = RULES[id];
    t.equal(rules?.text, inputs.rule, `${id} is the rule that was read`);
    for (const example of expected.examples) t.equal(rules && minimumOf(rules, example), example.minimum, id);
  }
  t.equal(vectors?.length, 2);
  t.end();
});

function minimumOf({ draw, line }: Rules, example: Example): string {
  const balanceCents = centsFrom(example.balance);
  const statement = {
    principalCents: balanceCents,
    balanceCents,
    interestCents: centsFrom(example.interest ?? '0'),
    feesCents: centsFrom(example.fees ?? '0'),
  };
  const minimum = lineMinimum(line, {
    minimumsCents: [drawMinimum(draw, statement)],
    dueFeesCents: ZERO,
    overLimitCents: overLimitCents(balanceCents, centsFrom(example.limit ?? example.balance)),
    overdueCents: centsFrom(example.pastDue ?? '0'),
    balanceCents,
  });
  return formatCents(minimum);
}

/** The contract's formula (servicing-behaviour 10.3). */
const CONTRACT: MinimumPaymentRule = { ...RULE, percentage: rateFrom('0.015'), percentageOf: 'principal', minCents: cents(2_500) };

test('a draw asks for its percentage of principal, rounded half up, and its interest and fees, or for the floor', (t) => {
  const statement = (principal: string, interest: string, fees: string) => {
    const [principalCents, interestCents, feesCents] = [principal, interest, fees].map(centsFrom) as [Cents, Cents, Cents];
    return { principalCents, interestCents, feesCents, balanceCents: cents(principalCents + interestCents + feesCents) };
  };
  const minimum = (...amounts: [string, string, string]): string => formatCents(drawMinimum(CONTRACT, statement(...amounts)));
  t.equal(minimum('1000.00', '12.00', '3.00'), '30.00', '15 of principal, 12 of interest, 3 of fees');
  t.equal(minimum('1001.00', '12.00', '0.00'), '27.02', '15.015 is 15.02');
  t.equal(minimum('100.00', '1.00', '0.00'), '25.00', 'the floor');
  t.equal(minimum('20.00', '1.00', '0.00'), '21.00', 'a balance below the floor, whole');
  t.end();
});

test('a line asks for its draws, its own fees and the excess over the limit, at least its floor, and for what is overdue on top', (t) => {
  const line: LineMinimumRule = { minCents: cents(5_000), overLimit: 'underFloor', isOverdueIncluded: true };
  const amounts = { dueFeesCents: cents(300), overLimitCents: cents(1_000), overdueCents: cents(2_000), balanceCents: cents(100_000) };
  const minimum = (minimumsCents: readonly Cents[], rule = line): string => formatCents(lineMinimum(rule, { ...amounts, minimumsCents }));
  t.equal(minimum([cents(2_500), cents(3_000)]), '88.00');
  t.equal(minimum([cents(2_500)]), '70.00', 'the floor takes fees and excess in, not what is overdue');
  t.equal(minimum([cents(2_500)], { ...line, overLimit: 'excluded' }), '70.00');
  t.equal(minimum([cents(2_500)], { ...line, overLimit: 'onTop' }), '80.00');
  t.equal(minimum([cents(2_500)], { ...line, overLimit: 'greaterOfOverdue' }), '70.00');
  t.equal(minimum([cents(2_500)], { ...line, isOverdueIncluded: false }), '50.00');
  t.equal(minimum([cents(200_000)]), '1000.00', 'never above the balance');
  t.end();
});

const amount = fc.integer({ min: 0, max: 2_000_000 }).map(cents);
const drawRule: fc.Arbitrary<MinimumPaymentRule> = fc.record({
  percentage: fc.integer({ min: 0, max: 20_000_000 }).map(rate),
  percentageOf: fc.constantFrom('principal', 'balance'),
  fixedCents: fc.integer({ min: 0, max: 5_000 }).map(cents),
  minCents: fc.integer({ min: 0, max: 5_000 }).map(cents),
  isInterestIncluded: fc.boolean(),
  areFeesIncluded: fc.boolean(),
});
const lineRule: fc.Arbitrary<LineMinimumRule> = fc.record({
  minCents: fc.integer({ min: 0, max: 5_000 }).map(cents),
  overLimit: fc.constantFrom('excluded', 'underFloor', 'onTop', 'greaterOfOverdue'),
  isOverdueIncluded: fc.boolean(),
});

test('a minimum is never negative, never above the balance, and at least the floor when the balance is', (t) => {
  fc.assert(
    fc.property(drawRule, amount, amount, amount, (rule, principalCents, interestCents, feesCents) => {
      const balanceCents = cents(principalCents + interestCents + feesCents);
      const minimum = drawMinimum(rule, { principalCents, balanceCents, interestCents, feesCents });
      return minimum >= 0 && minimum <= balanceCents && minimum >= Math.min(rule.minCents, balanceCents);
    }),
  );
  fc.assert(
    fc.property(
      lineRule,
      fc.array(amount, { maxLength: 4 }),
      fc.tuple(amount, amount, amount),
      amount,
      (rule, minimumsCents, parts, balanceCents) => {
        const [dueFeesCents, excess, overdueCents] = parts;
        const minimum = lineMinimum(rule, { minimumsCents, dueFeesCents, overLimitCents: excess, overdueCents, balanceCents });
        return minimum >= 0 && minimum <= balanceCents && minimum >= Math.min(rule.minCents, balanceCents);
      },
    ),
  );
  t.end();
});

test('a line in credit asks for nothing', (t) => {
  const line = { minimumsCents: [], dueFeesCents: ZERO, overLimitCents: ZERO, overdueCents: ZERO, balanceCents: cents(-500) };
  t.equal(lineMinimum({ minCents: cents(2_500), overLimit: 'excluded', isOverdueIncluded: true }, line), 0);
  t.end();
});
