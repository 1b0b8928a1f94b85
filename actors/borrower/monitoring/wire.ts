import type { CaseFields } from '../../company/index.js';
import type { tags } from 'typia';
import type { AnyId, DateText, DateTimeText, ShortText } from '../../wire.js';
import type { MonitoringKind, MonitoringState } from './status.js';

/** The wire of monitoring. */

export interface MonitoringStartBody {
  readonly kind: MonitoringKind;
  /** Today or a day that is past; absent = today. */
  readonly startDate?: DateText;
}

export interface MonitoringUpdateBody {
  /** `stopped` stops, `monitored` resumes, `cleared` says that a hit was a mistake. */
  readonly status: 'stopped' | 'monitored' | 'cleared';
}

export interface MonitoringListQuery {
  readonly kind?: MonitoringKind;
}

interface HitFields {
  readonly kind: MonitoringKind;
  /** Reference at the source: two reports with the same reference are the same hit. */
  readonly externalReference: string & tags.MinLength<1> & tags.MaxLength<255>;
  readonly effectiveDate: DateText;
  /** Fields of the case that the hit opens. */
  readonly details?: CaseFields;
  /** The name of the source. */
  readonly source?: ShortText;
}

/** The borrower is given by id, or by identity number, date of birth and name. */
export interface HitBody extends HitFields {
  readonly personId?: AnyId;
  readonly SSN?: string & tags.Pattern<'^\\d{3}-?\\d{2}-?\\d{4}$'>;
  readonly dateOfBirth?: DateText;
  readonly lastName?: ShortText;
}

export interface HitQuery {
  /** Answers what would happen, without recording it. */
  readonly dryRun?: boolean;
}

export interface HitView {
  readonly object: 'monitoringHit';
  readonly personId: string;
  readonly monitoringStatusId: string;
  readonly kind: MonitoringKind;
  readonly status: MonitoringState;
  readonly externalReference: string;
  /** `created` for a new reference, `updated` for a known reference with new details, `repeated` for a hit that is known already. */
  readonly outcome: 'created' | 'updated' | 'repeated';
  readonly caseId: string | null;
  readonly dryRun: boolean;
}

export interface MonitoringStatusView {
  /** Null while nothing was recorded about the kind. */
  readonly id: string | null;
  readonly object: 'monitoringStatus';
  readonly personId: string;
  readonly kind: MonitoringKind;
  readonly status: MonitoringState;
  readonly startedAt: DateText | null;
  readonly lastCheckedAt: DateTimeText | null;
  readonly lastHitAt: DateTimeText | null;
  readonly caseId: string | null;
  readonly missingFields: readonly string[];
  readonly source: string | null;
  readonly createdAt: DateTimeText | null;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
