import { randomUUID } from 'node:crypto';
import type { tags } from 'typia';
import { formatDay, dayAt } from '../../engine/index.js';
import { Refusal, refuseProperty } from '../errors.js';
import { type Tenant, tenantKey } from '../kernel/fact.js';
import { isForNow } from '../kernel/jobs/service-calls.js';
import { dateTimeText, type DateTimeText } from '../wire.js';
import { KeptGroups } from './kept-groups.js';
import { type Answer, type AskedTable, type ParquetFile, QuestionFailed, type QuestionMeasure, type ViewStore } from './ports.js';
import type { View } from './view.js';
import { type FollowedEngine, type GroupParts, groupOf, keptGroup, type ViewGroup } from './view-group.js';
import { VIEWS } from './views.js';

export interface QuestionsParts {
  /** That of the shared shard: it knows the companies. */
  readonly engine: {
    now(tenant: Tenant): number;
    companyZone(tenant: Tenant): string;
    machineMs(): number;
    /** The newest record of each shard. */
    readonly positions: readonly number[];
  };
  /** Where the actors of all shards are asked. */
  readonly asked: FollowedEngine;
  /** A shard of each unit of the cluster; of one process any shard. */
  readonly shards: readonly number[];
  readonly store: ViewStore;
  readonly measure?: QuestionMeasure;
  /** Fewer rows in a view that has a most of them, for tests. */
  readonly mostRows?: (() => number | undefined) | undefined;
  /** Fewer actors of views that are kept, for tests. */
  readonly keptFrom?: (() => number | undefined) | undefined;
}

export interface Question {
  readonly sql: string;
  /** Whether it may read personal columns. */
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

/** Databases that are kept: the one that was asked longest ago goes first. */
const MOST_DATABASES = 8;

/** The views of a company, mode and access, as far as they were asked for. */
interface Database {
  readonly name: string;
  readonly generation: number;
  /** The day whose balances it shows. */
  day: string;
  groups: readonly ViewGroup[];
  /** Questions that are being answered: no view is emptied meanwhile. */
  readonly answering: Set<Promise<unknown>>;
}

/** The views of a question, and the company, mode and columns of the database that has them. */
interface Asked {
  readonly views: readonly View[];
  readonly tenant: Tenant;
  readonly seesPersonalData: boolean;
}

/**
 * Answers SQL over the views. A view is filled with the first question that names it, for a company and mode, with and without personal
 * columns, and follows before each later one: an answer has everything that was recorded before it was asked for. Personal data is opened
 * for questions that read it alone. Views that take long to fill are kept, and follow from there after the next start.
 */
export class Questions {
  readonly #databases = new Map<string, Database>();
  /** By database: what is under way with it, one behind the other. */
  readonly #under = new Map<string, Promise<unknown>>();

  readonly #kept: KeptGroups;

  constructor(private readonly parts: QuestionsParts) {
    this.#kept = new KeptGroups({ store: parts.store, positions: () => parts.engine.positions });
  }

  /** Throws `Refusal`: 400 for what is no question, 422 for one that takes too much, 503 where nobody can answer now. */
  ask(tenant: Tenant, question: Question): Promise<Answered> {
    return this.#measured(async () => {
      const asked = await this.#asked(tenant, question);
      const asOf = this.parts.engine.machineMs();
      const answer = await this.#over(asked, (database) => this.parts.store.ask(database, question.sql, QUESTION_BOUNDS));
      return { ...answer, asOf: dateTimeText(asOf) };
    });
  }

  /** The answer as a Parquet file; throws as `ask` does. */
  parquet(tenant: Tenant, question: Question): Promise<ParquetFile> {
    return this.#measured(async () =>
      this.#over(await this.#asked(tenant, question), (database) => this.parts.store.parquet(database, question.sql, QUESTION_BOUNDS)),
    );
  }

  /** Whether a text is a question, before it is asked. Throws `Refusal`. */
  check(sql: string): Promise<void> {
    return asRefusals(async () => void (await this.parts.store.check(ASKED_TABLES, sql)));
  }

  /** Fills and follows the views of a question, so that it need not wait. */
  async warm(tenant: Tenant, question: Question): Promise<void> {
    await asRefusals(async () => this.#over(await this.#asked(tenant, question), () => Promise.resolve()));
  }

  /** Resolves when all questions are answered and views are kept. */
  async settled(): Promise<void> {
    await Promise.all([...this.#databases.values()].flatMap(({ answering }) => [...answering]));
    await this.#kept.settled();
  }

  #measured<Result>(answer: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / 1000;
    return asRefusals(async () => {
      try {
        const answered = await answer();
        this.parts.measure?.asked('answered', seconds());
        return answered;
      } catch (cause) {
        this.parts.measure?.asked(cause instanceof QuestionFailed ? cause.type : 'closed', seconds());
        throw cause;
      }
    });
  }

  /** Who may read personal data asks the database that has it where the question reads it, or where all of its views are there already. */
  async #asked(tenant: Tenant, { sql, seesPersonalData }: Question): Promise<Asked> {
    const { tables, readsPersonalData } = await this.parts.store.check(ASKED_TABLES, sql);
    const views = VIEWS.filter(({ name }) => tables.includes(name));
    const areThere = (): boolean => missingIn(this.#databases.get(nameOf({ tenant, seesPersonalData })), views).length === 0;
    return { views, tenant, seesPersonalData: seesPersonalData && (readsPersonalData || areThere()) };
  }

  /** Answers from the database once it has the views and has followed. */
  async #over<Result>(asked: Asked, answer: (database: string) => Promise<Result>): Promise<Result> {
    const name = nameOf(asked);
    const before = this.#under.get(name) ?? Promise.resolve();
    const begun = before.catch(() => undefined).then(async () => this.#begin(await this.#followed(asked, name), answer));
    this.#under.set(name, begun);
    try {
      return await (await begun).answer;
    } finally {
      if (this.#under.get(name) === begun) this.#under.delete(name);
    }
  }

  /** What comes behind need not wait for the answer. */
  #begin<Result>({ name, answering }: Database, begin: (database: string) => Promise<Result>): { readonly answer: Promise<Result> } {
    const answer = begin(name);
    const ended: Promise<unknown> = answer.then(NOTHING, NOTHING).then(() => answering.delete(ended));
    answering.add(ended);
    return { answer };
  }

  async #followed(asked: Asked, name: string): Promise<Database> {
    const { views } = asked;
    const database = await this.#database(asked.tenant, name);
    const wanted = new Set(views);
    const isWanted = (group: ViewGroup): boolean => group.views.some((view) => wanted.has(view));
    await this.#restore(database, missingIn(database, views), asked);
    for (const group of database.groups.filter(isWanted)) {
      database.groups = database.groups.filter((each) => each !== group); // also if following fails: it is filled again then
      const isWhole = await group.follow().catch((cause: unknown) => {
        if (isForNow(cause)) database.groups = [...database.groups, group]; // what it has followed stays true
        throw cause;
      });
      if (isWhole) database.groups = [...database.groups, group];
    }
    for (const together of filledTogether(missingIn(database, views))) await this.#fill(database, together, asked);
    for (const group of database.groups.filter(isWanted)) this.#kept.keep(name, database.day, group);
    return database;
  }

  /** What is kept of views that are missing. */
  async #restore(database: Database, missing: readonly View[], asked: Asked): Promise<void> {
    const namesOf = (of: readonly View[]): readonly string[] => of.map(({ name }) => name);
    const { name, day, groups } = database;
    const present = namesOf(groups.flatMap((group) => group.views));
    const restored = await this.#kept.restored({ database: name, day, missing: namesOf(missing), present }, (marks) =>
      keptGroup(this.#groupParts(name, asked), marks),
    );
    database.groups = [...groups, ...restored];
  }

  /** The database of today. */
  async #database(tenant: Tenant, name: string): Promise<Database> {
    const { store, engine } = this.parts;
    const day = formatDay(dayAt(engine.companyZone(tenant), engine.now(tenant)));
    const known = this.#databases.get(name);
    this.#databases.delete(name);
    const isUsable = known?.generation === store.generation;
    const database = isUsable ? known : await this.#opened(name, day, known);
    this.#databases.set(name, database);
    if (database.day === day) return database;
    // Their tables stay until they are filled again.
    database.groups = database.groups.filter((group) => group.outlivesDay);
    database.day = day;
    return database;
  }

  /** An empty one in place of one of that name. */
  async #opened(name: string, day: string, before: Database | undefined): Promise<Database> {
    const { store } = this.parts;
    if (before !== undefined) await Promise.all(before.answering);
    await this.#makeRoom();
    await store.open(name);
    return { name, day, generation: store.generation, groups: [], answering: new Set() };
  }

  #groupParts(database: string, { tenant, seesPersonalData }: Asked): GroupParts {
    const { store, asked, shards, engine, mostRows, keptFrom } = this.parts;
    const parts = { tenant, store, asked, shards, machineMs: () => engine.machineMs(), database, seesPersonalData };
    return { ...parts, mostRows: mostRows?.(), keptFrom: keptFrom?.() };
  }

  async #fill(database: Database, views: readonly View[], asked: Asked): Promise<void> {
    // A name that no group has which was kept.
    const group = groupOf(this.#groupParts(database.name, asked), `group_${randomUUID().replaceAll('-', '')}`, views);
    await Promise.all(database.answering); // views of a group that was given up are emptied
    const begun = performance.now();
    await group.fill();
    // What came while it was filled.
    if (!(await group.follow()))
      throw new Refusal('unavailable', 'Too much changed while the views were filled.', { retryAfterSeconds: 5 });
    database.groups = [...database.groups, group];
    this.parts.measure?.filled((performance.now() - begun) / 1000);
  }

  async #makeRoom(): Promise<void> {
    while (this.#databases.size >= MOST_DATABASES) {
      const [oldest] = this.#databases.values();
      if (oldest === undefined) return;
      this.#databases.delete(oldest.name);
      await Promise.all(oldest.answering);
      await this.parts.store.drop(oldest.name);
    }
  }
}

const NOTHING = (): void => undefined;

/** Views of a kind, but each with very many rows for itself: questions that do not name it need not follow it. */
function filledTogether(views: readonly View[]): Iterable<readonly View[]> {
  const groups = new Map<string, View[]>();
  for (const view of views) {
    const name = view.mostRows === undefined ? view.kind : view.name;
    groups.set(name, [...(groups.get(name) ?? []), view]);
  }
  return groups.values();
}

const missingIn = (database: Database | undefined, views: readonly View[]): readonly View[] =>
  views.filter((view) => database?.groups.some((group) => group.views.includes(view)) !== true);

const nameOf = ({ tenant, seesPersonalData }: Pick<Asked, 'tenant' | 'seesPersonalData'>): string =>
  `${tenantKey(tenant)}/${seesPersonalData ? 'personal' : 'plain'}`;

const ASKED_TABLES: readonly AskedTable[] = VIEWS.map(({ name, columns }) => ({
  name,
  personalColumns: columns.filter(({ isPersonal }) => isPersonal === true).map((column) => column.name),
}));

/** Faults of questions as refusals of the interface. */
export async function asRefusals<T>(run: () => Promise<T>): Promise<T> {
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
