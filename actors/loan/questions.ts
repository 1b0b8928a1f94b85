import type { DecideEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { question } from '../kernel/question.js';
import type { LoanState } from './state.js';

/*
 * What loans need to know of cases, which come later in the order of domains. The answers are rows of `actors/policies.ts`.
 */

/** What of a case a loan asks. */
export interface NamedCase {
  readonly id: string;
  readonly personId: string;
  readonly status: string;
  /** Whether it takes no more work: completed, canceled or deleted. */
  readonly isClosed: boolean;
}

/** What a case of a disputed purchase says of it. */
export interface DisputedPurchase {
  readonly disputeId: string;
  readonly purchaseId: string;
  readonly personId: string;
  readonly loanId: string;
  /** `YYYY-MM-DD`. */
  readonly provisionalCreditDate: string;
  readonly reason: string | null;
}

export const loanAsks = {
  /** The case that an AnyId names; undefined where there is none, or a deleted one. */
  caseNamed: question<DecideEnv, [anyId: string], NamedCase | undefined>('case.named'),
  /** Ids of the open cases that keep days overdue from accelerating and charging off a loan. */
  casesHoldingThresholds: question<DecideEnv, [loan: LoanState], readonly string[]>('case.holdingThresholds'),
  /** A new case beside the borrower by which a dispute is worked: its id, and the facts that open it. */
  disputeCaseOpened: question<DecideEnv, [disputed: DisputedPurchase], { readonly caseId: string; readonly facts: readonly FactDraft[] }>(
    'case.disputeOpened',
  ),
};
