import typia from 'typia';
import type { ContactCreateBody, ContactListQuery, ContactUpdateBody, ContactView, ContactWriteQuery } from '../../actors/index.js';
import { defineRoute, type Route } from '../routing/route.js';

const TAGS = ['Contacts'];
const contactReply = typia.json.schemas<[ContactView], '3.1'>();
const writeQuery = { validate: typia.misc.createValidatePrune<ContactWriteQuery>(), schemas: typia.json.schemas<[ContactWriteQuery], '3.1'>() };
const updateBody = { validate: typia.misc.createValidatePrune<ContactUpdateBody>(), schemas: typia.json.schemas<[ContactUpdateBody], '3.1'>() };

/** Contacts of a borrower (people 11). */
export const contactRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST', path: '/people/{personId}/contacts', operation: 'createContact', summary: 'Create a contact', tags: TAGS,
    permission: 'contact:create', query: writeQuery,
    body: { validate: typia.misc.createValidatePrune<ContactCreateBody>(), schemas: typia.json.schemas<[ContactCreateBody], '3.1'>() },
    reply: contactReply,
    handle: (call) => call.command('contact.create', call.params.personId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/contacts', operation: 'listContacts', summary: 'List contacts', tags: TAGS,
    permission: 'contact:list', envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ContactListQuery>(), schemas: typia.json.schemas<[ContactListQuery], '3.1'>() },
    reply: typia.json.schemas<[ContactView[]], '3.1'>(),
    handle: (call) => call.read('contact.list', call.params.personId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/contacts/{contactId}', operation: 'getContact', summary: 'Get a contact', tags: TAGS,
    permission: 'contact:read', reply: contactReply,
    handle: (call) => call.read('contact.get', call.params.personId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/contacts/{contactId}', operation: 'updateContact', summary: 'Update a contact', tags: TAGS,
    permission: 'contact:update', query: writeQuery, body: updateBody, reply: contactReply,
    handle: (call) => call.command('contact.update', call.params.personId),
  }),
  defineRoute({
    method: 'DELETE', path: '/people/{personId}/contacts/{contactId}', operation: 'deleteContact', summary: 'Delete a contact for good', tags: TAGS,
    permission: 'contact:delete',
    handle: (call) => call.command('contact.delete', call.params.personId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/contacts/{contactId}/clone', operation: 'cloneContact', summary: 'Replace a contact by a changed copy',
    tags: TAGS, permission: 'contact:update', query: writeQuery, body: updateBody, reply: contactReply,
    handle: (call) => call.command('contact.clone', call.params.personId),
  }),
];
