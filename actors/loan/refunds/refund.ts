import type { Cents } from '../../../engine/index.js';
import type { EffectiveTime } from '../../kernel/fact.js';
import type { AdvanceDetails } from '../origination/terms.js';

export type AtFaultParty = 'loanOwner' | 'loanServicer' | 'merchant';

/** A refund of what the loan financed. The ledger counts it under `transaction`. */
export interface LoanRefund {
  readonly id: string;
  /** Its number in the ledger's facts; a changed refund has a new one. */
  readonly transaction: number;
  readonly effective: EffectiveTime;
  readonly amountCents: Cents;
  readonly originalCents: Cents;
  /** It is billed for the whole refund. */
  readonly atFaultParty: AtFaultParty;
  readonly isRefundOriginationFee: boolean;
  readonly isRefundLateFees: boolean;
  readonly isRefundOtherFees: boolean;
  readonly details: AdvanceDetails | null;
  readonly caseId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly canceledAt: number | null;
}
