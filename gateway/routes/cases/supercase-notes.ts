import typia from 'typia';
import type { CreateSupercaseNoteRequest, ListSupercaseNotesQuery, NoteView } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['Supercases', 'Notes'];

/** Notes of a supercase: private ones, and global ones that its subcases show as well. */
export const supercaseNoteRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/supercases/{supercaseId}/notes',
    operation: 'listSupercaseNotes',
    summary: 'List the notes of a supercase, pinned ones first',
    tags,
    permission: 'supercase:update',
    envelope: 'list',
    reply: typia.json.schemas<[NoteView[]], '3.1'>(),
    query: {
      validate: typia.misc.createValidatePrune<ListSupercaseNotesQuery>(),
      schemas: typia.json.schemas<[ListSupercaseNotesQuery], '3.1'>(),
    },
    handle: (call) => call.read('supercaseNote.list', null),
  }),
  defineRoute({
    method: 'POST',
    path: '/supercases/{supercaseId}/notes',
    operation: 'createSupercaseNote',
    summary: 'Create a note on a supercase, or on all of its subcases',
    tags,
    permission: 'supercase:update',
    reply: typia.json.schemas<[NoteView], '3.1'>(),
    body: {
      validate: typia.misc.createValidatePrune<CreateSupercaseNoteRequest>(),
      schemas: typia.json.schemas<[CreateSupercaseNoteRequest], '3.1'>(),
    },
    handle: (call) => call.command('supercaseNote.create', call.params.supercaseId),
  }),
];
