import { must } from '../../../assert.js';
import type { PaymentChargedBack } from '../../core/facts.js';
import { cents } from '../../../money/index.js';
import type { ChargebackState, ChargedBackParts, PaymentState } from '../../core/state.js';
import { noParts, type Part, type Parts, type ScheduledLedger, sumOf } from '../../scheduled/index.js';
import { beginEntry, enter } from '../entering.js';
import { holds } from '../../core/rules.js';
import { addRevivedFee } from '../fees.js';
import { oweExcessRefund, raiseWhole, reopen } from '../one-step-facts.js';
import { isCovered } from '../paid-over.js';
import type { LedgerState } from '../state.js';
import { positionOfPayment } from '../../core/status-moves.js';
import { addScheduledFact, joining, scheduledLedgerOf, settle } from './scheduled-ledger.js';

/**
 * What the payment had paid is owed again, in the order of the terms. It joins the installment of the running period; after the last due
 * date it joins a new installment that is due at once; after an acceleration it joins the obligation that carries everything.
 */
export function chargeBack(state: LedgerState, fact: PaymentChargedBack): void {
  const at = positionOfPayment(state.payments, fact.transaction);
  const payment = at < 0 ? undefined : state.payments.at(at);
  if (payment === undefined) return;
  const amountCents = Math.min(fact.amountCents, leftOf(payment));
  if (amountCents === 0) return;
  if (state.status === 'canceled') {
    // Nothing is owed again: the money is no longer the borrower's.
    if (holds(state, 'paidOnCanceledOwed')) countBack(state, at, { ...NOTHING, overCents: amountCents, chargeback: fact.chargeback });
    return;
  }
  if (state.status === 'paidOff' && !isCovered(state, amountCents)) reopen(state);
  const before = beginEntry(state);
  const parts = state.scheduledFacts === null ? reviveWhole(state, payment, amountCents) : reviveInRow(state, at, amountCents);
  const overCents = amountCents - sumOf(parts);
  countBack(state, at, { ...componentsOf(parts), overCents, chargeback: fact.chargeback });
  enter(state, before, 'chargeback');
  oweExcessRefund(state);
}

/** Overpaid money of a payment that has paid nothing since. */
const overLeftOf = ({ overCents, chargedBack = NOTHING }: PaymentState): number => overCents - chargedBack.overCents;

const leftOf = ({ amountCents, chargedBack }: PaymentState): number =>
  chargedBack === undefined ? amountCents : amountCents - sumOfChargedBack(chargedBack);

const sumOfChargedBack = ({ principalCents, interestCents, feesCents, overCents }: ChargedBackParts): number =>
  principalCents + interestCents + feesCents + overCents;

const componentsOf = ({ principal, interest, fees, penalties }: Parts): Omit<ChargedBackParts, 'overCents'> => ({
  principalCents: principal,
  interestCents: interest,
  feesCents: fees + penalties,
});

const NOTHING: ChargedBackParts = { principalCents: 0, interestCents: 0, feesCents: 0, overCents: 0 };

/** Lowers the payment by what was charged back. The payment is replaced, never changed. */
function countBack(state: LedgerState, at: number, more: ChargebackState): void {
  const payment = must(state.payments.at(at), 'the payment is counted');
  const { chargedBack = NOTHING, chargebacks = [] } = payment;
  state.payments.replace(at, {
    ...payment,
    chargedBack: {
      principalCents: chargedBack.principalCents + more.principalCents,
      interestCents: chargedBack.interestCents + more.interestCents,
      feesCents: chargedBack.feesCents + more.feesCents,
      overCents: chargedBack.overCents + more.overCents,
    },
    chargebacks: [...chargebacks, more],
  });
  const { totals } = state;
  totals.paidOverCents -= more.overCents;
  if (payment.kind === 'credit') totals.creditsCents -= sumOfChargedBack(more);
  else {
    totals.paymentsCents -= sumOfChargedBack(more);
    totals.reimbursementCents -= more.overCents;
  }
}

function reviveInRow(state: LedgerState, at: number, amountCents: number): Parts {
  const paid = must(state.scheduledFacts, 'the loan has scheduled interest').filter(
    (known) => known.type === 'paid' && known.isForgiven !== true,
  );
  const { sequence } = must(paid[at], 'a payment is a fact of the scheduled ledger');
  addScheduledFact(state, {
    type: 'chargedBack',
    day: state.day,
    payment: sequence,
    amountCents: cents(amountCents),
    ...(holds(state, 'ownMoneyChargedBack') ? { overCents: cents(overLeftOf(must(state.payments.at(at), 'the payment is counted'))) } : {}),
    ...joining(state),
  });
  return chargedBackParts(settleWithFees(state));
}

const chargedBackParts = (scheduled: ScheduledLedger): Parts => ({
  ...must(
    scheduled.entries.findLast(({ type }) => type === 'chargeback'),
    'a chargeback is an entry',
  ).parts,
});

/** Fees that are owed again are new charges of the scheduled ledger, in addition to the original fees. */
function settleWithFees(state: LedgerState): ScheduledLedger {
  const known = state.fees.filter(({ isCanceled }) => !isCanceled).length;
  for (const { part, amountCents } of scheduledLedgerOf(state).charges.slice(known)) addRevivedFee(state, part, amountCents);
  return settle(state);
}

function reviveWhole(state: LedgerState, payment: PaymentState, amountCents: number): Parts {
  const { principalCents, interestCents, feesCents } = payment.chargedBack ?? NOTHING;
  const met: Parts = {
    principal: payment.principalCents - principalCents,
    interest: payment.interestCents - interestCents,
    fees: payment.feesCents - feesCents,
    penalties: 0,
  };
  const parts = noParts();
  let leftCents = amountCents - Math.min(amountCents, overLeftOf(payment));
  for (const part of orderOf(state)) {
    parts[part] = Math.min(leftCents, met[part]);
    leftCents -= parts[part];
  }
  parts.principal += leftCents;
  for (const part of ['principal', 'interest'] as const) if (parts[part] > 0) raiseWhole(state, parts[part], part);
  if (parts.fees > 0) addRevivedFee(state, 'fees', parts.fees);
  const { totals } = state;
  totals.paidPrincipalCents -= parts.principal;
  totals.paidInterestCents -= parts.interest;
  totals.paidFeesCents -= parts.fees;
  return parts;
}

const orderOf = ({ terms: { keeping } }: LedgerState): readonly Part[] =>
  must(keeping?.chargebackOrder ?? undefined, 'charge-backs have an order');
