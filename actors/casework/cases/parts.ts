import { knownId } from '../../kernel/any-id.js';
import { must } from '../../../engine/index.js';
import { documentView, personOf } from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import { pageOf, type PageQuery } from '../../page.js';
import { isPermitted } from '../../permission.js';
import type { CatalogRow, QueryContext, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import type { ListPersonBlocksQuery } from './blocks/types.js';
import { blockView } from './blocks/view.js';
import { itemOf, requirePerson } from './context.js';
import { isAttached } from './documents.js';
import type { GetCaseQuery } from './requests.js';
import { notificationView } from './notifications/view.js';
import type { Block, CaseState } from './state.js';
import { associationView, caseView, entryId, expandedView, timelineView } from './view.js';
import { callView, escalationView, snoozeView } from './part-views.js';

/** Reads of one case and of what hangs on it. */

const onCase = (type: string, read: (context: QueryContext<CaseState>) => unknown): QuerySpec<CaseState> => ({
  kind: 'case',
  type,
  on: 'target',
  read(context) {
    requirePerson(context.state, context.request.params['personId'], context.env);
    return read(context);
  },
});

/** A list of parts that the case has in the order of recording, the newest first. */
function listOf<Part>(type: string, { of, id, view }: ListedParts<Part>): QuerySpec<CaseState> {
  return onCase(type, ({ state, query, env }) => {
    const parts = of(state).map((part) => ({ id: id(part, state), part }));
    return pageOf(parts.reverse(), (query ?? {}) as PageQuery, ({ part }) => view(state, part, env));
  });
}

interface ListedParts<Part> {
  of(state: CaseState): readonly Part[];
  id(part: Part, state: CaseState): string;
  view(state: CaseState, part: Part, env: QueryEnv): unknown;
}

const ownId = ({ id }: { readonly id: string }): string => id;

export const partQueries: readonly QuerySpec<CaseState>[] = [
  onCase('case.get', ({ state, query, request, env }) => {
    const { expand = false } = (query ?? {}) as GetCaseQuery;
    return expand ? expandedView(state, env, request.permissions) : caseView(state, env);
  }),
  listOf('case.timeline', { of: ({ timeline }) => timeline, id: ({ number }, { id }) => entryId(id, number), view: timelineView }),
  onCase('case.summary', ({ id }) => refuse('notFound', `There is no summary of the case ${id}.`)),
  listOf('caseAssociation.list', { of: ({ associations }) => associations, id: ({ objectId }) => objectId, view: associationView }),
  listOf('caseEscalation.list', { of: ({ escalations }) => escalations, id: ownId, view: escalationView }),
  listOf('scheduledCall.list', { of: ({ calls }) => calls, id: ownId, view: callView }),
  listOf('caseNotification.list', { of: ({ notifications }) => notifications, id: ownId, view: notificationView }),
  onCase('caseDocument.list', ({ id, state, query, request, env }) => {
    const person = personOf(env, state.personId);
    const maySee = isPermitted(request.permissions, 'document:read.sensitive');
    const documents = person.documents.filter(
      (document) => (document.caseId === id || isAttached(state, document)) && (maySee || !document.sensitiveData),
    );
    return pageOf(
      [...documents].reverse(),
      (query ?? {}) as PageQuery,
      (document) => documentView(person, document, env),
      ({ externalId }) => externalId,
    );
  }),
  onCase('caseSnooze.get', ({ id, state, env }) =>
    state.snooze ? snoozeView(state, state.snooze, env) : refuse('notFound', `The case ${id} is not snoozed.`),
  ),
  listOf('doNotInteract.list', { of: ({ blocks }) => blocks, id: ownId, view: blockView }),
  onCase('doNotInteract.get', ({ state, request }) =>
    blockView(state, itemOf(state.blocks, request.params['doNotInteractId'], 'Do Not Interact')),
  ),
  {
    kind: 'case',
    type: 'doNotInteract.listOfPerson',
    on: 'tenant',
    below: ({ params }) => ({ kind: 'person', target: params['personId'] }),
    read: ({ query, request, env }) => listOfPerson(query ?? {}, must(request.params['personId'], 'the path names a person'), env),
  },
];

/** Of all cases of the borrower, the newest first. */
function listOfPerson({ activeOnly = false, ...page }: ListPersonBlocksQuery, anyId: string, env: QueryEnv): unknown {
  const personId = knownId(env, 'person', anyId) ?? refuse('notFound', `There is no borrower ${anyId}.`);
  const ofBorrower = ({ parentId }: CatalogRow): boolean => parentId === personId;
  const found: { readonly id: string; readonly state: CaseState; readonly block: Block }[] = [];
  for (const { id } of env.list('case', { parentId: personId, matches: ofBorrower, limit: Number.MAX_SAFE_INTEGER }).rows) {
    const state = must(env.stateOf<CaseState>('case', id), `the listed case ${id}`);
    for (const block of state.blocks) if (isListed(block, activeOnly, env.now)) found.push({ id: block.id, state, block });
  }
  found.sort((a, b) => b.block.createdAt - a.block.createdAt);
  return pageOf(found, page, ({ state, block }) => blockView(state, block));
}

const isListed = ({ status, endsAt }: Block, activeOnly: boolean, now: number): boolean =>
  !activeOnly || (status === 'active' && (endsAt === null || endsAt > now));
