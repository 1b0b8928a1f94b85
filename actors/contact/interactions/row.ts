import { must, subjectNamed } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CatalogRow, ListRequest, QueryContext, QueryEnv, QueryRequest, QuerySpec } from '../../kernel/actor.js';
import { knownId, resolveId } from '../../kernel/ids.js';
import { numberOf } from '../../kernel/lists/row-fields.js';
import type { KeptOrder } from '../../kernel/lists/kept-lists.js';
import { DEFAULT_LIMIT, pageOf, type PageQuery, refuseMixed, type Sortable } from '../../list-order.js';
import { type ListResult, millisecondsOf, millisecondsUntil } from '../../wire.js';
import { textOf } from './draft.js';
import { chainOf } from './references.js';
import { openJson } from './sealing.js';
import { type InteractionState, isMissedCall, isReachable } from './state.js';
import type { InteractionContent, InteractionContentView, ListInteractionsQuery } from './types.js';
import { interactionView, maySeeContent, type Reader, type ReaderQuery, readerOf, requirePerson, SENSITIVE } from './view.js';

/**
 * The interaction's row in the list index, under its borrower, case and loans. It has the fields by which lists filter, and all that
 * limits of contacts need.
 */
export function interactionRow(state: InteractionState): CatalogRow | null {
  if (!isReachable(state)) return null;
  const { id, externalId, personId, caseId, loanIds, createdStamp, updatedStamp } = state;
  return {
    id,
    externalId,
    createdStamp,
    updatedStamp,
    parentId: personId,
    alsoUnder: [caseId, ...loanIds].filter((other) => other !== null),
    fields: {
      channel: state.channel,
      direction: state.direction,
      status: state.status,
      statusDetails: state.statusDetails,
      subject: state.subject,
      theme: state.theme,
      agentOutcome: state.agentOutcome,
      contactId: state.contactId,
      caseId,
      loanIds,
      isExternal: state.isExternal,
      isTransactional: state.isTransactional,
      sensitive: state.sensitive,
      hasRecording: state.hasRecording,
      isOutgoing: state.delivery?.phase === 'waiting',
      missedCall: isMissedCall(state),
      templateVersionId: state.templateVersionId,
      supercaseBulkOperationId: state.supercaseBulkOperationId,
      startedAt: state.startedAt,
      scheduledAtFrom: state.scheduledAtFrom,
      createdAt: state.createdAt,
      updatedAt: state.updatedAt ?? state.createdAt,
    },
  };
}

type Context<Query = unknown> = QueryContext<InteractionState, Query>;

const onInteraction = <Query extends ReaderQuery | null | undefined>(
  type: string,
  read: (context: Context<Query>, reader: Reader) => unknown,
): QuerySpec<InteractionState, Query> => ({
  kind: 'interaction',
  type,
  on: 'target',
  read(context) {
    const { state, request, env, query } = context;
    requirePerson(state, request.params['personId'], env);
    const reader = readerOf(request.permissions, query);
    if (reader.isBorrower && state.theme === 'agentNotification')
      refuse('notFound', `There is no interaction ${state.id} of this borrower.`);
    return read(context, reader);
  },
});

/** Reads of one interaction. */
export const interactionQueries: readonly QuerySpec<InteractionState>[] = [
  onInteraction('interaction.get', ({ state, env }, reader) => interactionView(state, env, { reader })),
  onInteraction('interaction.listPrevious', ({ state, env, query }: Context<(ReaderQuery & PageQuery) | undefined>, reader) =>
    pageOf(
      [...chainOf(env, state)],
      query ?? {},
      (link) => interactionView(link, env, { reader }),
      ({ externalId }) => externalId,
    ),
  ),
  onInteraction('interaction.getContent', ({ state, env }, reader): InteractionContentView => {
    if (!maySeeContent(state, env, reader))
      refuse('permissionDenied', 'The content of this interaction is sensitive: you need the permission to read sensitive interactions.', {
        extra: { permission: SENSITIVE },
      });
    const content = openJson<InteractionContent>(env, state, 'content');
    const { id, channel, personId, templateVersionId, hasRecording } = state;
    const recording = hasRecording && personId !== null ? content?.recordingDocumentId : undefined;
    return {
      interactionId: id,
      object: 'interactionContent',
      channel,
      content,
      templateVersionId,
      recordingUrl: recording === undefined ? null : `/people/${personId}/documents/${recording}/content`,
    };
  }),
];

/** Maximum number of interactions in which a search looks for a text, since each has to be opened. */
const MAX_SEARCHED = 5_000;

/** `GET /interactions`. */
export const listInteractions: QuerySpec<InteractionState> = {
  kind: 'interaction',
  type: 'interaction.list',
  on: 'tenant',
  below: ({ query }) => {
    const { personId } = (query ?? {}) as ListInteractionsQuery;
    return { kind: 'person', target: personId === NOBODY ? undefined : personId };
  },
  read: ({ query, request, env }) => listed(query ?? {}, request, env),
};

/** `GET /people/{personId}/interactions`. */
export const listPersonInteractions: QuerySpec<InteractionState, ListInteractionsQuery> = {
  kind: 'interaction',
  type: 'interaction.listOfPerson',
  on: 'tenant',
  below: ({ params }) => ({ kind: 'person', target: params['personId'] }),
  read({ query, request, env }) {
    const personId = must(request.params['personId'], 'the path names a person');
    if (knownId(env, 'person', personId) === undefined) refuse('notFound', `There is no borrower ${personId}.`);
    return listed({ ...query, personId }, request, env);
  },
};

async function listed(query: ListInteractionsQuery & ReaderQuery, request: QueryRequest, env: QueryEnv): Promise<ListResult> {
  refuseMixed(query);
  const reader = readerOf(request.permissions, query);
  const { limit = DEFAULT_LIMIT, offset, startingAfter, endingBefore, sortBy = [NEWEST], includeContent = true } = query;
  const page = await env.listInSlices('interaction', {
    ...filterOf(query, env, reader),
    ...(sortBy.join() === NEWEST ? { kept: { order: BY_START } } : {}),
    sort: sortBy.map(orderNamed),
    limit,
    ...(offset === undefined ? {} : { offset }),
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(endingBefore === undefined ? {} : { endingBefore }),
  });
  const items = page.rows.map(({ id }) =>
    interactionView(must(env.stateOf<InteractionState>('interaction', id), `the listed interaction ${id}`), env, {
      reader,
      includeContent,
    }),
  );
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}

type Filter = (row: CatalogRow) => boolean;

/** `personId=null`: unknown senders. */
const NOBODY = 'null';

/** An id that nothing has. */
const UNKNOWN = '';

/** Interactions are listed under borrower, case and loans. The first of these that the query names is the list to read. */
function filterOf(query: ListInteractionsQuery, env: QueryEnv, reader: Reader): Pick<ListRequest, 'parentId' | 'matches'> {
  const idOf = (kind: string, anyId: string | undefined): string | undefined =>
    anyId && (resolveId(env, env.tenant, kind, anyId) ?? UNKNOWN);
  const { personId } = query;
  const parents = [
    personId === NOBODY ? undefined : idOf('person', personId),
    idOf('case', query.caseId),
    idOf('loan', query.loanId),
  ].filter((id) => id !== undefined);
  const [parentId] = parents;
  const filters = [
    ...rowFilters(query, env),
    ...parents.slice(1).map(
      (id): Filter =>
        (row) =>
          row.parentId === id || row.alsoUnder?.includes(id) === true,
    ),
  ];
  if (personId === NOBODY) filters.push((row) => row.parentId === null);
  if (reader.isBorrower) filters.push(({ fields }) => fields['theme'] !== 'agentNotification');
  // The last filter, since it opens all interactions that the others leave.
  if (query.searchText !== undefined) filters.push(textFilter(query.searchText, env, reader));
  return {
    ...(parentId === undefined ? {} : { parentId }),
    ...(filters.length === 0 ? {} : { matches: (row) => filters.every((filter) => filter(row)) }),
  };
}

const SAME = [
  'channel',
  'theme',
  'isExternal',
  'isTransactional',
  'hasRecording',
  'missedCall',
  'sensitive',
  'agentOutcome',
  'templateVersionId',
  'supercaseBulkOperationId',
] as const;

function rowFilters(query: ListInteractionsQuery, env: QueryEnv): Filter[] {
  const filters: Filter[] = [];
  for (const field of SAME) {
    const wanted = query[field];
    if (wanted !== undefined) filters.push(({ fields }) => fields[field] === wanted);
  }
  const { status, statusDetails, subject, direction, contactId } = query;
  if (status) filters.push(({ fields }) => status.some((wanted) => wanted === fields['status'])); // every interaction has a status
  if (statusDetails) filters.push(({ fields }) => statusDetails.some((wanted) => wanted === fields['statusDetails']));
  if (direction !== undefined && direction !== 'all') filters.push(({ fields }) => fields['direction'] === direction);
  if (contactId !== undefined) {
    const id = resolveId(env, env.tenant, 'contact', contactId);
    filters.push(({ fields }) => id !== undefined && fields['contactId'] === id);
  }
  if (subject !== undefined) {
    const named = subjectNamed(subject);
    filters.push(({ fields }) => 'subject' in named && fields['subject'] === named.subject);
  }
  for (const field of ['startedAt', 'createdAt'] as const) {
    const { [`${field}After` as const]: after, [`${field}Before` as const]: before } = query;
    if (after !== undefined) filters.push(({ fields }) => fields[field] !== null && Number(fields[field]) > millisecondsOf(after));
    if (before !== undefined) filters.push(({ fields }) => fields[field] !== null && Number(fields[field]) < millisecondsUntil(before));
  }
  return filters;
}

/** Finds a text in the contents that the reader may read. */
function textFilter(searchText: string, env: QueryEnv, reader: Reader): Filter {
  const wanted = searchText.toLowerCase();
  let looked = 0;
  return ({ id }) => {
    looked += 1;
    if (looked > MAX_SEARCHED)
      refuse('badRequest', `The search would read more than ${MAX_SEARCHED} interactions. Filter by borrower, case or time.`, {
        errors: [{ path: 'searchText', expected: 'filters that leave fewer interactions', message: 'matches too many interactions' }],
      });
    const state = env.stateOf<InteractionState>('interaction', id);
    const content = state && maySeeContent(state, env, reader) ? openJson<InteractionContent>(env, state, 'content') : null;
    return content !== null && textOf(content).toLowerCase().includes(wanted);
  };
}

/** The default order of lists, in which the index is sorted. */
const NEWEST = '-startedAt';
const startedAtOf = ({ fields }: CatalogRow): Sortable => Number(fields['startedAt'] ?? 0);
const BY_START: KeptOrder = { holds: () => true, of: startedAtOf };

const ORDERS = ['startedAt', 'createdAt', 'updatedAt', 'scheduledAtFrom'] as const;

function orderNamed(word: string): NonNullable<ListRequest['sort']>[number] {
  const field = word.replace(/^-/, '');
  if (ORDERS.some((known) => known === field))
    return { field, descending: word.startsWith('-'), of: ({ fields }): Sortable => numberOf(fields[field]) ?? 0 };
  const expected = `one of ${ORDERS.join(', ')}, with - for descending`;
  return refuse('badRequest', `Interactions cannot be ordered by ${field}.`, {
    errors: [{ path: 'sortBy', expected, message: 'is not a field to sort by' }],
  });
}
