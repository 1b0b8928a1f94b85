import { test } from 'tap';
import { type Bucket, BUCKETS, computeLedger, type LedgerFact, type LedgerState } from '../../../../engine/index.js';
import { applyPayment } from '../../../../engine/ledger/installment/pay.js';
import { at, day, loan, money, pay, SMALL_LOAN } from './loans.js';

const ALL = Object.keys(BUCKETS) as readonly Bucket[];
const CENT = pay(9, '2024-01-20', '0.01');

const charged = (chargeLogic: 'immediate' | 'nonDue'): LedgerFact => ({
  type: 'feeCharged',
  fee: 1,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money('0.01'),
  chargeLogic,
  effective: at('2024-01-20'),
  sequence: 1,
  recordedDay: day('2024-01-20'),
});

/** A loan of which one cent is owed, in one balance. */
function owing(paymentWaterfall: readonly Bucket[], give: (state: LedgerState) => void, facts: readonly LedgerFact[] = []): LedgerState {
  const state = computeLedger(loan({ ...SMALL_LOAN, settings: { paymentWaterfall } }), facts, day('2024-01-20'));
  state.nonDuePrincipalCents = 0;
  give(state);
  return state;
}

const OWED: readonly (readonly [Bucket, (state: LedgerState) => void, (readonly LedgerFact[])?])[] = [
  ['nonDuePrincipal', (state) => void (state.nonDuePrincipalCents = 1)],
  ['duePrincipal', (state) => void (state.duePrincipalCents = 1)],
  ['overduePrincipal', (state) => void (state.overduePrincipalCents = 1)],
  ['nonDueInterest', (state) => void (state.nonDueInterest = { cents: 1, parts: 0 })],
  ['dueInterest', (state) => void (state.dueInterestCents = 1)],
  ['overdueInterest', (state) => void (state.overdueInterestCents = 1)],
  ['nonDueFees', (state) => void (state.nonDueOriginationFeeCents = 1)],
  ['dueFees', (state) => void (state.dueOriginationFeeCents = 1)],
  ['overdueFees', (state) => void (state.overdueOriginationFeeCents = 1)],
  ['nonDueFees', () => {}, [charged('nonDue')]],
  ['dueFees', () => {}, [charged('immediate')]],
];

for (const [bucket, give, facts] of OWED)
  test(`a single cent pays a single cent of ${bucket}${facts === undefined ? '' : ', by hand'}, and nothing else`, async (t) => {
    const others = ALL.filter((other) => other !== bucket);
    const untouched = owing(others, give, facts);
    applyPayment(untouched, CENT);
    t.match(untouched.payments.at(0), { principalCents: 0, interestCents: 0, feesCents: 0, overCents: 1 });
    const met = owing([...others, bucket], give, facts);
    applyPayment(met, CENT);
    t.match(met.payments.at(0), { overCents: 0, [`${BUCKETS[bucket].component}Cents`]: 1 });
  });

test('so it does on a charged-off loan', async (t) => {
  for (const [component, balance] of [
    ['principal', 'chargedOffPrincipalCents'],
    ['interest', 'chargedOffInterestCents'],
    ['fees', 'chargedOffOriginationFeeCents'],
  ] as const) {
    const state = owing([], (own) => Object.assign(own, { status: 'chargedOff', [balance]: 1 }));
    applyPayment(state, CENT);
    t.match({ ...state.payments.at(0), balance: state[balance] }, { overCents: 0, [`${component}Cents`]: 1, balance: 0 });
  }
});
