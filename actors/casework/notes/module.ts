import { must } from '../../../engine/index.js';
import { caseOf, loanOf } from '../../contact/index.js';
import { refuse } from '../../errors.js';
import {
  ALL_ROWS,
  actorModule,
  type ActorModule,
  type CatalogRow,
  type ListRequest,
  type QueryEnv,
  type QueryRequest,
  type QuerySpec,
  type QueryOf,
} from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import type { KeptOrder } from '../../kernel/lists/kept-lists.js';
import { DEFAULT_LIMIT, refuseMixed } from '../../list-order.js';
import type { ListResult } from '../../wire.js';
import type { CaseState } from '../cases/state.js';
import { SUPERCASE_NOTE, type SupercaseNoteState, supercaseNoteView } from '../supercases/note.js';
import { archiveNote, assertOfPath, createNote, interactionOf, personOfPath, updateNote } from './decide.js';
import type { ListNotesQuery, ListPersonNotesQuery, NoteView } from './requests.js';
import { evolveNote, newNote, type NoteState, noteView, objectOf } from './state.js';

/** Lists of notes use the list index: only the notes of a page are read. */
const noteQueries: readonly QuerySpec<NoteState>[] = [
  {
    kind: 'note',
    type: 'note.get',
    on: 'target',
    read({ state, request, env }) {
      assertOfPath(state, request.params, env);
      return noteView(state, env, request.permissions);
    },
  },
  below('note.listOfPerson', (_env, _request, personId) => ({ parentId: personId })),
  below('note.listOfCase', (env, { params }, personId) => {
    const caseId = caseOf(env, env.tenant, personId, params['caseId'] ?? '');
    return { parentId: caseId, among: globalNotes(env, caseId) };
  }),
  below('note.listOfInteraction', (env, { params }, personId) => ({
    parentId: interactionOf(env, env.tenant, personId, params['interactionId'] ?? ''),
  })),
  {
    // A loan with a co-borrower has notes of both, which may be on different shards, so all shards are asked.
    kind: 'note',
    type: 'note.listOfLoan',
    on: 'tenant',
    read: ({ query, request, env }: QueryOf<ListNotesQuery>) => listedNotes(query, request, env, { parentId: loanIdOf(env, request) }),
  },
];

function below(type: string, whereOf: (env: QueryEnv, request: QueryRequest, personId: string) => WhereNotesAre): QuerySpec<NoteState> {
  return {
    kind: 'note',
    type,
    on: 'tenant',
    below: ({ params }) => ({ kind: 'person', target: params['personId'] }),
    read: ({ query, request, env }: QueryOf<ListPersonNotesQuery>) =>
      listedNotes(query, request, env, whereOf(env, request, personOfPath(env, request.params))),
  };
}

/** The borrower's shard checks that the loan is the borrower's; the other shards look for the same id. */
function loanIdOf(env: QueryEnv, { params }: QueryRequest): string {
  const anyId = params['loanId'] ?? '';
  const personId = personOfPath(env, params);
  return env.isHere(personId) ? loanOf(env, env.tenant, personId, anyId) : (resolveId(env, env.tenant, 'loan', anyId) ?? anyId);
}

const ORDERS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'category', 'important', 'pinned']);
const PINNED_FIRST = [{ field: 'pinned', descending: true }];
/** The default order of lists, kept in the index: pinned notes first, without archived ones. */
const NOT_ARCHIVED: KeptOrder = { holds: ({ fields }) => fields['archived'] === false, of: ({ fields }) => fields['pinned'] === true };

/** Where a list of notes is read from. */
interface WhereNotesAre {
  readonly kind?: 'note' | typeof SUPERCASE_NOTE;
  readonly parentId: string;
  readonly isGlobal?: boolean;
  /** Rows of other notes that are shown with these: global notes of the supercase. */
  readonly among?: readonly CatalogRow[];
}

/** The notes of a case's supercase that are shown on all its subcases. */
function globalNotes(env: QueryEnv, caseId: string): readonly CatalogRow[] {
  const supercaseId = env.read<CaseState>('case', caseId)?.supercaseId ?? null;
  if (supercaseId === null) return [];
  return env.list(SUPERCASE_NOTE, {
    parentId: supercaseId,
    matches: ({ fields }) => fields['isGlobal'] === true,
    limit: ALL_ROWS,
  }).rows;
}

export function listedNotes(query: ListPersonNotesQuery, { permissions }: QueryRequest, env: QueryEnv, where: WhereNotesAre): ListResult {
  refuseMixed(query);
  const { categories, pinned = null, includeArchived = false, objectType, sortBy = [], limit = DEFAULT_LIMIT, ...cursor } = query;
  const wanted = categories && new Set<unknown>(categories);
  const { kind = 'note', parentId, isGlobal, among = [] } = where;
  const isFiltered = isGlobal !== undefined || pinned !== null || wanted !== undefined || objectType !== undefined;
  const isUsual = sortBy.length === 0 && among.length === 0 && !includeArchived;
  const matches = ({ fields }: CatalogRow): boolean =>
    (isGlobal === undefined || fields['isGlobal'] === isGlobal) &&
    (includeArchived || fields['archived'] === false) &&
    (pinned === null || fields['pinned'] === pinned) &&
    (wanted === undefined || wanted.has(fields['category'])) &&
    (objectType === undefined || fields['objectType'] === objectType);
  const sort = sortBy.length === 0 ? PINNED_FIRST : sortBy.map(orderNamed);
  const page = env.list(kind, {
    parentId,
    ...(isUsual ? { kept: { order: NOT_ARCHIVED } } : { among, sort }),
    ...(isUsual && !isFiltered ? {} : { matches }),
    limit,
    ...cursor,
  });
  const items = page.rows.map((row) => shown(row, env, permissions));
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}

/** Only rows of supercases' notes have the field `isGlobal`. */
function shown({ id, fields }: CatalogRow, env: QueryEnv, permissions: ReadonlySet<string>): NoteView {
  if (fields['isGlobal'] !== undefined)
    return supercaseNoteView(must(env.stateOf<SupercaseNoteState>(SUPERCASE_NOTE, id), `the listed note ${id}`), permissions);
  return noteView(must(env.stateOf<NoteState>('note', id), `the listed note ${id}`), env, permissions);
}

function orderNamed(word: string): NonNullable<ListRequest['sort']>[number] {
  const field = word.replace(/^-/, '');
  if (ORDERS.has(field)) return { field, descending: word.startsWith('-') };
  const expected = `one of ${[...ORDERS].join(', ')}, with - for descending`;
  return refuse('badRequest', `Notes cannot be ordered by ${field}.`, {
    errors: [{ path: 'sortBy', expected, message: 'is not a field to sort by' }],
  });
}

/** Notes, each on the shard of its borrower. */
export const noteModule: ActorModule = actorModule<NoteState>({
  definition: {
    kind: 'note',
    prefix: 'NT',
    initial: newNote,
    evolve: evolveNote,
    clone: (state) => ({ ...state }),
    row: rowOf,
    pack: (state) => state,
    unpack: (packed: NoteState) => packed,
  },
  commands: [createNote, updateNote, archiveNote],
  queries: noteQueries,
});

function rowOf(state: NoteState): CatalogRow | null {
  const { id, personId, caseId, interactionId, loanId, createdStamp, updatedStamp, pinned, archived, category, important } = state;
  if (createdStamp === 0) return null;
  return {
    id,
    externalId: null,
    createdStamp,
    updatedStamp,
    parentId: personId,
    alsoUnder: [caseId, interactionId, loanId].filter((other) => other !== null),
    fields: { pinned, archived, category, important, objectType: objectOf(state) },
  };
}
