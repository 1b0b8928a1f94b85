import { findDocument, type PersonFacts, type PersonState } from '../borrower/index.js';
import type { CommandContext } from '../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../kernel/fact.js';
import type { DisputeStatus, LoanState, PurchaseFacts } from '../loan/index.js';
import { closedBySystem } from './cases/commands/closing.js';
import { reviewOfUpload } from './cases/desk.js';
import type { CaseState } from './cases/state.js';

/*
 * What casework records beside facts of borrowers and loans. Each is a row of `actors/reactions.ts`.
 */

/** A review of what the borrower itself has uploaded for a case. A converted copy is no upload. */
export const uploadsReviewed = ({ env, state }: CommandContext<PersonState>, facts: readonly FactDraft[]): readonly FactDraft[] =>
  bodiesOf<PersonFacts, 'DocumentAttached'>(facts, 'DocumentAttached').flatMap(({ id, isHumanBorrowerUpload }) => {
    const caseId = findDocument(state, id)?.caseId ?? null;
    const known = caseId === null || !isHumanBorrowerUpload ? undefined : env.read<CaseState>('case', caseId);
    return known ? reviewOfUpload(env, known, id).map((draft) => ({ ...draft, caseId })) : [];
  });

/** How the case ends with each end of its dispute. */
const ENDS: { readonly [Status in DisputeStatus]?: Parameters<typeof closedBySystem>[2] } = {
  won: { status: 'completed', outcome: 'approved' },
  lost: { status: 'completed', outcome: 'denied' },
  expired: { status: 'completed', outcome: 'expired' },
  canceled: { status: 'canceled', outcome: null },
};

/** The end of the case that was opened for a dispute. One that the caller has named is the caller's. */
export const disputeCasesClosed = ({ env, state }: CommandContext<LoanState>, facts: readonly FactDraft[]): readonly FactDraft[] =>
  bodiesOf<PurchaseFacts, 'DisputeChanged'>(facts, 'DisputeChanged').flatMap(({ disputeId, changes }) => {
    const caseId = state.disputes.find(({ id }) => id === disputeId)?.caseId ?? null;
    const end = changes.status && ENDS[changes.status];
    const opened = caseId === null || end === undefined ? undefined : env.read<CaseState>('case', caseId);
    return opened?.fields['purchaseDisputeId'] === disputeId && end !== undefined ? closedBySystem(env, opened, end) : [];
  });
