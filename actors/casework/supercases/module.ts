import { type ActorModule, actorModule } from '../../kernel/actor.js';
import { blockSubcases, closeSubcases, liftSubcaseBlocks, sendToSubcases } from './bulk/commands.js';
import { createSupercase, deleteSupercase, updateSupercase } from './commands.js';
import { feedDisaster } from './disasters/feed.js';
import { matchBorrower } from './disasters/matching.js';
import { evolveSupercase } from './evolve.js';
import { addMember, dropMember, openSubcase, removeMember } from './members/commands.js';
import { memberDefinition, type MemberState } from './members/member.js';
import { supercaseNotes } from './notes/module.js';
import { createPopulation, deletePopulation, updatePopulation } from './populations.js';
import { memberQueries, supercaseQueries } from './queries.js';
import { isReachable, newSupercase, type SupercaseState } from './state.js';

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
