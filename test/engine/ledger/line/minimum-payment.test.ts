import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  type Cents,
  cents,
  computeLine,
  drawMinimum,
  formatCents,
  type LineFact,
  lineMinimum,
  type LineMinimumRule,
  type LineTerms,
  type MinimumPaymentRule,
  overLimitCents,
  rate,
  ZERO,
} from '../../../../engine/index.js';
import { missing, vectorsOf } from '../../../shared.js';
import { centsFrom, rateFrom } from '../../numbers.js';
import { day, money } from '../installment/loans.js';
import { buy, charge, draw, line, obligationsIn, statementOn } from './lines.js';

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

test('published minimum payments match to the cent', { skip }, (t) => {
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

/** The contract's formula. */
const CONTRACT: MinimumPaymentRule = { ...RULE, percentage: rateFrom('0.015'), percentageOf: 'principal', minCents: cents(2_500) };

test('the minimum of a draw is its percentage of principal, rounded half up, with interest and fees, or the floor', (t) => {
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

test('the minimum of a line is its draws, fees and over-limit amount, at least its floor, and overdue amounts on top', (t) => {
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

test('a line with a credit balance has no minimum payment', (t) => {
  const line = { minimumsCents: [], dueFeesCents: ZERO, overLimitCents: ZERO, overdueCents: ZERO, balanceCents: cents(-500) };
  t.equal(lineMinimum({ minCents: cents(2_500), overLimit: 'excluded', isOverdueIncluded: true }, line), 0);
  t.end();
});

/*
 * 1,000.00 at a thousandth a day and 500.00 at two thousandths: the statement of 9 February asks for 10.00 and 30.00 of the first draw, and
 * for 5.00 and 30.00 of the second one.
 */
const DRAWS: readonly LineFact[] = [draw(1, { rate: '0.365' }), draw(2, { rate: '0.73' }), buy(100, '2024-01-10', '1000.00')];
const MORE = buy(101, '2024-01-10', '500.00', 2);

interface AskingShape {
  readonly floor?: string;
  readonly limit?: string;
  readonly isOverLimitInMinimum?: boolean;
  readonly isOverLimitIncluded?: boolean;
}

const asking = ({ floor = '0.00', isOverLimitIncluded = false, isOverLimitInMinimum = false, limit = '5000.00' }: AskingShape): LineTerms =>
  line({
    schedule: statementOn(9),
    limit,
    settings: { isOverLimitInMinimum },
    terms: { minimum: { percentageOfPrincipal: rate(0), minCents: money(floor), isOverLimitIncluded } },
  });

const askedOf = (facts: readonly LineFact[], shape: AskingShape): readonly string[] =>
  obligationsIn(computeLine(asking(shape), facts, day('2024-02-09'))).map((row) =>
    row.replace(/, (base|unrounded|remaining|withoutLate).*$/, ''),
  );

test('the floor of a line raises the draw with the highest rate first, up to its whole balance with waiting fees, then the next', (t) => {
  const fee = charge(300, '2024-01-20', '12.00');
  t.same(askedOf([...DRAWS, MORE, fee], { floor: '100.00' }), [
    '0 2024-02-29: amount 100.00',
    '  1: amount 40.00, interest 30.00',
    '  2: amount 48.00, interest 30.00',
    '  0: amount 12.00, fees 12.00',
  ]);
  // 30.00 and 1.80 of interest: 25.00 by its own floor, 31.80 and the fee of 5.00 by that of the line.
  const waiting = charge(301, '2024-01-20', '5.00', { draw: 2, chargeLogic: 'lastDueDate' });
  t.same(askedOf([...DRAWS, buy(101, '2024-01-10', '30.00', 2), waiting], { floor: '100.00' }), [
    '0 2024-02-29: amount 100.00',
    '  1: amount 63.20, interest 30.00',
    '  2: amount 36.80, interest 1.80, fees 5.00',
  ]);
  t.same(askedOf([...DRAWS, MORE], { floor: '75.01' }).slice(2), ['  2: amount 35.01, interest 30.00']);
  // All of it, with fees of draws that are due and that wait.
  t.same(askedOf([...DRAWS, MORE, charge(300, '2024-01-20', '6.00', { draw: 1 }), waiting], { floor: '9000.00' }), [
    '0 2024-02-29: amount 1571.00',
    '  1: amount 1036.00, interest 30.00, fees 6.00',
    '  2: amount 535.00, interest 30.00, fees 5.00',
  ]);
  t.same(askedOf([...DRAWS, MORE], { floor: '9000.00' }), [
    '0 2024-02-29: amount 1560.00',
    '  1: amount 1030.00, interest 30.00',
    '  2: amount 530.00, interest 30.00',
  ]);
  t.end();
});

test('an over-limit amount is due once: for a draw with its own limit there, the rest from the draw with the highest rate', (t) => {
  const overLimit = (facts: readonly LineFact[], shape: AskingShape): readonly [number | undefined, ...(readonly string[])] => [
    computeLine(asking(shape), facts, day('2024-02-09')).obligations[0]?.overLimitCents,
    ...askedOf(facts, shape),
  ];
  // 1,560.00 are owed.
  for (const shape of [{ isOverLimitInMinimum: true }, { isOverLimitIncluded: true }]) {
    t.same(overLimit([...DRAWS, MORE], { limit: '1000.00', ...shape }), [
      56_000,
      '0 2024-02-29: amount 635.00',
      '  1: amount 105.00, interest 30.00',
      '  2: amount 530.00, interest 30.00',
    ]);
    const limited = DRAWS.map((fact) =>
      fact.type === 'drawActivated' && fact.draw === 1
        ? { ...fact, limitCents: money('900.00'), minimum: { ...fact.minimum, isOverLimitIncluded: true } }
        : fact,
    );
    t.same(overLimit([...limited, MORE], { limit: '1000.00', ...shape }), [
      56_000,
      '0 2024-02-29: amount 635.00',
      '  1: amount 170.00, interest 30.00',
      '  2: amount 465.00, interest 30.00',
    ]);
    t.same(overLimit([...limited, MORE], { limit: '2000.00', ...shape })[0], 13_000, 'of the draw alone');
    t.same(overLimit([...DRAWS, MORE, charge(300, '2024-01-20', '12.00')], { limit: '1200.00', ...shape }), [
      37_200,
      '0 2024-02-29: amount 459.00',
      '  1: amount 40.00, interest 30.00',
      '  2: amount 407.00, interest 30.00',
      '  0: amount 12.00, fees 12.00',
    ]);
  }
  t.same(overLimit([...DRAWS, MORE], { limit: '1000.00' }), [
    0,
    '0 2024-02-29: amount 75.00',
    '  1: amount 40.00, interest 30.00',
    '  2: amount 35.00, interest 30.00',
  ]);
  t.end();
});

test('facts recorded after the due date keep the amount: the last draw is lowered, and keeps its fees', (t) => {
  const late: LineFact = { ...buy(102, '2024-01-20', '1000.00'), recordedDay: day('2024-03-05') };
  const fees = [
    charge(300, '2024-01-15', '6.00', { draw: 2 }),
    charge(301, '2024-01-15', '4.00', { draw: 1 }),
    charge(302, '2024-01-15', '9.00', { chargeLogic: 'lastDueDate' }),
  ];
  const asked = (more: LineFact): readonly string[] =>
    obligationsIn(computeLine(asking({}), [...DRAWS, MORE, ...fees, more], day('2024-03-05')));
  // The first draw has 20 days on 2,000.00: 20.00 and 50.00, of 75.00 that both draws had asked for.
  t.same(asked(late), [
    '0 2024-02-29: amount 94.00, base 75.00, principal 20.00, interest 55.00, fees 19.00, unroundedInterest 80.0000000000, ' +
      'remaining 94.00, withoutLateFees 94.00',
    '  1: amount 74.00, interest 50.00, fees 4.00, remaining 74.00',
    '  2: amount 11.00, interest 5.00, fees 6.00, remaining 11.00',
    '  0: amount 9.00, fees 9.00, remaining 9.00',
  ]);
  // 3,000.00 more: 90.00 of interest and 40.00, so that nothing is left for the second draw but its fee.
  t.same(asked({ ...late, amountCents: money('3000.00') }).slice(1), [
    '  1: amount 79.00, interest 75.00, fees 4.00, remaining 79.00',
    '  2: amount 6.00, fees 6.00, remaining 6.00',
    '  0: amount 9.00, fees 9.00, remaining 9.00',
  ]);
  // 1% of 1,000.50 is a cent more, and 15 days on the 50 cents are less than one.
  t.same(asked({ ...buy(102, '2024-01-25', '0.50'), recordedDay: day('2024-03-05') }).slice(1, 3), [
    '  1: amount 44.01, interest 30.00, fees 4.00, remaining 44.01',
    '  2: amount 40.99, interest 30.00, fees 6.00, remaining 40.99',
  ]);
  t.end();
});

test('the over-limit amount is at most the statement: overdue amounts are not due again', (t) => {
  const state = computeLine(asking({ limit: '0.00', isOverLimitInMinimum: true }), [...DRAWS, MORE], day('2024-03-09'));
  t.same(
    state.obligations.map(({ amountCents, overLimitCents: ofLimit }) => [amountCents, ofLimit]),
    [
      [156_000, 156_000],
      // 29 days on 1,000.00 and on 500.00.
      [5_800, 5_800],
    ],
  );
  t.end();
});

test('a draw without a minimum payment is not lowered', (t) => {
  const nothing = { percentageOfPrincipal: rate(0), minCents: money('0.00'), isOverLimitIncluded: false };
  const late: LineFact = { ...buy(102, '2024-01-20', '1000.00', 2), recordedDay: day('2024-03-05') };
  const facts = [
    draw(1, { rate: '0', minimum: nothing }),
    draw(2, { rate: '0.365' }),
    buy(100, '2024-01-10', '1000.00'),
    buy(101, '2024-01-10', '1000.00', 2),
  ];
  t.match(obligationsIn(computeLine(asking({}), [...facts, late], day('2024-03-05'))), [
    /^0 2024-02-29: amount 40.00, /,
    /^ {2}2: amount 40.00, /,
  ]);
  t.end();
});

test('a draw without a limit, or within it, has no over-limit amount; a balance below the floor is due with its fee', (t) => {
  const excess = (limit: string | null): readonly string[] => {
    const limitCents = limit === null ? null : money(limit);
    const included = { percentageOfPrincipal: rateFrom('0.01'), minCents: money('25.00'), isOverLimitIncluded: true };
    return askedOf([draw(1, { rate: '0.365', limitCents, minimum: included }), buy(100, '2024-01-10', '1000.00')], {});
  };
  for (const limit of [null, '1030.00', '2000.00']) t.equal(excess(limit)[0], '0 2024-02-29: amount 40.00');
  t.equal(excess('1029.99')[0], '0 2024-02-29: amount 40.01');
  // 13.00 of principal and a fee of 12.00; and a fee of a cent.
  const small = [draw(1, { rate: '0' }), buy(100, '2024-01-10', '20.00')];
  t.same(askedOf([...small, charge(300, '2024-01-20', '12.00', { draw: 1 })], {}), [
    '0 2024-02-29: amount 25.00',
    '  1: amount 25.00, fees 12.00',
  ]);
  t.same(askedOf([...small, charge(300, '2024-01-20', '0.01')], {}).slice(1), ['  1: amount 20.00', '  0: amount 0.01, fees 0.01']);
  t.end();
});

test('a fee that was recorded on the day of the statement is not part of it', (t) => {
  const known = (recorded: string): string | undefined =>
    askedOf([...DRAWS, { ...charge(300, '2024-02-05', '12.00'), recordedDay: day(recorded) }], {})[0];
  t.equal(known('2024-02-08'), '0 2024-02-29: amount 52.00');
  t.equal(known('2024-02-09'), '0 2024-02-29: amount 40.00');
  t.end();
});
