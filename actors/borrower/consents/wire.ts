import type { tags } from 'typia';
import type { AnyId, DateTimeText } from '../../wire.js';
import type { ConsentName, ConsentSource, ConsentStatus } from './consent.js';

/** The wire of consents. */

interface ConsentBody {
  readonly name: ConsentName;
  /** Absent: stays. */
  readonly status?: ConsentStatus;
  /** Absent, as with the next two: stays while the status does, and null with another status. */
  readonly source?: ConsentSource | null;
  readonly obtainedAt?: DateTimeText | null;
  /** The document that proves it. */
  readonly documentId?: AnyId | null;
}

/** Consents that are not named stay as they are. */
export type ConsentsBody = readonly ConsentBody[] & tags.MinItems<1> & tags.MaxItems<50>;

export interface ConsentWriteQuery {
  /** For the audit trail. */
  readonly caseId?: AnyId;
}

export interface ConsentView {
  /** Null while the default holds because nothing was ever said. */
  readonly id: string | null;
  readonly object: 'consent';
  readonly personId: string;
  readonly name: ConsentName;
  readonly status: ConsentStatus;
  readonly source: ConsentSource | null;
  readonly obtainedAt: DateTimeText | null;
  readonly documentId: string | null;
  readonly createdAt: DateTimeText | null;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
