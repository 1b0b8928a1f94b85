import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import type { LinePaymentState, LineState } from './state.js';

/*
 * Payments are added and replaced here alone, since the credit that they have not freed is counted with them. So no reader of the credit
 * looks at all payments.
 */

/** What payments have paid of a draw, by the end of their hold. */
export interface HeldCredit {
  /** Null: the line's own fees. */
  readonly draw: number | null;
  /** The last day of the hold; null: there is none, or it was over when the next payment came. */
  readonly holdUntil: Day | null;
  /** Principal that was paid with money, and with refunds of purchases. */
  readonly principalCents: number;
  readonly refundedPrincipalCents: number;
  /** Interest and fees; not counted without a hold, which nobody asks for. */
  readonly otherCents: number;
}

export function addPayment(state: LineState, payment: LinePaymentState): void {
  state.overpaid.count(state.payments.length, null, payment);
  state.payments.push(payment);
  count(state, payment, 1);
}

/** Payments are replaced, never changed, so that copies can share them. */
export function replacePayment(state: LineState, at: number, payment: LinePaymentState): void {
  const before = must(state.payments[at], 'a payment that is replaced');
  state.overpaid.count(at, before, payment);
  state.payments[at] = payment;
  if (before.splits === payment.splits) return;
  count(state, before, -1);
  count(state, payment, 1);
}

/** Counts splits of a payment, or no longer counts them. Holds that are over have one row for each draw. */
function count(state: LineState, payment: LinePaymentState, sign: 1 | -1): void {
  const { day } = state;
  const isOn = (until: Day | null): until is Day => until !== null && until >= day;
  let rows = state.heldCredit;
  if (rows.some(({ holdUntil }) => holdUntil !== null && !isOn(holdUntil))) {
    const over = rows.filter(({ holdUntil }) => !isOn(holdUntil));
    rows = rows.filter(({ holdUntil }) => isOn(holdUntil));
    for (const row of over) rows = withRow(rows, { ...row, holdUntil: null, otherCents: 0 });
  }
  const { kind, holdUntil, splits } = payment;
  for (const { draw, principalCents, interestCents, feesCents } of splits)
    rows = withRow(rows, {
      draw,
      holdUntil: isOn(holdUntil) ? holdUntil : null,
      principalCents: kind === 'refund' ? 0 : sign * principalCents,
      refundedPrincipalCents: kind === 'refund' ? sign * principalCents : 0,
      otherCents: isOn(holdUntil) ? sign * (interestCents + feesCents) : 0,
    });
  state.heldCredit = rows;
}

function withRow(rows: readonly HeldCredit[], more: HeldCredit): readonly HeldCredit[] {
  const at = rows.findIndex(({ draw, holdUntil }) => draw === more.draw && holdUntil === more.holdUntil);
  const row = rows[at];
  if (row === undefined) return [...rows, more];
  return rows.with(at, {
    ...row,
    principalCents: row.principalCents + more.principalCents,
    refundedPrincipalCents: row.refundedPrincipalCents + more.refundedPrincipalCents,
    otherCents: row.otherCents + more.otherCents,
  });
}
