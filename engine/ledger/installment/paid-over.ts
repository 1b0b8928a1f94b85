import { must } from '../../assert.js';
import { cents } from '../../money/index.js';
import { BUCKETS } from '../../waterfall.js';
import { NOTHING_DIGESTED } from '../core/digest.js';
import type { OverPart } from '../core/paid-over.js';
import { holds } from '../core/rules.js';
import type { PaymentState } from '../core/state.js';
import { beginEntry, enter } from './entering.js';
import { closeFulfilled } from './fulfil.js';
import { rowsMet, settleMet } from './scheduled-interest/pay.js';
import { addScheduledFact, scheduledLedgerOf } from './scheduled-interest/scheduled-ledger.js';
import { allocatePayment, allocateToChargedFees, emitPaidOver } from './pay.js';
import { beginTally } from './tally.js';
import type { LedgerState } from './state.js';

/** Overpaid money that was not refunded: a refund counts as soon as it is made. */
function paidOverCents({ totals, payments }: LedgerState): number {
  const owedBackCents = totals.reimbursementCents - totals.reimbursedCents;
  return owedBackCents <= 0 ? 0 : Math.min(owedBackCents, payments.overpaid.totalCents);
}

/** Overpaid money that refunds to the borrower have taken. Later charges do not change it. */
const goneCents = (state: LedgerState): number => state.payments.overpaid.totalCents - paidOverCents(state);

/** Whether overpaid money covers an amount. */
export const isCovered = (state: LedgerState, amountCents: number): boolean =>
  holds(state, 'paidOverMeets') && paidOverCents(state) >= amountCents;

/**
 * Overpaid money pays later fees automatically on the day of the charge, and for loans with scheduled interest also amounts that are
 * charged back. It also pays backdated fees that were not known when the money came. It does not pay advances: the money stays the
 * borrower's.
 */
export function payFromOverpaid(state: LedgerState): void {
  const { totals } = state;
  if (totals.reimbursementCents <= totals.reimbursedCents || state.status === 'canceled' || !holds(state, 'paidOverMeets')) return;
  if (state.scheduledFacts !== null) meetInInstallments(state);
  else if (state.openFeesCents > 0) meetFees(state);
}

function meetFees(state: LedgerState): void {
  const gone = goneCents(state);
  const { overpaid } = state.payments;
  for (let part = overpaid.firstLeft(gone); part !== undefined && state.openFeesCents > 0; part = overpaid.firstLeft(gone))
    if (meetWith(state, part) < part.amountCents) return;
}

/** Returns how much of the part was used. */
function meetWith(state: LedgerState, { at, amountCents }: OverPart): number {
  const payment = must(state.payments.at(at), 'a payment that was paid over');
  const before = beginEntry(state);
  const { day, seconds } = state;
  const tally = {
    ...beginTally(payment.transaction, 'payment', { effective: { day, seconds }, amountCents }),
    isPaidOver: true,
  } as const;
  allocatePayment(state, tally, { kind: 'payment', isPrepaymentEnabled: null }, allocateToChargedFees);
  const usedCents = amountCents - tally.leftCents;
  state.totals.paidFeesCents += tally.feesCents;
  use(state, at, { principalCents: 0, interestCents: 0, feesCents: tally.feesCents, usedCents });
  emitPaidOver(state, payment.transaction, -usedCents);
  enter(state, before, 'paidOverMet');
  return usedCents;
}

type Used = Pick<PaymentState, 'principalCents' | 'interestCents' | 'feesCents'> & { readonly usedCents: number };

/** Payments are replaced, never changed, so that copies can share them. */
function use(state: LedgerState, at: number, { principalCents, interestCents, feesCents, usedCents }: Used): void {
  const payment = state.payments.at(at);
  if (payment === undefined || usedCents === 0) return;
  state.payments.replace(at, {
    ...payment,
    principalCents: payment.principalCents + principalCents,
    interestCents: payment.interestCents + interestCents,
    feesCents: payment.feesCents + feesCents,
    overCents: payment.overCents - usedCents,
  });
  state.digestedPayments = NOTHING_DIGESTED;
  state.totals.paidOverCents -= usedCents;
  state.totals.reimbursementCents -= usedCents;
}

/** The scheduled ledger has its own overpaid money: what its installments take of it comes from the oldest payments. */
function meetInInstallments(state: LedgerState): void {
  const known = scheduledLedgerOf(state);
  const amountCents = cents(Math.min(known.overpaidCents, paidOverCents(state)));
  if (amountCents === 0) return;
  const before = beginEntry(state);
  addScheduledFact(state, { type: 'paidOverMet', day: state.day, amountCents });
  const scheduled = settleMet(state, 'payment');
  const rows = rowsMet(state, known, scheduled).map((row) => ({ ...row }));
  let leftCents = known.overpaidCents - scheduled.overpaidCents;
  const gone = goneCents(state);
  const { overpaid } = state.payments;
  for (let part = overpaid.firstLeft(gone); part !== undefined && leftCents > 0; part = overpaid.firstLeft(gone)) {
    const usedCents = Math.min(leftCents, part.amountCents);
    leftCents -= usedCents;
    const { transaction } = must(state.payments.at(part.at), 'a payment that was paid over');
    const used = { principalCents: 0, interestCents: 0, feesCents: 0, usedCents };
    let restCents = usedCents;
    for (const row of rows) {
      const partCents = Math.min(row.amountCents, restCents);
      if (partCents === 0) continue;
      row.amountCents -= partCents;
      restCents -= partCents;
      used[PARTS[BUCKETS[row.bucket].component]] += partCents;
      state.watcher?.allocated?.({ transaction, ...row, amountCents: partCents });
    }
    use(state, part.at, used);
    emitPaidOver(state, transaction, -usedCents);
  }
  closeFulfilled(state);
  enter(state, before, 'paidOverMet');
}

const PARTS = { principal: 'principalCents', interest: 'interestCents', fees: 'feesCents' } as const;
