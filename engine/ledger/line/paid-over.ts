import { must } from '../../assert.js';
import { holds } from '../core/rules.js';
import { paidOverCents, paidOverParts } from '../installment/shared.js';
import { countAhead } from './fix-obligation.js';
import { beginEntry, enter } from './entering.js';
import { lineOwedCents } from './owed.js';
import { beginTally, countSplits, allocateCounted, emitPaidOver } from './pay.js';
import type { DrawSplit, LineState } from './state.js';

/** What was paid over and is neither gone back nor on its way, also what came with a migration. */
const owedBackCents = ({ totals }: LineState): number => Math.max(0, totals.reimbursementCents - totals.reimbursedCents);

/** Whether what is charged is paid already, by money that was paid over. */
export const isCovered = (state: LineState, amountCents: number): boolean =>
  holds(state, 'paidOverMeets') && owedBackCents(state) >= amountCents;

/**
 * Money that was paid over meets what is charged or bought later by itself, on the day of the charge, the oldest first.
 * Answers whether there was any.
 */
export function meetWithPaidOver(state: LineState): boolean {
  if (owedBackCents(state) === 0 || state.status === 'canceled' || !holds(state, 'paidOverMeets')) return false;
  // What came with a migration is of no payment here, and older than all of them.
  const seededCents = owedBackCents(state) - paidOverCents(state);
  if (seededCents > 0) meetWith(state, SEEDED, seededCents);
  for (const { at, amountCents } of paidOverParts(state)) {
    const payment = must(state.payments[at], 'a payment that was paid over');
    const met = meetWith(state, payment.transaction, amountCents);
    if (met === null) break;
    // A payment is replaced, never written, so that copies share it.
    state.payments[at] = {
      ...payment,
      principalCents: payment.principalCents + met.principalCents,
      interestCents: payment.interestCents + met.interestCents,
      feesCents: payment.feesCents + met.feesCents,
      overCents: payment.overCents - met.usedCents,
      splits: merged(payment.splits, met.splits),
    };
    state.totals.paidOverCents -= met.usedCents;
    emitPaidOver(state, payment.transaction, -met.usedCents);
  }
  return true;
}

/** Stands for the transaction of money that came with a migration: there is none. */
const SEEDED = -1;

interface MetNow extends Omit<DrawSplit, 'draw'> {
  readonly usedCents: number;
  readonly splits: readonly DrawSplit[];
}

/** Null: nothing is owed that it could meet. */
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
