import { test } from 'tap';
import { computeLedger, type LedgerFact, type LedgerState, stateDigest } from '../../../engine/index.js';
import { at, day, LATE_FEE, loan, money, pay, SMALL_LOAN } from './loans.js';

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

const OTHERS: Readonly<Record<string, string>> = { status: 'chargedOff', kind: 'modificationFee', standing: 'chargedOff' };

/** Adds one to a figure, turns a flag around, and takes another status. */
function alter(record: object, name: string): void {
  const value: unknown = Reflect.get(record, name);
  if (typeof value === 'number') Reflect.set(record, name, value + 1);
  else if (typeof value === 'boolean') Reflect.set(record, name, !value);
  else if (value === null) Reflect.set(record, name, 5);
  else if (typeof value === 'object' && 'cents' in value) Reflect.set(record, name, { ...value, cents: Number(value.cents) + 1 });
  else Reflect.set(record, name, OTHERS[name]);
}

/** What of a loan's state its digest holds, by the record that it is in. */
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
    (place) =>
      [
        `obligation ${place}`,
        (state: LedgerState) => state.obligations[place],
        [
          ...['ordinal', 'dueDay', 'amountCents', 'remainingCents', 'paymentsCents', 'creditsCents', 'capitalizedCents'],
          ...['withoutLateFeesCents', 'pausedDays', 'isFulfilled', 'isEnforced', 'isLateFeeBlocked'],
        ],
      ] as const,
  ),
  [
    'the last fee',
    (state) => state.fees.at(-1),
    ['fee', 'obligation', 'kind', 'standing', 'chargeDay', 'amountCents', 'openCents', 'carriedBy', 'isCanceled'],
  ],
  ['the last payment', (state) => state.payments.at(-1), ['transaction', 'principalCents', 'interestCents', 'feesCents', 'overCents']],
];

for (const [name, recordOf, figures] of FIGURES) {
  test(`the digest of a loan tells apart any other figure of ${name}`, async (t) => {
    const digest = stateDigest(compute());
    for (const figure of figures) {
      const state = structuredClone(compute());
      const record = recordOf(state);
      if (record === undefined) throw new Error(`the loan has no ${name}`);
      alter(record, figure);
      t.not(stateDigest(state), digest, figure);
    }
  });
}

test('the digest of a loan tells apart rows, frozen steps, and figures that were taken for each other', async (t) => {
  const digest = stateDigest(compute());
  const changes: readonly ((state: LedgerState) => void)[] = [
    (state) => (state.rows = state.rows.slice(1)),
    (state) => (state.frozenSteps = null),
    ({ totals }) => ([totals.paidPrincipalCents, totals.paidInterestCents] = [totals.paidInterestCents, totals.paidPrincipalCents]),
    (state) => state.payments.reverse(),
    (state) => state.obligations.reverse(),
  ];
  for (const change of changes) {
    const state = structuredClone(compute());
    change(state);
    t.not(stateDigest(state), digest, String(change));
  }
});

test('amounts beyond 32 bits are told apart in each of their words', async (t) => {
  const digests = [0, 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 33, -1, -(2 ** 32)].map((more) => {
    const state = structuredClone(compute());
    state.nonDuePrincipalCents += more;
    return stateDigest(state);
  });
  t.equal(new Set(digests).size, digests.length);
});

test('who holds the thresholds is in the digest only while somebody does', async (t) => {
  const place = { effective: at('2024-04-11'), recordedDay: day('2024-04-11'), holder: 'case' };
  const held: LedgerFact = { ...place, type: 'thresholdsHeld', sequence: 5 };
  const released: LedgerFact = { ...place, type: 'thresholdsReleased', sequence: 6 };
  t.not(stateDigest(compute([...FACTS, held])), stateDigest(compute()));
  t.equal(stateDigest(compute([...FACTS, held, released])), stateDigest(compute()));
});

test('digests of rules that are in use stay what they were: records of mass work hold them', async (t) => {
  t.equal(stateDigest(computeLedger(loanOf(2), [], day('2024-03-20'))), 'e7c911a6ea296c6b');
  t.equal(stateDigest(computeLedger(loanOf(2), FACTS, THROUGH)), '1f603210005dd015');
});
