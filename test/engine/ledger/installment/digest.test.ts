import { test } from 'tap';
import { cents, computeLedger, constantRate, type LedgerFact, type LedgerState, stateDigest } from '../../../../engine/index.js';
import { PaymentList } from '../../../../engine/ledger/installment/payment-list.js';
import { detached } from './detached.js';
import { at, day, LATE_FEE, loan, type LoanShape, money, pay, percent, SMALL_LOAN } from './loans.js';

/** A loan with all that a digest holds: an origination fee, a late fee, one by hand, obligations met and open, a payment, a freezing. */
const SETTINGS = { lateFees: [LATE_FEE] };
const fee: LedgerFact = {
  type: 'feeCharged',
  fee: 1,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money('12.00'),
  chargeLogic: 'nextDueDate',
  effective: at('2024-02-01'),
  sequence: 1,
  recordedDay: day('2024-02-01'),
};
const freeze: LedgerFact = { type: 'freeze', effective: at('2024-04-10'), sequence: 4, recordedDay: day('2024-04-10') };
const FACTS: readonly LedgerFact[] = [fee, pay(2, '2024-02-15', '121.76'), pay(3, '2024-03-20', '30.00'), freeze];
const THROUGH = day('2024-04-12');
const loanOf = (rules?: number) => loan({ ...SMALL_LOAN, settings: rules === undefined ? SETTINGS : { ...SETTINGS, rules } });
const compute = (facts = FACTS): LedgerState => computeLedger(loanOf(), facts, THROUGH);

const OTHERS: Readonly<Record<string, string>> = { status: 'chargedOff', kind: 'modificationFee', dueStatus: 'chargedOff' };

/** Adds one to a figure, turns a flag around, and takes another status. */
function alter(record: object, name: string): void {
  const value: unknown = Reflect.get(record, name);
  if (typeof value === 'number') Reflect.set(record, name, value + 1);
  else if (typeof value === 'boolean') Reflect.set(record, name, !value);
  else if (value === null) Reflect.set(record, name, 5);
  else if (typeof value === 'object' && 'cents' in value) Reflect.set(record, name, { ...value, cents: Number(value.cents) + 1 });
  else Reflect.set(record, name, OTHERS[name]);
}

/** The figures of a loan's state that its digest covers, by record. */
const FIGURES: readonly (readonly [name: string, of: (state: LedgerState) => object | undefined, figures: readonly string[]])[] = [
  [
    'the loan',
    (state) => state,
    [
      ...['day', 'status', 'statusSince', 'nextRow', 'prepaidCents', 'originationAskedCents', 'unassignedCents', 'processingPayments'],
      ...['nonDuePrincipalCents', 'duePrincipalCents', 'overduePrincipalCents', 'chargedOffPrincipalCents'],
      ...['nonDueInterest', 'dueInterestCents', 'overdueInterestCents', 'chargedOffInterestCents'],
      ...['nonDueOriginationFeeCents', 'dueOriginationFeeCents', 'overdueOriginationFeeCents', 'chargedOffOriginationFeeCents'],
    ],
  ],
  [
    'its totals',
    (state) => state.totals,
    [
      ...['interestAccrued', 'interestDiscount', 'forgoneRounding', 'paidPrincipalCents', 'paidInterestCents', 'paidFeesCents'],
      ...['reimbursementCents', 'reimbursedCents'],
    ],
  ],
  ...[0, 1].map(
    (factPosition) =>
      [
        `obligation ${factPosition}`,
        (state: LedgerState) => state.obligations[factPosition],
        [
          ...['ordinal', 'dueDay', 'amountCents', 'remainingCents', 'paymentsCents', 'creditsCents', 'capitalizedCents'],
          ...['withoutLateFeesCents', 'pausedDays', 'isFulfilled', 'isEnforced', 'isLateFeeBlocked'],
        ],
      ] as const,
  ),
  [
    'the last fee',
    (state) => state.fees.at(-1),
    ['fee', 'obligation', 'kind', 'dueStatus', 'chargeDay', 'amountCents', 'openCents', 'carriedBy', 'isCanceled'],
  ],
  ['the last payment', (state) => state.payments.at(-1), ['transaction', 'principalCents', 'interestCents', 'feesCents', 'overCents']],
];

for (const [name, recordOf, figures] of FIGURES) {
  test(`the digest of a loan changes with every figure of ${name}`, async (t) => {
    const digest = stateDigest(compute());
    for (const figure of figures) {
      const state = detached(compute());
      const record = recordOf(state);
      if (record === undefined) throw new Error(`the loan has no ${name}`);
      alter(record, figure);
      t.not(stateDigest(state), digest, figure);
    }
  });
}

test('the digest of a loan changes with rows, frozen steps, and figures that are swapped', async (t) => {
  const digest = stateDigest(compute());
  const changes: readonly ((state: LedgerState) => void)[] = [
    (state) => (state.rows = state.rows.slice(1)),
    (state) => (state.frozenSteps = null),
    ({ totals }) => ([totals.paidPrincipalCents, totals.paidInterestCents] = [totals.paidInterestCents, totals.paidPrincipalCents]),
    (state) => (state.payments = PaymentList.of([...state.payments].reverse())),
    (state) => state.obligations.reverse(),
  ];
  for (const change of changes) {
    const state = detached(compute());
    change(state);
    t.not(stateDigest(state), digest, String(change));
  }
});

test('the digest changes with both words of amounts beyond 32 bits', async (t) => {
  const digests = [0, 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 33, -1, -(2 ** 32)].map((more) => {
    const state = detached(compute());
    state.nonDuePrincipalCents += more;
    return stateDigest(state);
  });
  t.equal(new Set(digests).size, digests.length);
});

test('holders of the thresholds are in the digest only while there are any', async (t) => {
  const factPosition = { effective: at('2024-04-11'), recordedDay: day('2024-04-11'), holder: 'case' };
  const held: LedgerFact = { ...factPosition, type: 'thresholdsHeld', sequence: 5 };
  const released: LedgerFact = { ...factPosition, type: 'thresholdsReleased', sequence: 6 };
  t.not(stateDigest(compute([...FACTS, held])), stateDigest(compute()));
  t.equal(stateDigest(compute([...FACTS, held, released])), stateDigest(compute()));
});

test('digests under earlier rules do not change, since records of mass work contain them', async (t) => {
  t.equal(stateDigest(computeLedger(loanOf(2), [], day('2024-03-20'))), 'e7c911a6ea296c6b');
  t.equal(stateDigest(computeLedger(loanOf(2), FACTS, THROUGH)), '1f603210005dd015');
});

/* A loan with most kinds of facts, under earlier rules: records of mass jobs hold its digests. */
const on = (sequence: number, date: string, seconds = 50_000) => ({
  sequence,
  effective: { day: day(date), seconds },
  recordedDay: day(date),
});
const feeOn = (
  sequence: number,
  date: string,
  chargeLogic: 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue',
  late = false,
): LedgerFact => ({
  ...on(sequence, date),
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind: late ? 'lateFee' : 'otherFee',
  amountCents: money('7.31'),
  chargeLogic,
});
const LIFE: readonly LedgerFact[] = [
  pay(1, '2024-02-01', '50.00'),
  feeOn(2, '2024-02-10', 'nextDueDate'),
  feeOn(3, '2024-02-12', 'lastDueDate'),
  pay(4, '2024-02-20', '61.17'),
  feeOn(5, '2024-02-25', 'immediate', true),
  pay(6, '2024-03-03', '20.00', { kind: 'credit' }),
  { ...on(7, '2024-03-10'), type: 'advance', advance: 7, amountCents: money('150.00'), reamortization: 'sameEndDate' },
  pay(8, '2024-03-20', '300.00', { prepay: true }),
  { ...on(9, '2024-04-20'), type: 'freeze' },
  pay(10, '2024-04-25', '33.33'),
  { ...on(11, '2024-05-05'), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: true },
  { ...on(12, '2024-05-20'), type: 'ratesChanged', rates: constantRate(percent('0.25')), reamortization: 'sameEndDate' },
  {
    ...on(13, '2024-06-20'),
    recordedDay: day('2024-07-20'),
    type: 'advance',
    advance: 13,
    amountCents: money('80.00'),
    reamortization: 'sameEndDate',
  },
  feeOn(14, '2024-07-25', 'nonDue'),
  pay(15, '2024-08-01', '410.00'),
  { ...on(16, '2024-10-20'), type: 'accelerate' },
  pay(17, '2024-10-25', '77.77'),
  feeOn(18, '2024-10-26', 'nextDueDate'),
  { ...on(19, '2024-11-20'), type: 'chargeOff', reason: 'term' },
  pay(20, '2024-11-25', '55.55'),
];
const DATES = ['2024-02-15', '2024-03-15', '2024-04-15', '2024-05-06', '2024-07-22', '2024-10-21', '2024-11-30'];

const LIVES: readonly (readonly [string, Partial<LoanShape>, string])[] = [
  ['simple', {}, '3ad5d2 f88d44 d3b59b df0776 b20e86 4755a5 6109e0'],
  ['compounded', { accrualMethod: 'compound' }, '3d4ac3 336f70 0e0e76 98ece5 a402ac 4dc8c2 0e5643'],
  [
    'compounded with fees',
    { accrualMethod: 'compoundWithFees', dayCount: 'actualActual' },
    '1e230c 0ee45b 451cb9 675c2b 2b0812 ea27e4 20ea76',
  ],
  [
    'capitalized',
    { settings: { capitalization: 'afterDueDate' }, dayCount: 'daily360' },
    '67e7f9 98b666 2dda39 b466b8 c9f7cd 910d31 6adb9a',
  ],
  [
    'with a tolerance',
    { settings: { overdueToleranceCents: cents(900), isAccruingOnOverdue: false }, dayCount: 'monthly30360' },
    '1207c6 b73b35 771aba ddad4f 75a557 4432a4 2e6b13',
  ],
  [
    'with a cap of interest',
    { interestCap: '60.00', settings: { isPrepaymentEnabled: true } },
    'f868c5 a54e47 44afcb ca6bc6 435a52 e5724b 7bceaf',
  ],
  [
    'with thresholds',
    { settings: { accelerationDueWithin: 20, chargeOffDueWithin: 50 } },
    '3ad5d2 5e24d3 a5e9e0 5dd371 5825af 2c8a0f 0db32d',
  ],
];

test('a long history of a loan keeps its digests under earlier rules, for each method and setting', async (t) => {
  const life = (rules: number, shape: Partial<LoanShape>): string =>
    DATES.map((date) => {
      const settings = { lateFees: [{ ...LATE_FEE, triggerDays: 5 }], ...shape.settings, rules };
      const originationFee = { amountCents: money('24.07'), logic: 'spread' as const };
      return stateDigest(computeLedger(loan({ ...SMALL_LOAN, originationFee, ...shape, settings }), LIFE, day(date))).slice(0, 6);
    }).join(' ');
  for (const [name, shape, digests] of LIVES) {
    for (const rules of [1, 2]) t.equal(life(rules, shape), digests, `${name}, rules ${rules}`);
  }
});
