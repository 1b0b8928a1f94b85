import { formatDay } from '../../../engine/index.js';
import { closedBySystem } from '../../casework/cases/commands/closing.js';
import { openedBySystem } from '../../casework/cases/commands/create.js';
import type { CaseState } from '../../casework/cases/state.js';
import type { CommandContext, DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { recordOf, todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { DisputeStatus, PurchaseDispute } from './purchase.js';
import type { CreateDisputeRequest } from './requests.js';

/** The case by which a dispute is worked (cases 3: it opens and closes with it). Null: nobody wants one. */
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
  const request = {
    caseType: 'disputeOfPurchase',
    purchaseIds: [purchaseId],
    purchaseDisputeId: disputeId,
    provisionalCreditDate: formatDay(todayOf(env, state)),
    ...(reason == null ? {} : { disputeReason: reason }),
  } as const;
  return openedBySystem(env, recordOf(state).personId, request, { loanIds: [state.id], autoCreated: false });
}

/** How the case ends with each end of its dispute. */
const ENDS: { readonly [Status in DisputeStatus]?: Parameters<typeof closedBySystem>[2] } = {
  won: { status: 'completed', outcome: 'approved' },
  lost: { status: 'completed', outcome: 'denied' },
  expired: { status: 'completed', outcome: 'expired' },
  canceled: { status: 'canceled', outcome: null },
};

/** The end of the case that was opened for the dispute. One that the caller has named is the caller's. */
export function caseOfEnded(env: DecideEnv, { id, caseId }: PurchaseDispute, status: DisputeStatus): readonly FactDraft[] {
  const end = ENDS[status];
  const opened = caseId === null ? undefined : env.read<CaseState>('case', caseId);
  if (end === undefined || opened?.fields['purchaseDisputeId'] !== id) return [];
  return closedBySystem(env, opened, end);
}
