import { fieldsOf } from '../../../engine/index.js';
import typia from 'typia';
import type {
  CreateInteractionRequest,
  InteractionContentView,
  InteractionView,
  ListInteractionsQuery,
  ListPersonInteractionsQuery,
  SearchableInteractionView,
  UpdateInteractionRequest,
  WriteInteractionQuery,
} from '../../../actors/index.js';
import { type Caller, defineRoute, type Route } from '../../routing/route.js';
import { pageQuery, readerQueryOf } from '../../routing/shared-queries.js';

const tags = ['Interactions'];
const reply = typia.json.schemas<[InteractionView], '3.1'>();
const writeReply = typia.json.schemas<[InteractionView | SearchableInteractionView], '3.1'>();
const listReply = typia.json.schemas<[InteractionView[]], '3.1'>();
const listQuery = {
  validate: typia.misc.createValidatePrune<ListInteractionsQuery>(),
  schemas: typia.json.schemas<[ListInteractionsQuery], '3.1'>(),
};
const personListQuery = {
  validate: typia.misc.createValidatePrune<ListPersonInteractionsQuery>(),
  schemas: typia.json.schemas<[ListPersonInteractionsQuery], '3.1'>(),
};
const writeQuery = {
  validate: typia.misc.createValidatePrune<WriteInteractionQuery>(),
  schemas: typia.json.schemas<[WriteInteractionQuery], '3.1'>(),
};
const createBody = {
  validate: typia.misc.createValidatePrune<CreateInteractionRequest>(),
  schemas: typia.json.schemas<[CreateInteractionRequest], '3.1'>(),
};
const updateBody = {
  validate: typia.misc.createValidatePrune<UpdateInteractionRequest>(),
  schemas: typia.json.schemas<[UpdateInteractionRequest], '3.1'>(),
};

/** The query of a read with its reader, who decides whether sensitive content is shown. */
function readAs({ caller, query }: { readonly caller: Caller; readonly query: unknown }): object {
  return { ...fieldsOf(query), ...readerQueryOf(caller) };
}

const PERSON = '/people/{personId}/interactions';

/** Calls, messages and letters to and from borrowers. */
export const interactionRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: PERSON,
    operation: 'createInteraction',
    summary: 'Record an interaction that took place outside of the service',
    tags,
    permission: 'interaction:create',
    query: writeQuery,
    body: createBody,
    reply: writeReply,
    handle: (call) => call.command('interaction.create', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: PERSON,
    operation: 'listPersonInteractions',
    summary: 'List the interactions with a borrower',
    tags,
    permission: 'interaction:read',
    envelope: 'list',
    query: personListQuery,
    reply: listReply,
    handle: (call) => call.read('interaction.listOfPerson', null, { query: readAs(call) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${PERSON}/{interactionId}`,
    operation: 'getPersonInteraction',
    summary: 'Get an interaction with a borrower',
    tags,
    permission: 'interaction:read',
    reply,
    handle: (call) => call.read('interaction.get', call.params.interactionId, { query: readAs(call) }),
  }),
  defineRoute({
    method: 'PUT',
    path: `${PERSON}/{interactionId}`,
    operation: 'updatePersonInteraction',
    summary: 'Update an interaction with a borrower',
    tags,
    permission: 'interaction:update',
    query: writeQuery,
    body: updateBody,
    reply: writeReply,
    handle: (call) => call.command('interaction.update', call.params.interactionId),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PERSON}/{interactionId}`,
    operation: 'deleteInteraction',
    summary: 'Delete an interaction that was recorded through the interface',
    tags,
    permission: 'interaction:delete',
    reply,
    handle: (call) => call.command('interaction.delete', call.params.interactionId),
  }),
  defineRoute({
    method: 'GET',
    path: '/interactions',
    operation: 'listInteractions',
    summary: 'List the interactions of the company',
    tags,
    permission: 'interaction:read',
    envelope: 'list',
    query: listQuery,
    reply: listReply,
    handle: (call) => call.read('interaction.list', null, { query: readAs(call) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/interactions/{interactionId}',
    operation: 'getInteraction',
    summary: 'Get an interaction',
    tags,
    permission: 'interaction:read',
    reply,
    handle: (call) => call.read('interaction.get', call.params.interactionId, { query: readAs(call) }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/interactions/{interactionId}',
    operation: 'updateInteraction',
    summary: 'Update an interaction',
    tags,
    permission: 'interaction:update',
    query: writeQuery,
    body: updateBody,
    reply: writeReply,
    handle: (call) => call.command('interaction.update', call.params.interactionId),
  }),
  defineRoute({
    method: 'GET',
    path: '/interactions/{interactionId}/previous-interactions',
    operation: 'listPreviousInteractions',
    summary: 'List the interactions before this one, the latest first',
    tags,
    permission: 'interaction:read',
    envelope: 'list',
    query: pageQuery,
    reply: listReply,
    handle: (call) => call.read('interaction.listPrevious', call.params.interactionId, { query: readAs(call) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/interactions/{interactionId}/cancel',
    operation: 'cancelInteraction',
    summary: 'Cancel a planned interaction',
    tags,
    permission: 'interaction:cancel',
    reply,
    handle: (call) => call.command('interaction.cancel', call.params.interactionId),
  }),
  defineRoute({
    method: 'GET',
    path: '/interactions/{interactionId}/content',
    operation: 'getInteractionContent',
    summary: 'Get the transcript of an interaction, or the address of its recording',
    tags,
    permission: 'interaction:read',
    reply: typia.json.schemas<[InteractionContentView], '3.1'>(),
    handle: (call) => call.read('interaction.getContent', call.params.interactionId, { query: readAs(call) }),
  }),
];
