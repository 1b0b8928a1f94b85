import { formatDay } from '../../../engine/index.js';
import type { CommandContext } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/question.js';
import { recordOf, todayOf } from '../context.js';
import { loanAsks } from '../questions.js';
import type { LoanState } from '../state.js';
import type { CreateDisputeRequest } from './requests.js';

/** The case by which a dispute is worked (it opens and closes with it). Null: none is wanted. */
interface DisputeCase {
  readonly caseId: string | null;
  readonly facts: readonly FactDraft[];
}

/** The case that the caller names, else a new one beside the borrower, unless none is wanted. */
export function caseOfNew(
  { state, env }: CommandContext<LoanState>,
  disputeId: string,
  purchaseId: string,
  { caseId, createDisputeCase, reason }: CreateDisputeRequest,
): DisputeCase {
  if (caseId != null || createDisputeCase === false) return { caseId: caseId ?? null, facts: [] };
  return ask(env, loanAsks.disputeCaseOpened, {
    disputeId,
    purchaseId,
    personId: recordOf(state).personId,
    loanId: state.id,
    provisionalCreditDate: formatDay(todayOf(env, state)),
    reason: reason ?? null,
  });
}
