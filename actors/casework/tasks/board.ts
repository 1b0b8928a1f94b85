import { ownJson } from '../../../engine/index.js';
import { rowFieldsOf } from '../../kernel/erased.js';
import type { TaskType } from '../../company/index.js';
import { ALL_ROWS, type CatalogRow, type QueryEnv } from '../../kernel/actor.js';
import { type Fact, tenantKey } from '../../kernel/fact.js';
import {
  isVoice,
  type Refused,
  type RowFields,
  rowOf,
  type TaskState,
  type TaskStatus,
  type TaskTarget,
  type TaskTraits,
} from './state.js';
import { Tallies } from './tally.js';

/** An open task as lists and routing see it. Lines are small, so that memory holds hundreds of thousands while the tasks are not loaded. */
export interface TaskLine {
  readonly id: string;
  readonly stamp: number;
  readonly createdAt: number;
  readonly bucket: Bucket;
  readonly personId: string | null;
  readonly caseId: string | null;
  readonly employeeId: string | null;
  readonly refusals: readonly Refused[];
}

/** The fields by which tasks are counted. Many lines share one bucket. */
export interface Bucket {
  readonly route: Route;
  readonly status: TaskStatus;
  readonly priority: number;
  readonly queueName: string | null;
}

/** The fields that determine the possible workers of a task. Tasks with the same route wait in one queue. */
export interface Route {
  readonly key: string;
  readonly taskType: TaskType;
  readonly traits: TaskTraits;
  readonly target: TaskTarget;
  readonly waiting: WaitingQueue<TaskLine>;
}

/** The tasks of a worker. */
export interface Load {
  readonly taskIds: ReadonlySet<string>;
  readonly voice: number;
  /** The task that was offered last, and when. */
  readonly last: { readonly at: number; readonly taskId: string };
}

/** The open tasks of one tenant on one engine. */
export class TenantBoard {
  readonly #lines = new Map<string, TaskLine>();
  readonly #routes = new Map<string, Route>();
  readonly #buckets = new Map<string, Bucket>();
  readonly #held = new Map<string, Map<string, TaskLine>>();
  readonly #last = new Map<string, Load['last']>();
  /** Tasks that have changed since they were entered. */
  readonly dirty = new Set<string>();
  readonly tallies = new Tallies();

  /** Oldest first: lines are entered in the order in which tasks were created, and keep that order. */
  lines(): Iterable<TaskLine> {
    return this.#lines.values();
  }

  routes(): Iterable<Route> {
    return this.#routes.values();
  }

  loads(): readonly (readonly [employeeId: string, load: Load])[] {
    return [...this.#last].map(([employeeId, last]) => {
      const held = [...(this.#held.get(employeeId)?.values() ?? [])];
      return [
        employeeId,
        { taskIds: new Set(held.map(({ id }) => id)), voice: held.filter(({ bucket }) => isVoice(bucket.route.taskType)).length, last },
      ];
    });
  }

  enter(row: CatalogRow): void {
    const { id } = row;
    const fields = rowFieldsOf<RowFields>(row);
    const before = this.#lines.get(id);
    if (before?.employeeId != null) this.#held.get(before.employeeId)?.delete(id);
    this.#noteOffer(id, fields);
    if (!fields.isOpen) {
      this.#lines.delete(id);
      return;
    }
    const line = this.#lineOf(row, fields);
    this.#lines.set(id, line);
    if (fields.status === 'pending') line.bucket.route.waiting.push(line);
    if (line.employeeId !== null) this.#heldBy(line.employeeId).set(id, line);
  }

  #noteOffer(id: string, { employeeId, reservedAt }: RowFields): void {
    if (employeeId === null || reservedAt === null || (this.#last.get(employeeId)?.at ?? -1) >= reservedAt) return;
    this.#last.set(employeeId, { at: reservedAt, taskId: id });
  }

  #heldBy(employeeId: string): Map<string, TaskLine> {
    const known = this.#held.get(employeeId);
    if (known) return known;
    const held = new Map<string, TaskLine>();
    this.#held.set(employeeId, held);
    return held;
  }

  #lineOf({ id, createdStamp, parentId }: CatalogRow, fields: RowFields): TaskLine {
    const { createdAt, caseId, employeeId, refusals } = fields;
    return {
      id,
      stamp: createdStamp,
      createdAt,
      bucket: this.#bucketOf(fields),
      personId: parentId,
      caseId,
      employeeId,
      refusals: refusals === null ? NO_REFUSALS : ownJson<readonly Refused[]>(refusals),
    };
  }

  #bucketOf({ route, status, priority, queueName }: RowFields): Bucket {
    const key = `${status} ${priority} ${queueName} ${route}`;
    const known = this.#buckets.get(key);
    if (known) return known;
    const bucket: Bucket = { route: this.#routeOf(route), status, priority, queueName };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #routeOf(key: string): Route {
    const known = this.#routes.get(key);
    if (known) return known;
    const [taskType, traits, target] = ownJson<readonly [TaskType, TaskTraits, TaskTarget]>(key);
    const waiting = new WaitingQueue<TaskLine>(lineBefore, (line) => line.bucket.status === 'pending' && this.#lines.get(line.id) === line);
    const route: Route = { key, taskType, traits, target, waiting };
    this.#routes.set(key, route);
    return route;
  }
}

const NO_REFUSALS: readonly Refused[] = [];

/** Order of waiting tasks: higher priorities first, then older ones. */
interface Placed {
  readonly priority: number;
  readonly stamp: number;
}

export const comesBefore = (one: Placed, other: Placed): boolean =>
  one.priority === other.priority ? one.stamp < other.stamp : one.priority > other.priority;

const lineBefore = (one: TaskLine, other: TaskLine): boolean =>
  comesBefore({ priority: one.bucket.priority, stamp: one.stamp }, { priority: other.bucket.priority, stamp: other.stamp });

/**
 * The open tasks of an engine's tenants. The first query of a tenant builds its board from the stored tasks; each later query
 * brings the board up to date.
 */
export class TaskBoards {
  readonly #tenants = new Map<string, TenantBoard>();

  /** Must be called with every fact of a task. Facts that are replayed from the journal are not counted again (`isLiving` is false). */
  touch(before: TaskState, fact: Fact, isLiving: boolean): void {
    const board = this.#tenants.get(tenantKey(before.tenant));
    board?.dirty.add(before.id);
    if (isLiving) board?.tallies.count(before, fact);
  }

  of(env: QueryEnv): TenantBoard {
    const known = this.#tenants.get(tenantKey(env.tenant));
    if (!known) return this.#made(env);
    for (const id of known.dirty) {
      const state = env.stateOf<TaskState>('task', id);
      const row = state && rowOf(state);
      // Tasks are removed only when all test data is deleted.
      if (!row) return this.#made(env);
      known.enter(row);
    }
    known.dirty.clear();
    return known;
  }

  /** Rebuilds the board from the stored tasks. */
  forget(env: QueryEnv): TenantBoard {
    return this.#made(env);
  }

  #made(env: QueryEnv): TenantBoard {
    const board = new TenantBoard();
    const rows = env.list('task', { limit: ALL_ROWS, matches: ({ fields }) => fields['isOpen'] === true }).rows;
    for (let at = rows.length - 1; at >= 0; at--) {
      const row = rows[at];
      if (row) board.enter(row);
    }
    this.#tenants.set(tenantKey(env.tenant), board);
    return board;
  }
}

/** A priority queue (a binary heap). Items that are no longer wanted are skipped when they reach the front. */
export class WaitingQueue<Item> {
  readonly #heap: Item[] = [];

  constructor(
    private readonly isBefore: (one: Item, other: Item) => boolean,
    private readonly isWanted: (item: Item) => boolean,
  ) {}

  push(item: Item): void {
    const heap = this.#heap;
    let at = heap.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !this.isBefore(item, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = item;
  }

  /** The first items in order, each once. They stay in the queue. */
  first(count: number): readonly Item[] {
    const found = new Set<Item>();
    while (found.size < count) {
      const item = this.#pop();
      if (item === undefined) break;
      if (this.isWanted(item)) found.add(item);
    }
    for (const item of found) this.push(item);
    return [...found];
  }

  #pop(): Item | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let next = 2 * at + 1;
      const [left, right] = [heap[next], heap[next + 1]];
      if (left === undefined) break;
      let child = left;
      if (right !== undefined && this.isBefore(right, left)) {
        child = right;
        next += 1;
      }
      if (!this.isBefore(child, last)) break;
      heap[at] = child;
      at = next;
    }
    heap[at] = last;
    return first;
  }
}
