import type { tags } from 'typia';
import type { BlockReason, Channel, Direction, InteractionTheme, SubjectValue } from '../../../engine/index.js';
import type { ContactCreateBody } from '../../borrower/index.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateTimeText, LongExternalId } from '../../wire.js';
import type { Said } from './state.js';

/** The wire of the guard. */

export interface CanInteractRequest {
  /** Null: any channel. Then all channels must be allowed. */
  readonly channel: Channel | null;
  /** A subject or a theme is required; a subject that implies no theme needs one. */
  readonly subject?: SubjectValue | null;
  readonly theme?: InteractionTheme | null;
  readonly loanId?: AnyId | null;
  readonly loanIds?: (readonly AnyId[] & tags.MaxItems<100>) | null;
  readonly contactId?: AnyId | null;
  readonly contactExternalId?: LongExternalId | null;
  /** A contact by its value: the borrower's contact with this value, or else a new one. */
  readonly contactDetails?: ContactCreateBody | null;
  /** Judges quiet hours as of noon today in the company's zone, and all else as of now. */
  readonly checkAtCompanyNoon?: boolean;
  /** For calls: dialed by a machine, or prerecorded. */
  readonly isAutodialed?: boolean | null;
  /** False: dialed by a machine, but a person speaks. Absent: an autodialed call counts as prerecorded. */
  readonly isPrerecorded?: boolean | null;
  readonly caseId?: AnyId | null;
  /** Default: by the subject. */
  readonly isTransactional?: boolean | null;
  /** Default: outbound. Inbound contacts are always allowed. */
  readonly direction?: Direction;
  /** Default: now. */
  readonly startedAt?: DateTimeText | null;
}

export interface CanInteractView {
  readonly result: boolean;
  readonly blockReason: BlockReason | null;
  readonly ruleId: string | null;
  readonly ruleCode: string | null;
  readonly doNotInteractId: string | null;
  readonly description: string | null;
  /** The earliest moment within 30 days at which all rules allow it; null if there is none. */
  readonly sendAt: DateTimeText | null;
  readonly evaluatedAt: DateTimeText;
  readonly warnings: readonly string[];
  /** The contact that would be used. */
  readonly contactId: string | null;
}

export interface ComplianceDecisionQuery extends PageQuery {
  readonly personId?: AnyId;
  readonly result?: boolean;
  /** Only entries in which this rule objected to the contact, muted or not. */
  readonly ruleId?: AnyId;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
}

export interface ComplianceDecisionView extends Omit<Said, 'sendAt' | 'judgedAt' | 'rules' | 'rulesVersion' | 'shelf'> {
  readonly id: string;
  readonly object: 'complianceDecision';
  readonly companyId: string;
  readonly sendAt: DateTimeText | null;
  /** The moment for which the contact was judged. */
  readonly evaluatedAt: DateTimeText;
  /** The rules that applied to the contact. A muted rule with `blocks` would have blocked it. */
  readonly rules: readonly { readonly ruleId: string; readonly code: string; readonly blocks: boolean; readonly muted: boolean }[];
  /** The version of the seed rules at that time. */
  readonly rulesVersion: number;
  readonly createdAt: DateTimeText;
  readonly updatedAt: null;
  readonly deletedAt: null;
}
