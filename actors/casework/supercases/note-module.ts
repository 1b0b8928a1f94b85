import { must } from '../../../engine/index.js';
import { listedNotes } from '../notes/queries.js';
import { type ActorModule, actorModule } from '../../kernel/actor.js';
import { supercaseOf } from './named.js';
import type { CreateSupercaseNoteRequest, ListSupercaseNotesQuery } from './requests.js';
import { SUPERCASE_NOTE, type SupercaseNoteFacts, supercaseNoteDefinition, type SupercaseNoteState, supercaseNoteView } from './note.js';

/** `/supercases/{supercaseId}/notes` */
export const supercaseNotes: ActorModule = actorModule<SupercaseNoteState>({
  definition: supercaseNoteDefinition,
  commands: [
    {
      kind: SUPERCASE_NOTE,
      type: 'supercaseNote.create',
      place: { on: 'beside', kind: 'supercase' },
      catchUpFirst: false,
      decide({ besideId, body, env, command }) {
        const { id: supercaseId } = supercaseOf(env, must(besideId, 'a note lies beside its supercase'));
        const { content, isGlobal = false, important = false, pinned = false, sensitiveData = false } = body as CreateSupercaseNoteRequest;
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
