import type { CaseOutcome, CaseStatus } from '../../company/index.js';
import type { Agent, Tenant } from '../../kernel/fact.js';

export type SupercaseType = 'generic' | 'federalEmergency';

/** One event that many borrowers have cases about. It lies beside the companies, its members beside their borrowers. */
export interface SupercaseState extends SupercaseFields {
  readonly id: string;
  readonly tenant: Tenant;
  status: CaseStatus;
  statusUpdatedAt: number;
  outcome: CaseOutcome | null;
  createdAt: number;
  updatedAt: number | null;
  deletedAt: number | null;
  /** Microseconds; 0 before it exists. */
  createdStamp: number;
  updatedStamp: number;
  createdBy: Agent | null;
  /** Oldest first. */
  populations: readonly Population[];
  operations: readonly BulkOperation[];
}

export interface SupercaseFields {
  supercaseType: SupercaseType;
  externalId: string | null;
  name: string;
  description: string | null;
  eventStartedAt: number | null;
  /** The case type of its subcases. */
  subcaseTypeId: string | null;
  subcaseName: string | null;
  autoCreated: boolean;
  femaDisasterNumber: number | null;
  femaDisasterDetails: Readonly<Record<string, unknown>> | null;
  femaMonitoringEndDate: string | null;
}

export interface Population {
  readonly id: string;
  readonly name: string | null;
  readonly isDraft: boolean;
  /** Of a disaster: those who are matched are added while it is a draft. */
  readonly gathersMatches?: true;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly createdBy: Agent;
  readonly committedAt: number | null;
  /** The work that makes the subcases; null of a draft. */
  readonly operationId: string | null;
}

export type BulkType = 'closeSubcases' | 'createDoNotInteracts' | 'removeDoNotInteracts' | 'send';

export interface BulkOperation {
  /** That of the operation that does it. */
  readonly id: string;
  readonly type: BulkType;
  readonly createdAt: number;
  readonly createdBy: Agent;
}

export const newSupercase = (id: string, tenant: Tenant): SupercaseState => ({
  id,
  tenant,
  status: 'initiated',
  statusUpdatedAt: 0,
  outcome: null,
  createdAt: 0,
  updatedAt: null,
  deletedAt: null,
  createdStamp: 0,
  updatedStamp: 0,
  createdBy: null,
  populations: [],
  operations: [],
  supercaseType: 'generic',
  externalId: null,
  name: '',
  description: null,
  eventStartedAt: null,
  subcaseTypeId: null,
  subcaseName: null,
  autoCreated: false,
  femaDisasterNumber: null,
  femaDisasterDetails: null,
  femaMonitoringEndDate: null,
});

export const isReachable = ({ createdStamp, deletedAt }: SupercaseState): boolean => createdStamp > 0 && deletedAt === null;
