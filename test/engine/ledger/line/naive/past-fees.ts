import type { PastFeeCanceled } from '../../../../../engine/index.js';
import { type NaiveState, isWhole } from './state.js';
import { type Holder, money } from './holder.js';
import { endAllocation, returnToNonDue, allocateInto, allocateIntoFee, streamOf } from './money.js';

const DUE_STATUSES = ['overdue', 'due', 'nonDue', 'chargedOff'] as const;

/** Cancels a fee that another system charged: its unpaid part first, then principal of the draw. */
export function takePastFeeBack(state: NaiveState, draw: Holder, { transaction, amountCents }: PastFeeCanceled): void {
  const amount = money(amountCents);
  const first = state.obligations.findIndex(({ isFulfilled }) => !isFulfilled);
  const stream = streamOf({ transaction, kind: 'refund', amount });
  for (const dueStatus of DUE_STATUSES) {
    for (const fee of draw.fees) if (fee.isSeeded && fee.dueStatus === dueStatus) allocateIntoFee(state, draw, fee, stream);
  }
  for (const dueStatus of [...DUE_STATUSES].reverse()) allocateInto(state, draw, `${dueStatus}Principal`, stream);
  if (!isWhole(state) && state.status !== 'paidOff') returnToNonDue(state);
  endAllocation(state, stream, { first });
}
