import { formatCents, type Refund } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext } from '../../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../../kernel/fact.js';
import { secondsOf, type TimeOfDay } from '../../../wire.js';
import { effectiveNow, effectiveOn, FIRST_USER_SECONDS, recordOf, servicingOf } from '../../context.js';
import type { LedgerChange } from '../../facts.js';
import { ledgerFact } from '../../commands/order.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import type { LoanRefund } from '../refund.js';
import { eligibleCents } from '../view.js';

type Timed = { readonly refundDate?: string | null; readonly refundTimeOfDay?: TimeOfDay | null };

/** When the refund counts: a past day is replayed, none lies before activation or ahead (loans.md 6). */
export function refundTime({ state, env }: CommandContext<LoanState>, request: Timed): EffectiveTime {
  const at = effectiveOn(env, state, request.refundDate, 'refundDate');
  if (request.refundTimeOfDay == null) return at;
  const seconds = secondsOf(request.refundTimeOfDay);
  if (seconds < FIRST_USER_SECONDS) return refuseProperty('refundTimeOfDay', '02:00:00 or later', 'Before 02:00 lies the daily work.');
  const now = effectiveNow(env, state);
  return { day: at.day, seconds: at.day === now.day ? Math.min(seconds, now.seconds) : seconds };
}

type Wanted = Pick<LoanRefund, 'amountCents' | 'effective' | 'isRefundOriginationFee'>;

/** 422 above what is eligible, and for an origination fee on another day than that of activation, or a second time. */
export function requireRefundable({ state, env }: CommandContext<LoanState>, wanted: Wanted, but?: string): void {
  const eligible = eligibleCents(state, env, but);
  if (wanted.amountCents > eligible) {
    refuse('amountExceedsEligible', `At most ${formatCents(eligible)} can be refunded.`, {
      errors: [{ path: 'refundAmount', expected: `at most ${formatCents(eligible)}`, message: 'is above what is eligible' }],
    });
  }
  if (!wanted.isRefundOriginationFee) return;
  const other = state.refunds.find(
    ({ id, canceledAt, isRefundOriginationFee }) => id !== but && canceledAt === null && isRefundOriginationFee,
  );
  if (other !== undefined) {
    refuse('ruleViolation', `The refund ${other.id} has refunded the origination fee already.`, {
      errors: [{ path: 'isRefundOriginationFee', expected: 'false', message: 'the fee was refunded' }],
    });
  }
  if (wanted.effective.day === servicingOf(state).contract.terms.activation) return;
  refuse('ruleViolation', 'The origination fee is refunded on the day of activation only.', {
    errors: [{ path: 'isRefundOriginationFee', expected: 'false', message: 'the refund date is not the activation date' }],
  });
}

/** What the ledger is told of a refund. */
export function refundDraft(context: CommandContext<LoanState>, request: Pick<ActionRequest, 'caseId'>, refund: Counted): FactDraft {
  const change: LedgerChange<Refund> = {
    type: 'refund',
    transaction: refund.transaction,
    amountCents: refund.amountCents,
    fullCents: recordOf(context.state).atOrigination.amountFinancedCents,
    isOriginationFeeRefunded: refund.isRefundOriginationFee,
    areLateFeesCanceled: refund.isRefundLateFees,
    areOtherFeesCanceled: refund.isRefundOtherFees,
  };
  return ledgerFact(context, request, { change, effective: refund.effective });
}

type Counted = Wanted & Pick<LoanRefund, 'transaction' | 'isRefundLateFees' | 'isRefundOtherFees'>;

export const takeBackDraft = (context: CommandContext<LoanState>, request: Pick<ActionRequest, 'caseId'>, transaction: number): FactDraft =>
  ledgerFact(context, request, { change: { type: 'refundCanceled', transaction }, effective: effectiveNow(context.env, context.state) });

/** The loan's refund of a path; 404 when it has none, 409 when it was canceled. */
export function refundInForce(state: LoanState, id: string | undefined): LoanRefund {
  const refund = refundOf(state, id);
  if (refund.canceledAt !== null) refuse('invalidState', `The refund ${refund.id} is canceled already.`);
  return refund;
}

export const refundOf = (state: LoanState, id: string | undefined): LoanRefund =>
  state.refunds.find((refund) => refund.id === id) ?? refuse('notFound', `The loan ${state.id} has no refund ${id ?? ''}.`);
