import type { Day, EffectiveTime } from '../../../engine/index.js';
import type { PromiseMove } from './machine.js';
import type { PromiseCancellation, PromisePlan, PromiseTerms } from './plan.js';

/** What happens to promises to pay. None of it touches the ledger. */
export interface PromiseFacts {
  readonly PromiseMade: PromiseMade;
  readonly PromiseChanged: PromiseChanged;
  readonly PromiseMoved: PromiseMoved;
}

export interface PromiseMade extends PromiseTerms {
  readonly id: string;
  readonly externalId: string | null;
  readonly madeAt: EffectiveTime;
  readonly brokenAfterDays: number | null;
  readonly caseId: string | null;
}

export interface PromiseChanged {
  readonly planId: string;
  /** The fields that change, with their new values. */
  readonly changes: Partial<PromiseTerms & Pick<PromisePlan, 'externalId'>>;
  readonly caseId: string | null;
}

export interface PromiseMoved {
  readonly planId: string;
  readonly move: Exclude<PromiseMove, 'change'>;
  /** The loan's day on which it happened. */
  readonly day: Day;
  /** The promise that it is about; null when it is about none. */
  readonly promiseId: string | null;
  readonly cancellationReason: PromiseCancellation | null;
  readonly reasonDetails: string | null;
  readonly caseId: string | null;
}
