import { findInstrument } from './decide/micro-deposits.js';
import { must } from '../../engine/index.js';
import { refuse } from '../errors.js';
import { isPermitted } from '../permission.js';
import { DEFAULT_LIMIT, matching, type OffsetQuery, pageOf, type PageQuery, sorted, type SortKeys, type SortRule } from '../list-order.js';
import { resolveId } from '../kernel/ids.js';
import { longList } from '../kernel/lists/long-lists.js';
import { partNamed, placed } from '../kernel/lists/part-named.js';
import { pageOfParts } from '../kernel/lists/sliced-page.js';
import {
  ALL_ROWS,
  type CatalogRow,
  type ListRequest,
  type QueryEnv,
  type QuerySpec,
  type QueryOf,
  type QueryContext,
} from '../kernel/actor.js';
import type { AnyId, ListResult } from '../wire.js';
import { type ContactView, findContact } from './contact-fields.js';
import { consentViews } from './consents.js';
import { documentQueries } from './documents/document.js';
import { contactsOfRepresentatives, representativeQueries } from './legal-representatives.js';
import type { InstrumentStatus } from './machine.js';
import type { Affiliation, BorrowerType, ContactLabel, ContactStatus, ContactType, Instrument, PersonState } from './state.js';
import { verificationQueries } from './verifications/verification.js';
import { contactView, identityView, instrumentView, nameView, personView } from './views.js';
import { monitoringQueries } from './monitoring/decide.js';
import { onPersonRead } from './questions.js';
import { comparable } from './search/query.js';

/** What is known of a borrower who is to be erased, or was. */
export interface PersonErasure {
  readonly id: string;
  readonly isErased: boolean;
  readonly contentIds: readonly string[];
}

/** Also of who was erased before: an interrupted erasure is taken up again. */
function erasureOf(anyId: string, env: QueryEnv): PersonErasure {
  const id = resolveId(env, env.tenant, 'person', anyId) ?? anyId;
  const state = env.stateOf<PersonState>('person', id);
  const isErased = state?.status === 'erased';
  if (state === undefined || !(isErased || state.status === 'deleted' || env.sees('person', id)))
    return refuse('notFound', `There is no borrower ${anyId}.`);
  return { id, isErased, contentIds: state.documents.flatMap(({ content }) => content?.contentId ?? []) };
}

export interface PersonListQuery extends PageQuery {
  readonly status?: 'active' | 'inactive';
  readonly borrowerType?: BorrowerType;
  /** Service ids and `ext-` ids. */
  readonly ids?: readonly AnyId[];
  readonly externalId?: string;
  readonly includeIdentity?: boolean;
  readonly sortBy?: readonly string[];
}

export interface ContactListQuery extends OffsetQuery {
  readonly contactType?: ContactType;
  readonly affiliation?: Affiliation;
  readonly label?: ContactLabel;
  readonly status?: ContactStatus;
  readonly receiveTextMessages?: boolean;
  readonly includeArchived?: boolean;
  readonly includeLegal?: boolean;
  readonly collidesWithEmail?: string;
  readonly collidesWithPhone?: string;
  readonly sortBy?: readonly string[];
}

export interface InstrumentListQuery extends PageQuery {
  readonly personId?: AnyId;
  readonly isExternal?: boolean;
  readonly status?: InstrumentStatus;
}

export interface ArchivedQuery extends PageQuery {
  readonly includeArchived?: boolean;
}

export interface PersonGetQuery {
  /** Adds the primary identity, in clear if the caller may read identities. */
  readonly includeIdentity?: boolean;
}

export const personQueries: readonly QuerySpec<PersonState>[] = [
  ...documentQueries,
  ...monitoringQueries,
  ...representativeQueries,
  ...verificationQueries,
  onPersonRead('person.get', ({ state, query, request, env }) => {
    const { includeIdentity = false } = (query ?? {}) as PersonGetQuery;
    return includeIdentity ? withIdentity(state, env, request.permissions) : personView(state, env);
  }),
  {
    kind: 'person',
    type: 'person.list',
    on: 'tenant',
    read: ({ query, request, env }: QueryOf<PersonListQuery>) => listPeople(query, request.permissions, env),
  },
  /** For the gateway: what an erasure takes away outside of the journal. */
  {
    kind: 'person',
    type: 'person.erasure',
    on: 'tenant',
    below: ({ params }) => ({ kind: 'person', target: params['personId'] }),
    read: ({ request, env }: QueryOf<object>) => erasureOf(request.params['personId'] ?? '', env),
  },
  onPersonRead('name.list', ({ state, query, env }) => {
    const { includeArchived = false, ...page } = (query ?? {}) as ArchivedQuery;
    const names = matching(state.names.toReversed(), (name) => includeArchived || name.status === 'active');
    return pageOf(names, page, (name) => nameView(state, name, env));
  }),
  onPersonRead('identity.primary', ({ id, state, env }) => {
    const primary = state.identities.find((identity) => identity.isPrimary);
    return identityView(state, primary ?? refuse('notFound', `The borrower ${id} has no primary identity.`), env, 'clear');
  }),
  onPersonRead('identity.list', ({ state, query, env }) => {
    const { includeArchived = false, ...page } = (query ?? {}) as ArchivedQuery;
    const identities = matching(state.identities.toReversed(), (identity) => includeArchived || !identity.isArchived);
    return pageOf(identities, page, (identity) => identityView(state, identity, env, 'clear'));
  }),
  onPersonRead('identity.get', ({ state, request, env }) => {
    const identityId = request.params['identityId'] ?? '';
    const identity = state.identities.find((known) => known.id === identityId) ?? refuse('notFound', `There is no identity ${identityId}.`);
    return identityView(state, identity, env, 'clear');
  }),
  onPersonRead('contact.list', ({ state, query, env }: QueryContext<PersonState, ContactListQuery>) => {
    const { sortBy = [], ...filters } = query;
    const own = [...state.contacts].reverse().map((contact) => contactView(state, contact, env, 'clear'));
    const all = filters.includeLegal ? [...own, ...contactsOfRepresentatives(state, env)] : own;
    return pageOf(
      matching(sorted(all, sortBy, CONTACT_ORDERS), (contact) => isWanted(contact, filters)),
      filters,
      (contact) => contact,
      ({ externalId }) => externalId,
    );
  }),
  onPersonRead('contact.get', ({ state, request, env }) => {
    const anyId = request.params['contactId'] ?? '';
    return contactView(state, findContact(state, anyId) ?? refuse('notFound', `There is no contact ${anyId}.`), env, 'clear');
  }),
  onPersonRead('consent.list', ({ state }) => {
    const items = consentViews(state);
    return { items, total: items.length, hasMore: false, hasPrevious: false };
  }),
  onPersonRead('paymentInstrument.list', ({ state, query, env }: QueryContext<PersonState, InstrumentListQuery>) => {
    const { isExternal, status, ...page } = query;
    const wanted = matching(state.instruments.toReversed(), (instrument) => isListed(instrument, isExternal, status));
    return pageOf(
      wanted,
      page,
      (instrument) => instrumentView(state, instrument, env),
      ({ externalId }) => externalId,
    );
  }),
  onPersonRead('paymentInstrument.get', ({ state, request, env }) => {
    const anyId = request.params['paymentInstrumentId'] ?? '';
    return instrumentView(state, findInstrument(state, anyId) ?? refuse('notFound', `There is no payment instrument ${anyId}.`), env);
  }),
  {
    kind: 'person',
    type: 'paymentInstrument.listAll',
    on: 'tenant',
    read: ({ query, env }: QueryOf<InstrumentListQuery>) =>
      query.personId === undefined ? longList(env, 'person', () => listInstruments(query, env)) : listInstruments(query, env),
  },
];

function withIdentity(state: PersonState, env: QueryEnv, permissions: ReadonlySet<string>): unknown {
  const primary = state.identities.find((identity) => identity.isPrimary);
  const values = isPermitted(permissions, 'identity:read') ? 'clear' : 'tokens';
  return { ...personView(state, env), identity: primary ? identityView(state, primary, env, values) : null };
}

const PERSON_ORDERS: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'status',
  'borrowerType',
  'externalId',
  'collectionsIntensity',
]);

async function listPeople(query: PersonListQuery, permissions: ReadonlySet<string>, env: QueryEnv): Promise<ListResult> {
  const { ids, externalId, status, borrowerType, includeIdentity = false, sortBy = [], limit = DEFAULT_LIMIT, ...cursor } = query;
  const wantedIds = ids && new Set(ids);
  const external = externalId?.replace(/^ext-/, '');
  const matches = ({ id, externalId: own, fields }: CatalogRow): boolean =>
    (status === undefined || fields['status'] === status) &&
    (borrowerType === undefined || fields['borrowerType'] === borrowerType) &&
    (external === undefined || own === external) &&
    (wantedIds === undefined || wantedIds.has(id) || (own !== null && wantedIds.has(`ext-${own}`)));
  const isFiltered = [status, borrowerType, external, wantedIds].some((filter) => filter !== undefined);
  const names = external === undefined ? ids : [`ext-${external}`];
  // Without a filter only the rows of the page are looked at.
  const page = await env.listInSlices('person', {
    ...(isFiltered ? { matches } : {}),
    ...(names === undefined ? {} : { names }),
    sort: orders(sortBy),
    limit,
    ...cursor,
  });
  const items = page.rows.map(({ id }) => {
    const state = must(env.stateOf<PersonState>('person', id), `the listed borrower ${id}`);
    return includeIdentity ? withIdentity(state, env, permissions) : personView(state, env);
  });
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}

function orders(sortBy: readonly string[]): NonNullable<ListRequest['sort']> {
  return sortBy.map((word) => {
    const field = word.replace(/^-/, '');
    if (!PERSON_ORDERS.has(field)) {
      const expected = `one of ${[...PERSON_ORDERS].join(', ')}, with - for descending`;
      refuse('badRequest', `The list cannot be ordered by ${field}.`, {
        errors: [{ path: 'sortBy', expected, message: 'is not a field to sort by' }],
      });
    }
    return { field, descending: word.startsWith('-') };
  });
}

const CONTACT_ORDERS: SortKeys<ContactView> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  contactType: ({ contactType }) => contactType,
  label: ({ label }) => label,
  status: ({ status }) => status,
  affiliation: ({ affiliation }) => affiliation,
};

function isWanted(contact: ContactView, query: ContactListQuery): boolean {
  const { includeArchived = false, collidesWithEmail, collidesWithPhone } = query;
  if (contact.status === 'archived' && !includeArchived && query.status !== 'archived') return false;
  for (const field of ['contactType', 'affiliation', 'label', 'status', 'receiveTextMessages'] as const) {
    if (query[field] !== undefined && query[field] !== contact[field]) return false;
  }
  const collides = (type: ContactType, value: string): boolean =>
    contact.contactType === type && comparable(type, contact.value ?? '') === comparable(type, value);
  if (collidesWithEmail !== undefined && !collides('email', collidesWithEmail)) return false;
  return collidesWithPhone === undefined || collides('phone', collidesWithPhone);
}

const isListed = (instrument: Instrument, isExternal: boolean | undefined, status: InstrumentStatus | undefined): boolean =>
  instrument.deletedAt === null &&
  (isExternal === undefined || instrument.isExternal === isExternal) &&
  (status === undefined || instrument.status === status);

/** Instruments of all borrowers, newest first. Rows say which borrowers have any. */
async function listInstruments({ personId, isExternal, status, ...page }: InstrumentListQuery, env: QueryEnv): Promise<ListResult> {
  const own = personId?.startsWith('ext-') ? env.findExternal(env.tenant, 'person', personId.slice(4)) : personId;
  const isOwn = ({ id }: CatalogRow): boolean => personId === undefined || id === own;
  const { rows } = env.list('person', { matches: (row) => row.fields['hasInstruments'] === true && isOwn(row), limit: ALL_ROWS });
  const instruments = (function* () {
    for (const { id, createdStamp } of rows) {
      const state = env.hasRow('person', id) ? env.stateInPassing<PersonState>('person', id) : undefined;
      if (state) yield instrumentsOf(state, createdStamp).filter(({ instrument }) => isListed(instrument, isExternal, status));
    }
  })();
  const asked = await placed(page, async (cursor) => {
    const named = await partNamed(env, cursor, {
      of: 'person',
      kind: 'paymentInstrument',
      mayHave: isOwn,
      partOf: (state: PersonState, id, { createdStamp }) => instrumentsOf(state, createdStamp).find((each) => each.id === id),
    });
    return named && INSTRUMENT_ORDER.map(({ key }) => key(named));
  });
  return pageOfParts(instruments, asked, {
    view: ({ state, instrument }) => instrumentView(state, instrument, env),
    order: INSTRUMENT_ORDER,
  });
}

const instrumentsOf = (state: PersonState, ownerStamp: number): readonly ListedInstrument[] =>
  state.instruments.map((instrument, at) => ({ id: instrument.id, state, instrument, ownerStamp, at }));

interface ListedInstrument {
  readonly id: string;
  readonly state: PersonState;
  readonly instrument: Instrument;
  /** When the borrower was created; `at` is the index among its instruments. */
  readonly ownerStamp: number;
  readonly at: number;
}

const INSTRUMENT_ORDER: readonly SortRule<ListedInstrument>[] = [
  { key: ({ instrument }) => instrument.createdAt, descending: true },
  { key: ({ ownerStamp }) => ownerStamp, descending: true },
  { key: ({ state }) => state.id, descending: false },
  { key: ({ at }) => at, descending: false },
];
