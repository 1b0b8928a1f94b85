import type { DrawSplit, DrawState, LinePaymentState, LineState } from './state.js';
import { countFor } from './totals.js';

/**
 * Interest that was paid and is taken back has paid principal of its draw instead, the last payment first; where no principal
 * is left the money is owed to the borrower.
 */
export function reassignInterest(state: LineState, draw: DrawState, amountCents: number): void {
  let leftCents = amountCents;
  for (let at = state.payments.length - 1; at >= 0 && leftCents > 0; at -= 1) {
    const payment = state.payments[at];
    const split = payment?.splits.find((candidate) => candidate.draw === draw.draw);
    if (payment === undefined || split === undefined || split.interestCents === 0) continue;
    const movedCents = Math.min(leftCents, split.interestCents);
    state.payments[at] = reassign(state, draw, payment, { split, movedCents });
    leftCents -= movedCents;
  }
}

interface Reassigned {
  readonly split: DrawSplit;
  readonly movedCents: number;
}

function reassign(state: LineState, draw: DrawState, payment: LinePaymentState, { split, movedCents }: Reassigned): LinePaymentState {
  const principalCents = Math.min(movedCents, draw.balances.nonDuePrincipalCents);
  const overCents = movedCents - principalCents;
  draw.balances.nonDuePrincipalCents -= principalCents;
  countFor(state, draw, (totals) => {
    totals.paidInterestCents -= movedCents;
    totals.paidPrincipalCents += principalCents;
  });
  state.totals.paidOverCents += overCents;
  if (payment.kind !== 'credit') state.totals.reimbursementCents += overCents;
  watch(state, payment, draw, { bucket: 'nonDueInterest', amountCents: -movedCents });
  watch(state, payment, draw, { bucket: 'nonDuePrincipal', amountCents: principalCents });
  watch(state, payment, null, { bucket: 'paidOver', amountCents: overCents });
  const changed: DrawSplit = {
    ...split,
    interestCents: split.interestCents - movedCents,
    principalCents: split.principalCents + principalCents,
  };
  return {
    ...payment,
    interestCents: payment.interestCents - movedCents,
    principalCents: payment.principalCents + principalCents,
    overCents: payment.overCents + overCents,
    splits: payment.splits.map((candidate) => (candidate === split ? changed : candidate)),
  };
}

interface Row {
  readonly bucket: 'nonDueInterest' | 'nonDuePrincipal' | 'paidOver';
  readonly amountCents: number;
}

function watch(state: LineState, { transaction }: LinePaymentState, draw: DrawState | null, { bucket, amountCents }: Row): void {
  if (amountCents !== 0) state.watcher?.allocated?.({ transaction, draw: draw?.draw ?? null, bucket, obligation: null, amountCents });
}
