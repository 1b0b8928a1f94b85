import { must } from '../../../engine/index.js';
import { type ActorModule, actorModule } from '../../kernel/actor.js';
import type { Fact } from '../../kernel/fact.js';
import { isMassFact } from '../../kernel/jobs/mass-facts.js';
import { blockSubcases, closeSubcases, liftSubcaseBlocks, sendToSubcases } from './bulk.js';
import { createSupercase, deleteSupercase, updateSupercase } from './decide.js';
import { feedDisaster } from './disasters/feed.js';
import { matchBorrower } from './disasters/matching.js';
import type { SupercaseFacts } from './facts.js';
import { addMember, dropMember, openSubcase, removeMember } from './member-commands.js';
import { memberDefinition, type MemberState } from './member.js';
import { supercaseNotes } from './note-module.js';
import { createPopulation, deletePopulation, updatePopulation } from './populations.js';
import { memberQueries, supercaseQueries } from './queries.js';
import { isReachable, newSupercase, type Population, type SupercaseState } from './state.js';

/** Supercases lie where the companies are, so that all shards know them. */
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
    unpack: (packed) => packed as SupercaseState,
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

/** A declaration is told to the company, and matched with each borrower: both have supercases as their consequence. */
const ofOthers = [feedDisaster, matchBorrower] as readonly unknown[] as ActorModule['commands'];

export const supercaseModules: readonly ActorModule[] = [
  { ...supercases, commands: [...supercases.commands, ...ofOthers] },
  members,
  supercaseNotes,
];

type Apply = { readonly [Type in keyof SupercaseFacts]: (state: SupercaseState, body: SupercaseFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  SupercaseOpened(state, fields, fact) {
    Object.assign(state, fields);
    state.createdAt = state.statusUpdatedAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    state.createdBy = fact.by;
  },
  SupercaseChanged: (state, { changes }) => void Object.assign(state, changes),
  SupercaseMoved(state, { status, outcome }, fact) {
    state.status = status;
    state.outcome = outcome;
    state.statusUpdatedAt = fact.businessAt;
  },
  SupercaseDeleted(state, _body, fact) {
    state.deletedAt = fact.businessAt;
    state.externalId = null;
  },
  PopulationDrafted(state, body, fact) {
    const drafted = {
      ...body,
      isDraft: true,
      createdAt: fact.businessAt,
      updatedAt: null,
      createdBy: fact.by,
      committedAt: null,
      operationId: null,
    };
    state.populations = [...state.populations, drafted];
  },
  PopulationRenamed: (state, { id, name }, fact) => change(state, id, { name }, fact),
  PopulationCommitted: (state, { id, operationId }, fact) =>
    change(state, id, { isDraft: false, committedAt: fact.businessAt, operationId }, fact),
  PopulationDropped(state, { id }) {
    state.populations = state.populations.filter((population) => population.id !== id);
  },
  BulkOrdered(state, body, fact) {
    state.operations = [...state.operations, { ...body, createdAt: fact.businessAt, createdBy: fact.by }];
  },
};

function evolveSupercase(state: SupercaseState, fact: Fact): void {
  if (isMassFact(fact.type)) return;
  const apply = must(APPLY[fact.type as keyof SupercaseFacts], `a supercase knows no fact ${fact.type}`);
  (apply as (state: SupercaseState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
  state.updatedStamp = fact.stamp;
  if (fact.type !== 'SupercaseOpened') state.updatedAt = fact.businessAt;
}

function change(state: SupercaseState, id: string, changes: Partial<Population>, fact: Fact): void {
  state.populations = state.populations.map((population) =>
    population.id === id ? { ...population, ...changes, updatedAt: fact.businessAt } : population,
  );
}
