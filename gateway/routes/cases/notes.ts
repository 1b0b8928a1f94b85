import typia from 'typia';
import type { CreateNoteRequest, ListNotesQuery, ListPersonNotesQuery, NoteView, UpdateNoteRequest } from '../../../actors/index.js';
import type { Checked } from '../../routing/faults.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Notes'];
const noteReply = typia.json.schemas<[NoteView], '3.1'>();
const notesReply = typia.json.schemas<[NoteView[]], '3.1'>();
const listQuery: Checked<ListNotesQuery> = {
  validate: typia.misc.createValidatePrune<ListNotesQuery>(),
  schemas: typia.json.schemas<[ListNotesQuery], '3.1'>(),
};
const personListQuery: Checked<ListPersonNotesQuery> = {
  validate: typia.misc.createValidatePrune<ListPersonNotesQuery>(),
  schemas: typia.json.schemas<[ListPersonNotesQuery], '3.1'>(),
};
const createBody: Checked<CreateNoteRequest> = {
  validate: typia.misc.createValidatePrune<CreateNoteRequest>(),
  schemas: typia.json.schemas<[CreateNoteRequest], '3.1'>(),
};
const updateBody: Checked<UpdateNoteRequest> = {
  validate: typia.misc.createValidatePrune<UpdateNoteRequest>(),
  schemas: typia.json.schemas<[UpdateNoteRequest], '3.1'>(),
};

type NotePath =
  | '/people/{personId}'
  | '/people/{personId}/cases/{caseId}'
  | '/people/{personId}/loans/{loanId}'
  | '/people/{personId}/interactions/{interactionId}';

/** Listing and writing notes under a path. */
const listAndCreate = (
  path: NotePath,
  name: string,
  noun: string,
  query: string,
  listQueryOf: Checked<ListNotesQuery>,
): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: `${path}/notes`,
    operation: `list${name}Notes`,
    summary: `List the notes of ${noun}, pinned ones first`,
    tags: TAGS,
    permission: 'note:list',
    envelope: 'list',
    query: listQueryOf,
    reply: notesReply,
    handle: (call) => call.read(query, null),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/notes`,
    operation: `create${name}Note`,
    summary: `Create a note on ${noun}`,
    tags: TAGS,
    permission: 'note:create',
    body: createBody,
    reply: noteReply,
    handle: (call) => call.command('note.create', call.params.personId),
  }),
];

/** Reading and changing one note under a path. */
const one = (path: NotePath, name: string, noun: string): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: `${path}/notes/{noteId}`,
    operation: `get${name}Note`,
    summary: `Get a note of ${noun}`,
    tags: TAGS,
    permission: 'note:read',
    reply: noteReply,
    handle: (call) => call.read('note.get', call.params.noteId),
  }),
  defineRoute({
    method: 'PUT',
    path: `${path}/notes/{noteId}`,
    operation: `update${name}Note`,
    summary: `Update, pin or archive a note of ${noun}`,
    tags: TAGS,
    permission: 'note:update',
    body: updateBody,
    reply: noteReply,
    handle: (call) => call.command('note.update', call.params.noteId),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/notes/{noteId}`,
    operation: `archive${name}Note`,
    summary: `Archive a note of ${noun}`,
    tags: TAGS,
    permission: 'note:update',
    reply: noteReply,
    handle: (call) => call.command('note.archive', call.params.noteId),
  }),
];

const PERSON = '/people/{personId}';

/** Notes of borrowers, loans and cases. */
export const noteRoutes: readonly Route[] = [
  ...listAndCreate(PERSON, 'Person', 'a borrower', 'note.listOfPerson', personListQuery),
  ...one(PERSON, 'Person', 'a borrower'),
  ...listAndCreate(`${PERSON}/cases/{caseId}`, 'Case', 'a case', 'note.listOfCase', listQuery),
  ...one(`${PERSON}/cases/{caseId}`, 'Case', 'a case'),
  ...listAndCreate(`${PERSON}/interactions/{interactionId}`, 'Interaction', 'an interaction', 'note.listOfInteraction', listQuery),
  ...one(`${PERSON}/interactions/{interactionId}`, 'Interaction', 'an interaction'),
  ...listAndCreate(`${PERSON}/loans/{loanId}`, 'Loan', 'a loan', 'note.listOfLoan', listQuery),
];
