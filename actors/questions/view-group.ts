import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { QueryRequest } from '../kernel/actor.js';
import type { EventQuery, EventView } from '../kernel/events/event-pages.js';
import type { Tenant } from '../kernel/fact.js';
import { queryOf } from '../kernel/jobs/service-calls.js';
import { LIMITS, SHARED_SHARD } from '../kernel/limits.js';
import { HeapMarking } from '../kernel/shard/heap-marking.js';
import { must } from '../../engine/index.js';
import { Refusal } from '../errors.js';
import type { ListResult } from '../wire.js';
import { Batches } from './batches.js';
import { EVENTS_KEPT } from './events-view.js';
import { type FeedPage, feedQueryOf, type FeedQuery } from './feed.js';
import { QuestionFailed, type RowsPiece, type TableGroup, type ViewStore } from './ports.js';
import { RowsText } from './rows-text.js';
import { shownColumns, type View, type ViewedKind } from './view.js';
import { VIEWS } from './views.js';

/** Subjects that are read in one go at most. */
const PAGE = 100;
const EVENTS_PAGE = 250;
/** Parts of a cluster that are read at the same time. */
const PARTS_AT_ONCE = 4;
/** Clocks of several processes differ a little. */
const CLOCKS_APART_MS = 10_000;
/** More events than that in the view: it is filled again, with the newest. */
const MOST_EVENTS = EVENTS_KEPT * 1.1;

/** Where the subjects of all parts are asked. */
export interface FollowedEngine {
  query(request: QueryRequest): Promise<unknown>;
}

/** What a later start needs to go on with the views of a group. */
export interface GroupMarks {
  /** Of the group, and of its tables. */
  readonly name: string;
  readonly views: readonly string[];
  /** JSON of the columns: a release with others fills the views again. */
  readonly columns: string;
  /** By part of a cluster. */
  readonly followed: readonly (readonly [shard: number, Followed])[];
}

export interface GroupParts {
  readonly tenant: Tenant;
  readonly store: ViewStore;
  readonly asked: FollowedEngine;
  /** A shard of each part that is asked for itself. */
  readonly shards: readonly number[];
  readonly machineMs: () => number;
  readonly database: string;
  readonly seesPersonalData: boolean;
  /** In place of the most rows of a view that has such a bound. */
  readonly mostRows?: number | undefined;
  /** In place of the fewest actors of a group that is kept. */
  readonly keptFrom?: number | undefined;
}

/** How far a part has been followed; stamps are microseconds. */
interface Followed {
  stamp: number;
  id: string;
}

/** Actors of a part that have changed: of more each page would look at all others as well, and filling again costs less. */
const MOST_FOLLOWED = LIMITS.changedRows;
const TOO_MANY = -1;
/** A group of fewer actors is filled within a second or two, and is not kept. */
const KEPT_FROM = 20_000;
/** Once so many of its actors have changed it is kept again. */
const UNKEPT_PART = 0.1;
/** Of the rows of a view with a bound: with so many times as many, those that were replaced included, it is filled again. */
const MOST_REPLACED = 1.5;

/**
 * Views of one kind in a database, which are filled and followed together. Filling reads all subjects, part by part; following reads those
 * that have changed since. `views` are in the order of the declarations.
 */
abstract class ViewGroup {
  protected readonly batches = new Batches(
    () => ({ group: this.name, watermark: this.#knownAt }),
    (batch) => this.parts.store.put(this.parts.database, batch),
  );
  /** When the reading began that is under way: all that was recorded before is seen by it. */
  #knownAt = 0;
  #rows = 0;
  #isTooLarge = false;
  /** Before it followed last: it has nothing of persons who were erased by then. */
  protected erasures = -1;

  constructor(
    protected readonly parts: GroupParts,
    readonly name: string,
    readonly views: readonly View[],
  ) {}

  /** Loans change with each day; rows of events, which keep what was erased since, are made again. */
  get outlivesDay(): boolean {
    return this.kind !== 'loan' && this.kind !== 'event';
  }

  /** Null: nothing of it is kept. */
  get marks(): GroupMarks | null {
    return null;
  }

  /** Whether it takes long to fill, and has changed much since it was kept. */
  get isToBeKept(): boolean {
    return false;
  }

  /** `keep` is given the erasures before it followed last, and resolves to whether it is kept. */
  async keep(keep: (erasures: number) => Promise<boolean>): Promise<boolean> {
    return keep(this.erasures);
  }

  protected get columns(): string {
    return JSON.stringify(this.#tables);
  }

  async fill(): Promise<void> {
    await this.#empty();
    this.#knownAt = this.parts.machineMs();
    await this.fillAll();
    await this.batches.finish();
    if (!this.#isTooLarge) return;
    await this.#empty();
    throw new QuestionFailed('tooLarge', `${this.views[0]?.name} has more than ${this.#mostRows} rows, too many for questions.`);
  }

  #empty(): Promise<void> {
    const { store, database } = this.parts;
    return store.add(database, { name: this.name, tables: this.#tables });
  }

  get #tables(): TableGroup['tables'] {
    const { seesPersonalData } = this.parts;
    return this.views.map((view) => ({ name: view.name, columns: shownColumns(view, { seesPersonalData }) }));
  }

  /** False where some subjects are gone, or too many have changed: the group is filled again then. */
  async follow(): Promise<boolean> {
    this.#knownAt = this.parts.machineMs();
    const { erasures } = this.parts.store;
    const isWhole = await this.followAll();
    if (isWhole) await this.batches.put([], false); // for its watermark
    if (isWhole) this.erasures = erasures;
    return isWhole;
  }

  /** Of one view with a bound; others have none. */
  get #mostRows(): number {
    const own = this.views[0]?.mostRows;
    return own === undefined ? Infinity : (this.parts.mostRows ?? own);
  }

  /** False where there are more rows than the view may have. */
  protected fits({ rowCount }: RowsPiece): boolean {
    this.#rows += rowCount;
    this.#isTooLarge = this.#rows > this.#mostRows;
    return !this.#isTooLarge;
  }

  /** The same while it follows: rows that replace others are counted with them, until the view is filled again. */
  protected fitsAgain({ rowCount }: RowsPiece): boolean {
    this.#rows += rowCount;
    return this.#rows <= this.#mostRows * MOST_REPLACED;
  }

  protected abstract fillAll(): Promise<void>;
  protected abstract followAll(): Promise<boolean>;

  protected get kind(): ViewedKind {
    return this.views[0]?.kind ?? 'event';
  }

  protected async ask<Page>(type: string, query: FeedQuery | EventQuery, params: Readonly<Record<string, string>> = {}): Promise<Page> {
    return queryOf(this.parts.asked, this.parts.tenant, { type, target: null, params, query });
  }
}

/** Views of actors. */
class ActorGroup extends ViewGroup {
  readonly #followed = new Map<number, Followed>();
  /** In each part, when it follows next: what changed while it was filled is followed, however much it is. */
  #mostFollowed = Infinity;
  #actors = 0;
  /** Actors that have changed since they were kept. */
  #unkept = 0;
  /** The erasures before which it followed when it was kept last: later ones have erased it. */
  #keptAt = -1;
  #isBeingKept = false;

  override get marks(): GroupMarks | null {
    if (this.views.some(({ mostRows }) => mostRows !== undefined)) return null;
    return { name: this.name, views: this.views.map(({ name }) => name), columns: this.columns, followed: [...this.#followed] };
  }

  override get isToBeKept(): boolean {
    if (this.#isBeingKept || this.#actors < (this.parts.keptFrom ?? KEPT_FROM)) return false;
    return this.#keptAt !== this.erasures || this.#unkept > this.#actors * UNKEPT_PART;
  }

  override async keep(keep: (erasures: number) => Promise<boolean>): Promise<boolean> {
    const { erasures } = this;
    this.#unkept = 0;
    this.#isBeingKept = true;
    const isKept = await keep(erasures);
    this.#isBeingKept = false;
    if (isKept) this.#keptAt = erasures;
    return isKept;
  }

  /** False where it has other columns now, or parts. */
  goOn({ columns, followed }: GroupMarks): boolean {
    for (const [shard, mark] of followed) this.#followed.set(shard, { ...mark });
    this.#mostFollowed = MOST_FOLLOWED;
    this.#keptAt = this.parts.store.erasures;
    return columns === this.columns && this.parts.shards.every((shard) => this.#followed.has(shard));
  }

  protected async fillAll(): Promise<void> {
    const waiting = [...this.parts.shards];
    const readNext = async (): Promise<void> => {
      for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) await this.#fillPart(shard);
    };
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, readNext));
  }

  async #fillPart(shard: number): Promise<void> {
    // Whatever is recorded behind it is looked at again.
    const from = (this.parts.machineMs() - CLOCKS_APART_MS) * 1000;
    let after: FeedQuery['after'] = null;
    let isEmpty = true;
    for (;;) {
      const page = await this.#page(shard, { after });
      if (!this.fits(page.piece)) return;
      await this.batches.gather(page.piece);
      isEmpty &&= page.last === null;
      after = page.last?.mark ?? null;
      if (!page.hasMore || after === null) break;
      await yieldToOthers();
      await HeapMarking.ofThread.pause();
    }
    this.#followed.set(shard, { stamp: isEmpty ? 0 : from, id: '' });
  }

  protected async followAll(): Promise<boolean> {
    // All parts end, also if one fails: the next follow goes on where they stand.
    const parts = await Promise.allSettled([...this.#followed].map(([shard, followed]) => this.#followPart(shard, followed)));
    const counts = parts.map((part) => {
      if (part.status === 'rejected') throw part.reason;
      return part.value;
    });
    this.#mostFollowed = MOST_FOLLOWED;
    if (counts.includes(TOO_MANY)) return false;
    const total = counts.reduce((sum, count) => sum + count, 0);
    this.#actors = total;
    return total === (await this.parts.store.count(this.parts.database, this.name));
  }

  /** How many actors the part has; `TOO_MANY` where too many have changed, or their rows do not fit. */
  async #followPart(shard: number, followed: Followed): Promise<number> {
    for (;;) {
      const page = await this.#page(shard, { since: { ...followed } });
      const { piece, last } = page;
      if ((page.found ?? 0) > this.#mostFollowed || !this.fitsAgain(piece)) return TOO_MANY;
      if (last !== null) await this.batches.put([piece], true);
      this.#unkept += piece.actors.length;
      if (last !== null) Object.assign(followed, { stamp: must(last.stamp, 'an actor that has changed has a stamp'), id: last.id });
      if (!page.hasMore || last === null) return page.total ?? 0;
    }
  }

  #page(shard: number, from: Pick<FeedQuery, 'since' | 'after'>): Promise<FeedPage> {
    const { seesPersonalData } = this.parts;
    const views = this.views.map(({ name }) => name);
    return this.ask<FeedPage>(feedQueryOf(this.kind), { limit: PAGE, views, seesPersonalData, ...from }, { shard: String(shard) });
  }
}

/** Views of the log of events: filled with the newest, and followed from there. */
class EventGroup extends ViewGroup {
  #newestId: string | null = null;
  #count = 0;

  protected async fillAll(): Promise<void> {
    let startingAfter: string | undefined;
    while (this.#count < EVENTS_KEPT) {
      const limit = Math.min(EVENTS_PAGE, EVENTS_KEPT - this.#count);
      const page = await this.#page({ order: 'desc', limit, ...(startingAfter === undefined ? {} : { startingAfter }) });
      this.#newestId ??= page.items[0]?.id ?? null;
      this.#count += page.items.length;
      await this.batches.gather(this.#pieceOf(page.items));
      startingAfter = page.items.at(-1)?.id;
      if (!page.hasMore || startingAfter === undefined) return;
      await yieldToOthers();
      await HeapMarking.ofThread.pause();
    }
  }

  protected async followAll(): Promise<boolean> {
    for (;;) {
      const page = await this.#newer();
      if (page === null || this.#count + page.items.length > MOST_EVENTS) return false;
      if (page.items.length > 0) await this.batches.put([this.#pieceOf(page.items)], false);
      this.#count += page.items.length;
      this.#newestId = page.items.at(-1)?.id ?? this.#newestId;
      if (!page.hasMore) return true;
    }
  }

  /** Null where the event that was the newest is no longer kept. */
  async #newer(): Promise<ListResult<EventView> | null> {
    const startingAfter = this.#newestId === null ? {} : { startingAfter: this.#newestId };
    try {
      return await this.#page({ order: 'asc', limit: EVENTS_PAGE, ...startingAfter });
    } catch (cause) {
      if (cause instanceof Refusal && cause.errorType === 'badRequest') return null;
      throw cause;
    }
  }

  #page(query: EventQuery): Promise<ListResult<EventView>> {
    return this.ask<ListResult<EventView>>('event.list', query);
  }

  #pieceOf(newest: readonly EventView[]): RowsPiece {
    const text = new RowsText(this.views.length);
    for (const event of newest)
      text.add(
        event.id,
        this.views.map((view) => view.rowsOf(event, this.parts)),
      );
    return text.print();
  }
}

export type { ViewGroup };

/** A group of views of the same kind, still to be filled. */
export const groupOf = (parts: GroupParts, name: string, views: readonly View[]): ViewGroup =>
  views[0]?.kind === 'event' ? new EventGroup(parts, name, views) : actorGroup(parts, name, views);

/** A group that was kept; null where its views are others now. */
export function keptGroup(parts: GroupParts, marks: GroupMarks): ViewGroup | null {
  const views = VIEWS.filter(({ name }) => marks.views.includes(name));
  const group = views.length === marks.views.length ? actorGroup(parts, marks.name, views) : null;
  return group?.goOn(marks) === true ? group : null;
}

/** All units of a cluster know the company. */
const actorGroup = (parts: GroupParts, name: string, views: readonly View[]): ActorGroup =>
  new ActorGroup(views[0]?.kind === 'company' ? { ...parts, shards: [SHARED_SHARD] } : parts, name, views);
