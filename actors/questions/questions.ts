import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { tags } from 'typia';
import { formatDay, dayAt, must } from '../../engine/index.js';
import { Refusal, refuseProperty } from '../errors.js';
import type { QueryRequest } from '../kernel/actor.js';
import { type Tenant, tenantKey } from '../kernel/fact.js';
import { dateTimeText, type DateTimeText, type ListResult } from '../wire.js';
import { type FeedItem, feedQueryOf, type FeedQuery, VIEWED_KINDS } from './feed.js';
import { type Answer, type ParquetFile, QuestionFailed, type TableShape, type ViewStore } from './ports.js';
import { shownColumns, type ViewedKind } from './view.js';
import { VIEWS } from './views.js';

export interface QuestionsParts {
  /** That of the shared shard: it knows the companies. */
  readonly engine: { now(tenant: Tenant): number; companyZone(tenant: Tenant): string; machineMs(): number };
  /** Where the actors of all shards are asked. */
  readonly asked: { query(request: QueryRequest): Promise<unknown> };
  readonly store: ViewStore;
}

export interface Question {
  readonly sql: string;
  /** Whether the views have their personal columns. */
  readonly seesPersonalData: boolean;
}

/** `POST /questions`. */
export interface QuestionBody {
  readonly sql: string & tags.MinLength<1> & tags.MaxLength<20000>;
}

/** What an answer is of: everything that was recorded before is in it. */
export interface Answered extends Answer {
  readonly asOf: DateTimeText;
}

export interface QuestionAnswer extends Answered {
  readonly object: 'questionAnswer';
}

/** Communications 8.2: how long a query may take, in milliseconds, and the rows of its answer. */
export const QUESTION_BOUNDS = { limitMs: 300_000, mostRows: 100_000 };

/** Actors that are read in one go while views are filled, and databases that are kept: the one that was asked longest ago goes first. */
const PAGE = 50;
const MOST_DATABASES = 8;
/** Actors that are put at once: a batch costs a transaction. */
const BATCH = 2_000;

/** How far a database has followed a kind. */
interface Followed {
  stamp: number;
  id: string;
}

interface Database {
  readonly name: string;
  readonly generation: number;
  /** The day whose balances it shows. */
  readonly day: string;
  readonly kinds: Map<ViewedKind, Followed>;
}

/**
 * Answers SQL over the views. They are filled with the first question about a company, mode and access, and follow before each later one:
 * an answer has everything that was recorded before it was asked for.
 */
export class Questions {
  readonly #databases = new Map<string, Database>();
  /** By database: what is under way with it, one behind the other. */
  readonly #under = new Map<string, Promise<unknown>>();

  constructor(private readonly parts: QuestionsParts) {}

  /** Throws `Refusal`: 400 for what is no question, 422 for one that takes too much, 503 where nobody can answer now. */
  async ask(tenant: Tenant, { sql, seesPersonalData }: Question): Promise<Answered> {
    return asRefusals(async () => {
      await this.parts.store.check(VIEW_NAMES, sql);
      const asOf = this.parts.engine.machineMs();
      const { name } = await this.#following(tenant, seesPersonalData);
      return { ...(await this.parts.store.ask(name, sql, QUESTION_BOUNDS)), asOf: dateTimeText(asOf) };
    });
  }

  /** The answer as a Parquet file; throws as `ask` does. */
  parquet(tenant: Tenant, { sql, seesPersonalData }: Question): Promise<ParquetFile> {
    return asRefusals(async () => {
      await this.parts.store.check(VIEW_NAMES, sql);
      const { name } = await this.#following(tenant, seesPersonalData);
      return this.parts.store.parquet(name, sql, QUESTION_BOUNDS);
    });
  }

  /** Whether a text is a question, before it is asked. Throws `Refusal`. */
  check(sql: string): Promise<void> {
    return asRefusals(() => this.parts.store.check(VIEW_NAMES, sql));
  }

  /** Fills and follows, so that the next question need not wait. */
  async warm(tenant: Tenant, seesPersonalData: boolean): Promise<void> {
    await asRefusals(() => this.#following(tenant, seesPersonalData));
  }

  #following(tenant: Tenant, seesPersonalData: boolean): Promise<Database> {
    const name = `${tenantKey(tenant)}/${seesPersonalData ? 'personal' : 'plain'}`;
    const before = this.#under.get(name) ?? Promise.resolve();
    const running = before.catch(() => undefined).then(() => this.#follow(tenant, name, seesPersonalData));
    this.#under.set(name, running);
    return running.finally(() => {
      if (this.#under.get(name) === running) this.#under.delete(name);
    });
  }

  async #follow(tenant: Tenant, name: string, seesPersonalData: boolean): Promise<Database> {
    const day = formatDay(dayAt(this.parts.engine.companyZone(tenant), this.parts.engine.now(tenant)));
    const known = this.#databases.get(name);
    const isUsable = known !== undefined && known.generation === this.parts.store.generation && known.day === day;
    const database = isUsable && (await this.#caughtUp(tenant, known, seesPersonalData)) ? known : null;
    if (database !== null) {
      this.#databases.delete(name);
      this.#databases.set(name, database);
      return database;
    }
    return this.#fill(tenant, name, day, seesPersonalData);
  }

  async #fill(tenant: Tenant, name: string, day: string, seesPersonalData: boolean): Promise<Database> {
    this.#databases.delete(name);
    await this.#makeRoom();
    const { store } = this.parts;
    await store.open(name, tablesOf(seesPersonalData));
    const database: Database = { name, day, generation: store.generation, kinds: new Map() };
    for (const kind of VIEWED_KINDS) await this.#fillKind(tenant, database, kind, seesPersonalData);
    // What came while it was filled.
    if (!(await this.#caughtUp(tenant, database, seesPersonalData)))
      throw new Refusal('unavailable', 'Too much changed while the views were filled.', { retryAfterSeconds: 5 });
    this.#databases.set(name, database);
    return database;
  }

  async #fillKind(tenant: Tenant, database: Database, kind: ViewedKind, seesPersonalData: boolean): Promise<void> {
    const from = await this.#newestStamp(tenant, kind, seesPersonalData);
    let cursor: string | undefined;
    let gathered: FeedItem[] = [];
    let putting: Promise<void> = Promise.resolve(); // one batch, while the next is gathered
    for (;;) {
      const page = await this.#feed(tenant, kind, {
        limit: PAGE,
        seesPersonalData,
        ...(cursor === undefined ? {} : { startingAfter: cursor }),
      });
      gathered.push(...page.items);
      cursor = page.items.at(-1)?.id;
      const isLast = !page.hasMore || cursor === undefined;
      if (isLast || gathered.length >= BATCH) {
        await putting;
        putting = this.#put(database, kind, gathered, false);
        putting.catch(() => undefined); // it is waited for below, or where the next batch begins
        gathered = [];
      }
      if (isLast) break;
      await yieldToOthers();
    }
    await putting;
    database.kinds.set(kind, from);
  }

  /** Where following begins: whatever is recorded behind it is looked at again. */
  async #newestStamp(tenant: Tenant, kind: ViewedKind, seesPersonalData: boolean): Promise<Followed> {
    const page = await this.#feed(tenant, kind, { limit: 1, seesPersonalData });
    // Clocks of several processes differ a little; stamps are microseconds.
    return { stamp: page.items.length === 0 ? 0 : (this.parts.engine.machineMs() - CLOCKS_APART_MS) * 1000, id: '' };
  }

  /** False where some actors are gone: the database is filled again then. */
  async #caughtUp(tenant: Tenant, database: Database, seesPersonalData: boolean): Promise<boolean> {
    for (const kind of VIEWED_KINDS) {
      const followed = must(database.kinds.get(kind), kind);
      for (;;) {
        const since = { ...followed };
        const page = await this.#feed(tenant, kind, { limit: PAGE, seesPersonalData, since });
        await this.#put(database, kind, page.items, true);
        const last = page.items.at(-1);
        if (last !== undefined) Object.assign(followed, { stamp: last.stamp, id: last.id });
        if (page.hasMore && last !== undefined) continue;
        if (page.total !== (await this.parts.store.count(database.name, kind))) return false;
        break;
      }
    }
    return true;
  }

  async #put(database: Database, kind: ViewedKind, items: readonly FeedItem[], replaces: boolean): Promise<void> {
    const views = VIEWS.filter((view) => view.kind === kind);
    await this.parts.store.put(database.name, {
      kind,
      replaces,
      actors: items.map(({ id }) => id),
      rows: Object.fromEntries(views.map(({ name }) => [name, items.map(({ rows }) => rows[name] ?? [])] as const)),
      watermark: this.parts.engine.machineMs(),
    });
  }

  async #feed({ company, mode }: Tenant, kind: ViewedKind, query: FeedQuery): Promise<ListResult<FeedItem>> {
    const request = { company, mode, type: feedQueryOf(kind), target: null, params: {}, query, permissions: NOTHING };
    return (await this.parts.asked.query(request)) as ListResult<FeedItem>;
  }

  async #makeRoom(): Promise<void> {
    while (this.#databases.size >= MOST_DATABASES) {
      const [oldest = ''] = this.#databases.keys();
      this.#databases.delete(oldest);
      await this.parts.store.drop(oldest);
    }
  }
}

const CLOCKS_APART_MS = 10_000;

const NOTHING: ReadonlySet<string> = new Set();

const VIEW_NAMES = VIEWS.map(({ name }) => name);

const tablesOf = (seesPersonalData: boolean): readonly TableShape[] =>
  VIEWS.map((view) => ({ name: view.name, kind: view.kind, columns: shownColumns(view, seesPersonalData) }));

async function asRefusals<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof QuestionFailed)) throw cause;
    switch (cause.type) {
      case 'refused':
        return refuseProperty('query', 'one SELECT over the views', cause.message);
      case 'closed':
        throw new Refusal('unavailable', cause.message, { retryAfterSeconds: 5, cause });
      case 'failed':
      case 'late':
      case 'tooLarge':
        throw new Refusal('businessValidation', cause.message, { cause });
    }
  }
}
