import type { tags } from 'typia';
import { must } from '../../../../engine/index.js';
import { type Fault, refuse, refuseProperty } from '../../../errors.js';
import type { CommandSpec, DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import {
  changed,
  type Declaration,
  recordsOf,
  type ResourceCreated,
  type ResourceHost,
  type ResourceRecord,
} from '../../../kernel/resources/index.js';
import { type OffsetQuery, sorted, type SortKeys } from '../../../list-order.js';
import type { AnyId, DateTimeText, ExternalId, ShortText, Text } from '../../../wire.js';
import type { TaskType } from '../../access/employee.js';
import { rolesOf } from '../../access/roles.js';
import { teamOf } from '../../access/team.js';
import type { CompanyState } from '../../state.js';
import type { BaseCaseType } from '../case-fields.js';
import { caseTypesOf } from '../case-type.js';
import { taskExpression, taskRuleOf, workerExpression, workerRuleOf } from './matching.js';

/** Which tasks go to which workers. A change takes effect with the next sync. */
export interface PairingConfig {
  readonly externalId: string | null;
  readonly name: string | null;
  /** Configurations with a higher priority are tried first. Null: the default configuration, which is tried last. */
  readonly priority: number | null;
  readonly isDefault: boolean;
  readonly workerMatch: WorkerMatch;
  readonly taskMatch: TaskMatch;
  readonly overrideWorkerQueueExpression: string | null;
  readonly overrideTaskWorkflowExpression: string | null;
  /** Null: the company's. */
  readonly reservationTimeoutSecs: number | null;
}

/** All fields that are given must match; of an array, one item must. */
export interface WorkerMatch {
  readonly isManager?: boolean;
  readonly teamIds?: readonly string[];
  readonly roleIds?: readonly string[];
}

export interface TaskMatch {
  /** Inverts the result of the other fields. */
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

const PAIRING_CONFIG_TYPE = 'taskWorkerPairingConfig';

/** The configurations at the last sync: one record of the company. */
interface SyncedPairing {
  readonly configs: readonly SyncedConfig[];
}

export interface SyncedConfig extends PairingConfig {
  readonly id: string;
}

const SYNCED_PAIRING_TYPE = 'syncedPairing';

/** The configurations that routing uses, in the order in which they are tried. */
export function syncedConfigs(host: ResourceHost): readonly SyncedConfig[] {
  const [record] = recordsOf<SyncedPairing>(host, SYNCED_PAIRING_TYPE).values();
  return record?.stored.configs ?? [];
}

type Ids = readonly AnyId[] & tags.MaxItems<200>;
type ShortTexts = readonly ShortText[] & tags.MaxItems<100>;
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
    readonly themes?: ShortTexts;
    readonly directions?: readonly ('inbound' | 'outbound')[] & tags.MaxItems<2>;
    readonly subjects?: ShortTexts;
  };
}

export interface PairingConfigCreateBody {
  readonly externalId?: ExternalId | null;
  readonly name?: Text | null;
  readonly priority?: number & tags.Type<'int32'>;
  /** Replaces the whole match: a field that is left out matches everything. */
  readonly workerMatch?: WorkerMatchBody | null;
  readonly taskMatch?: TaskMatchBody | null;
  readonly overrideWorkerQueueExpression?: Override;
  readonly overrideTaskWorkflowExpression?: Override;
  readonly reservationTimeoutSecs?: (number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<86400>) | null;
}

/** The default configuration cannot have a priority. */
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
  /** Whether routing uses the configuration as it is shown here. */
  readonly isSynced: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const DEFAULT: PairingConfig = {
  externalId: null,
  name: 'Default',
  priority: null,
  isDefault: true,
  workerMatch: {},
  taskMatch: {},
  overrideWorkerQueueExpression: null,
  overrideTaskWorkflowExpression: null,
  reservationTimeoutSecs: null,
};

const LOWEST_PRIORITY = 0;

export const PAIRING_CONFIG: Declaration<PairingConfigCreateBody, PairingConfigUpdateBody, PairingConfig, CompanyState> = {
  type: PAIRING_CONFIG_TYPE,
  prefix: 'TP',
  param: 'id',
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create: (body, { host }) => withBody({ ...DEFAULT, name: null, priority: LOWEST_PRIORITY, isDefault: false }, body, host),
  change(before, body, { host }) {
    if (before.isDefault && body.priority !== undefined)
      refuseProperty('priority', 'nothing', '`priority` cannot be set on the default configuration, which is always the last.');
    return withBody(before, body, host);
  },
  assertRemovable({ isDefault }) {
    if (isDefault) refuse('invalidState', 'The default configuration cannot be deleted.');
  },
  order: (records, sortBy) =>
    sorted(
      records,
      sortBy.map((word) => word.replace(/^\+/, '')),
      ORDERS,
    ),
  view: (config, { id }, host) => ({
    ...config,
    workerQueueExpression: config.overrideWorkerQueueExpression ?? workerExpression(config.workerMatch),
    taskWorkflowExpression: config.overrideTaskWorkflowExpression ?? taskExpression(config.taskMatch),
    reservationTimeoutSecs:
      config.reservationTimeoutSecs ?? must(host.profile, 'a company has a profile').config.tasks.reservationTimeoutSecs,
    isSynced: syncedConfigs(host).some((other) => other.id === id && JSON.stringify(other) === JSON.stringify({ ...config, id })),
  }),
};

const ORDERS: SortKeys<ResourceRecord<PairingConfig>> = {
  id: ({ id }) => id,
  priority: ({ stored }) => stored.priority,
  createdAt: ({ createdAt }) => createdAt,
};

function withBody(before: PairingConfig, body: PairingConfigUpdateBody, host: CompanyState): PairingConfig {
  const { workerMatch, taskMatch, ...plain } = body;
  const config: PairingConfig = {
    ...before,
    ...plain,
    workerMatch: workerMatch === undefined ? before.workerMatch : withTeams(host, workerMatch ?? {}),
    taskMatch: taskMatch === undefined ? before.taskMatch : (taskMatch ?? {}),
  };
  const faults = faultsOf(host, config.workerMatch, config.taskMatch);
  if (faults.length > 0) refuse('validationError', 'The configuration has an id that does not exist: see `errors`.', { errors: faults });
  taskRuleOf(config); // refuses an override that cannot be read
  workerRuleOf(config);
  return config;
}

/** Teams by their service ids. An id of no team stays for the fault. */
const withTeams = (host: CompanyState, match: WorkerMatch): WorkerMatch =>
  match.teamIds === undefined ? match : { ...match, teamIds: match.teamIds.map((anyId) => teamOf(host, anyId)?.id ?? anyId) };

function faultsOf(host: CompanyState, { teamIds = [], roleIds = [] }: WorkerMatch, { case: ofCase }: TaskMatch): readonly Fault[] {
  const unknown = (ids: readonly string[], path: string, noun: string, isKnown: (id: string) => boolean): readonly Fault[] =>
    ids.flatMap((id, index) =>
      isKnown(id) ? [] : [{ path: `${path}[${index}]`, expected: `the id of ${noun}`, message: `there is no ${id}` }],
    );
  return [
    ...unknown(teamIds, 'workerMatch.teamIds', 'a team', (id) => teamOf(host, id)?.id === id),
    ...unknown(roleIds, 'workerMatch.roleIds', 'a role', (id) => rolesOf(host).has(id)),
    ...unknown(ofCase?.caseTypeIds ?? [], 'taskMatch.case.caseTypeIds', 'a case type', (id) => caseTypesOf(host).has(id)),
  ];
}

/** `POST …/sync`: routing uses the current configurations from now on. */
export const syncPairing: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'taskWorkerPairingConfig.sync',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, env }) {
    const records = [...recordsOf<PairingConfig>(state, PAIRING_CONFIG_TYPE).values()];
    const stored: SyncedPairing = { configs: byPriority(records.map(({ id, stored: config }): SyncedConfig => ({ ...config, id }))) };
    return {
      facts: [synced(state, stored, env)],
      reply: (after) => ({
        data: { object: 'taskWorkerPairingSync', companyId: state.id, syncedConfigIds: syncedConfigs(after).map(({ id }) => id) },
      }),
    };
  },
};

/** Higher priorities first, of equal ones the older; the default last. Records come in the order of their creation. */
const byPriority = (configs: readonly SyncedConfig[]): readonly SyncedConfig[] =>
  [...configs].sort((one, other) => Number(one.isDefault) - Number(other.isDefault) || (other.priority ?? 0) - (one.priority ?? 0));

function synced(host: ResourceHost, stored: SyncedPairing, env: DecideEnv): FactDraft {
  const [before] = recordsOf(host, SYNCED_PAIRING_TYPE).values();
  if (before) return changed(SYNCED_PAIRING_TYPE, before, stored);
  const body: ResourceCreated = { resource: SYNCED_PAIRING_TYPE, id: env.newId(PAIRING_CONFIG.prefix), parentId: null, stored };
  return { type: 'ResourceCreated', body };
}

/** A new company has the default configuration in force: every task may go to every worker. */
export function defaultPairing(host: ResourceHost, env: DecideEnv): readonly FactDraft[] {
  const id = env.newId(PAIRING_CONFIG.prefix);
  const body: ResourceCreated = { resource: PAIRING_CONFIG_TYPE, id, parentId: null, stored: DEFAULT };
  return [{ type: 'ResourceCreated', body }, synced(host, { configs: [{ ...DEFAULT, id }] }, env)];
}
