import { type ActorModule, actorModule, type CatalogRow } from '../../kernel/actor.js';
import { archiveNote, createNote, updateNote } from './decide.js';
import { evolveNote } from './facts.js';
import { noteQueries } from './queries.js';
import { newNote, type NoteState } from './state.js';
import { objectOf } from './view.js';

/** Notes, each on the shard of its borrower. */
export const noteModule: ActorModule = actorModule<NoteState>({
  definition: {
    kind: 'note',
    prefix: 'NT',
    initial: newNote,
    evolve: evolveNote,
    clone: (state) => ({ ...state }),
    row: rowOf,
    pack: (state) => state,
    unpack: (packed) => packed as NoteState,
  },
  commands: [createNote, updateNote, archiveNote],
  queries: noteQueries,
});

function rowOf(state: NoteState): CatalogRow | null {
  const { id, personId, caseId, interactionId, loanId, createdStamp, updatedStamp, pinned, archived, category, important } = state;
  if (createdStamp === 0) return null;
  return {
    id,
    externalId: null,
    createdStamp,
    updatedStamp,
    parentId: personId,
    alsoUnder: [caseId, interactionId, loanId].filter((other) => other !== null),
    fields: { pinned, archived, category, important, objectType: objectOf(state) },
  };
}
