import typia from 'typia';
import { CONSENT_NAMES, type ConsentsBody, type ConsentView, type ConsentWriteQuery } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Consents'];
const reply = typia.json.schemas<[ConsentView[]], '3.1'>();

/** What a list says of itself that is always whole: there is one row a consent. */
const WHOLE = { count: CONSENT_NAMES.length, total: CONSENT_NAMES.length, nextUrl: null, previousUrl: null };

/** Consents of a borrower. */
export const consentRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/consents',
    operation: 'listConsents',
    summary: 'All consents of a borrower, defaults among them',
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
    summary: 'Record consents; those not named stay',
    tags: TAGS,
    permission: 'consent:update',
    query: { validate: typia.misc.createValidatePrune<ConsentWriteQuery>(), schemas: typia.json.schemas<[ConsentWriteQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<ConsentsBody>(), schemas: typia.json.schemas<[ConsentsBody], '3.1'>() },
    reply,
    handle: async (call) => ({ ...(await call.command('consent.update', call.params.personId)), extra: WHOLE }),
  }),
];
