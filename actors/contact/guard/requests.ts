import type { tags } from 'typia';
import type { BlockReason, Channel, Direction, InteractionTheme, SubjectValue } from '../../../engine/index.js';
import type { ContactCreateBody } from '../../borrower/index.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateTimeText, LongExternalId } from '../../wire.js';
import type { Said } from './state.js';

/** The wire of the guard. */

export interface CanInteractRequest {
  /** Null: however; all that could be meant must be allowed then. */
  readonly channel: Channel | null;
  /** A subject or a theme; a subject that implies none needs its theme. */
  readonly subject?: SubjectValue | null;
  readonly theme?: InteractionTheme | null;
  readonly loanId?: AnyId | null;
  readonly loanIds?: (readonly AnyId[] & tags.MaxItems<100>) | null;
  readonly contactId?: AnyId | null;
  readonly contactExternalId?: LongExternalId | null;
  /** A contact by its value: the borrower's own that is equal, or else a new one. */
  readonly contactDetails?: ContactCreateBody | null;
  /** Hours are judged as of noon of today in the company's zone; nothing else is. */
  readonly checkAtCompanyNoon?: boolean;
  /** Of calls: dialed by a machine, or prerecorded. */
  readonly isAutodialed?: boolean | null;
  /** False: dialed by a machine, with a person speaking. Not said: an autodialed call may be prerecorded. */
  readonly isPrerecorded?: boolean | null;
  readonly caseId?: AnyId | null;
  /** Default: as the subject is. */
  readonly isTransactional?: boolean | null;
  /** Default outbound; inbound is always allowed. */
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
  /** The earliest moment at which everything allows it, within 30 days; null when time alone changes nothing. */
  readonly sendAt: DateTimeText | null;
  readonly evaluatedAt: DateTimeText;
  readonly warnings: readonly string[];
  /** Whom it would reach. */
  readonly contactId: string | null;
}

export interface ComplianceDecisionQuery extends PageQuery {
  readonly personId?: AnyId;
  readonly result?: boolean;
  /** One that stood against the contact, muted or not. */
  readonly ruleId?: AnyId;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
}

export interface ComplianceDecisionView extends Omit<Said, 'sendAt' | 'judgedAt' | 'rules' | 'rulesVersion' | 'shelf'> {
  readonly id: string;
  readonly object: 'complianceDecision';
  readonly companyId: string;
  readonly sendAt: DateTimeText | null;
  /** The moment that was judged. */
  readonly evaluatedAt: DateTimeText;
  /** The rules that were about the contact; a muted one would have blocked. */
  readonly rules: readonly { readonly ruleId: string; readonly code: string; readonly blocks: boolean; readonly muted: boolean }[];
  /** The version of the seed rules that it was judged under. */
  readonly rulesVersion: number;
  readonly createdAt: DateTimeText;
  readonly updatedAt: null;
  readonly deletedAt: null;
}
