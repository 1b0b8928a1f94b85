import { type Cents, cents, sum } from '../../../engine/index.js';
import type { AtFaultParty } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime } from '../../kernel/fact.js';
import { loanTypeOf, recordOf } from '../context.js';
import type { AdvanceDetails } from '../origination/terms.js';
import type { LoanState } from '../state.js';

/** A refund of what the loan financed. `transaction` is its number in the ledger. */
export interface LoanRefund {
  readonly id: string;
  /** Its number in the ledger's facts; a changed refund has a new one. */
  readonly transaction: number;
  readonly effective: EffectiveTime;
  readonly amountCents: Cents;
  readonly originalCents: Cents;
  /** The party that is billed for the whole refund. */
  readonly atFaultParty: AtFaultParty;
  /** The account that it is billed to, as the loan type said when it was recorded. Absent in refunds of earlier releases. */
  readonly billedAccount?: string | null;
  readonly isRefundOriginationFee: boolean;
  readonly isRefundLateFees: boolean;
  readonly isRefundOtherFees: boolean;
  readonly details: AdvanceDetails | null;
  readonly caseId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly canceledAt: number | null;
}

/**
 * The amount that was financed, paid out and not refunded yet. Coming advances are not paid out. `but` is a refund whose amount changes: it
 * does not count.
 */
export function eligibleCents(state: LoanState, env: EvolveEnv, but?: string): Cents {
  const hasAdvances = loanTypeOf(env, state).versions.at(-1)?.settings.structure.allowMultipleAdvances === true;
  return cents(Math.min(leftCents(state, but), hasAdvances ? Math.max(0, paidOutCents(state) - refundedCents(state, but)) : Infinity));
}

/** The amount that was financed and not refunded. */
export const leftCents = (state: LoanState, but?: string): number =>
  recordOf(state).atOrigination.amountFinancedCents - refundedCents(state, but);

const refundedCents = ({ refunds }: LoanState, but?: string): number =>
  sum(refunds.filter(({ id, canceledAt }) => canceledAt === null && id !== but).map(({ amountCents }) => amountCents));

/** The amount paid out at activation, and in advances since. */
const paidOutCents = ({ servicing, advances }: LoanState): number =>
  (servicing?.contract.terms.principalCents ?? 0) +
  sum(advances.filter(({ status, number }) => status === 'settled' && number !== null).map(({ amountCents }) => amountCents));

export const refundOf = (state: LoanState, id: string | undefined): LoanRefund =>
  state.refunds.find((refund) => refund.id === id) ?? refuse('notFound', `The loan ${state.id} has no refund ${id ?? ''}.`);
