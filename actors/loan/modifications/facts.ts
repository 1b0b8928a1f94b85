import type { BalancesDeferred, DueDateDeferred, LineScheduleChanged, ScheduleChanged } from '../../../engine/index.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import type { PlanMove } from './plan-machine.js';
import type { ModificationTerms, PaymentPlanTerms, PlanCancellationReason, ScheduleModification } from './state.js';

/** What happens to the schedule of a loan by its tools. The fee of a tool is a fact of its own in the same batch. */
export interface ModificationFacts {
  readonly ScheduleModified: ScheduleModified;
  readonly PaymentPlanCreated: PaymentPlanCreated;
  readonly PaymentPlanEnded: PaymentPlanEnded;
  readonly PaymentPlanCanceled: PaymentPlanCanceled;
}

type Kept = Pick<ScheduleModification, 'id' | 'agreementDocumentId' | 'fee' | 'isFeeWaived'>;

export interface ScheduleModified extends LedgerChanged {
  readonly change: LedgerChange<ScheduleChanged | DueDateDeferred | LineScheduleChanged | BalancesDeferred>;
  readonly modification: Kept & { readonly terms: ModificationTerms };
}

export interface PaymentPlanCreated extends LedgerChanged {
  readonly change: LedgerChange<ScheduleChanged>;
  readonly plan: PaymentPlanTerms;
  readonly modificationId: string;
}

/** Over by itself: the schedule stays as it is. */
export interface PaymentPlanEnded {
  readonly planId: string;
  readonly move: PlanMove;
  readonly reason: PlanCancellationReason | null;
}

/** Canceled by somebody: the schedule before it comes back. */
export interface PaymentPlanCanceled extends LedgerChanged {
  readonly change: LedgerChange<ScheduleChanged>;
  readonly planId: string;
  readonly modificationId: string;
}
