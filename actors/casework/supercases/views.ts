import type { CaseOutcome, CaseStatus } from '../../company/index.js';
import { must } from '../../../engine/index.js';
import { type ActorView, actorView } from '../../kernel/actor-view.js';
import { type DateText, type DateTimeText, dateTimeText, type FreeJson, orNull } from '../../wire.js';
import type { BulkOperation, BulkType, Population, SupercaseState, SupercaseType } from './state.js';

export interface SupercaseView {
  readonly id: string;
  readonly object: 'supercase';
  readonly companyId: string;
  readonly externalId: string | null;
  readonly supercaseType: SupercaseType;
  readonly name: string;
  readonly description: string | null;
  readonly eventStartedAt: DateTimeText | null;
  readonly status: CaseStatus;
  readonly statusUpdatedAt: DateTimeText;
  readonly outcome: CaseOutcome | null;
  readonly subcaseTypeId: string | null;
  readonly subcaseName: string | null;
  readonly autoCreated: boolean;
  readonly femaDisasterNumber: number | null;
  readonly femaDisasterDetails: FreeJson | null;
  readonly femaMonitoringEndDate: DateText | null;
  readonly populationCount: number;
  /** Counted when one supercase is read. */
  readonly memberCount?: number;
  readonly subcaseCounts?: Readonly<Record<CaseStatus, number>>;
  readonly createdBy: ActorView;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: DateTimeText | null;
}

export const supercaseView = (state: SupercaseState): SupercaseView => ({
  id: state.id,
  object: 'supercase',
  companyId: state.tenant.company,
  externalId: state.externalId,
  supercaseType: state.supercaseType,
  name: state.name,
  description: state.description,
  eventStartedAt: orNull(dateTimeText, state.eventStartedAt),
  status: state.status,
  statusUpdatedAt: dateTimeText(state.statusUpdatedAt),
  outcome: state.outcome,
  subcaseTypeId: state.subcaseTypeId,
  subcaseName: state.subcaseName,
  autoCreated: state.autoCreated,
  femaDisasterNumber: state.femaDisasterNumber,
  femaDisasterDetails: state.femaDisasterDetails,
  femaMonitoringEndDate: state.femaMonitoringEndDate,
  populationCount: state.populations.length,
  createdBy: actorView(must(state.createdBy, 'somebody made the supercase')),
  createdAt: dateTimeText(state.createdAt),
  updatedAt: orNull(dateTimeText, state.updatedAt),
  deletedAt: orNull(dateTimeText, state.deletedAt),
});

export interface PopulationView {
  readonly id: string;
  readonly object: 'supercasePopulation';
  readonly supercaseId: string;
  readonly name: string | null;
  readonly isDraft: boolean;
  readonly committedAt: DateTimeText | null;
  /** The operation that makes the subcases. */
  readonly operationId: string | null;
  readonly memberCount: number;
  readonly createdBy: ActorView;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const populationView = ({ id: supercaseId }: SupercaseState, population: Population, memberCount: number): PopulationView => ({
  id: population.id,
  object: 'supercasePopulation',
  supercaseId,
  name: population.name,
  isDraft: population.isDraft,
  committedAt: orNull(dateTimeText, population.committedAt),
  operationId: population.operationId,
  memberCount,
  createdBy: actorView(population.createdBy),
  createdAt: dateTimeText(population.createdAt),
  updatedAt: orNull(dateTimeText, population.updatedAt),
  deletedAt: null,
});

/** A bulk operation as it was ordered; how far it has come tells the operation of its id. */
export interface OrderedBulkView {
  readonly id: string;
  readonly object: 'supercaseBulkOperation';
  readonly supercaseId: string;
  readonly type: BulkType;
  readonly createdAt: DateTimeText;
  readonly createdBy: ActorView;
}

export const bulkView = ({ id: supercaseId }: SupercaseState, { id, type, createdAt, createdBy }: BulkOperation): OrderedBulkView => ({
  id,
  object: 'supercaseBulkOperation',
  supercaseId,
  type,
  createdAt: dateTimeText(createdAt),
  createdBy: actorView(createdBy),
});
