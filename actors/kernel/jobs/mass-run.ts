import { gunzipSync, gzipSync } from 'node:zlib';
import { amountText, csvLine, must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { Figure } from '../actor.js';
import { type Fact, RULES_VERSION, SCHEMA_VERSION, type Tenant } from '../fact.js';
import { LIMITS } from '../limits.js';
import { environmentOf } from '../ports.js';
import { suppose } from '../shard/execution.js';
import { upToDate } from '../shard/reading.js';
import { Scope, type Supposed } from '../shard/scope.js';
import type { CachedActor, World } from '../shard/world.js';
import { requestOf, type MassBatchHost } from './mass-batch.js';
import type { MassFailure, MassWork } from './mass-works.js';

/** The waiting actors of one shard, in the order of creation. */
export interface Queue {
  readonly shard: number;
  readonly ids: readonly string[];
  readonly stamps: readonly number[];
  next: number;
}

/** The state of mass work in this process: the waiting actors, its rate, and the differences that a dry run has found. */
export class MassRun {
  /** Null until the list index has been searched. */
  #queues: Queue[] | null = null;
  #turn = 0;
  #remaining = 0;
  readonly report: DifferenceReport | null;
  /** Of a dry run; other work is counted by its facts. */
  readonly counted = { changed: 0, unchanged: 0, failures: [] as MassFailure[], failed: 0 };
  /** Machine time in milliseconds. */
  finishedAt: number | null = null;
  /** How many were computed, and the elapsed milliseconds that this took, without pauses and the time before a start. */
  readonly pace = { done: 0, ms: 0 };

  constructor(
    readonly work: MassWork,
    readonly world: World,
  ) {
    this.report = work.isDryRun ? new DifferenceReport() : null;
  }

  get tenant(): Tenant {
    return this.work.tenant;
  }

  get isListed(): boolean {
    return this.#queues !== null;
  }

  /** Null while unknown. */
  get remaining(): number | null {
    return this.#queues && this.#remaining;
  }

  list(queues: readonly Queue[]): void {
    this.#queues = queues.filter(({ ids }) => ids.length > 0);
    this.#remaining = this.#queues.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /** Alternates between the shards, so that their blocks are written side by side. */
  nextQueue(): Queue | undefined {
    const queues = this.#queues ?? [];
    return queues[(this.#turn += 1) % Math.max(1, queues.length)];
  }

  /** So many actors of a queue have been computed: the next ones come next. */
  countDone(queue: Queue, count: number): void {
    queue.next += count;
    this.#remaining -= count;
    this.pace.done += count;
    if (queue.next >= queue.ids.length) this.#queues = (this.#queues ?? []).filter((each) => each !== queue);
  }

  /** The work was over before its operation was asked for: a later day is closed. */
  endBefore(at: number): void {
    this.expect(0);
    this.finishedAt = at;
  }

  /** Daily work is listed by the agenda. */
  expect(remaining: number): void {
    this.#queues ??= [];
    this.#remaining = remaining;
  }
}

/** Totals of the differences: of each amount, before and after, in cents. */
export interface AmountTotal {
  readonly name: string;
  readonly beforeCents: number;
  readonly afterCents: number;
}

/** The present figures of one actor, and the figures that the work would lead to; null: they could not be computed. */
export interface Compared {
  readonly id: string;
  readonly before: readonly Figure[];
  readonly after: readonly Figure[] | null;
  readonly fault: string | null;
}

/**
 * The differences that a dry run has found: a line of CSV for each actor, compressed as it grows, and totals of all amounts. Lines beyond
 * `LIMITS.reportBytes` are left out and counted.
 */
export class DifferenceReport {
  readonly #parts: Buffer[] = [];
  readonly #totals = new Map<string, { beforeCents: number; afterCents: number }>();
  #gathering = '';
  #bytes = 0;
  #rows = 0;
  #leftOut = 0;

  get rows(): number {
    return this.#rows;
  }

  get rowsLeftOut(): number {
    return this.#leftOut;
  }

  /** Of the figures that are amounts, in the order of the columns. */
  get totals(): readonly AmountTotal[] {
    return [...this.#totals].map(([name, total]) => ({ name, ...total }));
  }

  get partCount(): number {
    return this.#parts.length + (this.#gathering === '' ? 0 : 1);
  }

  part(index: number): string {
    const packed = this.#parts[index];
    return packed ? gunzipSync(packed).toString('utf8') : index === this.#parts.length ? this.#gathering : '';
  }

  /** Drops the lines; the totals stay. */
  drop(): void {
    this.#leftOut += this.#rows;
    this.#rows = 0;
    this.#parts.length = 0;
    this.#gathering = '';
  }

  /** Returns whether anything differs. */
  add({ id, before, after, fault }: Compared): boolean {
    const isChanged = after !== null && before.some(([, value], at) => value !== after[at]?.[1]);
    for (const [at, [name, value]] of before.entries()) {
      if (typeof value !== 'number') continue;
      const total = this.#totals.get(name) ?? { beforeCents: 0, afterCents: 0 };
      const then = after?.[at]?.[1];
      total.beforeCents += value;
      total.afterCents += typeof then === 'number' ? then : value;
      this.#totals.set(name, total);
    }
    this.#write(before, after, [id, fault === null ? (isChanged ? 'changed' : 'unchanged') : 'failed'], fault);
    return isChanged;
  }

  #write(before: readonly Figure[], after: readonly Figure[] | null, head: readonly string[], fault: string | null): void {
    if (this.#bytes >= LIMITS.reportBytes) {
      this.#leftOut += 1;
      return;
    }
    if (this.#rows === 0) this.#line([...HEAD, ...before.flatMap(([name]) => [`${name}Before`, `${name}After`]), 'message']);
    this.#rows += 1;
    this.#line([
      ...head,
      ...before.flatMap(([, value], at) => [textOf(value), after === null ? '' : textOf(after[at]?.[1] ?? null)]),
      fault ?? '',
    ]);
  }

  #line(values: readonly string[]): void {
    this.#gathering += `${csvLine(values)}\r\n`;
    if (this.#gathering.length < LIMITS.reportPart) return;
    const packed = gzipSync(this.#gathering, { level: 1 });
    this.#parts.push(packed);
    this.#bytes += packed.length;
    this.#gathering = '';
  }
}

const HEAD = ['id', 'outcome'];

const textOf = (value: Figure[1]): string => (typeof value === 'number' ? amountText(value) : (value ?? ''));

/**
 * Computes what mass work would change, without side effects: it applies the same facts to copies, as if the ordered change were recorded.
 * Created for one time slice, as memory may have been reloaded before the next one.
 */
export class DryRun {
  readonly #supposed: Supposed | null;

  constructor(
    private readonly host: MassBatchHost,
    private readonly mass: MassWork,
  ) {
    this.#supposed = supposedOwner(host, mass);
  }

  /** Null for an actor that has no figures. */
  compare(actor: CachedActor): Compared | null {
    const { figures } = actor.definition;
    if (!figures) return null;
    const { id } = actor;
    const scope = this.host.scope(this.mass.tenant, actor.shard);
    let before: readonly Figure[] = [];
    try {
      const state = upToDate(this.host.runtime(), actor, scope, scope.now);
      before = figures(state, scope);
      return { id, before, after: this.#after(actor, state, scope), fault: null };
    } catch (cause) {
      if (environmentOf(cause) !== null) throw cause;
      if (!(cause instanceof Refusal)) this.host.quarantine(actor, cause);
      return { id, before, after: null, fault: cause instanceof Refusal ? cause.message : 'It could not be computed: see the log.' };
    }
  }

  #after(actor: CachedActor, before: unknown, scope: Scope): readonly Figure[] {
    const { definition } = actor;
    const { task } = this.mass;
    const { world, keys } = this.host.runtime();
    const figures = must(definition.figures, `${actor.kind} has figures`);
    if (task.type === 'command') {
      const request = requestOf(this.mass, task, actor);
      const copy = definition.clone(before);
      const { facts } = this.host
        .command(task.command)
        .decide({ id: actor.id, state: copy, body: task.body, command: request, env: scope, besideId: null });
      return figures(suppose(this.host.runtime(), actor, copy, facts, { request, scope, now: scope.now }), scope);
    }
    const other = new Scope(world, keys, this.mass.tenant, actor.shard, scope.now, undefined, this.#supposed);
    return figures(upToDate(this.host.runtime(), actor, other, scope.now), other);
  }
}

/** The shared actor that ordered the work, as it would be if the requested change were recorded. */
function supposedOwner(host: MassBatchHost, { owner, tenant, supposing, by, operationId }: MassWork): Supposed | null {
  if (owner === null || supposing.length === 0) return null;
  const runtime = host.runtime();
  const actor = must(runtime.world.find(tenant, owner.kind, owner.id), `${owner.id} has ordered mass work`);
  const scope = host.scope(tenant, actor.shard);
  const state = actor.definition.clone(actor.state);
  for (const { type, body, effective } of supposing) {
    const fact: Fact = {
      sequence: actor.lastSequence + 1,
      tenant,
      kind: actor.kind,
      id: actor.id,
      type,
      body,
      stamp: Number.MAX_SAFE_INTEGER,
      businessAt: scope.now,
      effective: effective ?? null,
      by,
      address: null,
      caseId: null,
      requestId: operationId,
      commandId: operationId,
      schemaVersion: SCHEMA_VERSION,
      rulesVersion: RULES_VERSION,
    };
    actor.definition.evolve(state, fact, null, scope);
  }
  return { id: owner.id, state };
}
