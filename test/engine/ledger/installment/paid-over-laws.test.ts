import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  applyFact,
  canApply,
  cents,
  computeLedger,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  type PaymentState,
  stateDigest,
} from '../../../../engine/index.js';
import { PARAMETERS } from './histories.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { loan, SMALL_LOAN } from './loans.js';

/* Overpaid money is that of payments: whatever later charges, refunds and chargebacks take of it, each payment has its own part. */

const ORDERED = { ...PLAIN_KEEPING, chargebackOrder: ['fees', 'penalties', 'interest', 'principal'] } as const;

/** Amounts of a loan without interest follow from its payments alone, so that no recalculation owes anything to the borrower. */
const TERMS: Readonly<Record<string, LedgerTerms>> = {
  'by the day': loan({ ...SMALL_LOAN, rate: '0' }),
  'by installment': keptTerms(loan({ ...SMALL_LOAN, rate: '0' }), ORDERED),
  'by installment, with interest': keptTerms(loan(SMALL_LOAN), ORDERED),
};

const step = fc.record({
  days: fc.integer({ min: 0, max: 40 }),
  type: fc.constantFrom('pay' as const, 'pay' as const, 'fee' as const, 'chargeBack' as const, 'refund' as const, 'accelerate' as const),
  /** Of the largest amount that makes sense. */
  share: fc.double({ min: 0.001, max: 1, noNaN: true }),
  payment: fc.nat(),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const MOST = { pay: 160_000, fee: 30_000, chargeBack: 70_000 } as const;

function factOf({ days, type, share, payment }: Step, state: LedgerState, sequence: number): LedgerFact | null {
  const day = addDays(state.day, days);
  const position = { effective: { day, seconds: 50_000 + sequence }, recordedDay: day, sequence };
  const amountOf = (mostCents: number) => cents(Math.max(1, Math.round(mostCents * share)));
  switch (type) {
    case 'pay':
      return {
        ...position,
        type: 'payment',
        transaction: sequence,
        kind: payment % 8 === 0 ? 'credit' : 'payment',
        amountCents: amountOf(MOST.pay),
        isProcessing: false,
        isPrepaymentEnabled: true,
        principalOnlyCents: cents(0),
      };
    case 'fee':
      return {
        ...position,
        type: 'feeCharged',
        fee: sequence,
        feeTypeId: 'byHand',
        kind: 'otherFee',
        amountCents: amountOf(MOST.fee),
        chargeLogic: 'immediate',
      };
    case 'chargeBack': {
      const of = state.payments.at(payment % Math.max(1, state.payments.length));
      if (of === undefined || state.terms.keeping === undefined) return null; // otherwise a chargeback voids the payment
      return {
        ...position,
        type: 'paymentChargedBack',
        chargeback: sequence,
        transaction: of.transaction,
        amountCents: amountOf(MOST.chargeBack),
      };
    }
    case 'refund': {
      const owedBackCents = state.totals.reimbursementCents - state.totals.reimbursedCents;
      if (owedBackCents <= 0) return null;
      return { ...position, type: 'reimbursed', transaction: sequence, amountCents: amountOf(owedBackCents) };
    }
    case 'accelerate':
      return payment % 8 === 0 ? { ...position, type: 'accelerate' } : null;
  }
}

const leftOf = ({ overCents, chargedBack }: PaymentState): number => overCents - (chargedBack?.overCents ?? 0);

/** Throws if the money of the payments is not what the loan owes to the borrower, as far as it was not refunded. */
function check(state: LedgerState): void {
  const { totals, payments } = state;
  let sumCents = 0;
  for (const payment of payments) {
    const { transaction, overCents, chargebacks = [] } = payment;
    if (overCents < 0 || leftOf(payment) < 0 || chargebacks.some((back) => back.overCents < 0))
      throw new Error(`payment ${transaction} has a negative overpaid part: ${JSON.stringify(payment)}`);
    if (payment.kind !== 'credit') sumCents += leftOf(payment);
  }
  const owedCents = totals.reimbursementCents - totals.owedAgainCents;
  if (sumCents !== owedCents) throw new Error(`${sumCents} are overpaid by payments, ${owedCents} by the totals`);
  const { overpaid } = payments;
  if (overpaid.totalCents !== sumCents) throw new Error(`the payments know of ${overpaid.totalCents}, and have ${sumCents}`);
  const having = [...payments].flatMap((payment, at) =>
    payment.kind !== 'credit' && leftOf(payment) !== 0 ? [[at, leftOf(payment)]] : [],
  );
  if (JSON.stringify(overpaid) !== JSON.stringify(having))
    throw new Error(`${JSON.stringify(overpaid)}\nis not\n${JSON.stringify(having)}`);
  checkFirstLeft(overpaid.copy(), having, totals.reimbursedCents - totals.owedAgainCents);
}

/** Throws if the first part behind some of the oldest money is another one than that of a walk. */
function checkFirstLeft(overpaid: LedgerState['payments']['overpaid'], parts: readonly (readonly number[])[], around: number): void {
  for (const goneCents of [around, around + 5_000, 0, around, overpaid.totalCents]) {
    if (goneCents < 0) continue;
    let leftCents = goneCents;
    const found = parts.find(([, cents = 0]) => (leftCents -= cents) < 0);
    const expected = found === undefined ? undefined : { at: found[0], amountCents: -leftCents };
    if (JSON.stringify(overpaid.firstLeft(goneCents)) !== JSON.stringify(expected)) throw new Error(`another part is left of ${goneCents}`);
  }
}

for (const [name, terms] of Object.entries(TERMS))
  test(`overpaid money is the sum of its parts, and no part is negative (${name})`, async (t) => {
    let used = 0;
    let chargedBack = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 15, maxLength: 40 }), (steps) => {
        const state = computeLedger(terms, [], terms.activation);
        const facts: LedgerFact[] = [];
        for (const each of steps) {
          const fact = factOf(each, state, facts.length + 1);
          if (fact === null || !canApply(state, fact)) continue;
          const before = state.totals.paidOverCents;
          facts.push(fact);
          applyFact(state, fact);
          check(state);
          if (fact.type === 'feeCharged' && state.totals.paidOverCents < before) used += 1;
          if (fact.type === 'paymentChargedBack' && state.totals.paidOverCents < before) chargedBack += 1;
        }
        if (stateDigest(computeLedger(terms, facts, state.day)) !== stateDigest(state)) throw new Error('a replay gives another ledger');
      }),
      PARAMETERS,
    );
    t.ok(used > 20, `overpaid money paid ${used} fees`);
    t.ok(terms.keeping === undefined || chargedBack > 20, `overpaid money was charged back ${chargedBack} times`);
  });
