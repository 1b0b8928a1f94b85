import type { BlockReason, Channel, ContactOrigin, Direction, InteractionTheme, RuleOutcome, Subject } from '../../../engine/index.js';
import type { Tenant } from '../../kernel/fact.js';

/** The `kind` of the log's actors. */
export const COMPLIANCE_DECISION = 'complianceDecision';

/** What the guard said about one contact, beside its borrower. Ids and words alone: nothing personal. */
export interface DecisionState {
  readonly id: string;
  readonly tenant: Tenant;
  /** Null before it is recorded, and once newer ones have taken its place. */
  said: Said | null;
  /**
   * Set once newer ones have taken its place in the list index: it lies on disk, and the one that was shelved before it is the next to
   * read.
   */
  shelved?: { readonly previousId: string | null };
  /** Milliseconds of the company's clock. */
  createdAt: number;
  /** Microseconds; 0 before it is recorded. */
  createdStamp: number;
}

/** What the guard was asked, and what it answered. */
export interface Said {
  readonly personId: string;
  /** Who asked: the check, or a send. */
  readonly source: 'canInteract' | 'send';
  readonly origin: ContactOrigin;
  readonly contactId: string | null;
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  readonly interactionId: string | null;
  readonly channel: Channel | null;
  readonly direction: Direction;
  readonly subject: Subject | null;
  readonly theme: InteractionTheme;
  readonly isTransactional: boolean;
  readonly isAutodialed: boolean;
  readonly result: boolean;
  readonly blockReason: BlockReason | null;
  readonly ruleId: string | null;
  readonly ruleCode: string | null;
  readonly doNotInteractId: string | null;
  /** Milliseconds, as the next. */
  readonly sendAt: number | null;
  readonly judgedAt: number;
  readonly rules: readonly RuleOutcome[];
  /** Of the seed rules. Absent: 1. */
  readonly rulesVersion?: number;
  /** What of the borrower lies on the shelf from this entry on: the newest of them, and how many. Absent where nothing does. */
  readonly shelf?: Shelf;
}

export interface Shelf {
  readonly headId: string;
  readonly count: number;
}

export const newDecision = (id: string, tenant: Tenant): DecisionState => ({ id, tenant, said: null, createdAt: 0, createdStamp: 0 });
