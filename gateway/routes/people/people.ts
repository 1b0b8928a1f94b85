import typia from 'typia';
import type {
  ArchivedQuery,
  NameBody,
  NameCorrectionBody,
  NameView,
  PersonCreateBody,
  PersonGetQuery,
  PersonListQuery,
  PersonSearchQuery,
  PersonUpdateBody,
  PersonView,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Borrowers'];
const personReply = typia.json.schemas<[PersonView], '3.1'>();
const peopleReply = typia.json.schemas<[PersonView[]], '3.1'>();
const nameReply = typia.json.schemas<[NameView], '3.1'>();

/** Borrowers and their names. */
export const peopleRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/people',
    operation: 'createPerson',
    summary: 'Create a borrower with its primary identity',
    tags: TAGS,
    permission: 'person:create',
    body: { validate: typia.misc.createValidatePrune<PersonCreateBody>(), schemas: typia.json.schemas<[PersonCreateBody], '3.1'>() },
    reply: personReply,
    handle: (call) => call.command('person.create', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/people',
    operation: 'listPeople',
    summary: 'List borrowers',
    tags: TAGS,
    permission: 'person:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<PersonListQuery>(), schemas: typia.json.schemas<[PersonListQuery], '3.1'>() },
    reply: peopleReply,
    handle: (call) => call.read('person.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/search',
    operation: 'searchPeople',
    summary: 'Search borrowers',
    tags: TAGS,
    permission: 'person:list',
    envelope: 'list',
    description: 'Searches are fuzzy unless a parameter is exact. All parameters must match; without one nothing does. Ordered by score.',
    query: { validate: typia.misc.createValidatePrune<PersonSearchQuery>(), schemas: typia.json.schemas<[PersonSearchQuery], '3.1'>() },
    reply: peopleReply,
    handle: async (call) => {
      const reply = await call.read('person.search', null);
      const { search, ...data } = reply.data;
      return { ...reply, data, extra: { search } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}',
    operation: 'getPerson',
    summary: 'Get a borrower',
    tags: TAGS,
    permission: 'person:read',
    query: { validate: typia.misc.createValidatePrune<PersonGetQuery>(), schemas: typia.json.schemas<[PersonGetQuery], '3.1'>() },
    reply: personReply,
    handle: (call) => call.read('person.get', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}',
    operation: 'updatePerson',
    summary: 'Update a borrower',
    tags: TAGS,
    permission: 'person:update',
    body: { validate: typia.misc.createValidatePrune<PersonUpdateBody>(), schemas: typia.json.schemas<[PersonUpdateBody], '3.1'>() },
    reply: personReply,
    handle: (call) => call.command('person.update', call.params.personId),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/people/{personId}',
    operation: 'deletePerson',
    summary: 'Delete a borrower',
    tags: TAGS,
    permission: 'person:delete',
    handle: (call) => call.command('person.delete', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/names',
    operation: 'listNames',
    summary: 'List the names of a borrower, newest first',
    tags: TAGS,
    permission: 'person:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ArchivedQuery>(), schemas: typia.json.schemas<[ArchivedQuery], '3.1'>() },
    reply: typia.json.schemas<[NameView[]], '3.1'>(),
    handle: (call) => call.read('name.list', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/names',
    operation: 'createName',
    summary: 'Add a name to a borrower',
    tags: TAGS,
    permission: 'person:update',
    body: { validate: typia.misc.createValidatePrune<NameBody>(), schemas: typia.json.schemas<[NameBody], '3.1'>() },
    reply: nameReply,
    handle: (call) => call.command('name.create', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/names/{nameId}',
    operation: 'updateName',
    summary: 'Correct a name of a borrower',
    tags: TAGS,
    permission: 'person:update',
    body: { validate: typia.misc.createValidatePrune<NameCorrectionBody>(), schemas: typia.json.schemas<[NameCorrectionBody], '3.1'>() },
    reply: nameReply,
    handle: (call) => call.command('name.update', call.params.personId),
  }),
];
