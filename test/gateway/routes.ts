import typia, { type tags } from 'typia';
import type { Amount, AnyId, DateText, MetaData, OffsetQuery } from '../../actors/index.js';
import { defineRoute, type Route } from '../../gateway/index.js';

interface Item {
  readonly amount: Amount;
  readonly date?: DateText | null;
  readonly note?: string;
}

export interface ThingBody {
  readonly name?: string & tags.MinLength<1>;
  readonly amount?: Amount;
  readonly date?: DateText;
  readonly kind?: 'small' | 'large';
  readonly isOpen?: boolean;
  readonly owner?: { readonly city?: string; readonly days?: readonly number[] };
  readonly items?: readonly Item[];
  readonly labels?: readonly string[];
  readonly nickname?: string | null;
  readonly term?: (number & tags.Type<'uint32'>) | null;
  readonly metaData?: MetaData;
  readonly free?: unknown;
}

export interface ThingQuery extends OffsetQuery {
  readonly statuses?: readonly ('open' | 'closed')[];
  readonly sortBy?: readonly ('createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt')[];
  readonly owner?: AnyId;
  readonly isOpen?: boolean;
  readonly sync?: boolean;
}

const body = { validate: typia.misc.createValidatePrune<ThingBody>(), schemas: typia.json.schemas<[ThingBody], '3.1'>() };
const query = { validate: typia.misc.createValidatePrune<ThingQuery>(), schemas: typia.json.schemas<[ThingQuery], '3.1'>() };

/** A small interface for tests of behavior that all resources share. */
export const THING_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/things',
    operation: 'createThing',
    summary: 'Create a thing',
    tags: ['Things'],
    permission: 'thing:create',
    success: 201,
    body,
    query,
    reply: body.schemas,
    handle: (call) => call.command('thing.create', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/things',
    operation: 'listThings',
    summary: 'List things',
    tags: ['Things'],
    permission: 'thing:list',
    envelope: 'list',
    query,
    reply: typia.json.schemas<[ThingBody[]], '3.1'>(),
    handle: (call) => call.read('thing.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/things/search',
    operation: 'searchThings',
    summary: 'Search things',
    tags: ['Things'],
    permission: null,
    envelope: 'bare',
    handle: () => ({ data: { found: 'by search' } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/things/{thingId}',
    operation: 'getThing',
    summary: 'Get a thing',
    tags: ['Things'],
    permission: 'thing:read',
    handle: (call) => ({ data: { id: call.params.thingId } }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/things/{thingId}',
    operation: 'deleteThing',
    summary: 'Delete a thing',
    tags: ['Things'],
    permission: 'thing:delete',
    success: 204,
    envelope: 'empty',
    handle: async (call) => {
      await call.command('thing.delete', call.params.thingId);
      return {};
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/public/{word}',
    operation: 'publicThing',
    summary: 'For everybody',
    tags: ['Things'],
    permission: 'public',
    textParameters: ['word'],
    handle: (call) => ({ data: { word: call.params.word, address: call.caller.address } }),
  }),
];
