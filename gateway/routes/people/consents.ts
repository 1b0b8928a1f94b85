import typia from 'typia';
import { CONSENT_NAMES, type ConsentsBody, type ConsentView, type ConsentWriteQuery } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Consents'];
const reply = typia.json.schemas<[ConsentView[]], '3.1'>();

/** The list is always complete: it has one row for each consent. */
const WHOLE = { count: CONSENT_NAMES.length, total: CONSENT_NAMES.length, nextUrl: null, previousUrl: null };

/** Consents of a borrower. */
export const consentRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/consents',
    operation: 'listConsents',
    summary: 'List all consents of a borrower, including defaults',
    tags: TAGS,
    permission: 'consent:read',
    envelope: 'list',
    reply,
    handle: (call) => call.read('consent.list', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/consents',
    operation: 'updateConsents',
    summary: 'Record consents',
    description: 'Consents that the body does not name stay as they are.',
    tags: TAGS,
    permission: 'consent:update',
    query: { validate: typia.misc.createValidatePrune<ConsentWriteQuery>(), schemas: typia.json.schemas<[ConsentWriteQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<ConsentsBody>(), schemas: typia.json.schemas<[ConsentsBody], '3.1'>() },
    reply,
    handle: async (call) => ({ ...(await call.command('consent.update', call.params.personId)), extra: WHOLE }),
  }),
];
