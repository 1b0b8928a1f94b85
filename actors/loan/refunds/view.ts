import { type Cents, sum } from '../../../engine/index.js';
import {
  type Amount,
  amount,
  type DateText,
  dateText,
  type DateTimeText,
  dateTimeText,
  orNull,
  type TimeOfDay,
  timeOfDay,
} from '../../wire.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { loanTypeOf, recordOf } from '../context.js';
import { detailsView, type ProceedsDetailsView } from '../proceeds-details.js';
import type { LoanState } from '../state.js';
import type { AtFaultParty, LoanRefund } from './refund.js';

export interface RefundReply {
  readonly id: string;
  readonly status: 'applied' | 'canceled';
  readonly refundDate: DateText;
  readonly refundTimeOfDay: TimeOfDay;
  readonly refundAmount: Amount;
  readonly originalAmount: Amount;
  readonly isFullRefund: boolean;
  readonly atFaultParty: AtFaultParty;
  readonly isRefundOriginationFee: boolean;
  readonly isRefundLateFees: boolean;
  readonly isRefundOtherFees: boolean;
  readonly refundDetails: ProceedsDetailsView | null;
  readonly caseId: string | null;
  readonly timestamps: { readonly createdAt: DateTimeText; readonly updatedAt: DateTimeText; readonly canceledAt: DateTimeText | null };
}

export interface RefundsReply {
  readonly eligibleRefundAmount: Amount;
  readonly refunds: readonly RefundReply[];
}

export const refundView = (state: LoanState, refund: LoanRefund): RefundReply => ({
  id: refund.id,
  status: refund.canceledAt === null ? 'applied' : 'canceled',
  refundDate: dateText(refund.effective.day),
  refundTimeOfDay: timeOfDay(refund.effective.seconds),
  refundAmount: amount(refund.amountCents),
  originalAmount: amount(refund.originalCents),
  isFullRefund: refund.canceledAt === null && leftCents(state) === 0,
  atFaultParty: refund.atFaultParty,
  isRefundOriginationFee: refund.isRefundOriginationFee,
  isRefundLateFees: refund.isRefundLateFees,
  isRefundOtherFees: refund.isRefundOtherFees,
  refundDetails: detailsView(refund.details),
  caseId: refund.caseId,
  timestamps: {
    createdAt: dateTimeText(refund.createdAt),
    updatedAt: dateTimeText(refund.updatedAt),
    canceledAt: orNull(dateTimeText, refund.canceledAt),
  },
});

/** Newest first. */
export const refundsView = (state: LoanState, env: EvolveEnv): RefundsReply => ({
  eligibleRefundAmount: amount(eligibleCents(state, env)),
  refunds: state.refunds.map((refund) => refundView(state, refund)).reverse(),
});

/**
 * What was financed at origination and not refunded yet, as far as it was paid out: advances to come are no money of the
 * borrower's. `but` is left out, because it is changed.
 */
export function eligibleCents(state: LoanState, env: EvolveEnv, but?: string): Cents {
  const hasAdvances = loanTypeOf(env, state).versions.at(-1)?.settings.structure.allowMultipleAdvances === true;
  return Math.min(leftCents(state, but), hasAdvances ? Math.max(0, paidOutCents(state) - refundedCents(state, but)) : Infinity) as Cents;
}

const leftCents = (state: LoanState, but?: string): number => recordOf(state).atOrigination.amountFinancedCents - refundedCents(state, but);

const refundedCents = ({ refunds }: LoanState, but?: string): number =>
  sum(refunds.filter(({ id, canceledAt }) => canceledAt === null && id !== but).map(({ amountCents }) => amountCents));

/** With activation, and in advances since. */
const paidOutCents = ({ servicing, advances }: LoanState): number =>
  (servicing?.contract.terms.principalCents ?? 0) +
  sum(advances.filter(({ status, number }) => status === 'settled' && number !== null).map(({ amountCents }) => amountCents));
