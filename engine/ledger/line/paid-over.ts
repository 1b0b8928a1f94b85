import { must } from '../../assert.js';
import { holds } from '../core/rules.js';
import { beginEntry, enter } from './entering.js';
import { countAhead } from './fix-obligation.js';
import { lineOwedCents } from './owed.js';
import { allocateCounted, beginTally, countSplits, emitPaidOver } from './pay.js';
import { replacePayment } from './payments.js';
import type { DrawSplit, LineState } from './state.js';

/** Overpaid money that was not refunded, including money from a migration. */
const owedBackCents = ({ totals }: LineState): number => Math.max(0, totals.reimbursementCents - totals.reimbursedCents);

/** Whether overpaid money covers an amount. */
export const isCovered = (state: LineState, amountCents: number): boolean =>
  holds(state, 'paidOverMeets') && owedBackCents(state) >= amountCents;

/**
 * Overpaid money pays later charges and purchases automatically on their day, the oldest money first. Returns whether there was
 * any.
 */
export function payFromOverpaid(state: LineState): boolean {
  const owedCents = owedBackCents(state);
  if (owedCents === 0 || state.status === 'canceled' || !holds(state, 'paidOverMeets')) return false;
  const { overpaid } = state;
  // Money from a migration belongs to no payment, and is older than all payments.
  const seededCents = Math.max(0, owedCents - overpaid.totalCents);
  if (seededCents > 0) meetWith(state, SEEDED, seededCents);
  const goneCents = overpaid.totalCents - (owedCents - seededCents);
  for (let part = overpaid.firstLeft(goneCents); part !== undefined; part = overpaid.firstLeft(goneCents)) {
    const payment = must(state.payments[part.at], 'a payment that was paid over');
    const met = meetWith(state, payment.transaction, part.amountCents);
    if (met === null) break;
    replacePayment(state, part.at, {
      ...payment,
      principalCents: payment.principalCents + met.principalCents,
      interestCents: payment.interestCents + met.interestCents,
      feesCents: payment.feesCents + met.feesCents,
      overCents: payment.overCents - met.usedCents,
      splits: merged(payment.splits, met.splits),
    });
    state.totals.paidOverCents -= met.usedCents;
    emitPaidOver(state, payment.transaction, -met.usedCents);
    if (met.usedCents < part.amountCents) break;
  }
  return true;
}

/** The transaction number of money from a migration, which has no transaction. */
const SEEDED = -1;

interface MetNow extends Omit<DrawSplit, 'draw'> {
  readonly usedCents: number;
  readonly splits: readonly DrawSplit[];
}

/** Null: nothing is owed that it could pay. */
function meetWith(state: LineState, transaction: number, amountCents: number): MetNow | null {
  if (lineOwedCents(state) === 0) return null;
  const before = beginEntry(state);
  const effective = { day: state.day, seconds: state.seconds };
  const tally = { ...beginTally({ transaction, kind: 'payment', effective, amountCents }), isPaidOver: true } as const;
  const toLateFeesCents = allocateCounted(state, tally, { directed: null, principalOnlyCents: 0 });
  countAhead(state, { aheadCents: tally.aheadCents, toLateFeesCents }, { kind: 'payment', isPrepaymentEnabled: null });
  const usedCents = amountCents - tally.leftCents;
  state.totals.reimbursementCents -= usedCents;
  const sums = countSplits(state, tally);
  enter(state, before, 'paidOverMet');
  return { ...sums, usedCents, splits: tally.splits };
}

function merged(before: readonly DrawSplit[], more: readonly DrawSplit[]): readonly DrawSplit[] {
  const sums = before.map((split) => {
    const added = more.find(({ draw }) => draw === split.draw);
    if (added === undefined) return split;
    return {
      ...split,
      principalCents: split.principalCents + added.principalCents,
      interestCents: split.interestCents + added.interestCents,
      feesCents: split.feesCents + added.feesCents,
    };
  });
  return [...sums, ...more.filter(({ draw }) => !before.some((split) => split.draw === draw))];
}
