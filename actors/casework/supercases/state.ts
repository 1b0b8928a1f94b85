import type { CaseOutcome, CaseStatus, Disaster } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { Agent, FactDraft, Tenant } from '../../kernel/fact.js';
import { isClosed } from '../cases/index.js';

export type SupercaseType = 'generic' | 'federalEmergency';

/** An event about which many borrowers have cases. It is on the shared shard, its members are on the shards of their borrowers. */
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

type DisasterDetails = Partial<Pick<Disaster, 'description' | 'incidentType' | 'declarationDate' | 'impactedAreas' | 'programs'>>;

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
  femaDisasterDetails: DisasterDetails | null;
  femaMonitoringEndDate: string | null;
}

export interface Population {
  readonly id: string;
  readonly name: string | null;
  readonly isDraft: boolean;
  /** For a disaster: matched borrowers are added while the population is a draft. */
  readonly gathersMatches?: true;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly createdBy: Agent;
  readonly committedAt: number | null;
  /** The operation that opens the subcases; null for a draft. */
  readonly operationId: string | null;
}

export type BulkType = 'closeSubcases' | 'createDoNotInteracts' | 'removeDoNotInteracts' | 'send';

export interface BulkOperation {
  /** Id of the operation. */
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

/** What can happen to a supercase. Mass work on its subcases is ordered by further facts in the same batch. */
export interface SupercaseFacts {
  readonly SupercaseOpened: SupercaseFields;
  /** Only what changed. */
  readonly SupercaseChanged: { readonly changes: Partial<SupercaseFields> };
  readonly SupercaseMoved: { readonly status: CaseStatus; readonly outcome: CaseOutcome | null };
  readonly SupercaseDeleted: Readonly<Record<string, never>>;
  readonly PopulationDrafted: { readonly id: string; readonly name: string | null; readonly gathersMatches?: true };
  readonly PopulationRenamed: { readonly id: string; readonly name: string | null };
  readonly PopulationCommitted: { readonly id: string; readonly operationId: string };
  readonly PopulationDropped: { readonly id: string };
  readonly BulkOrdered: Pick<BulkOperation, 'id' | 'type'>;
}

export type Context<Body = unknown> = CommandContext<SupercaseState, Body>;

/** A fact of a supercase; the type determines its body. */
export const fact = <Type extends keyof SupercaseFacts>(type: Type, body: SupercaseFacts[Type]): FactDraft => ({ type, body });

export const onSupercase = <Body>(
  type: string,
  decide: (context: Context<Body>) => Decision<SupercaseState>,
): CommandSpec<SupercaseState, Body> => ({
  kind: 'supercase',
  type,
  place: { on: 'target' },
  catchesUp: false,
  decide,
});

export function requireActive({ id, status }: SupercaseState): void {
  if (isClosed(status)) refuse('caseClosed', `The supercase ${id} is ${status}. Reopen it first.`);
}

export const populationOf = ({ id, populations }: SupercaseState, populationId: string | undefined): Population =>
  populations.find((population) => population.id === populationId) ??
  refuse('notFound', `The supercase ${id} has no population ${populationId}.`);

/** Refuses changes of a committed population. */
export function requireDraft({ id, isDraft }: Population): void {
  if (!isDraft) refuse('invalidState', `The population ${id} is committed. Its members cannot be changed.`);
}
