import { test } from 'tap';
import {
  balancesOf,
  cloneState,
  computeLedger,
  type LedgerFact,
  type LedgerState,
  payoffOf,
  scheduleOf,
  stateDigest,
} from '../../../../engine/index.js';
import { plainly } from './detached.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay, text } from './loans.js';

/* 600.00 in six installments, due on the 15th from February 2024 on. */
const terms = (rate: string, keeping: Partial<typeof PLAIN_KEEPING> = {}, settings: Parameters<typeof loan>[0]['settings'] = {}) =>
  keptTerms(loan({ principal: '600.00', rate, activation: '2024-01-15', firstDue: '2024-02-15', rows: 6, settings }), {
    ...PLAIN_KEEPING,
    ...keeping,
  });

const on = (date: string, sequence: number): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
  effective: at(date, 60_000),
  sequence,
  recordedDay: day(date),
});

const CUMULATIVE = { recalculation: { type: 'cumulative', rest: 'daily', isCompounding: false } } as const;

test('reading a loan with cumulative recalculation does not change it', async (t) => {
  for (const date of ['2024-02-10', '2024-02-15', '2024-03-14', '2024-03-15', '2024-03-20']) {
    const state = computeLedger(terms('0.12', CUMULATIVE), [pay(1, '2024-02-20', '30.00')], day(date));
    const before = plainly(state);
    balancesOf(state);
    scheduleOf(state);
    payoffOf(state, day('2024-04-20'));
    cloneState(state);
    t.strictSame(plainly(state), before, date);
  }
});

const BACK = { chargebackOrder: ['fees', 'penalties', 'interest', 'principal'] } as const;

const chargedBack = (sequence: number, date: string, amount: string): LedgerFact => ({
  ...on(date, sequence),
  type: 'paymentChargedBack',
  chargeback: sequence,
  transaction: 1,
  amountCents: money(amount),
});

test('at most the whole payment is charged back, and a second chargeback of the rest has no effect', async (t) => {
  const facts = [pay(1, '2024-02-15', '100.00'), chargedBack(2, '2024-02-20', '70.00'), chargedBack(3, '2024-02-21', '70.00')];
  const backOf = ({ payments: [payment] }: LedgerState): readonly string[] =>
    (payment?.chargebacks ?? []).map(({ chargeback, principalCents }) => `${chargeback} ${text(principalCents)}`);
  const after = computeLedger(terms('0', BACK), facts, day('2024-02-22'));
  t.same(backOf(after), ['2 70.00', '3 30.00']);
  const more = computeLedger(terms('0', BACK), [...facts, chargedBack(4, '2024-02-22', '10.00')], day('2024-02-22'));
  t.same(backOf(more), ['2 70.00', '3 30.00']);
  t.equal(stateDigest(more), stateDigest(after));
  t.same([text(more.nonDuePrincipalCents), more.firstUnenforced], ['600.00', after.firstUnenforced]);
});

test('under earlier rules, a charge after the last due date reopens the last installment', async (t) => {
  // The last installment alone is paid, ahead; all others are overdue, and nothing is owed in it until 20 July.
  const facts: readonly LedgerFact[] = [
    pay(1, '2024-02-01', '100.00'),
    {
      ...on('2024-07-20', 2),
      type: 'feeCharged',
      fee: 2,
      feeTypeId: 'byHand',
      kind: 'otherFee',
      amountCents: money('12.00'),
      chargeLogic: 'immediate',
    },
  ];
  const lastOn = (date: string): readonly unknown[] => {
    const last = computeLedger(terms('0', { excess: 'last' }, { rules: 2 }), facts, day(date)).obligations[5];
    return [last?.isFulfilled, text(last?.remainingCents ?? -1)];
  };
  t.same(lastOn('2024-07-19'), [true, '0.00']);
  t.same(lastOn('2024-07-20'), [false, '12.00']);
});
