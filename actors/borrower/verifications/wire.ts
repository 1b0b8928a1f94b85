import type { tags } from 'typia';
import type { OffsetQuery } from '../../list-order.js';
import type { AnyId, DateTimeText } from '../../wire.js';
import type { QuestionId, VerificationQuestion } from '../../company/index.js';
import type { VerificationStatus } from './verification.js';

/** The wire of verifications. No reply ever holds an answer. */

export interface VerificationStartBody {
  /** Null or absent: the company's default. */
  readonly verificationTypeId?: AnyId | null;
}

export interface VerificationStartQuery {
  /** Only checks whether a session could start now; 204 if it could. */
  readonly dryRun?: boolean;
}

export interface AttemptBody {
  readonly answers: readonly {
    readonly questionId: QuestionId;
    readonly answer: string & tags.MaxLength<200>;
  }[] &
    tags.MaxItems<100>;
}

export interface VerificationListQuery extends OffsetQuery {
  readonly status?: VerificationStatus;
  readonly agentUserId?: AnyId;
  /** Only sessions that have succeeded and are still active. */
  readonly activeOnly?: boolean;
}

export interface VerificationView {
  readonly id: string;
  readonly object: 'verification';
  readonly personId: string;
  readonly companyId: string;
  readonly agentUserId: string | null;
  readonly agentName: string | null;
  readonly verificationTypeId: string | null;
  readonly status: VerificationStatus;
  readonly expiresAt: DateTimeText;
  readonly maxAttempts: number;
  readonly attemptsRemaining: number;
  readonly questions: readonly VerificationQuestion[];
  readonly attempts: readonly { readonly id: string; readonly createdAt: DateTimeText; readonly isSuccess: boolean }[];
  /** Whether the session has succeeded and is still active. */
  readonly isActive: boolean;
  readonly succeededAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
