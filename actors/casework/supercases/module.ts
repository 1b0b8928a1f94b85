import { applyRow, type FactTable } from '../../kernel/fact-table.js';
import { must } from '../../../engine/index.js';
import { type BulkSendRequest, readSaid } from '../../contact/index.js';
import { actorModule, type ActorModule, type Decision, type CommandContext } from '../../kernel/actor.js';
import type { Fact } from '../../kernel/fact.js';
import { isMassFact, type MassOrder } from '../../kernel/jobs/mass-works.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import {
  blockFrom,
  blockSubcase,
  closeSubcase,
  type CloseSubcase,
  liftSubcaseBlock,
  sendForSubcase,
  type SendToSubcase,
  type SubcaseFilter,
} from '../cases/index.js';
import { listedNotes } from '../notes/module.js';
import { createSupercase, deleteSupercase, updateSupercase } from './decide.js';
import { feedDisaster, matchBorrower } from './disasters.js';
import { addMember, dropMember, memberDefinition, type MemberState, openSubcase, removeMember } from './members.js';
import { SUPERCASE_NOTE, supercaseNoteDefinition, type SupercaseNoteFacts, type SupercaseNoteState, supercaseNoteView } from './note.js';
import { memberQueries, supercaseQueries } from './queries.js';
import type {
  BulkBlocksRequest,
  CloseSubcasesRequest,
  CreateSupercaseNoteRequest,
  LiftBlocksRequest,
  ListSupercaseNotesQuery,
} from './requests.js';
import {
  type BulkType,
  type Context,
  fact,
  isReachable,
  newSupercase,
  onSupercase,
  type Population,
  populationOf,
  type SupercaseFacts,
  type SupercaseState,
} from './state.js';
import { bulkView, createPopulation, deletePopulation, supercaseOf, updatePopulation } from './views.js';

interface BulkOrder {
  readonly type: BulkType;
  /** The command for each subcase. */
  readonly command: string;
  readonly body: object;
  readonly populationIds: readonly string[] | undefined;
  readonly isActive?: boolean;
}

interface BulkQuery {
  readonly dryRun?: boolean;
}

/** `POST …/bulk/close-subcases`: closed subcases are unchanged. */
const closeSubcases = onSupercase('supercase.closeSubcases', (context: Context<CloseSubcasesRequest>) => {
  const { outcome, note = null, populationIds } = context.body;
  return ordered(context, {
    type: 'closeSubcases',
    command: closeSubcase.type,
    body: { outcome, note } satisfies CloseSubcase,
    populationIds,
    isActive: true,
  });
});

/** `POST …/bulk/do-not-interacts`: a subcase with a block keeps it, widened if needed. */
const blockSubcases = onSupercase('supercase.blockSubcases', (context: Context<BulkBlocksRequest>) => {
  const { populationIds, ...body } = context.body;
  blockFrom(context.env, null, body); // refuses an invalid body
  return ordered(context, { type: 'createDoNotInteracts', command: blockSubcase.type, body, populationIds, isActive: true });
});

/** `DELETE …/bulk/do-not-interacts`: lifts blocks that were set in bulk. */
const liftSubcaseBlocks = onSupercase('supercase.liftSubcaseBlocks', (context: Context<LiftBlocksRequest>) => {
  const { populationIds } = context.body;
  return ordered(context, { type: 'removeDoNotInteracts', command: liftSubcaseBlock.type, body: {}, populationIds });
});

/**
 * `POST …/bulk/send`: one e-mail for each subcase, whatever its status. Invalid values are refused here; the guard screens each e-mail
 * later.
 */
const sendToSubcases = onSupercase('supercase.sendToSubcases', (context: Context<BulkSendRequest>) => {
  const { populationIds, ...request } = context.body;
  const body: SendToSubcase = readSaid(context.env.now, request);
  return ordered(context, { type: 'send', command: sendForSubcase.type, body, populationIds });
});

/** The order of mass work is one fact, which every shard receives. A dry run counts the affected borrowers. */
function ordered(context: Context, { type, command, body, populationIds, isActive }: BulkOrder): Decision<SupercaseState> {
  const {
    state,
    env,
    command: { commandId, query, actor },
  } = context;
  for (const id of populationIds ?? []) populationOf(state, id);
  const filter: SubcaseFilter = {
    supercaseId: state.id,
    ...(populationIds === undefined ? {} : { populationIds }),
    ...(isActive === undefined ? {} : { isActive }),
  };
  const selection = { kind: 'case', filter };
  const total = env.count(selection);
  const id = operationIdOf(commandId);
  const { dryRun = false } = (query ?? {}) as BulkQuery;
  if (dryRun) {
    const view = bulkView(state, { id, type, createdAt: env.now, createdBy: actor });
    const data = { ...view, id: null, status: 'dryRun', total, succeeded: 0, failed: 0, errors: [] };
    return { facts: [], preview: true, reply: () => ({ data }) };
  }
  const order: MassOrder = {
    kind: `supercase.${type}`,
    resultObjectId: state.id,
    isDryRun: false,
    isHeld: false,
    supposing: [],
    task: { type: 'command', command, selection, body },
  };
  return {
    facts: [fact('BulkOrdered', { id, type }), { type: 'MassOrdered', body: order }],
    reply: (after) => {
      const made = must(
        after.operations.find((operation) => operation.id === id),
        'the order was recorded',
      );
      return { data: { ...bulkView(after, made), status: 'queued', total, succeeded: 0, failed: 0, errors: [] }, operationId: id };
    },
  };
}

/** `/supercases/{supercaseId}/notes` */
const supercaseNotes: ActorModule = actorModule<SupercaseNoteState>({
  definition: supercaseNoteDefinition,
  commands: [
    {
      kind: SUPERCASE_NOTE,
      type: 'supercaseNote.create',
      place: { on: 'beside', kind: 'supercase' },
      catchesUp: false,
      decide({ besideId, body, env, command }: CommandContext<SupercaseNoteState, CreateSupercaseNoteRequest>) {
        const { id: supercaseId } = supercaseOf(env, must(besideId, 'a note is created with a supercase'));
        const { content, isGlobal = false, important = false, pinned = false, sensitiveData = false } = body;
        const fields: SupercaseNoteFacts['SupercaseNoted'] = { supercaseId, content, isGlobal, important, pinned, sensitiveData };
        return {
          facts: [{ type: 'SupercaseNoted', body: fields }],
          reply: (after) => ({ data: supercaseNoteView(after, command.permissions) }),
        };
      },
    },
  ],
  queries: [
    {
      kind: SUPERCASE_NOTE,
      type: 'supercaseNote.list',
      on: 'tenant',
      read({ query, request, env }) {
        const { isGlobal, ...asked } = (query ?? {}) as ListSupercaseNotesQuery;
        const { id } = supercaseOf(env, request.params['supercaseId'] ?? '');
        return listedNotes(asked, request, env, { kind: SUPERCASE_NOTE, parentId: id, ...(isGlobal === undefined ? {} : { isGlobal }) });
      },
    },
  ],
});

/** Supercases are on the shared shard with the companies, so that all shards can read them. */
const supercases: ActorModule = actorModule<SupercaseState>({
  definition: {
    kind: 'supercase',
    prefix: 'SC',
    isShared: true,
    initial: newSupercase,
    evolve: evolveSupercase,
    clone: (state) => ({ ...state }),
    row: (state) =>
      isReachable(state)
        ? {
            id: state.id,
            externalId: state.externalId,
            createdStamp: state.createdStamp,
            updatedStamp: state.updatedStamp,
            parentId: null,
            fields: { status: state.status, supercaseType: state.supercaseType },
          }
        : null,
    pack: (state) => state,
    unpack: (packed: SupercaseState) => packed,
  },
  commands: [
    createSupercase,
    updateSupercase,
    deleteSupercase,
    createPopulation,
    updatePopulation,
    deletePopulation,
    closeSubcases,
    blockSubcases,
    liftSubcaseBlocks,
    sendToSubcases,
  ],
  queries: supercaseQueries,
});

const members: ActorModule = actorModule<MemberState>({
  definition: memberDefinition,
  commands: [addMember, removeMember, dropMember, openSubcase],
  queries: memberQueries,
});

/** Commands of other actors that change supercases: the declaration of a disaster to the company, and its match with each borrower. */
const ofOthers: ActorModule['commands'] = [feedDisaster, matchBorrower];

export const supercaseModules: readonly ActorModule[] = [
  { ...supercases, commands: [...supercases.commands, ...ofOthers] },
  members,
  supercaseNotes,
];

const APPLY: FactTable<SupercaseState, SupercaseFacts> = {
  SupercaseOpened(state, fields, recorded) {
    Object.assign(state, fields);
    state.createdAt = state.statusUpdatedAt = recorded.businessAt;
    state.createdStamp = recorded.stamp;
    state.createdBy = recorded.by;
  },
  SupercaseChanged: (state, { changes }) => void Object.assign(state, changes),
  SupercaseMoved(state, { status, outcome }, recorded) {
    state.status = status;
    state.outcome = outcome;
    state.statusUpdatedAt = recorded.businessAt;
  },
  SupercaseDeleted(state, _body, recorded) {
    state.deletedAt = recorded.businessAt;
    state.externalId = null;
  },
  PopulationDrafted(state, body, recorded) {
    const drafted = {
      ...body,
      isDraft: true,
      createdAt: recorded.businessAt,
      updatedAt: null,
      createdBy: recorded.by,
      committedAt: null,
      operationId: null,
    };
    state.populations = [...state.populations, drafted];
  },
  PopulationRenamed: (state, { id, name }, recorded) => change(state, id, { name }, recorded),
  PopulationCommitted: (state, { id, operationId }, recorded) =>
    change(state, id, { isDraft: false, committedAt: recorded.businessAt, operationId }, recorded),
  PopulationDropped(state, { id }) {
    state.populations = state.populations.filter((population) => population.id !== id);
  },
  BulkOrdered(state, body, recorded) {
    state.operations = [...state.operations, { ...body, createdAt: recorded.businessAt, createdBy: recorded.by }];
  },
};

function evolveSupercase(state: SupercaseState, recorded: Fact): void {
  if (isMassFact(recorded.type)) return;
  applyRow(APPLY, state, recorded);
  state.updatedStamp = recorded.stamp;
  if (recorded.type !== 'SupercaseOpened') state.updatedAt = recorded.businessAt;
}

function change(state: SupercaseState, id: string, changes: Partial<Population>, recorded: Fact): void {
  state.populations = state.populations.map((population) =>
    population.id === id ? { ...population, ...changes, updatedAt: recorded.businessAt } : population,
  );
}
