import { must } from '../../../engine/index.js';
import type { CaseOutcome, CaseStatus } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import { actorView, type ActorView } from '../../kernel/actor-logic.js';
import type { Decision, EvolveEnv } from '../../kernel/actor.js';
import type { MassOrder } from '../../kernel/jobs/mass-works.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import type { Tenant } from '../../kernel/ids.js';
import { type DateText, dateTimeText, type DateTimeText, type FreeJson, orNull } from '../../wire.js';
import { gatheredOn } from './gathering.js';
import type { MemberFilter } from './members.js';
import type { CreatePopulationRequest, UpdatePopulationRequest } from './requests.js';
import {
  type BulkOperation,
  type BulkType,
  type Context,
  fact,
  isReachable,
  onSupercase,
  type Population,
  populationOf,
  requireActive,
  requireDraft,
  type SupercaseState,
  type SupercaseType,
} from './state.js';

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
  /** Only in reads of one supercase. */
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
  /** The operation that opens the subcases. */
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

/** A bulk operation as it was ordered. The operation with the same id shows its progress. */
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

/** `POST /supercases/{id}/populations`. */
export const createPopulation = onSupercase('supercasePopulation.create', (context: Context<CreatePopulationRequest>) => {
  requireActive(context.state);
  const { name = null } = context.body;
  const id = context.env.newId('SP');
  return shown(id, 0, [fact('PopulationDrafted', { id, name })]);
});

/** `PUT …/populations/{populationId}`: renames or commits the population. */
export const updatePopulation = onSupercase('supercasePopulation.update', (context: Context<UpdatePopulationRequest>) => {
  const { state, command } = context;
  requireActive(state);
  const population = populationOf(state, command.params['populationId']);
  const { name = population.name, isDraft = population.isDraft } = context.body;
  if (isDraft && !population.isDraft)
    refuseProperty('isDraft', 'false: a committed population stays committed', 'A committed population cannot become a draft again.');
  const renamed = name === population.name ? [] : [fact('PopulationRenamed', { id: population.id, name })];
  const memberCount = countMembers(context.env, population.id);
  if (isDraft === population.isDraft) return shown(population.id, memberCount, renamed);
  return shown(population.id, memberCount, [
    ...renamed,
    ...committed(context, population.id, memberCount),
    ...gatheredOn(state, population, context.env),
  ]);
});

/** `DELETE …/populations/{populationId}`: deletes the population and its members. */
export const deletePopulation = onSupercase('supercasePopulation.delete', ({ state, command, env }) => {
  const population = populationOf(state, command.params['populationId']);
  requireDraft(population);
  const order = orderOf('supercase.dropPopulation', population.id, 'supercaseMember.drop');
  return {
    facts: [fact('PopulationDropped', { id: population.id }), { type: 'MassOrdered', body: order }, ...gatheredOn(state, population, env)],
    reply: () => ({ data: undefined }),
  };
});

/** Locks the population and orders mass work that opens a subcase for each member. */
function committed({ state, command }: Context, id: string, memberCount: number): Decision<SupercaseState>['facts'] {
  if (state.subcaseTypeId === null)
    refuse('invalidState', `The supercase ${state.id} has no \`subcaseTypeId\`. Set the type of its subcases first.`);
  if (memberCount === 0) refuse('invalidState', `The population ${id} has no members. Add some first.`);
  const order = orderOf('supercase.commit', id, 'supercaseMember.openSubcase');
  return [fact('PopulationCommitted', { id, operationId: operationIdOf(command.commandId) }), { type: 'MassOrdered', body: order }];
}

const orderOf = (kind: string, populationId: string, command: string): MassOrder => ({
  kind,
  resultObjectId: populationId,
  isDryRun: false,
  isHeld: false,
  supposing: [],
  task: { type: 'command', command, selection: { kind: 'supercaseMember', filter: { populationId } satisfies MemberFilter }, body: {} },
});

export const countMembers = (env: Pick<Context['env'], 'count'>, populationId: string): number =>
  env.count({ kind: 'supercaseMember', filter: { populationId } satisfies MemberFilter });

const shown = (id: string, memberCount: number, facts: Decision<SupercaseState>['facts']): Decision<SupercaseState> => ({
  facts,
  reply: (after) => ({ data: populationView(after, populationOf(after, id), memberCount) }),
});

/** The supercase of a path or a body; refuses with 404 if there is none. */
export function supercaseOf(env: EvolveEnv & { readonly tenant: Tenant }, anyId: string): SupercaseState {
  const id = anyId.startsWith('ext-') ? env.findExternal(env.tenant, 'supercase', anyId.slice(4)) : anyId;
  const supercase = id === undefined ? undefined : env.read<SupercaseState>('supercase', id);
  return supercase && isReachable(supercase) ? supercase : refuse('notFound', `There is no supercase ${anyId}.`);
}
