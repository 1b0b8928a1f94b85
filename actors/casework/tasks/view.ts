import { must, textIn } from '../../../engine/index.js';
import { companyOf, employeeOf, type TaskType } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { actorView } from '../../kernel/actor-logic.js';
import type { CatalogRow, EvolveEnv, QueryEnv, QueryRequest, QuerySpec, QueryOf } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import { cutPage, DEFAULT_LIMIT, type OffsetQuery, refuseMixed, wholeList } from '../../list-order.js';
import { dateTimeText, type ListResult, orNull } from '../../wire.js';
import type { Bucket, TaskBoards, TaskLine } from './board.js';
import { isOpen, type Refused, sidOf, type TaskState, type TaskStatus, type TaskTarget, type TaskTraits } from './state.js';
import type { ListTasksQuery, TaskView } from './requests.js';

export function taskView(state: TaskState, env: EvolveEnv): TaskView {
  const {
    id,
    tenant,
    taskType,
    status,
    priority,
    personId,
    caseId,
    supercaseId,
    interactionId,
    documentId,
    noteId,
    reservation,
    queueName,
    pairingConfigId,
  } = state;
  return {
    id,
    object: 'task',
    companyId: tenant.company,
    sid: sidOf(id),
    taskType,
    assignmentStatus: status,
    priority,
    personId,
    caseId,
    supercaseId,
    interactionId,
    documentId,
    noteId,
    assignedEmployee: status === 'reserved' ? null : employeeShown(state, env),
    reservation: reservation && { employeeId: reservation.employeeId, expiresAt: dateTimeText(reservation.expiresAt) },
    queueName,
    pairingConfigId,
    attributes: state.attributes ?? {},
    taskInitAt: dateTimeText(state.createdAt),
    assignedAt: orNull(dateTimeText, state.assignedAt),
    terminatedAt: orNull(dateTimeText, state.terminatedAt),
    terminationReason: state.terminationReason,
    createdBy: orNull(actorView, state.createdBy),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

/** The employee with the current name; a deleted employee has the id only. */
function employeeShown({ employeeId, tenant }: TaskState, env: EvolveEnv): TaskView['assignedEmployee'] {
  const employee = employeeId === null ? undefined : employeeOf(companyOf(env, tenant), employeeId)?.stored;
  return employeeId === null
    ? null
    : { id: employeeId, firstName: employee?.firstName ?? null, lastName: employee?.lastName ?? null, userId: employee?.userId ?? '' };
}

/** A waiting task. Routing asks each engine for the first ones of each queue. */
export interface WaitingItem {
  readonly id: string;
  readonly stamp: number;
  readonly taskType: TaskType;
  readonly priority: number;
  readonly traits: TaskTraits;
  readonly target: TaskTarget;
  readonly refusals: readonly Refused[];
}

/** The tasks of a worker on one engine. */
export interface LoadItem {
  readonly employeeId: string;
  readonly taskIds: readonly string[];
  readonly voice: number;
  readonly lastAt: number;
}

/** The number of tasks of one kind, status and priority on one engine. */
export interface CountItem {
  readonly taskType: TaskType;
  readonly traits: TaskTraits;
  readonly queueName: string | null;
  readonly status: TaskStatus;
  readonly priority: number;
  readonly count: number;
  readonly oldestAt: number;
  readonly oldestId: string;
}

/** Maximum number of tasks of a queue that routing reads at a time: more than all workers of a team can take. */
const HEADS = 50;

export function taskQueries(boards: TaskBoards): readonly QuerySpec<TaskState>[] {
  return [
    {
      kind: 'task',
      type: 'task.get',
      on: 'target',
      read: ({ state, env }) => taskView(state, env),
    },
    {
      kind: 'task',
      type: 'task.getTerminated',
      on: 'target',
      read: ({ id, state, env }) =>
        isOpen(state) ? refuse('notFound', `There is no completed or canceled task ${id}.`) : taskView(state, env),
    },
    {
      kind: 'task',
      type: 'task.list',
      on: 'tenant',
      below: belowPerson,
      read: ({ query, request, env }: QueryOf<ListTasksQuery>) => listOpen(boards, query, request, env),
    },
    {
      kind: 'task',
      type: 'task.listTerminated',
      on: 'tenant',
      read: ({ query, env }: QueryOf<OffsetQuery>) => listTerminated(query, env),
    },
    {
      kind: 'task',
      type: 'task.waiting',
      on: 'tenant',
      read: ({ env }) =>
        wholeList(
          [...boards.of(env).routes()].flatMap(({ waiting }) => waiting.first(HEADS)).map(waitingItem),
          ({ priority, stamp, id }) => [-priority, stamp, id],
          3,
        ),
    },
    {
      kind: 'task',
      type: 'task.loads',
      on: 'tenant',
      read: ({ env }) =>
        wholeList(
          boards
            .of(env)
            .loads()
            .map(([employeeId, { taskIds, voice, last }]) => ({
              employeeId,
              taskIds: [...taskIds],
              voice,
              lastAt: last.at,
              lastId: last.taskId,
            })),
          ({ employeeId, lastId }) => [employeeId, lastId],
          2,
        ),
    },
    {
      kind: 'task',
      type: 'task.counts',
      on: 'tenant',
      read: ({ env }) => wholeList(countsOf(boards.of(env).lines()), ({ oldestId }) => [oldestId], 1),
    },
    {
      kind: 'task',
      type: 'task.tallies',
      on: 'tenant',
      read: ({ env }) => wholeList(boards.of(env).tallies.all(), ({ queueName, firstTaskId }) => [queueName, firstTaskId], 2),
    },
  ];
}

const belowPerson = ({ query }: QueryRequest): { readonly kind: string; readonly target: string | undefined } => ({
  kind: 'person',
  target: textIn(query, 'personId'),
});

const waitingItem = ({
  id,
  stamp,
  bucket: {
    route: { taskType, traits, target },
    priority,
  },
  refusals,
}: TaskLine): WaitingItem => ({ id, stamp, taskType, priority, traits, target, refusals });

function countsOf(lines: Iterable<TaskLine>): readonly CountItem[] {
  const counts = new Map<Bucket, { count: number; oldest: TaskLine }>();
  for (const line of lines) {
    const known = counts.get(line.bucket);
    if (known) known.count += 1;
    else counts.set(line.bucket, { count: 1, oldest: line }); // lines come oldest first
  }
  return [...counts].map(
    ([
      {
        route: { taskType, traits },
        status,
        priority,
        queueName,
      },
      { count, oldest },
    ]) => ({ taskType, traits, queueName, status, priority, count, oldestAt: oldest.createdAt, oldestId: oldest.id }),
  );
}

/** Newest first. */
function listOpen(boards: TaskBoards, query: ListTasksQuery, request: QueryRequest, env: QueryEnv): ListResult {
  refuseMixed(query);
  const { limit = DEFAULT_LIMIT, offset, startingAfter, endingBefore } = query;
  const matches = lineFilter(query, env);
  const asked = {
    limit,
    ...(offset === undefined ? {} : { offset }),
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(endingBefore === undefined ? {} : { endingBefore }),
  };
  const read = (lines: Iterable<TaskLine>): ListResult | undefined => {
    const items: TaskLine[] = [];
    for (const line of lines) if (matches(line)) items.push(line);
    items.reverse();
    const page = cutPage<Pick<TaskLine, 'id' | 'stamp'>>(
      {
        items,
        isNamed: ({ id }, cursor) => id === cursor,
        descending: [true, false],
        positionOf: ({ stamp, id }) => [stamp, id],
        leftOut: (cursor) => taskNamed(env, cursor),
      },
      asked,
    );
    const states = page.items.map(({ id }) => env.stateOf<TaskState>('task', id));
    if (states.includes(undefined)) return undefined;
    return {
      items: states.map((state) => taskView(must(state, 'it is there'), env)),
      total: page.total,
      hasMore: page.hasMore,
      hasPrevious: page.hasPrevious,
      order: page.order(),
    };
  };
  return read(boards.of(env).lines()) ?? must(read(boards.forget(env).lines()), `a rebuilt board has all tasks (${request.type})`);
}

/** Any task, also one that is no longer open. */
function taskNamed(env: QueryEnv, id: string): Pick<TaskLine, 'id' | 'stamp'> | undefined {
  const task = env.hasRow('task', id) && env.sees('task', id) ? env.stateOf<TaskState>('task', id) : undefined;
  return task && { id, stamp: task.createdStamp };
}

function lineFilter(query: ListTasksQuery, env: QueryEnv): (line: TaskLine) => boolean {
  const { taskType, status } = query;
  const personId = idNamed(env, 'person', query.personId);
  const caseId = idNamed(env, 'case', query.caseId);
  const employeeId = query.employeeId && (employeeOf(companyOf(env, env.tenant), query.employeeId)?.id ?? NOBODY);
  return (line) =>
    (taskType === undefined || line.bucket.route.taskType === taskType) &&
    (status === undefined || line.bucket.status === status) &&
    (personId === undefined || line.personId === personId) &&
    (caseId === undefined || line.caseId === caseId) &&
    (employeeId === undefined || line.employeeId === employeeId);
}

const NOBODY = '';

const idNamed = (env: QueryEnv, kind: string, anyId: string | undefined): string | undefined =>
  anyId && (resolveId(env, env.tenant, kind, anyId) ?? NOBODY);

async function listTerminated(query: OffsetQuery, env: QueryEnv): Promise<ListResult> {
  refuseMixed(query);
  const { limit = DEFAULT_LIMIT, ...cursor } = query;
  const matches = ({ fields }: CatalogRow): boolean => fields['isOpen'] === false;
  const page = await env.listInSlices('task', { matches, sort: [{ field: 'terminatedAt', descending: true }], limit, ...cursor });
  const items = page.rows.map(({ id }) => taskView(must(env.stateOf<TaskState>('task', id), `the listed task ${id}`), env));
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}
