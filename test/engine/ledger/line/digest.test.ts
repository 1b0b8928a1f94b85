import { test } from 'tap';
import { computeLine, type LineFact, lineDigest, type LineState } from '../../../../engine/index.js';
import { day, LATE_FEE, money } from '../installment/loans.js';
import { buy, draw, DRAWN, line, payLine, statementOn } from './lines.js';

/** A line with all that a digest holds: two draws, fees of each kind, an obligation, a payment, a frozen time, rows. */
const TERMS = line({ schedule: statementOn(9), settings: { lateFees: [LATE_FEE] } });
const factPosition = (sequence: number, date: string) => ({
  sequence,
  effective: { day: day(date), seconds: 50_000 },
  recordedDay: day(date),
});
const fee = (sequence: number, date: string, of: number | null): LineFact => ({
  ...factPosition(sequence, date),
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money('12.00'),
  chargeLogic: 'immediate',
  draw: of,
});
const FACTS: readonly LineFact[] = [
  ...DRAWN,
  draw(2, { limitCents: money('700.00') }),
  buy(101, '2024-01-10', '300.00', 2),
  fee(300, '2024-02-20', null),
  fee(301, '2024-02-20', 1),
  payLine(200, '2024-02-25', '20.00'),
  { ...factPosition(302, '2024-02-26'), type: 'drawAmortized', draw: 2, payment: { type: 'periods', count: 3 } },
  { ...factPosition(303, '2024-03-20'), type: 'freeze' },
];
const THROUGH = day('2024-03-25');

const changed = (change: (state: LineState) => void): string => {
  const state = structuredClone(computeLine(TERMS, FACTS, THROUGH));
  change(state);
  return lineDigest(state);
};

const OTHERS: Readonly<Record<string, string>> = { status: 'active', kind: 'modificationFee', dueStatus: 'chargedOff' };

/** Adds one to a figure, turns a flag around, and takes another status. */
function alter(record: object, name: string): void {
  const value: unknown = Reflect.get(record, name);
  if (typeof value === 'number') Reflect.set(record, name, value + 1);
  else if (typeof value === 'boolean') Reflect.set(record, name, !value);
  else if (value === null) Reflect.set(record, name, 5);
  else if (typeof value === 'object' && 'cents' in value) Reflect.set(record, name, { ...value, cents: Number(value.cents) + 1 });
  else Reflect.set(record, name, OTHERS[name]);
}

/** The figures of a line's state that its digest covers, by record. */
const FIGURES: readonly (readonly [name: string, of: (state: LineState) => object | undefined, figures: readonly string[]])[] = [
  [
    'the line',
    (state) => state,
    [
      ...'day status statusSince isClosed isOverdue isFrozen limitCents prepaidCents unassignedCents processingPayments'.split(' '),
      ...['openPaidCents', 'lateFeeAheadCents'],
    ],
  ],
  ['its running period', (state) => state.periods.at(-1), ['ordinal', 'statementDate', 'dueDate']],
  [
    'a draw',
    (state) => state.draws[0],
    'draw isClosed isCanceled isGraceEligible limitCents paidAheadInterestCents periodPurchasesCents'.split(' '),
  ],
  [
    'balances of a draw',
    (state) => state.draws[1]?.balances,
    [
      ...['nonDuePrincipalCents', 'duePrincipalCents', 'overduePrincipalCents', 'chargedOffPrincipalCents'],
      ...['nonDueInterest', 'dueInterestCents', 'overdueInterestCents', 'chargedOffInterestCents'],
    ],
  ],
  ['a row of an amortized draw', (state) => state.draws[1]?.rows[0], ['dueDate', 'amountCents']],
  ['a frozen step', (state) => state.draws[0]?.frozenSteps[0], ['from', 'base']],
  [
    'a fee of the line',
    (state) => state.fees.at(-1),
    ['fee', 'kind', 'dueStatus', 'chargeDay', 'amountCents', 'openCents', 'carriedBy', 'isCanceled'],
  ],
  ['a fee of a draw', (state) => state.draws[0]?.fees.at(-1), ['fee', 'obligation', 'chargeDay', 'amountCents', 'openCents', 'isCanceled']],
  [
    'an obligation',
    (state) => state.obligations[0],
    [
      ...['ordinal', 'dueDay', 'amountCents', 'remainingCents', 'paymentsCents', 'creditsCents', 'capitalizedCents'],
      ...['withoutLateFeesCents', 'pausedDays', 'isFulfilled', 'isEnforced', 'isLateFeeBlocked'],
    ],
  ],
  ['what a draw brings to it', (state) => state.obligations[0]?.draws[0], ['draw', 'amountCents', 'remainingCents']],
  ['its grace', (state) => state.obligations[0]?.draws[0]?.grace, ['totalFulfilledOnDueDateCents']],
  ['a payment', (state) => state.payments[0], ['transaction', 'principalCents', 'interestCents', 'feesCents', 'overCents']],
  ...(['totals of the line', 'totals of a draw'] as const).map(
    (name) =>
      [
        name,
        (state: LineState) => (name === 'totals of the line' ? state.totals : state.draws[1]?.totals),
        [
          ...['purchasesCents', 'refundsCents', 'interestAccrued', 'interestDiscount', 'forgoneRounding', 'reversedInterest'],
          ...['paidPrincipalCents', 'paidInterestCents', 'paidFeesCents', 'reimbursementCents', 'reimbursedCents', 'owedAgainCents'],
        ],
      ] as const,
  ),
];

for (const [name, recordOf, figures] of FIGURES) {
  test(`the digest of a line changes with every figure of ${name}`, async (t) => {
    const digest = lineDigest(computeLine(TERMS, FACTS, THROUGH));
    for (const figure of figures) {
      const other = changed((state) => {
        const record = recordOf(state);
        if (record === undefined) throw new Error(`the line has no ${name}`);
        alter(record, figure);
      });
      t.not(other, digest, figure);
    }
  });
}

test('the digest of a line changes with two figures that are swapped', async (t) => {
  const swapped = changed(({ totals }) => {
    [totals.paidPrincipalCents, totals.paidFeesCents] = [totals.paidFeesCents, totals.paidPrincipalCents];
  });
  t.not(swapped, lineDigest(computeLine(TERMS, FACTS, THROUGH)));
});

test('money for the open period only, and money that went to late fees, are in the digest, too', async (t) => {
  for (const name of ['openPaidCents', 'lateFeeAheadCents'] as const) {
    const [one, two] = [1, 2].map((cents) => changed((state) => void (state[name] = cents)));
    t.not(one, two, name);
  }
});

test('holders of the thresholds are in the digest only while there are any', async (t) => {
  const held: LineFact = { ...factPosition(304, '2024-03-21'), type: 'thresholdsHeld', holder: 'case' };
  const released: LineFact = { ...factPosition(305, '2024-03-22'), type: 'thresholdsReleased', holder: 'case' };
  const digest = lineDigest(computeLine(TERMS, FACTS, THROUGH));
  t.not(lineDigest(computeLine(TERMS, [...FACTS, held], THROUGH)), digest);
  t.equal(lineDigest(computeLine(TERMS, [...FACTS, held, released], THROUGH)), digest);
});

test('digests under earlier rules do not change, since records of mass work contain them', async (t) => {
  const terms = line({ schedule: statementOn(9), settings: { lateFees: [LATE_FEE], rules: 2 } });
  t.equal(lineDigest(computeLine(terms, DRAWN, day('2024-01-20'))), 'cd0009802dca5ecf');
  t.equal(lineDigest(computeLine(terms, FACTS, THROUGH)), '0bdd6d0ae595035e');
  const closed: LineFact = { ...factPosition(310, '2024-02-20'), type: 'drawClosed', draw: 1 };
  const overdue = computeLine(terms, [...DRAWN, closed], day('2024-03-05'));
  t.match(overdue, { isOverdue: true, isFrozen: false, isClosed: false });
  t.equal(lineDigest(overdue), '0fc094462c1f051e');
  const grace = computeLine(terms, [draw(1, { grace: { isApplicable: true, periodsToRestore: 1 } })], day('2024-01-20'));
  t.match(grace.draws, [{ isCanceled: false, isGraceEligible: true }]);
  t.equal(lineDigest(grace), 'ba5b461f9a0b8872');
});
