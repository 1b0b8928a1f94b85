import type { CaseOutcome, CaseStatus } from '../../company/index.js';
import type { NotificationFields } from './notifications.js';
import type { Block, BlockFields, CallFields, CaseFields, EscalationTarget, ReviewPlan, Sealed } from './state.js';

/** What can happen to a case. Bodies by the fact's type; fields that may be personal are sealed. */
export interface CaseFacts {
  readonly CaseOpened: CaseFields & {
    readonly personId: string;
    readonly status: CaseStatus;
    readonly outcome: CaseOutcome | null;
    readonly outcomeNote: Sealed | null;
    readonly loanIds: readonly string[];
  };
  /** Only what changed. `secrets` has the names of changed sealed fields. */
  readonly CaseChanged: {
    readonly changes: Partial<CaseFields>;
    readonly outcomeNote?: Sealed | null;
    readonly secrets: readonly string[];
  };
  readonly CaseMoved: { readonly status: CaseStatus; readonly outcome: CaseOutcome | null; readonly outcomeNote?: Sealed | null };
  readonly CaseDeleted: Readonly<Record<string, never>>;
  /** The borrower was deleted or erased: another case may have the external id. Internal: the timeline has no entry for it. */
  readonly CaseExternalIdFreed: Readonly<Record<string, never>>;
  readonly CaseViewed: Readonly<Record<string, never>>;
  readonly CaseAssociated: { readonly objectType: 'loan'; readonly objectIds: readonly string[] };
  readonly CaseAssociationEnded: { readonly objectType: 'loan'; readonly objectId: string };
  readonly CaseSnoozed: { readonly id: string; readonly until: number; readonly reason: Sealed | null };
  /** The snooze has ended. `at` is its planned end; absent if a caller ended it earlier. */
  readonly CaseWoken: { readonly id: string; readonly at?: number };
  readonly CallScheduled: CallFields & { readonly id: string };
  readonly CallRescheduled: CallFields & { readonly id: string };
  readonly CallFellDue: { readonly id: string; readonly at: number };
  readonly CallEnded: { readonly id: string; readonly status: 'completed' | 'missed' | 'canceled' };
  readonly CaseEscalated: EscalationTarget & { readonly id: string; readonly reason: Sealed };
  readonly EscalationChanged: EscalationTarget & { readonly id: string; readonly reason: Sealed };
  /** Without a reason if it ends with its case or its task. */
  readonly EscalationEnded: { readonly id: string; readonly status: 'resolved' | 'canceled'; readonly reason: Sealed | null };
  readonly BlockSet: BlockFields & Pick<Block, 'id' | 'source' | 'doNotInteractTypeId'>;
  readonly BlockChanged: BlockFields & Pick<Block, 'id' | 'withoutSupercase'> & Partial<Pick<Block, 'source' | 'doNotInteractTypeId'>>;
  /** `at` is the end of its last day; absent if it was lifted. */
  readonly BlockEnded: { readonly id: string; readonly status: 'lifted' | 'expired'; readonly at?: number };
  /** `isDue`: it is due at once. */
  readonly NotificationScheduled: NotificationFields & { readonly id: string; readonly isDue: boolean };
  /** `at` is the moment for which it was scheduled. */
  readonly NotificationFellDue: { readonly id: string; readonly at: number };
  /** The result when it was due. */
  readonly NotificationEnded: {
    readonly id: string;
    readonly status: 'sent' | 'blocked' | 'failed';
    readonly interactionId: string | null;
    readonly at: number;
  };
  /** Without `at` if it ends with its case. */
  readonly NotificationCanceled: { readonly id: string; readonly at?: number };
  /** A note about the case was written or changed. The note is an actor of its own. */
  readonly CaseNoted: { readonly noteId: string; readonly action: 'noteWritten' | 'noteChanged' };
  readonly CaseWorkflowStarted: { readonly workflowId: string };
  readonly CaseWorkflowMoved: { readonly itemId: string; readonly status: string };
  /** Internal: the timeline has no entry for it. */
  readonly ReviewPlanned: ReviewPlan;
  readonly DocumentAttached: { readonly documentId: string };
  readonly DocumentDetached: { readonly documentId: string };
}
