import type { tags } from 'typia';
import type { BaseCaseType } from '../case-values.js';
import { type ResourceHost, type ResourceRecord, recordsOf } from '../../../kernel/resources/index.js';
import type { OffsetQuery } from '../../../page.js';
import type { AnyId, DateTimeText, ExternalId, ShortText, Text } from '../../../wire.js';
import type { TaskType } from '../../access/employee.js';

/** Which tasks go to which workers. It holds from the next sync on. */
export interface PairingConfig {
  readonly externalId: string | null;
  readonly name: string | null;
  /** Higher ones are asked first; null of the default, which is asked last. */
  readonly priority: number | null;
  readonly isDefault: boolean;
  readonly workerMatch: WorkerMatch;
  readonly taskMatch: TaskMatch;
  readonly overrideWorkerQueueExpression: string | null;
  readonly overrideTaskWorkflowExpression: string | null;
  /** Null: the company's. */
  readonly reservationTimeoutSecs: number | null;
}

/** Keys that are given must all hold; one of the items of an array is enough. */
export interface WorkerMatch {
  readonly isManager?: boolean;
  readonly teamIds?: readonly string[];
  readonly roleIds?: readonly string[];
}

export interface TaskMatch {
  /** Inverts the rest. */
  readonly not?: boolean;
  readonly taskTypes?: readonly TaskType[];
  readonly case?: {
    readonly caseTypeEnums?: readonly BaseCaseType[];
    readonly autocreated?: boolean;
    readonly caseTypeIds?: readonly string[];
  };
  readonly supercase?: { readonly supercaseTypeEnums?: readonly ('generic' | 'federalEmergency')[] };
  readonly interaction?: {
    readonly channels?: readonly string[];
    readonly themes?: readonly string[];
    readonly directions?: readonly string[];
    readonly subjects?: readonly string[];
  };
}

export const PAIRING_CONFIG_TYPE = 'taskWorkerPairingConfig';

/** The configurations as they were at the last sync: one record of the company. */
export interface SyncedPairing {
  readonly configs: readonly SyncedConfig[];
}

export interface SyncedConfig extends PairingConfig {
  readonly id: string;
}

export const SYNCED_PAIRING_TYPE = 'syncedPairing';

/** What routing goes by, in the order in which it is asked. */
export function syncedConfigs(host: ResourceHost): readonly SyncedConfig[] {
  const [record] = recordsOf(host, SYNCED_PAIRING_TYPE).values();
  return (record as ResourceRecord<SyncedPairing> | undefined)?.stored.configs ?? [];
}

type Ids = readonly AnyId[] & tags.MaxItems<200>;
type Words = readonly ShortText[] & tags.MaxItems<100>;
type Override = (string & tags.MinLength<1> & tags.MaxLength<2000>) | null;

interface WorkerMatchBody {
  readonly isManager?: boolean;
  readonly teamIds?: Ids;
  readonly roleIds?: Ids;
}

interface TaskMatchBody {
  readonly not?: boolean;
  readonly taskTypes?: readonly TaskType[] & tags.MaxItems<100>;
  readonly case?: {
    readonly caseTypeEnums?: readonly BaseCaseType[] & tags.MaxItems<100>;
    readonly autocreated?: boolean;
    readonly caseTypeIds?: Ids;
  };
  readonly supercase?: { readonly supercaseTypeEnums?: readonly ('generic' | 'federalEmergency')[] & tags.MaxItems<10> };
  readonly interaction?: {
    readonly channels?: readonly ('voice' | 'email' | 'text' | 'mail' | 'chat' | 'fax')[] & tags.MaxItems<10>;
    readonly themes?: Words;
    readonly directions?: readonly ('inbound' | 'outbound')[] & tags.MaxItems<2>;
    readonly subjects?: Words;
  };
}

export interface PairingConfigCreateBody {
  readonly externalId?: ExternalId | null;
  readonly name?: Text | null;
  readonly priority?: number & tags.Type<'int32'>;
  /** The whole match: what is left out does not matter. */
  readonly workerMatch?: WorkerMatchBody | null;
  readonly taskMatch?: TaskMatchBody | null;
  readonly overrideWorkerQueueExpression?: Override;
  readonly overrideTaskWorkflowExpression?: Override;
  readonly reservationTimeoutSecs?: (number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<86400>) | null;
}

/** Of the default no priority can be set. */
export interface PairingConfigUpdateBody extends PairingConfigCreateBody {}

export interface PairingConfigListQuery extends OffsetQuery {
  /** `id`, `priority`, `createdAt`, with `+` or `-`. */
  readonly sortBy?: readonly ShortText[];
}

export interface PairingConfigView {
  readonly id: string;
  readonly object: 'taskWorkerPairingConfig';
  readonly companyId: string;
  readonly externalId: string | null;
  readonly name: string | null;
  readonly priority: number | null;
  readonly isDefault: boolean;
  readonly workerMatch: WorkerMatch;
  readonly taskMatch: TaskMatch;
  readonly workerQueueExpression: string;
  readonly taskWorkflowExpression: string;
  readonly overrideWorkerQueueExpression: string | null;
  readonly overrideTaskWorkflowExpression: string | null;
  readonly reservationTimeoutSecs: number;
  /** Whether it holds as it stands here. */
  readonly isSynced: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
